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

}  // namespace

void RaceLog::begin_launch(std::uint32_t launch) {
    launch_ = launch;
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
        entries_.push_back({key, conflict, launch_, 0, false, false, false});
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
    if (conflict.what == RaceClass::unsynced && conflict.earlier.kind != AccessKind::load &&
        conflict.later.kind != AccessKind::store)
        entry.hands_over = true;
    if (conflict.what > entry.conflict.what) entry.conflict = conflict;
}

// Code that relies on lockstep passes values from lane to lane, and no two lanes write one place at once. If
// lanes only overwrite what others read or write, or collide, lockstep does not help: that is an ordinary
// race.
void RaceLog::judge_lockstep() {
    using Variable = std::pair<std::uint32_t, const trace::Symbol*>;
    std::set<Variable> handed_over, collided;
    for (const Entry& entry : entries_) {
        if (entry.hands_over) handed_over.emplace(entry.launch, entry.key.symbol);
        if (entry.collides) collided.emplace(entry.launch, entry.key.symbol);
    }
    for (Entry& entry : entries_) {
        const Variable variable{entry.launch, entry.key.symbol};
        if (entry.conflict.what == RaceClass::unsynced &&
            (!handed_over.contains(variable) || collided.contains(variable)))
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
    std::string place = trace::resolve(trace_, entry.launch, conflict.space, conflict.offset).text;
    if (conflict.owner != trace::none) place += " of block " + std::to_string(conflict.owner);
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
    if (conflict.what == RaceClass::note) return text + ", the same value; nothing orders the two";
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

Problem RaceLog::problem_of(const Entry& entry) const {
    const Conflict& conflict = entry.conflict;
    const trace::Resolved place = trace::resolve(trace_, entry.launch, conflict.space, conflict.offset);
    Problem problem;
    const bool lanes = conflict.what == RaceClass::unsynced || conflict.what == RaceClass::exchanged;
    problem.kind = lanes ? ProblemKind::unsynced_lanes : ProblemKind::race;
    problem.note = conflict.what == RaceClass::note || conflict.what == RaceClass::exchanged;
    problem.space = conflict.space;
    if (place.symbol != nullptr) problem.variable = place.symbol->name;
    problem.index = static_cast<std::int64_t>(place.index);
    problem.first = site_of(conflict.earlier, entry.launch);
    problem.second = site_of(conflict.later, entry.launch);
    problem.occurrences = entry.occurrences;
    problem.message = message_of(entry);
    return problem;
}

std::vector<Problem> RaceLog::take() {
    judge_lockstep();
    fold(RaceClass::unsynced);
    fold(RaceClass::exchanged);
    fold(RaceClass::note);
    std::vector<Problem> problems;
    for (const Entry& entry : entries_)
        if (!entry.dropped) problems.push_back(problem_of(entry));
    return problems;
}

}  // namespace lanescope::analysis
