#include "simt/schedule/scheduler.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "simt/schedule/turn.h"
#include "simt/state/cluster.h"
#include "simt/state/faults.h"

namespace lanescope::simt {

Scheduler::Scheduler(LaunchContext& run, const Schedule& schedule, const std::atomic<bool>* cancel,
                     const std::function<void(std::uint64_t)>& progress, RunClock& clock)
    : run_(run),
      schedule_(schedule),
      cancel_(cancel),
      progress_(progress),
      random_(schedule.seed),
      next_block_(run.first_block),
      clock_(clock) {}

Ending Scheduler::run() {
    check_limits();  // a kernel may launch very many short grids
    window_ = first_window();
    admit_blocks();
    if (run_.request.cooperative && next_block_ < run_.end_block) refuse_partial_grid();
    while (!stopped_ && !resident_.empty()) {
        bool ran = false;
        switch (schedule_.kind) {
            case Schedule::Kind::round_robin:
                ran = run_round_robin();
                break;
            case Schedule::Kind::warp:
                ran = run_by_warp();
                break;
            case Schedule::Kind::seed:
                ran = run_random();
                break;
            case Schedule::Kind::threads:
                ran = run_by_thread();
                break;
        }
        if (!ran && !stopped_) report_deadlock();
        if (block_finished_) retire_blocks();
    }
    return ending_;
}

std::uint64_t Scheduler::first_window() const {
    constexpr std::uint64_t small_grid = 64, least = 4, cache_bytes = 1 << 20;
    if (max_resident() != 0) return max_resident();
    if (run_.request.cooperative) return run_.request.grid.count();
    if (run_.request.grid.count() <= small_grid) return small_grid;
    return std::clamp<std::uint64_t>(cache_bytes / std::max<std::uint64_t>(Block::bytes_needed(run_), 1),
                                     least, small_grid);
}

// Blocks that were allowed to be resident; 0: any number.
std::uint64_t Scheduler::max_resident() const {
    return schedule_.resident_blocks != 0 ? schedule_.resident_blocks : run_.request.resident_blocks;
}

// If all resident blocks wait for others, more blocks become resident.
void Scheduler::note_turn(const Warp& warp) {
    if (!warp.only_spins() || warp.finished()) {
        if (idle_turns_ > stall_turns()) end_stall();
        idle_turns_ = 0;
        return;
    }
    ++idle_turns_;
    if (idle_turns_ > 2 * resident_warps_ && window_ < run_.end_block - run_.first_block &&
        max_resident() == 0) {
        idle_turns_ = 0;
        window_ *= 2;
        block_finished_ = true;  // more blocks may become resident
    } else if (idle_turns_ > stall_turns()) {
        look_for_stall(warp);
    }
}

// Turns in a row that only polled, after which a stall is looked for.
std::uint64_t Scheduler::stall_turns() const {
    return 64 * resident_warps_;
}

void Scheduler::look_for_stall(const Warp& warp) {
    if (warp.changed || warp.progressed) return end_stall();
    stall_.note_turn(warp);
    if (idle_turns_ % (4 * resident_warps_) != 0) return;
    if (stall_.all_stuck(resident_)) return report_deadlock();
    pass_time();
}

void Scheduler::end_stall() {
    stall_.reset();
    run_.clock_stands = false;
}

// A loop that reads a clock never returns to an earlier state. While all threads poll, time passes ever
// faster, which ends what waits for a time. After hours the clock stands still: what polls on then does so
// for ever.
void Scheduler::pass_time() {
    constexpr std::uint64_t first = 1 << 10, hours = 1ull << 45;
    if (run_.clock_stands) return;
    run_.clock_skew = std::max(first, run_.clock_skew * 2);
    if (run_.clock_skew < hours) return;
    run_.clock_skew = hours;
    run_.clock_stands = true;
    stall_.reset();
}

void Scheduler::admit_blocks() {
    const std::uint64_t blocks = run_.end_block;
    const std::uint64_t together = run_.cluster.count();  // of a cluster
    const std::uint64_t needed = Block::bytes_needed(run_) * together;
    while (next_block_ < blocks && resident_.size() < window_) {
        if (leaves_out_next()) {
            next_block_ += together;
            continue;
        }
        const std::uint64_t free = run_.budget.limit() - run_.budget.used();
        if (needed > free + run_.frames.spare_bytes(run_.kernel.function)) break;
        if (!admit_cluster()) break;
    }
    resident_warps_ = resident_.empty() ? 0 : resident_.size() * resident_[0]->warps.size();
    if (resident_.empty() && next_block_ < blocks && !stopped_)
        stop(Ending::refused, trace::ProblemKind::launch_config,
             "the memory limit of " + std::to_string(run_.budget.limit() >> 20) +
                 " MiB is too small for one " + (together > 1 ? "cluster" : "block") + " of this launch");
}

bool Scheduler::leaves_out_next() const {
    if (!run_.request.only_recorded || run_.recorder == nullptr) return false;
    const std::uint64_t index = nth_block(next_block_, run_.request.grid, run_.cluster);
    return !run_.recorder->records(static_cast<std::uint32_t>(index));
}

// The blocks of the next cluster, or the next block. False: memory was too short.
bool Scheduler::admit_cluster() {
    const std::uint64_t together = run_.cluster.count();
    const auto cluster = together > 1 ? std::make_shared<Cluster>() : nullptr;
    for (std::uint64_t i = 0; i < together; ++i) {
        const std::uint64_t index = nth_block(next_block_ + i, run_.request.grid, run_.cluster);
        resident_.push_back(std::make_unique<Block>(run_, static_cast<std::uint32_t>(index)));
        if (!resident_.back()->complete()) {
            resident_.resize(resident_.size() - i - 1);
            return false;
        }
        resident_.back()->cluster = cluster;
        if (cluster != nullptr) cluster->blocks.push_back(resident_.back().get());
    }
    next_block_ += together;
    return true;
}

// A grid that synchronises as a whole cannot run in parts.
void Scheduler::refuse_partial_grid() {
    const bool chosen = resident_.size() == max_resident();
    stop(Ending::refused, trace::ProblemKind::launch_config,
         "a cooperative launch needs all its " + std::to_string(run_.request.grid.count()) +
             " blocks at once; " +
             (chosen ? std::to_string(resident_.size()) + " were allowed to be resident"
                     : "the memory limit of " + std::to_string(run_.budget.limit() >> 20) + " MiB holds " +
                           std::to_string(resident_.size())));
}

void Scheduler::retire_blocks() {
    block_finished_ = false;
    const auto stays = [](const std::unique_ptr<Block>& block) {
        return !block->finished() || (block->cluster != nullptr && !block->cluster->finished());
    };
    // No block is destroyed before all blocks of its cluster are looked at.
    resident_.erase(std::stable_partition(resident_.begin(), resident_.end(), stays), resident_.end());
    admit_blocks();
}

bool Scheduler::run_round_robin() {
    bool ran = false;
    for (const auto& block : resident_) {
        const auto& warps = block->warps;
        for (std::size_t i = 0; i < warps.size(); ++i) {
            if (i + 1 < warps.size()) __builtin_prefetch(warps[i + 1]->groups.data());
            if (!warps[i]->runnable()) continue;
            turn(*block, *warps[i]);
            ran = true;
            if (stopped_) return true;
        }
    }
    return ran;
}

bool Scheduler::run_by_warp() {
    bool ran = false;
    for (const auto& block : resident_) {
        for (const auto& warp : block->warps) {
            while (warp->runnable()) {
                turn(*block, *warp);
                ran = true;
                if (stopped_) return true;
                if (warp->only_spins()) break;  // others must change what it polls
            }
        }
    }
    return ran;
}

bool Scheduler::run_random() {
    std::vector<std::pair<Block*, Warp*>> warps;
    for (const auto& block : resident_)
        for (const auto& warp : block->warps)
            if (!warp->finished()) warps.emplace_back(block.get(), warp.get());
    bool ran = false;
    while (!stopped_ && !block_finished_) {
        const std::size_t first = random_.next() % warps.size();
        std::size_t tried = 0;
        while (tried < warps.size() && !warps[(first + tried) % warps.size()].second->runnable())
            ++tried;
        if (tried == warps.size()) return ran;
        const auto [block, warp] = warps[(first + tried) % warps.size()];
        turn(*block, *warp);
        ran = true;
    }
    return ran;
}

bool Scheduler::turn(Block& block, Warp& warp, int group) {
    run_turn(warp, static_cast<std::size_t>(group < 0 ? warp.next_group() : group));
    const bool opened = block.barriers_changed && block.open_barriers();
    if (warp.finished() && block.finished()) block_finished_ = true;
    note_turn(warp);
    if (run_.recorder != nullptr && run_.recorder->full()) {  // the trace ends here, the run goes on
        run_.recorder = nullptr;
        run_.traced = run_.by_thread();
    }
    if (run_.earlier_instructions + run_.warp_instructions >= run_.limits.warp_instructions) {
        stop(Ending::step_limit, trace::ProblemKind::step_limit,
             "stopped after " + std::to_string(run_.earlier_instructions + run_.warp_instructions) +
                 " warp instructions; the kernel may never end" + where_text());
    } else if ((++turns_ & 1023) == 0 || run_.warp_instructions - checked_instructions_ > 1'000'000) {
        check_limits();
    }
    return opened;
}

void Scheduler::check_limits() {
    if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed)) {
        stopped_ = true;
        ending_ = Ending::cancelled;
        return;
    }
    checked_instructions_ = run_.warp_instructions;
    const double spent_s = clock_.spent_s(run_.recorder != nullptr);
    if (spent_s > run_.limits.seconds)
        stop(Ending::timeout, trace::ProblemKind::timeout, late_text(spent_s) + where_text());
    else if (progress_)
        progress_(run_.earlier_instructions + run_.warp_instructions);
    tell_watch();
}

std::string Scheduler::late_text(double spent_s) const {
    const std::string limit = seconds_text(run_.limits.seconds);
    if (clock_.earlier_s() > spent_s / 2)
        return "stopped: the time limit of " + limit + " is for all launches together, and " +
               seconds_text(std::round(clock_.earlier_s() * 10) / 10) +
               " of it had passed before this one began";
    return "stopped: the run and its analysis would exceed the time limit of " + limit +
           "; the kernel may never end";
}

void Scheduler::stop(Ending ending, trace::ProblemKind kind, const std::string& message) {
    stopped_ = true;
    ending_ = ending;
    report_launch(run_, kind, message);
}

namespace {

std::uint32_t group_line(Warp& warp, const Group& group, std::uint32_t pc) {
    Frame* frame = warp.frame;
    warp.frame = group.frame;
    const std::uint32_t line = line_of(warp, pc);
    warp.frame = frame;
    return line;
}

// The instruction at which a group that cannot go on is shown.
std::uint32_t waiting_pc(const Group& group) {
    if (group.state != GroupState::ready) return group.wait_pc;
    return group.spins != 0 && group.poll.pc != trace::none ? group.poll.pc : group.pc;
}

// The line of a poll; if its function was left again, the line that called it.
std::uint32_t waiting_line(Warp& warp, const Group& group) {
    const std::uint32_t pc = waiting_pc(group);
    const bool header = warp.run->program.description.code_rows[pc].line == 0;
    if (header && group.state == GroupState::ready && group.line != 0) return group.line;
    return group_line(warp, group, pc);
}

// How many threads arrived at a barrier that waits for a number of them.
std::string headcount_text(const Block& block, const Barrier& barrier) {
    if (barrier.expected == 0) return "";
    return " for " + std::to_string(barrier.expected) + " threads, of which " +
           std::to_string(barrier.arrived(block.live())) + " came";
}

std::string waiting_text(Warp& warp, const Group& group) {
    std::string text =
        threads_text(group.mask, warp.first_thread()) + " of block " + std::to_string(warp.block->index);
    text += lane_count(group.mask) == 1 ? " waits" : " wait";
    const std::string place = place_text(waiting_line(warp, group));
    if (group.state == GroupState::at_barrier && group.barrier == cluster_barrier)
        return text + " at the cluster's barrier" + place;
    if (group.state == GroupState::at_barrier)
        return text + " at barrier " + std::to_string(group.barrier) + place +
               headcount_text(*warp.block, warp.block->barriers[group.barrier]);
    if (group.state == GroupState::at_warp_sync) return text + " for other threads of the warp" + place;
    if (group.spins == 0 || group.poll.pc == trace::none)
        return text + place + " in a loop that changes nothing";
    return text + place + " for " + place_name(warp, group.poll.address) + " to change";
}

trace::ProblemSite waiting_site(Warp& warp, const Group& group) {
    trace::ProblemSite site;
    site.launch = warp.run->launch;
    site.block = warp.block->index;
    site.thread = warp.first_thread() + first_lane(group.mask);
    site.pc = waiting_pc(group);
    site.line = waiting_line(warp, group);
    return site;
}

}  // namespace

// Returns the first group that can go on, and its warp; null if there is none.
const Group* Scheduler::next_group(Warp*& warp) const {
    for (const auto& block : resident_)
        for (const auto& each : block->warps)
            if (const int next = each->next_group(); next >= 0) {
                warp = each.get();
                return &each->groups[static_cast<std::size_t>(next)];
            }
    return nullptr;
}

void Scheduler::tell_watch() const {
    RunWatch* watch = run_.request.watch;
    if (watch == nullptr) return;
    watch->warp_instructions.store(run_.earlier_instructions + run_.warp_instructions,
                                   std::memory_order_relaxed);
    Warp* warp = nullptr;
    if (const Group* group = next_group(warp))
        watch->line.store(group_line(*warp, *group, group->pc), std::memory_order_relaxed);
}

std::string Scheduler::where_text() const {
    Warp* warp = nullptr;
    const Group* group = next_group(warp);
    if (group == nullptr) return "";
    return "; " + threads_text(group->mask, warp->first_thread()) + " of block " +
           std::to_string(warp->block->index) + (lane_count(group->mask) == 1 ? " is" : " are") +
           place_text(group_line(*warp, *group, group->pc));
}

// The others may wait for blocks that are not resident.
std::string Scheduler::absent_text() const {
    const std::uint64_t absent = run_.end_block - next_block_;
    if (absent == 0) return "";
    return "; " + std::to_string(absent) + (absent == 1 ? " block has" : " blocks have") + " not started: " +
           (max_resident() != 0
                ? "at most " + std::to_string(max_resident()) + " may be resident"
                : "the memory limit of " + std::to_string(run_.budget.limit() >> 20) + " MiB is reached");
}

void Scheduler::report_deadlock() {
    constexpr unsigned most = 4;
    std::string message = "deadlock: no thread can continue";
    trace::Problem* problem = run_.problems.note(trace::ProblemKind::deadlock, trace::none);
    unsigned listed = 0, others = 0;
    for (const auto& block : resident_) {
        for (const auto& warp : block->warps) {
            for (const Group& group : warp->groups) {
                if (listed < 2 && problem != nullptr)
                    (listed == 0 ? problem->first : problem->second) = waiting_site(*warp, group);
                if (listed < most)
                    message += (listed++ == 0 ? ": " : "; ") + waiting_text(*warp, group);
                else
                    ++others;
            }
        }
    }
    if (others != 0) message += "; and " + std::to_string(others) + " more groups of threads";
    if (problem != nullptr) problem->message = message + absent_text();
    stopped_ = true;
    ending_ = Ending::deadlock;
}

}  // namespace lanescope::simt
