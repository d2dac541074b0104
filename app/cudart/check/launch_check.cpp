#include "cudart/check/launch_check.h"

#include <bit>
#include <optional>

#include "analysis/code.h"
#include "analysis/memory_order.h"
#include "analysis/races.h"
#include "simt/memory/memory.h"
#include "simt/program/program.h"
#include "trace/events.h"
#include "trace/recorder.h"

namespace lanescope::cudart {

struct LaunchCheck::State {
    State(std::shared_ptr<const simt::Program> of, const CheckLimits& bounds)
        : program(std::move(of)),
          limits(bounds),
          code(program->description),
          recorder(trace::RecorderLimits{bounds.slice_bytes, 0, [this](const trace::Trace& slice, bool last) {
                                             return take(slice, last);
                                         }}) {
        recorder.set_program(program->description);
        for (std::uint32_t pc = 0; pc < program->description.code_rows.size(); ++pc) {
            const analysis::MemoryOrder order = analysis::memory_order(code, pc);
            strong.push_back(order.strong);
            for_host.push_back(order.strong &&
                               (order.is_volatile || order.scope == trace::FenceScope::system));
        }
    }

    bool take(const trace::Trace& slice, bool last) {
        if (!search) search.emplace(slice, code, analysis::RaceLimits{limits.shadow_bytes, 100});
        search->take_slice(last);
        findings.labels.resize(slice.launches.size());
        findings.labels.back() = slice.launches.back().kernel;
        if (wants_touched) touch(slice);
        bytes += slice.turns.size() * sizeof(trace::Turn) + slice.events->bytes.size();
        if (bytes < limits.launch_bytes || last) return true;
        incomplete = "races were looked for only in the first " + std::to_string(limits.launch_bytes >> 20) +
                     " MiB of what the launch did";
        findings.touched.set_incomplete();
        return false;
    }

    void touch(const trace::Trace& slice) {
        trace::Event event;
        for (std::uint64_t turn = 0; turn < slice.turns.size(); ++turn) {
            trace::EventReader reader(slice, turn);
            while (reader.next(event)) {
                if (event.kind == trace::EventKind::sync && event.sync == trace::SyncKind::fence &&
                    static_cast<trace::FenceScope>(event.detail) == trace::FenceScope::system)
                    findings.touched.set_signals_host();
                const bool constant = event.space == trace::Space::constant;
                if (!trace::is_access(event.kind) || (!constant && event.space != trace::Space::global))
                    continue;
                const std::uint64_t window = constant ? simt::window::constant : simt::window::global;
                const bool is_strong =
                    event.kind == trace::EventKind::atomic || (event.pc < strong.size() && strong[event.pc]);
                const TouchKind kind = is_strong                               ? TouchKind::strong
                                       : event.kind == trace::EventKind::store ? TouchKind::write
                                                                               : TouchKind::read;
                if (event.kind != trace::EventKind::load && event.pc < for_host.size() && for_host[event.pc])
                    findings.touched.set_signals_host();
                unsigned nth = 0;
                for (trace::Mask rest = event.mask; rest != 0; rest &= rest - 1, ++nth) {
                    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
                    findings.touched.add(kind, window + trace::offset_of(event, lane, nth), event.width);
                }
            }
        }
    }

    std::shared_ptr<const simt::Program> program;
    CheckLimits limits;
    analysis::Code code;
    std::vector<bool> strong, for_host;  // by pc; for_host: also a host that polls sees it
    trace::Recorder recorder;
    // of the launch
    std::optional<analysis::RaceSearch> search;
    bool wants_touched = false;
    std::uint64_t bytes = 0;
    std::string incomplete;
    Findings findings;
};

LaunchCheck::LaunchCheck(std::shared_ptr<const simt::Program> program, const CheckLimits& limits)
    : state_(std::make_unique<State>(std::move(program), limits)) {}
LaunchCheck::~LaunchCheck() = default;

const std::shared_ptr<const simt::Program>& LaunchCheck::program() const {
    return state_->program;
}

LaunchCheck::Findings LaunchCheck::run(simt::Machine& machine, const simt::LaunchRequest& request,
                                       bool wants_touched) {
    State& state = *state_;
    state.findings = {};
    state.wants_touched = wants_touched;
    state.bytes = 0;
    state.incomplete.clear();
    machine.record_into(&state.recorder);
    state.findings.outcome = machine.launch(request);
    machine.record_into(nullptr);
    Findings made = std::move(state.findings);
    if (state.search) {
        analysis::RaceReport report = state.search->finish();
        made.races = std::move(report.problems);
        made.incomplete = state.incomplete.empty() ? report.incomplete : state.incomplete;
        state.search.reset();
    }
    return made;
}

}  // namespace lanescope::cudart
