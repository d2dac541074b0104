#include "execution/run/turn_log.h"

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>

namespace lanescope::execution {

std::vector<simt::ThreadTurns> first_turns(const TurnLog& log, std::size_t count) {
    std::vector<simt::ThreadTurns> turns;
    for (std::size_t i = 0; i < std::min(count, log.turns.size()); ++i)
        simt::append_turn(turns, log.turns[i].block, log.turns[i].thread);
    return turns;
}

std::size_t turns_until(const TurnLog& log, std::uint64_t trace_turn) {
    const auto after =
        std::upper_bound(log.turns.begin(), log.turns.end(), trace_turn,
                         [](std::uint64_t at, const ThreadTurn& turn) { return at < turn.end; });
    return static_cast<std::size_t>(after - log.turns.begin());
}

std::vector<trace::Step> steps_by_thread(const TurnLog& log, const trace::Trace& trace, std::uint32_t block) {
    std::vector<trace::Step> steps;
    std::set<std::tuple<std::uint32_t, std::uint32_t>> entered;  // launch and thread
    auto release = trace.releases.begin();
    std::uint32_t launch = trace::none, phase = 0;
    for (const ThreadTurn& turn : log.turns) {
        const std::uint64_t end = std::min<std::uint64_t>(turn.end, trace.turns.size());
        const trace::Launch& in = trace.launches[turn.launch];
        const std::uint32_t first_block = in.recorded_blocks.empty() ? 0 : in.recorded_blocks.front();
        const std::uint32_t focus = in.records(block) ? block : first_block;
        if (turn.launch != launch) phase = 0;
        launch = turn.launch;
        for (; release != trace.releases.end() && release->turn <= turn.first; ++release)
            if (release->block == focus && release->turn > in.first_turn) ++phase;
        if (turn.block != focus || turn.first >= end) continue;
        // Entering the kernel comes before the line that the turn is about, leaving it after that line.
        const bool enters = entered.emplace(turn.launch, turn.thread).second && end - turn.first > 1;
        const std::uint32_t line = trace.turns[turn.first + (enters ? 1 : 0)].line;
        steps.push_back({turn.first, end, turn.launch, turn.block, line, phase});
    }
    return steps;
}

std::vector<trace::Step> steps_of(const trace::Trace& trace, const TurnLog* log, std::uint32_t block,
                                  trace::Granularity granularity) {
    if (log != nullptr && granularity == trace::Granularity::line) return steps_by_thread(*log, trace, block);
    return trace::build_steps(trace, block, granularity);
}

simt::ThreadChoice LoggedTurns::choose(const simt::ThreadTable& threads) {
    const simt::ThreadChoice choice = listed_.choose(threads);
    if (choice.kind != simt::ThreadChoice::Kind::thread) return choice;
    if (threads.states.size() > max_threads || log_.turns.size() == max_turns || recorder_->full())
        complete_ = false, log_.turns.clear();
    if (complete_)
        log_.turns.push_back({threads.launch, threads.block_of(choice.thread),
                              threads.in_block(choice.thread), threads.block_threads, recorder_->turn_count(),
                              0, threads.states});
    return choice;
}

void LoggedTurns::done(const simt::ThreadTurnDone&) {
    if (complete_) log_.turns.back().end = recorder_->turn_count();
}

std::shared_ptr<const TurnLog> LoggedTurns::finish() {
    if (!complete_) return nullptr;
    // A turn in which a fault ended the run was not reported as done.
    for (ThreadTurn& turn : log_.turns)
        if (turn.end == 0) turn.end = recorder_->turn_count();
    return std::make_shared<const TurnLog>(std::move(log_));
}

}  // namespace lanescope::execution
