// A large trace is shown before it was played and counted; what needs that waits for it, never the frame
// loop.
#include <utility>

#include "session/state.h"

namespace lanescope::session {

Result<void> PreparedTrace::make_first_step_near(JobContext& context) {
    if (result.counted || steps.empty() || replay->is_near(steps.front().first, steps.front().end)) return {};
    Result<analysis::Report> report =
        count_trace(*result.trace, *result.instructions, result.file, &context.cancel_flag(),
                    [&](float share) { context.report(share); });
    if (!report) return report.diagnostics();
    result.report = std::move(*report);
    result.counted = true;
    return {};
}

void Session::State::start_counting() {
    jobs.start(count_tag,
               [this, trace = run->trace, instructions = run->instructions,
                file = run->file](JobContext& context) -> Jobs::Completion {
                   auto report = std::make_shared<Result<analysis::Report>>(
                       count_trace(*trace, *instructions, file, &context.cancel_flag(),
                                   [&](float share) { context.report(share); }));
                   if (context.cancelled()) return {};
                   return [this, report] {
                       if (!*report) {  // it cannot be shown after all
                           drop_run();
                           diagnostics = report->diagnostics();
                           return;
                       }
                       run->report = std::move(**report);
                       run->counted = true;
                   };
               });
}

void Session::State::stop_counting() {
    awaited.reset();
    const bool was_counting = jobs.busy(count_tag);
    jobs.cancel(count_tag);
    if (was_counting) stop_search();  // it would wait for what is not played any more
}

bool Session::State::is_near(const trace::Step& there) const {
    return replay->is_near(there.first, there.end);
}

// The position goes there once it is near, unless it is sent elsewhere before.
void Session::State::await(Command command) {
    awaited = std::move(command);
    if (!jobs.busy(count_tag)) start_counting();
}

// Other steps are made anew for each try: that is worth it only once all was played.
bool Session::State::arrive() {
    if (!awaited || !replay) return false;
    if (const auto* seeks = std::get_if<SeekStep>(&*awaited)) {
        if (!is_near(steps[std::min(seeks->step, steps.size() - 1)])) return false;
        seek(std::size_t{seeks->step});
        return true;
    }
    if (!replay->is_near(0, run->trace->turns.size())) return false;
    const Command command = *std::exchange(awaited, std::nullopt);
    if (const auto* focuses = std::get_if<FocusBlock>(&command)) focus_block(focuses->block);
    if (const auto* sets = std::get_if<SetGranularity>(&command)) set_granularity(sets->granularity);
    return true;
}

// Gigabytes take a while to be given back: not in the frame loop.
void Session::State::free_run() {
    constexpr std::size_t many_turns = 1'000'000;
    if (run && run->trace && run->trace->turns.size() > many_turns)
        jobs.start(free_tag,
                   [old = std::shared_ptr<RunResult>(std::move(run)),
                    walk = std::shared_ptr<trace::Replay>(std::move(replay))](
                       JobContext&) mutable -> Jobs::Completion {
                       walk.reset();
                       old.reset();
                       return {};
                   });
    run.reset();
    replay.reset();
}

void Session::count_later_above(std::uintmax_t file_bytes) {
    state_->counted_at_once_bytes = file_bytes;
}
bool Session::counting() const {
    return state_->jobs.busy(count_tag);
}
bool Session::awaiting() const {
    return state_->awaited.has_value();
}

}  // namespace lanescope::session
