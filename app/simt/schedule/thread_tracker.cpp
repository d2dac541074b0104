#include "simt/schedule/thread_tracker.h"

#include <algorithm>

#include "base/sizes.h"
#include "simt/schedule/scheduler.h"
#include "simt/schedule/turn.h"
#include "simt/state/control.h"

namespace lanescope::simt {

int group_of(const Warp& warp, unsigned lane) {
    for (std::size_t i = 0; i < warp.groups.size(); ++i)
        if (has_lane(warp.groups[i].mask, lane)) return static_cast<int>(i);
    return -1;
}

ThreadTracker::ThreadTracker(const LaunchContext& run) {
    table_.launch = run.launch;
    table_.block_threads = static_cast<std::uint32_t>(run.request.block.count());
    const std::size_t threads = to_size(run.request.grid.count() * table_.block_threads);
    table_.states.assign(threads, ThreadState::absent);
    table_.held_back.assign(threads, 0);
    rounds_.resize(threads);
}

bool ThreadTracker::any_ready() const {
    return std::find(table_.states.begin(), table_.states.end(), ThreadState::ready) != table_.states.end();
}

std::size_t ThreadTracker::number_of(const Block& block, const Warp& warp, unsigned lane) const {
    return std::size_t{block.index} * table_.block_threads + warp.first_thread() + lane;
}

void ThreadTracker::admit(Block& block) {
    for (const auto& warp : block.warps) {
        warp->part_lanes();
        look_at(block, *warp);
    }
}

void ThreadTracker::retire(const Block& block) {
    const auto first =
        table_.states.begin() + static_cast<std::ptrdiff_t>(std::size_t{block.index} * table_.block_threads);
    std::fill_n(first, table_.block_threads, ThreadState::ended);
}

void ThreadTracker::look_at(const Block& block, const Warp& warp) {
    const std::uint32_t lanes = std::min(warp_size, table_.block_threads - warp.first_thread());
    const std::size_t first = number_of(block, warp, 0);
    std::fill_n(table_.states.begin() + static_cast<std::ptrdiff_t>(first), lanes, ThreadState::ended);
    for (const Group& group : warp.groups) {
        const unsigned lead = first_lane(group.mask);
        for_each_lane(group.mask, [&](unsigned lane) {
            ThreadState state = ThreadState::waiting;
            if (group.state == GroupState::ready)
                state = lane == lead ? ThreadState::ready : ThreadState::with;
            if (state == ThreadState::ready && rounds_[first + lane].search.stuck)
                state = ThreadState::spinning;
            table_.states[first + lane] = state;
            table_.held_back[first + lane] = group.held_back;
        });
    }
}

std::span<const std::size_t> ThreadTracker::look_at(const Block& block, const Warp& warp, bool whole_block) {
    released_.clear();
    const std::size_t first =
        whole_block ? number_of(block, *block.warps.front(), 0) : number_of(block, warp, 0);
    const std::size_t end =
        std::min<std::size_t>(whole_block ? first + table_.block_threads : first + warp_size,
                              (std::size_t{block.index} + 1) * table_.block_threads);
    std::vector<std::size_t> waited;
    for (std::size_t thread = first; thread < end; ++thread)
        if (table_.states[thread] == ThreadState::waiting) waited.push_back(thread);
    if (whole_block)
        for (const auto& each : block.warps)
            look_at(block, *each);
    else
        look_at(block, warp);
    for (const std::size_t thread : waited)
        if (table_.states[thread] != ThreadState::waiting) released_.push_back(thread);
    return released_;
}

void ThreadTracker::note_turn(const Block& block, const Warp& warp, std::size_t thread,
                              const SideEffects& effects, bool looped) {
    if (writes(effects)) wake(thread, effects);
    note_rounds(warp, thread, effects, looped);
    const bool stuck = rounds_[thread].search.stuck;
    if (stuck) look_at(block, warp);
}

// A thread that reads the written bytes may find a new value.
void ThreadTracker::wake(std::size_t writer, const SideEffects& effects) {
    std::erase_if(reading_, [&](std::size_t thread) {
        if (thread != writer && !depend(rounds_[thread].reads, effects)) return false;
        rounds_[thread] = {};
        if (table_.states[thread] == ThreadState::spinning) table_.states[thread] = ThreadState::ready;
        return true;
    });
}

void ThreadTracker::note_rounds(const Warp& warp, std::size_t thread, const SideEffects& effects,
                                bool looped) {
    Rounds& rounds = rounds_[thread];
    if (writes(effects)) return;
    // A thread that reads so many bytes is not waiting.
    constexpr std::size_t max_reads = 1024;
    if (rounds.reads.size() > max_reads) rounds = {};
    for (const SideEffect& effect : effects)
        if (std::find(rounds.reads.begin(), rounds.reads.end(), effect) == rounds.reads.end())
            rounds.reads.push_back(effect);
    if (std::find(reading_.begin(), reading_.end(), thread) == reading_.end()) reading_.push_back(thread);
    if (!looped) return;
    const int group = group_of(warp, static_cast<unsigned>(table_.in_block(thread) % warp_size));
    if (group < 0 || warp.groups[static_cast<std::size_t>(group)].state != GroupState::ready) return;
    rounds.search.note(state_of(warp, warp.groups[static_cast<std::size_t>(group)]));
}

// --- The scheduler's part ----------------------------------------------------------------------------------

bool Scheduler::run_by_thread() {
    constexpr std::uint64_t max_threads = 1 << 20;
    if (run_.request.grid.count() > max_threads / run_.request.block.count()) {
        stop(
            Ending::refused, trace::ProblemKind::launch_config,
            "a schedule of single threads is for grids of up to " + std::to_string(max_threads) + " threads");
        return true;
    }
    if (!threads_) threads_ = std::make_unique<ThreadTracker>(run_);
    for (; parted_ < next_block_; ++parted_)
        for (const auto& block : resident_)
            if (block->index == parted_) threads_->admit(*block);
    if (!threads_->any_ready()) return admit_more();
    const ThreadChoice choice = run_.chooser->choose(threads_->table());
    switch (choice.kind) {
        case ThreadChoice::Kind::thread:
            take_turn(choice.thread);
            break;
        case ThreadChoice::Kind::stop:
            stopped_ = true;
            ending_ = Ending::cancelled;
            break;
        case ThreadChoice::Kind::wrong:
            stop(Ending::refused, trace::ProblemKind::launch_config, choice.message);
            break;
    }
    return true;
}

// All resident blocks wait for others, so that more blocks may become resident.
bool Scheduler::admit_more() {
    if (next_block_ == run_.end_block || max_resident() != 0) return false;
    const std::uint64_t before = next_block_;
    window_ *= 2;
    admit_blocks();
    return next_block_ != before;
}

namespace {

// Every lane begins in the kernel's first instruction.
bool enters(const Warp& warp, const Group& group) {
    return group.frame->parent == nullptr &&
           group.pc == warp.run->program.functions[group.frame->function].first_pc;
}

}  // namespace

void Scheduler::take_turn(std::size_t thread) {
    const ThreadTable& table = threads_->table();
    const auto block_at = std::find_if(resident_.begin(), resident_.end(), [&](const auto& block) {
        return block->index == table.block_of(thread);
    });
    Block& block = **block_at;
    Warp& warp = *block.warps[table.in_block(thread) / warp_size];
    const unsigned lane = table.in_block(thread) % warp_size;
    SideEffects all;
    bool opened = false, again = true;
    while (again && !stopped_) {
        const auto group = static_cast<std::size_t>(group_of(warp, lane));
        const bool entered = enters(warp, warp.groups[group]);
        const std::uint32_t loops = warp.groups[group].loops;
        const bool together = lane_count(warp.groups[group].mask) > 1;
        SideEffects effects;
        run_.effects = &effects;
        opened = turn(block, warp, static_cast<int>(group)) || opened;
        run_.effects = nullptr;
        if (together) warp.part_lanes();  // lanes that gathered for the next turn stay together
        const int next = group_of(warp, lane);
        const Group* left = next < 0 ? nullptr : &warp.groups[static_cast<std::size_t>(next)];
        threads_->note_turn(block, warp, thread, effects, left != nullptr && left->loops != loops);
        all.insert(all.end(), effects.begin(), effects.end());
        again = left != nullptr && left->state == GroupState::ready &&
                ((entered && all.empty()) || leaves_directly(warp, *left->frame, left->pc));
    }
    opened = opened || block.finished() || warp.live == 0;
    run_.chooser->done({thread, all, threads_->look_at(block, warp, opened)});
    if (block.finished()) threads_->retire(block);
}

}  // namespace lanescope::simt
