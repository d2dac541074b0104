// Counting over turns. An atomic is neither a load nor a store, as in the profiler, which has op_ld, op_st,
// op_atom and op_red apart; its lanes are counted.
#include "analysis/metrics.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace lanescope::analysis {
namespace {

using trace::Access;
using trace::AccessKind;
using trace::BarrierRelease;
using trace::Space;
using trace::Trace;
using trace::Turn;
using trace::TurnDetail;

unsigned lanes_of(trace::Mask mask) {
    return static_cast<unsigned>(std::popcount(mask));
}

void add_access(const Access& access, Metrics& to) {
    if (access.mask == 0) return;
    const bool global = access.space == Space::global, shared = access.space == Space::shared;
    if (access.kind == AccessKind::atomic) {
        if (global || shared) to.atomics += lanes_of(access.mask);
    } else if (global && access.kind == AccessKind::load) {
        const SectorUse use = sector_use(access);
        ++to.global_load_requests;
        to.global_load_sectors += use.sectors;
        to.global_load_ideal_sectors += use.ideal;
    } else if (global) {
        const SectorUse use = sector_use(access);
        ++to.global_store_requests;
        to.global_store_sectors += use.sectors;
        to.global_store_ideal_sectors += use.ideal;
    } else if (shared && access.kind == AccessKind::load) {
        ++to.shared_load_requests;
        to.shared_load_wavefronts += banks(access).wavefronts;
    } else if (shared) {
        ++to.shared_store_requests;
        to.shared_store_wavefronts += banks(access).wavefronts;
    }
}

void add_instructions(const Turn& turn, const TurnDetail& detail, Metrics& to) {
    to.warp_instructions += turn.instructions;
    to.thread_instructions += std::uint64_t{turn.instructions} * lanes_of(turn.mask);
    for (const trace::Exit& exit : detail.exits)
        if (exit.ordinal < turn.instructions)
            to.thread_instructions -=
                std::uint64_t{lanes_of(exit.mask)} * (turn.instructions - exit.ordinal - 1u);
}

std::uint32_t line_of(const Trace& trace, const Turn& turn, std::uint32_t pc) {
    const auto& rows = trace.program.code_rows;
    return pc < rows.size() && rows[pc].line != 0 ? rows[pc].line : turn.line;
}

// The metrics of each line, by number.
class Lines {
  public:
    LineMetrics& at(std::uint32_t line) {
        if (last_ < lines_.size() && lines_[last_].line == line) return lines_[last_];
        const auto [found, added] = index_.try_emplace(line, lines_.size());
        if (added) lines_.emplace_back().line = line;
        last_ = found->second;
        return lines_[last_];
    }
    std::vector<LineMetrics> sorted() {
        std::sort(lines_.begin(), lines_.end(),
                  [](const LineMetrics& a, const LineMetrics& b) { return a.line < b.line; });
        return std::move(lines_);
    }

  private:
    std::vector<LineMetrics> lines_;
    std::unordered_map<std::uint32_t, std::size_t> index_;
    std::size_t last_ = 0;
};

void add_turn(const Trace& trace, const TurnDetail& detail, Lines& lines) {
    const Turn& turn = trace.turns[detail.turn];
    LineMetrics& own = lines.at(turn.line);
    ++own.executions;
    own.lanes += lanes_of(turn.mask);
    add_instructions(turn, detail, own.metrics);
    for (const trace::Branch& branch : detail.branches) {
        Metrics& of = lines.at(line_of(trace, turn, branch.pc)).metrics;
        ++of.branches;
        if (branch.divergent()) ++of.divergent_branches;
    }
    for (const Access& access : detail.accesses)
        add_access(access, lines.at(access.line).metrics);
}

// The barrier counts for the line of the turn that opened it.
void add_release(const Trace& trace, const BarrierRelease& release, Lines& lines) {
    const bool after_turn = release.turn > 0 && release.turn <= trace.turns.size();
    const Turn* turn = after_turn ? &trace.turns[release.turn - 1] : nullptr;
    const bool opened = turn != nullptr && turn->block == release.block;
    ++lines.at(opened ? turn->line : 0).metrics.barriers;
}

Metrics sum(const std::vector<LineMetrics>& lines) {
    Metrics total;
    for (const LineMetrics& line : lines)
        total += line.metrics;
    return total;
}

void merge(std::vector<LineMetrics> from, Lines& into) {
    for (const LineMetrics& line : from) {
        LineMetrics& to = into.at(line.line);
        to.executions += line.executions;
        to.lanes += line.lanes;
        to.metrics += line.metrics;
    }
}

}  // namespace

double Metrics::simt_efficiency() const {
    if (warp_instructions == 0) return 1;
    return static_cast<double>(thread_instructions) / (32.0 * static_cast<double>(warp_instructions));
}

Metrics& Metrics::operator+=(const Metrics& other) {
    warp_instructions += other.warp_instructions;
    thread_instructions += other.thread_instructions;
    branches += other.branches;
    divergent_branches += other.divergent_branches;
    global_load_requests += other.global_load_requests;
    global_load_sectors += other.global_load_sectors;
    global_load_ideal_sectors += other.global_load_ideal_sectors;
    global_store_requests += other.global_store_requests;
    global_store_sectors += other.global_store_sectors;
    global_store_ideal_sectors += other.global_store_ideal_sectors;
    shared_load_requests += other.shared_load_requests;
    shared_load_wavefronts += other.shared_load_wavefronts;
    shared_store_requests += other.shared_store_requests;
    shared_store_wavefronts += other.shared_store_wavefronts;
    atomics += other.atomics;
    barriers += other.barriers;
    return *this;
}

const LineMetrics* Report::line(std::uint32_t number) const {
    const auto found =
        std::lower_bound(lines.begin(), lines.end(), number,
                         [](const LineMetrics& at, std::uint32_t line) { return at.line < line; });
    return found != lines.end() && found->line == number ? &*found : nullptr;
}

Report measure(const Trace& trace) {
    Report report;
    Lines all;
    TurnDetail detail;
    std::size_t release = 0;
    for (const trace::Launch& launch : trace.launches) {
        Lines lines;
        for (std::uint64_t turn = launch.first_turn; turn < launch.end_turn; ++turn) {
            trace::decode(trace, turn, detail);
            add_turn(trace, detail, lines);
        }
        for (; release < trace.releases.size() && trace.releases[release].turn <= launch.end_turn; ++release)
            add_release(trace, trace.releases[release], lines);
        std::vector<LineMetrics> of_launch = lines.sorted();
        report.launches.push_back(sum(of_launch));
        report.total += report.launches.back();
        merge(std::move(of_launch), all);
    }
    report.lines = all.sorted();
    return report;
}

Metrics measure_turns(const std::vector<TurnDetail>& details, const Trace& trace) {
    if (details.empty()) return {};
    Lines lines;
    for (const TurnDetail& detail : details)
        add_turn(trace, detail, lines);
    Metrics total = sum(lines.sorted());
    const std::uint64_t first = details.front().turn, last = details.back().turn;
    const auto before = [](const BarrierRelease& release, std::uint64_t turn) {
        return release.turn <= turn;
    };
    auto release = std::lower_bound(trace.releases.begin(), trace.releases.end(), first, before);
    for (; release != trace.releases.end() && release->turn <= last + 1; ++release)
        if (release->block == trace.turns[first].block) ++total.barriers;
    return total;
}

std::vector<float> lanes_on(const Trace& trace, const std::vector<trace::Step>& steps) {
    std::vector<float> shares;
    shares.reserve(steps.size());
    for (const trace::Step& step : steps) {
        std::uint64_t lanes = 0, turns = 0;
        for (std::uint64_t turn = step.first; turn < step.end; ++turn) {
            if (trace.turns[turn].block != step.block) continue;
            lanes += lanes_of(trace.turns[turn].mask);
            ++turns;
        }
        shares.push_back(turns == 0 ? 0.0f : static_cast<float>(lanes) / static_cast<float>(32 * turns));
    }
    return shares;
}

}  // namespace lanescope::analysis
