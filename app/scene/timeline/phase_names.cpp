#include "scene/timeline/phase_names.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "trace/replay.h"

namespace lanescope::scene {

namespace {

constexpr std::size_t max_phases = 1000;

// A variable and its value in each phase. Candidates are in the order of the declarations.
struct Candidate {
    std::string name;
    std::vector<std::optional<std::string>> values;
};

bool is_integer(const ValueType& type) {
    return type.kind == ValueType::Kind::scalar &&
           (type.scalar == Scalar::signed_int || type.scalar == Scalar::unsigned_int);
}

// The value in all lanes that run the turn.
std::optional<std::string> common_value(const trace::Replay& replay, const PhaseSpan& phase,
                                        const trace::Variable& variable) {
    const trace::Trace& trace = replay.trace();
    const trace::Turn& turn = trace.turns[phase.turn];
    std::optional<std::vector<std::byte>> common;
    for (trace::Mask rest = turn.mask; rest != 0; rest &= rest - 1) {
        const std::uint32_t thread =
            turn.warp * trace::warp_size + static_cast<std::uint32_t>(std::countr_zero(rest));
        std::vector<std::byte> bytes = replay.variable(phase.launch, phase.block, thread, 0, variable);
        if (bytes.empty() || (common && *common != bytes)) return {};
        common = std::move(bytes);
    }
    if (!common) return {};
    return format_value(trace.program.types, variable.type, *common);
}

void note_phase(const trace::Replay& replay, const PhaseSpan& phase, std::size_t number,
                std::vector<Candidate>& candidates, std::size_t phases) {
    const trace::Trace& trace = replay.trace();
    const std::uint32_t kernel_pc = trace.turns[trace.launches[phase.launch].first_turn].pc;
    const std::uint32_t pc = trace.turns[phase.turn].pc;
    if (kernel_pc >= trace.program.code_rows.size()) return;
    const std::uint32_t function = trace.program.code_rows[kernel_pc].function;
    if (function >= trace.program.functions.size()) return;
    for (const trace::Variable& variable : trace.program.functions[function].variables) {
        const bool own =
            variable.home == trace::Variable::Home::slot || variable.home == trace::Variable::Home::local;
        const bool in_scope = pc >= variable.scope_begin_pc && pc < variable.scope_end_pc;
        if (variable.parameter || !own || !in_scope || !is_integer(trace.program.types[variable.type]))
            continue;
        const std::optional<std::string> value = common_value(replay, phase, variable);
        if (!value) continue;
        auto at = std::find_if(candidates.begin(), candidates.end(),
                               [&](const Candidate& each) { return each.name == variable.name; });
        if (at == candidates.end()) {
            candidates.push_back({variable.name, {}});
            at = std::prev(candidates.end());
            at->values.resize(phases);
        }
        at->values[number] = value;
    }
}

// How often the value differs from that of the phase before; 0 when it is not known in two phases that follow
// each other.
std::size_t changes(const Candidate& candidate) {
    std::size_t count = 0;
    for (std::size_t i = 1; i < candidate.values.size(); ++i)
        if (candidate.values[i] && candidate.values[i - 1] &&
            *candidate.values[i] != *candidate.values[i - 1])
            ++count;
    return count;
}

}  // namespace

std::vector<std::string> phase_names(const trace::Trace& trace, std::span<const PhaseSpan> phases,
                                     const std::atomic<bool>* cancelled) {
    std::vector<std::string> names(phases.size());
    if (phases.size() < 2 || phases.size() > max_phases) return names;
    // The replay lives no longer than this call: it need not own the trace.
    trace::Replay replay(std::shared_ptr<const trace::Trace>(std::shared_ptr<void>(), &trace));
    if (!replay.is_near(phases.back().turn, phases.back().turn)) return names;
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < phases.size(); ++i) {
        if (cancelled && cancelled->load(std::memory_order_relaxed)) return names;
        replay.seek(phases[i].turn + 1);
        note_phase(replay, phases[i], i, candidates, phases.size());
    }
    const Candidate* best = nullptr;
    for (const Candidate& each : candidates)
        if (changes(each) > (best ? changes(*best) : 0)) best = &each;
    if (!best) return names;
    for (std::size_t i = 0; i < phases.size(); ++i)
        if (best->values[i]) names[i] = best->name + " " + *best->values[i];
    return names;
}

}  // namespace lanescope::scene
