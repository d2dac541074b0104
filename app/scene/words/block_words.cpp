#include "scene/words/block_words.h"

#include <algorithm>

#include "base/language.h"

namespace lanescope::scene {
namespace {

constexpr std::uint32_t looked_at_warps = 32;

const trace::Variable* find_declared(const trace::Trace& trace, const std::string& name) {
    for (const trace::Function& function : trace.program.functions)
        for (const trace::Variable& variable : function.variables)
            if (function.user_code && variable.name == name) return &variable;
    return nullptr;
}

// The value that all lanes that know this variable have; empty when they differ or fewer than two know it.
std::string common_value(const session::Session& session, const std::string& name) {
    std::string common;
    int known = 0;
    const auto warps = static_cast<std::uint32_t>(session.playhead().step_state()->warps.size());
    for (std::uint32_t warp = 0; warp < std::min(warps, looked_at_warps); ++warp)
        for (std::uint32_t lane = 0; lane < trace::warp_size; ++lane) {
            const session::LaneValue value = session.values().value(name, warp, lane);
            if (value.hidden) return value.text;
            if (!value.set) continue;
            if (known++ > 0 && value.text != common) return {};
            common = value.text;
        }
    return known >= 2 ? common : std::string();
}

}  // namespace

std::string uniform_variable(const session::Session& session) {
    if (!session.playhead().step_state() || !session.trace()) return {};
    const TypeTable& types = session.trace()->program.types;
    for (const session::NamedVariable& variable :
         session.values().variables(session.selection().warp, session.selection().lane)) {
        const trace::Variable* declared = find_declared(*session.trace(), variable.name);
        if (!declared || declared->parameter || types[declared->type].kind != ValueType::Kind::scalar)
            continue;
        const std::string value = common_value(session, variable.name);
        if (!value.empty()) return variable.name + " = " + value;
    }
    return {};
}

std::string step_heading(const session::Session& session) {
    const session::StepState& step_state = *session.playhead().step_state();
    std::string text = tr("block {1}", {block_name(step_state.launch->grid, step_state.step.block)});
    const std::string steps = std::to_string(session.playhead().steps().size());
    if (session.playhead().at_start())
        text += " · " + tr("before the first of {1} steps", {steps});
    else
        text += " · " + moment_words(session) + " · " +
                tr("step {1} of {2}", {std::to_string(step_state.index + 1), steps});
    if (const std::string variable = uniform_variable(session); !variable.empty()) text += " · " + variable;
    return text;
}

std::string moment_words(const session::Session& session) {
    const session::StepState& step_state = *session.playhead().step_state();
    const bool before = session.playhead().stands_before();
    const bool one_line =
        session.playhead().granularity() <= trace::Granularity::line && step_state.step.line != 0;
    if (!one_line) return before ? tr("before the step") : tr("after the step");
    return tr(before ? tr_later("before line {1}") : tr_later("after line {1}"),
              {std::to_string(step_state.step.line)});
}

std::string proposed_launch(const execution::RunResult& run) {
    if (!run.proposed || run.instance.launches.empty()) return {};
    const auto count = [](const std::array<std::uint32_t, 3>& dim) {
        return std::uint64_t{dim[0]} * dim[1] * dim[2];
    };
    const lesson::LaunchInstance& launch = run.instance.launches.front();
    const std::uint64_t blocks = count(launch.grid), threads = count(launch.block);
    return "proposed: " + std::to_string(blocks) + (blocks == 1 ? " block of " : " blocks of ") +
           std::to_string(threads) + (threads == 1 ? " thread" : " threads") +
           (run.compiled.target.empty() ? "" : ", " + run.compiled.target);
}

std::string block_name(const trace::Dim3& grid, std::uint32_t block) {
    if (grid.y == 1 && grid.z == 1) return std::to_string(block);
    std::string text = "(" + std::to_string(block % grid.x) + ", " + std::to_string(block / grid.x % grid.y);
    if (grid.z > 1) text += ", " + std::to_string(block / grid.x / grid.y);
    return text + ")";
}

}  // namespace lanescope::scene
