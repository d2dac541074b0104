#include "scene/inspector/variable_rows.h"

#include <algorithm>
#include <set>

#include "scene/words/cell_text.h"

namespace lanescope::scene {

namespace {

using trace::LaneStatus;
using trace::warp_size;

constexpr std::size_t shown_value_bytes = 256;

struct Place {
    const trace::Trace& trace;
    const trace::Replay& replay;
    const session::StepState& step_state;
    std::uint32_t warp, lane;
    std::uint32_t launch() const { return step_state.step.launch; }
    std::uint32_t block() const { return step_state.step.block; }
};

bool slot_changed(const Place& place, std::uint32_t depth, std::uint32_t slot) {
    for (const trace::TurnDetail& detail : place.step_state.details) {
        if (place.trace.turns[detail.turn].warp != place.warp) continue;
        for (const trace::VariableChange& change : detail.changes)
            if (change.depth == depth && change.slot == slot && (change.mask >> place.lane & 1)) return true;
    }
    return false;
}

std::string value_text(const TypeTable& types, TypeId type, std::vector<std::byte> bytes) {
    if (bytes.empty()) return {};
    if (bytes.size() > shown_value_bytes) bytes.resize(shown_value_bytes);
    return format_value(types, type, bytes);
}

// Lanes of the warp that are in this function at this depth.
trace::Mask lanes_in(const Place& place, std::uint32_t depth, std::uint32_t function) {
    trace::Mask lanes = 0;
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        if (place.step_state.warps[place.warp][lane].status == LaneStatus::absent) continue;
        const auto frames = place.replay.frames(place.launch(), place.block(), place.warp * warp_size + lane);
        if (depth < frames.size() && frames[depth] == function) lanes |= 1u << lane;
    }
    return lanes;
}

void compare_lanes(const Place& place, std::uint32_t depth, const trace::Variable& variable,
                   trace::Mask lanes, VariableRow& row) {
    row.shares.fill(-1);
    const TypeTable& types = place.trace.program.types;
    std::array<double, warp_size> values{};
    std::vector<std::string> texts;
    std::vector<double> numbers;
    NumberRange range;
    trace::Mask known = 0;
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        if (!(lanes >> lane & 1)) continue;
        const auto bytes = place.replay.variable(place.launch(), place.block(), place.warp * warp_size + lane,
                                                 depth, variable);
        if (bytes.empty()) continue;
        known |= 1u << lane;
        values[lane] = numeric_value(types, variable.type, bytes);
        range.include(values[lane]);
        numbers.push_back(values[lane]);
        texts.push_back(value_text(types, variable.type, bytes));
    }
    for (std::uint32_t lane = 0; lane < warp_size; ++lane)
        if (known >> lane & 1) row.shares[lane] = std::max(0.0f, range.share(values[lane]));
    row.summary = summarise_lanes(texts, numbers);
}

bool in_scope(const trace::Variable& variable, std::uint32_t pc) {
    return variable.scope_end_pc <= variable.scope_begin_pc ||
           (pc >= variable.scope_begin_pc && pc < variable.scope_end_pc);
}

VariableFrame make_frame(const Place& place, std::uint32_t depth, std::uint32_t function, bool innermost) {
    const trace::Function& code = place.trace.program.functions[function];
    const TypeTable& types = place.trace.program.types;
    const std::uint32_t thread = place.warp * warp_size + place.lane;
    const std::uint32_t pc = place.step_state.warps[place.warp][place.lane].pc;
    const trace::Mask lanes = lanes_in(place, depth, function);
    VariableFrame frame{code.name, {}};
    for (const trace::Variable& variable : code.variables) {
        const std::vector<std::byte> bytes =
            place.replay.variable(place.launch(), place.block(), thread, depth, variable);
        // In an outer frame only the place of the call is known, not the scopes that are open.
        if (innermost ? !variable.parameter && !in_scope(variable, pc) : bytes.empty()) continue;
        VariableRow row;
        row.name = variable.name;
        row.type = types[variable.type].name;
        row.parameter = variable.parameter;
        row.value = value_text(types, variable.type, bytes);
        row.changed =
            variable.home == trace::Variable::Home::slot && slot_changed(place, depth, variable.slot);
        compare_lanes(place, depth, variable, lanes, row);
        frame.rows.push_back(row);
    }
    // Computed variables come first, parameters after them.
    std::stable_sort(frame.rows.begin(), frame.rows.end(),
                     [](const VariableRow& a, const VariableRow& b) { return !a.parameter && b.parameter; });
    return frame;
}

std::string status_words(const trace::LaneInfo& lane) {
    const std::string line = lane.line ? " on line " + std::to_string(lane.line) : std::string();
    switch (lane.status) {
        case LaneStatus::absent:
            return "no such thread";
        case LaneStatus::unstarted:
            return "has not run yet";
        case LaneStatus::active:
            return "runs" + line;
        case LaneStatus::ready:
            return lane.line ? "goes on at line " + std::to_string(lane.line) : "ready";
        case LaneStatus::diverged:
            return lane.line ? "waits to go on" + line : "waits";
        case LaneStatus::at_barrier:
            return "waits at the barrier" + line;
        case LaneStatus::at_warp_sync:
            return "waits for its warp" + line;
        case LaneStatus::finished:
            return "finished";
        case LaneStatus::faulted:
            return "stopped by a fault" + line;
    }
    return {};
}

}  // namespace

std::vector<VariableFrame> variable_frames(const trace::Trace& trace, const trace::Replay& replay,
                                           const session::StepState& step_state, std::uint32_t warp,
                                           std::uint32_t lane) {
    std::vector<VariableFrame> frames;
    if (warp >= step_state.warps.size() || lane >= warp_size) return frames;
    const Place place{trace, replay, step_state, warp, lane};
    const std::vector<std::uint32_t> functions =
        replay.frames(step_state.step.launch, step_state.step.block, warp * warp_size + lane);
    bool innermost = true;
    for (std::size_t depth = functions.size(); depth-- > 0;) {
        if (functions[depth] >= trace.program.functions.size()) continue;
        if (!trace.program.functions[functions[depth]].user_code && depth > 0) continue;
        frames.push_back(make_frame(place, static_cast<std::uint32_t>(depth), functions[depth], innermost));
        innermost = false;
    }
    return frames;
}

std::string summarise_lanes(const std::vector<std::string>& texts, const std::vector<double>& numbers) {
    if (texts.empty()) return {};
    const std::set<std::string> different(texts.begin(), texts.end());
    if (different.size() == 1)
        return texts.size() == 1 ? "in 1 lane" : "same in " + std::to_string(texts.size()) + " lanes";
    const bool comparable = std::none_of(numbers.begin(), numbers.end(), [](double n) { return n != n; });
    if (!comparable) return std::to_string(different.size()) + " different";
    const auto low = std::min_element(numbers.begin(), numbers.end()) - numbers.begin();
    const auto high = std::max_element(numbers.begin(), numbers.end()) - numbers.begin();
    return texts[static_cast<std::size_t>(low)] + " … " + texts[static_cast<std::size_t>(high)];
}

std::string thread_words(const trace::Dim3& block, std::uint32_t thread, const trace::LaneInfo& lane) {
    std::string text = "t" + std::to_string(thread);
    if (block.y > 1 || block.z > 1) {
        text += " (" + std::to_string(thread % block.x) + ", " + std::to_string(thread / block.x % block.y);
        if (block.z > 1) text += ", " + std::to_string(thread / block.x / block.y);
        text += ")";
    }
    return text + " · warp " + std::to_string(thread / warp_size) + ", lane " +
           std::to_string(thread % warp_size) + " · " + status_words(lane);
}

}  // namespace lanescope::scene
