// Counting over turns. An atomic is neither a load nor a store, as in the profiler, which has op_ld, op_st,
// op_atom and op_red apart; its lanes are counted.
#include <algorithm>
#include <bit>
#include <unordered_map>

#include "analysis/metrics.h"
#include "analysis/request_counter.h"
#include "analysis/turn_metrics.h"
#include "trace/events.h"
#include "trace/player.h"

namespace lanescope::analysis {
namespace {

using trace::Access;
using trace::BarrierRelease;
using trace::Trace;
using trace::Turn;
using trace::TurnDetail;

void add_instructions(const Turn& turn, const TurnDetail& detail, Metrics& to) {
    to.warp_instructions += turn.instructions;
    to.thread_instructions += std::uint64_t{turn.instructions} * trace::lane_count(turn.mask);
    for (const trace::Exit& exit : detail.exits)
        if (exit.ordinal < turn.instructions)
            to.thread_instructions -=
                std::uint64_t{trace::lane_count(exit.mask)} * (turn.instructions - exit.ordinal - 1u);
}

// Turns without their accesses, each of which is handed on as it is encoded.
class TurnReader {
  public:
    explicit TurnReader(const Trace& trace) : trace_(trace) {}

    template <class F>
    const TurnDetail& read(std::uint64_t turn, F&& access) {
        detail_.turn = turn;
        detail_.branches.clear();
        detail_.exchanges.clear();
        detail_.jumps.clear();
        detail_.exits.clear();
        detail_.changes.clear();
        trace::EventReader reader(trace_, turn);
        trace::Event event;
        while (reader.next(event)) {
            const bool counts = event.kind == trace::EventKind::branch ||
                                event.kind == trace::EventKind::jump || event.kind == trace::EventKind::exit;
            if (trace::is_access(event.kind))
                access(event);
            else if (counts)
                trace::add_to_detail(trace_, trace_.turns[turn], event, detail_);
        }
        return detail_;
    }

  private:
    const Trace& trace_;
    TurnDetail detail_;
};

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
    std::size_t last_index() const { return last_; }  // of the line that was asked for last
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

// pc of the last instruction of a turn.
std::uint32_t last_pc(const Turn& turn, const TurnDetail& detail) {
    std::uint32_t pc = turn.pc, ordinal = 0;
    for (const trace::Jump& jump : detail.jumps) {
        pc = jump.pc;
        ordinal = jump.ordinal + 1u;
    }
    return turn.instructions > ordinal ? pc + (turn.instructions - ordinal - 1u) : pc;
}

// How often each warp of a launch executed each line. Lanes that a split or a change of groups interrupts go
// on with their line in further turns, which do not count as further executions; going back in the code is
// one.
class Executions {
  public:
    // Returns whether a new execution begins.
    bool begins(const Turn& turn, const TurnDetail& detail) {
        Warp& warp = warp_of(turn);
        const bool goes_on =
            warp.line == turn.line && (turn.mask & ~warp.interrupted) == 0 && turn.pc > warp.pc;
        warp.interrupted &= ~turn.mask;
        if (turn.end == trace::TurnEnd::diverged || turn.end == trace::TurnEnd::yielded) {
            if (warp.line != turn.line) warp.interrupted = 0;
            warp.interrupted |= turn.mask;
            warp.line = turn.line;
            warp.pc = last_pc(turn, detail);
        }
        return !goes_on;
    }
    void add(LineMetrics& line, std::size_t index) {
        if (index >= counts_.size()) counts_.resize(index + 1);
        std::vector<std::uint32_t>& of_line = counts_[index];
        if (last_ >= of_line.size()) of_line.resize(warps_.size());
        line.steps = std::max<std::uint64_t>(line.steps, ++of_line[last_]);
    }

  private:
    struct Warp {
        trace::Mask interrupted = 0;
        std::uint32_t line = 0;
        std::uint32_t pc = 0;  // where they were interrupted
    };
    Warp& warp_of(const Turn& turn) {
        const std::uint64_t key = std::uint64_t{turn.block} << 16 | turn.warp;
        if (key != last_key_) {
            const auto [found, added] = numbers_.try_emplace(key, static_cast<std::uint32_t>(warps_.size()));
            if (added) warps_.emplace_back();
            last_ = found->second;
            last_key_ = key;
        }
        return warps_[last_];
    }

    std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
    std::vector<Warp> warps_;
    std::vector<std::vector<std::uint32_t>> counts_;  // per line, per warp
    std::uint64_t last_key_ = ~0ull;
    std::uint32_t last_ = 0;
};

void add_branches(const Trace& trace, const Turn& turn, const TurnDetail& detail, Lines& lines) {
    for (const trace::Branch& branch : detail.branches) {
        Metrics& of = lines.at(line_of(trace, turn, branch.pc)).metrics;
        ++of.branches;
        if (branch.divergent()) ++of.divergent_branches;
    }
}

// Turns of one launch.
class Counter {
  public:
    Counter(const Trace& trace, const trace::Launch& launch, const Work& work)
        : trace_(trace), work_(work), reader_(trace), arrays_(trace, launch), runs_(work.size()) {}

    void add(std::uint64_t number) {
        const Turn& turn = trace_.turns[number];
        const TurnDetail& detail = reader_.read(number, [&](const trace::Event& access) {
            arrays_.add(access);
            requests_.add(access, work_.at(access.pc), lines_.at(line_of(trace_, turn, access.pc)).metrics);
        });
        LineMetrics& own = lines_.at(turn.line);
        if (executions_.begins(turn, detail)) {
            ++own.executions;
            own.lanes += trace::lane_count(turn.mask);
            executions_.add(own, lines_.last_index());
        }
        add_instructions(turn, detail, own.metrics);
        runs_.add(turn, detail);
        add_branches(trace_, turn, detail, lines_);
    }

    // The barrier counts for the line of the turn that opened it.
    void add_release(const BarrierRelease& release) {
        const bool after_turn = release.turn > 0 && release.turn <= trace_.turns.size();
        const Turn* turn = after_turn ? &trace_.turns[release.turn - 1] : nullptr;
        const bool opened = turn != nullptr && turn->block == release.block;
        ++lines_.at(opened ? turn->line : 0).metrics.barriers;
    }

    std::vector<ArrayMetrics> arrays() { return arrays_.finish(); }
    std::vector<LineMetrics> finish(std::vector<RanCode>& ran) {
        runs_.each([&](std::uint32_t begin, const StraightRun& run) {
            ran.push_back({begin, std::min(run.end, work_.size()), run.line});
            Metrics& of = lines_.at(run.line).metrics;
            for (std::uint32_t pc = begin; pc < std::min(run.end, work_.size()); ++pc) {
                const Work::Kind& kind = work_.at(pc);
                of.operations[kind.operation] += static_cast<std::uint64_t>(run.lanes);
                if (kind.data) of.data_operations[kind.operation] += static_cast<std::uint64_t>(run.lanes);
            }
        });
        return lines_.sorted();
    }

  private:
    const Trace& trace_;
    const Work& work_;
    TurnReader reader_;
    RequestCounter requests_;
    ArrayCounter arrays_;
    Lines lines_;
    Executions executions_;
    Runs runs_;
};

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
        to.steps += line.steps;
        to.metrics += line.metrics;
    }
}

// The metrics of each instruction.
class Instructions {
  public:
    explicit Instructions(const Work& work) : work_(work), index_(work.size(), trace::none) {}

    Metrics* at(std::uint32_t pc) {
        if (pc >= index_.size()) return nullptr;
        if (index_[pc] == trace::none) {
            index_[pc] = static_cast<std::uint32_t>(found_.size());
            found_.push_back({pc, work_.at(pc), {}});
        }
        return &found_[index_[pc]].metrics;
    }
    void add(const trace::Event& access) {
        if (Metrics* of = at(access.pc)) requests_.add(access, work_.at(access.pc), *of);
    }
    void add(const std::vector<trace::Branch>& branches) {
        for (const trace::Branch& branch : branches) {
            Metrics* of = at(branch.pc);
            if (of == nullptr) continue;
            ++of->branches;
            if (branch.divergent()) ++of->divergent_branches;
        }
    }
    void add(std::uint32_t begin, const StraightRun& run) {
        for (std::uint32_t pc = begin; pc < std::min(run.end, work_.size()); ++pc) {
            Metrics& of = *at(pc);
            of.warp_instructions += run.warps;
            of.thread_instructions += static_cast<std::uint64_t>(run.lanes);
        }
    }
    std::vector<InstructionMetrics> sorted() {
        std::sort(found_.begin(), found_.end(),
                  [](const InstructionMetrics& a, const InstructionMetrics& b) { return a.pc < b.pc; });
        return std::move(found_);
    }

  private:
    const Work& work_;
    RequestCounter requests_;
    std::vector<std::uint32_t> index_;
    std::vector<InstructionMetrics> found_;
};

}  // namespace

Report measure(const Trace& trace, const Code& code, const std::atomic<bool>* cancel,
               const std::function<void(float)>& progress) {
    constexpr std::uint64_t portion = 16384;  // turns
    Report report;
    const Work work(code);
    Lines all;
    std::size_t release = 0;
    for (const trace::Launch& launch : trace.launches) {
        Counter counter(trace, launch, work);
        for (std::uint64_t turn = launch.first_turn; turn < launch.end_turn; ++turn) {
            counter.add(turn);
            if (turn % portion != 0) continue;
            if (cancel != nullptr && *cancel) return report;
            if (progress) progress(static_cast<float>(turn) / static_cast<float>(trace.turns.size()));
        }
        for (; release < trace.releases.size() && trace.releases[release].turn <= launch.end_turn; ++release)
            counter.add_release(trace.releases[release]);
        std::vector<LineMetrics> of_launch = counter.finish(report.ran);
        report.launches.push_back(sum(of_launch));
        report.arrays.push_back(counter.arrays());
        report.total += report.launches.back();
        merge(std::move(of_launch), all);
    }
    report.lines = all.sorted();
    std::sort(report.ran.begin(), report.ran.end());
    report.ran.erase(std::unique(report.ran.begin(), report.ran.end()), report.ran.end());
    return report;
}

std::vector<InstructionMetrics> measure_instructions(const Trace& trace, const Code& code) {
    const Work work(code);
    Instructions instructions(work);
    Runs runs(work.size());
    TurnReader reader(trace);
    for (std::uint64_t turn = 0; turn < trace.turns.size(); ++turn) {
        const TurnDetail& detail =
            reader.read(turn, [&](const trace::Event& access) { instructions.add(access); });
        instructions.add(detail.branches);
        runs.add(trace.turns[turn], detail);
    }
    runs.each([&](std::uint32_t begin, const StraightRun& run) { instructions.add(begin, run); });
    return instructions.sorted();
}

Metrics measure_turns(const std::vector<TurnDetail>& details, const Trace& trace) {
    return measure_turns(details, trace, nullptr);
}

Metrics measure_turns(const std::vector<TurnDetail>& details, const Trace& trace, const Code* code) {
    const auto kind_of = [&](const Access& access) {
        Work::Kind kind;
        const ptx::Instruction* instruction = code ? code->at(access.pc) : nullptr;
        kind.texture = instruction && is_texture(*instruction);
        return kind;
    };
    Metrics total;
    if (details.empty()) return total;
    for (const TurnDetail& detail : details) {
        const Turn& turn = trace.turns[detail.turn];
        add_instructions(turn, detail, total);
        for (const trace::Branch& branch : detail.branches) {
            ++total.branches;
            if (branch.divergent()) ++total.divergent_branches;
        }
        for (const Access& access : detail.accesses)
            RequestCounter::add(access, kind_of(access), total);
    }
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
            lanes += trace::lane_count(trace.turns[turn].mask);
            ++turns;
        }
        shares.push_back(turns == 0 ? 0.0f : static_cast<float>(lanes) / static_cast<float>(32 * turns));
    }
    return shares;
}

}  // namespace lanescope::analysis
