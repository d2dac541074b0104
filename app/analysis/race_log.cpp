#include "analysis/race_log.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "trace/events.h"
#include "trace/replay.h"

namespace lanescope::analysis {
namespace {

using trace::AccessKind;
using trace::Problem;
using trace::ProblemKind;
using trace::ProblemSite;
using trace::Space;
using trace::SyncPoint;

const char* verb(AccessKind kind) {
    switch (kind) {
        case AccessKind::load:
            return "reads";
        case AccessKind::store:
            return "writes";
        case AccessKind::atomic:
            return "changes with an atomic";
    }
    return "";
}

const char* past(AccessKind kind) {
    switch (kind) {
        case AccessKind::load:
            return "read";
        case AccessKind::store:
            return "wrote";
        case AccessKind::atomic:
            return "changed with an atomic";
    }
    return "";
}

// "the shuffle of line 12"
std::string exchange_text(const Conflict& conflict) {
    const std::string_view op = conflict.exchange;
    std::string text = op == "shfl"    ? "the shuffle"
                       : op == "vote"  ? "the vote"
                       : op == "redux" ? "the reduction of the warp"
                       : op == "match" ? "the match"
                                       : std::string(op);
    if (conflict.exchange_line != 0) text += " in line " + std::to_string(conflict.exchange_line);
    return text;
}

std::string thread_text(const ProblemSite& site) {
    return "thread " + std::to_string(site.thread) + " of block " + std::to_string(site.block);
}

// One value, of which a message names no index.
bool is_single(const trace::Symbol& symbol) {
    return std::all_of(symbol.extents.begin(), symbol.extents.end(),
                       [](std::uint64_t extent) { return extent == 1; });
}

}  // namespace

void RaceLog::begin_launch(std::uint32_t launch, std::uint64_t turns_before) {
    launch_ = launch;
    launch_begin_ = slice_begin_ = turns_before;
    recent_.clear();
}

ProblemSite RaceLog::site_of(const RaceSide& side, std::uint32_t launch) const {
    const std::uint32_t warps = trace_.launches[launch].warps_per_block();
    ProblemSite site;
    site.turn = turn_of(side.time);
    site.launch = launch;
    site.line = side.line;
    site.block = side.thread.warp / warps;
    site.thread = side.thread.warp % warps * trace::warp_size + side.thread.lane;
    site.pc = side.pc;
    site.access = side.kind;
    site.has_access = true;
    return site;
}

// The entry of the conflict, a new one if need be; entries_.size() when there are too many.
std::size_t RaceLog::entry_for(const Conflict& conflict) {
    const std::uint32_t a = conflict.earlier.line, b = conflict.later.line;
    const std::uint64_t lines = std::uint64_t{a} << 32 | b;
    const auto recent = recent_.find(lines);
    if (recent != recent_.end() && conflict.space == recent->second.space &&
        conflict.offset >= recent->second.begin && conflict.offset < recent->second.end)
        return recent->second.entry;
    const trace::Resolved place = trace::resolve(trace_, launch_, conflict.space, conflict.offset);
    const Key key{place.symbol, launch_, std::min(a, b), std::max(a, b)};
    auto found = by_key_.find(key);
    if (found == by_key_.end()) {
        if (entries_.size() >= limits_.problems) return entries_.size();
        found = by_key_.emplace(key, entries_.size()).first;
        entries_.push_back({.key = key, .conflict = conflict, .launch = launch_});
        find_reasons(entries_.back());
    }
    if (place.symbol != nullptr)
        recent_[lines] = {found->second, conflict.space, place.symbol->offset,
                          place.symbol->offset + place.symbol->size_bytes};
    return found->second;
}

void RaceLog::add(const Conflict& conflict) {
    const std::size_t index = entry_for(conflict);
    if (index == entries_.size()) return;
    Entry& entry = entries_[index];
    ++entry.occurrences;
    if (conflict.earlier.time == conflict.later.time) entry.collides = true;
    const bool reads = conflict.earlier.kind == AccessKind::load || conflict.later.kind == AccessKind::load;
    (reads ? entry.read : entry.overwritten) = true;
    if (conflict.what == RaceClass::unsynced &&
        (conflict.earlier.kind == AccessKind::load || conflict.later.kind != AccessKind::store))
        entry.reads = true;
    if (conflict.what <= entry.conflict.what) return;
    entry.conflict = conflict;
    find_reasons(entry);
}

void RaceLog::find_reasons(Entry& entry) const {
    entry.before_earlier = sync_before(entry.conflict.earlier);
    entry.before_later = sync_before(entry.conflict.later);
}

// Looks back from the access, as far as turns are still there.
SyncPoint RaceLog::sync_before(const RaceSide& side) const {
    constexpr std::uint64_t most = 1'000'000;  // turns of all warps
    const trace::Launch& launch = trace_.launches[launch_];
    const std::uint32_t warps = launch.warps_per_block();
    SyncPoint found;
    found.kind = SyncPoint::Kind::unknown;
    if (turn_of(side.time) < slice_begin_) return found;
    const std::uint64_t last = turn_of(side.time) - slice_begin_;
    for (std::uint64_t turn = last + 1; turn > launch.first_turn; --turn) {
        if (last - turn > most && turn <= last) return found;
        const trace::Turn& each = trace_.turns[turn - 1];
        if (each.block != side.thread.warp / warps || each.warp != side.thread.warp % warps ||
            (each.mask >> side.thread.lane & 1) == 0)
            continue;
        const SyncPoint point = last_sync_in(turn - 1, side);
        if (point.kind != SyncPoint::Kind::nothing) return point;
    }
    if (slice_begin_ == launch_begin_) found.kind = SyncPoint::Kind::nothing;
    return found;
}

SyncPoint RaceLog::last_sync_in(std::uint64_t turn, const RaceSide& side) const {
    using Kind = SyncPoint::Kind;
    SyncPoint found;
    const bool own = turn + slice_begin_ == turn_of(side.time);
    trace::EventReader reader(trace_, turn);
    trace::Event event;
    while (reader.next(event)) {
        if (own && event.ordinal >= (side.time & 0xffff)) break;
        if ((event.mask >> side.thread.lane & 1) == 0) continue;
        Kind kind = Kind::nothing;
        if (event.kind == trace::EventKind::sync) {
            const bool cluster = event.detail == HappensBefore::cluster_barrier;
            if (event.sync == trace::SyncKind::fence)
                kind = Kind::fence;
            else if (event.sync == trace::SyncKind::meet)
                kind = event.pc < orders_.size() && !orders_[event.pc].exchange.empty() ? Kind::nothing
                                                                                        : Kind::syncwarp;
            else
                kind = cluster ? Kind::cluster_barrier : Kind::barrier;
        } else if (trace::is_access(event.kind) && event.pc < orders_.size() && orders_[event.pc].strong) {
            kind = Kind::atomic;
        }
        if (kind == Kind::nothing) continue;
        found.kind = kind;
        if (kind == Kind::fence) found.scope = static_cast<trace::FenceScope>(event.detail);
        found.line = trace::line_of(trace_, trace_.turns[turn], event.pc);
        found.turn = turn + slice_begin_;
    }
    return found;
}

// Code that relies on lockstep reads before or after other lanes write, and no two lanes write one place at
// once. If lanes only overwrite what others write, or collide, lockstep does not help: that is an ordinary
// race.
void RaceLog::judge_lockstep() {
    using Variable = std::pair<std::uint32_t, const trace::Symbol*>;
    std::set<Variable> dependent, collided;
    for (const Entry& entry : entries_) {
        if (entry.reads) dependent.emplace(entry.launch, entry.key.symbol);
        if (entry.collides) collided.emplace(entry.launch, entry.key.symbol);
    }
    for (Entry& entry : entries_) {
        const Variable variable{entry.launch, entry.key.symbol};
        if (entry.conflict.what == RaceClass::unsynced &&
            (!dependent.contains(variable) || collided.contains(variable)))
            entry.conflict.what = RaceClass::race;
    }
}

// If a variable has a race, its lesser findings are parts of the same defect.
void RaceLog::fold(RaceClass what) {
    for (Entry& entry : entries_) {
        if (entry.conflict.what != what || entry.key.symbol == nullptr) continue;
        for (Entry& other : entries_) {
            if (other.conflict.what != RaceClass::race || other.launch != entry.launch ||
                other.key.symbol != entry.key.symbol)
                continue;
            other.occurrences += entry.occurrences;
            entry.dropped = true;
            break;
        }
    }
}

std::string RaceLog::message_of(const Entry& entry) const {
    const Conflict& conflict = entry.conflict;
    const ProblemSite first = site_of(conflict.earlier, entry.launch);
    const ProblemSite second = site_of(conflict.later, entry.launch);
    const trace::Resolved at = trace::resolve(trace_, entry.launch, conflict.space, conflict.offset);
    std::string place = at.symbol != nullptr && is_single(*at.symbol) ? at.symbol->name : at.text;
    if (conflict.owner != trace::none) place += " of block " + std::to_string(conflict.owner);
    if (conflict.unawaited)
        return "line " + std::to_string(first.line) + ": " + thread_text(first) + " " +
               verb(conflict.earlier.kind) + " " + place + ", and the copy into it that thread " +
               std::to_string(second.thread) + " began in line " + std::to_string(second.line) +
               " is still under way";
    const bool same_instruction = conflict.earlier.time == conflict.later.time && first.block == second.block;
    if (same_instruction) {
        const std::string who = "line " + std::to_string(second.line) + ": threads " +
                                std::to_string(first.thread) + " and " + std::to_string(second.thread) +
                                " of block " + std::to_string(second.block) + " write " + place +
                                " at the same time";
        return conflict.what == RaceClass::note ? who + ", the same value"
                                                : who + "; which value stays is not defined";
    }
    const bool same_kind = conflict.earlier.kind == conflict.later.kind;
    std::string text =
        "line " + std::to_string(second.line) + ": " + thread_text(second) + " " + verb(conflict.later.kind) +
        " " + place + ", which " +
        (first.block == second.block ? "thread " + std::to_string(first.thread) : thread_text(first)) + " " +
        past(conflict.earlier.kind) +
        (same_kind && first.line == second.line ? " there" : " in line " + std::to_string(first.line));
    if (conflict.what == RaceClass::note) {
        const bool reads =
            conflict.earlier.kind == AccessKind::load || conflict.later.kind == AccessKind::load;
        return text + (reads ? ", and each of them wrote the same value; nothing orders the two"
                             : ", the same value; nothing orders the two");
    }
    if (conflict.what == RaceClass::relaxed)
        return text + "; it saw what that thread wrote in line " + std::to_string(conflict.signal_line) +
               " afterwards, but volatile accesses come in no promised order: a __threadfence() is missing "
               "between the two writes, or between the two reads";
    if (conflict.what == RaceClass::barrier)
        return text +
               "; after the signal was read, only a barrier of the block follows, which PTX does not count "
               "as an acquire from another block: add __threadfence() before the barrier";
    if (!conflict.exchange.empty())
        return text + "; only " + exchange_text(conflict) +
               " stands between, and CUDA does not promise that it orders memory: add __syncwarp()";
    if (conflict.what == RaceClass::unsynced)
        return text + "; lanes of a warp need not run in lockstep, and no __syncwarp() stands between";
    if (conflict.unfenced)
        return text + "; it saw that thread's signal, but no __threadfence() follows there";
    if (first.block != second.block && conflict.owner != trace::none)
        return text + "; no barrier of the cluster stands between (cluster.sync())";
    if (first.block != second.block) return text + "; nothing orders the two blocks";
    return text + "; no barrier stands between";
}

// What would order the two accesses.
std::string RaceLog::remedy_of(const Entry& entry) const {
    const Conflict& conflict = entry.conflict;
    const RaceSide &earlier = conflict.earlier, &later = conflict.later;
    const std::uint32_t warps = trace_.launches[entry.launch].warps_per_block();
    const std::string first = std::to_string(earlier.line), second = std::to_string(later.line);
    const std::string between = earlier.line == later.line
                                    ? " between the two times that line " + first + " runs"
                                    : " between line " + first + " and line " + second;
    const bool one_block = earlier.thread.warp / warps == later.thread.warp / warps;
    const bool both_change = earlier.kind != AccessKind::load && later.kind != AccessKind::load;
    if (conflict.unawaited)
        return "a wait for the copy before line " + first +
               ", in the thread that began it, and then __syncthreads() if other threads use what it brings";
    if (earlier.time == later.time && one_block)
        return "an atomic operation, or a condition that lets one thread write";
    if (conflict.what == RaceClass::unsynced || conflict.what == RaceClass::exchanged)
        return "__syncwarp()" + between;
    if (conflict.unfenced)
        return "__threadfence() behind the place where the signal is read, before line " + second;
    if (conflict.what == RaceClass::barrier)
        return "__threadfence() before the barrier, in the thread that read the signal";
    if (conflict.what == RaceClass::relaxed)
        return "__threadfence() between line " + first + " and line " + std::to_string(conflict.signal_line) +
               ", and between the two reads";
    if (earlier.line == later.line && entry.read && entry.overwritten)
        return "an atomic operation instead of the reading and writing in line " + first +
               ", or a variable for each thread, which are joined later";
    const auto order_at = [&](const RaceSide& side) {
        return side.pc < orders_.size() ? orders_[side.pc] : MemoryOrder{};
    };
    const MemoryOrder before = order_at(earlier), after = order_at(later);
    if (before.atomic && after.atomic)
        return "atomic operations of a scope that has both threads, without _block";
    if (one_block && earlier.thread.warp == later.thread.warp)
        return "__syncwarp() or __syncthreads()" + between;
    if (one_block) return "__syncthreads()" + between + ", which all threads of the block reach";
    if (conflict.owner != trace::none) return "cluster.sync()" + between;
    if (before.atomic || after.atomic)
        return "an atomic operation in line " + (before.atomic ? second : first) + ", too";
    if (both_change) return "an atomic operation at both places, or a kernel for each of the two";
    return "a signal: __threadfence() and an atomic write behind line " + first +
           ", an atomic read and __threadfence() before line " + second + "; or a kernel for each of the two";
}

Problem RaceLog::problem_of(const Entry& entry) const {
    const Conflict& conflict = entry.conflict;
    const trace::Resolved place = trace::resolve(trace_, entry.launch, conflict.space, conflict.offset);
    Problem problem;
    const bool lanes = conflict.what == RaceClass::unsynced || conflict.what == RaceClass::exchanged;
    problem.kind = lanes ? ProblemKind::unsynced_lanes : ProblemKind::race;
    problem.note = conflict.what < RaceClass::unsynced;
    problem.space = conflict.space;
    if (place.symbol != nullptr) problem.variable = place.symbol->name;
    problem.index = static_cast<std::int64_t>(place.index);
    problem.first = site_of(conflict.earlier, entry.launch);
    problem.second = site_of(conflict.later, entry.launch);
    problem.occurrences = entry.occurrences;
    problem.message = message_of(entry);
    problem.before_first = entry.before_earlier;
    problem.before_second = entry.before_later;
    problem.remedy = remedy_of(entry);
    return problem;
}

std::vector<Problem> RaceLog::take() {
    judge_lockstep();
    fold(RaceClass::unsynced);
    for (const RaceClass lesser :
         {RaceClass::exchanged, RaceClass::barrier, RaceClass::relaxed, RaceClass::note})
        fold(lesser);
    std::vector<Problem> problems;
    for (const Entry& entry : entries_)
        if (!entry.dropped) problems.push_back(problem_of(entry));
    return problems;
}

}  // namespace lanescope::analysis
