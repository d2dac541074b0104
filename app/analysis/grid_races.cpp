#include "analysis/grid_races.h"

#include <bit>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "analysis/memory_order.h"
#include "trace/events.h"
#include "trace/replay.h"

namespace lanescope::analysis {
namespace {

constexpr std::uint64_t cell_bytes = 8;

// The accesses of one kind to a cell: one of them, and all bytes.
struct GridTouch {
    std::uint64_t turn = 0;
    std::uint32_t pc = trace::none;
    std::uint32_t thread = 0;
    std::uint8_t bytes = 0;  // bit per byte of the cell
    bool strong = false;
    trace::AccessKind kind{};
};
struct GridCell {
    GridTouch write, read;
};
using GridCells = std::unordered_map<std::uint64_t, GridCell>;

void add_touch(GridTouch& touch, const GridTouch& more) {
    const auto bytes = static_cast<std::uint8_t>(touch.bytes | more.bytes);
    if (touch.bytes == 0 || (touch.strong && !more.strong)) touch = more;  // a weak access races with more
    touch.bytes = bytes;
}

class GridRaces {
  public:
    GridRaces(const trace::Trace& trace, const Code& code, const RaceLimits& limits,
              const std::atomic<bool>* cancelled)
        : trace_(trace), limits_(limits), cancelled_(cancelled) {
        for (std::uint32_t pc = 0; pc < trace.program.code_rows.size(); ++pc) {
            const MemoryOrder order = memory_order(code, pc);
            strong_.push_back(order.strong);
        }
    }

    RaceReport run(std::span<const trace::GridOrigin> origins) {
        for (const trace::GridOrigin& origin : origins) {
            if (origin.parent >= trace_.launches.size() || origin.launch >= trace_.launches.size()) continue;
            if (stopped()) break;
            examine(origin);
        }
        return std::move(report_);
    }

  private:
    bool stopped() {
        constexpr std::uint64_t max_turns = 20'000'000;
        const bool cancelled = cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed);
        if (!cancelled && turns_ < max_turns) return false;
        report_.complete = false;
        report_.incomplete =
            "races between kernels and the grids that they launch were not looked for everywhere";
        return true;
    }

    // Calls visit(cell, touch, writes, reads) for the global accesses of the turns.
    template <class Visit>
    void for_each_touch(std::uint64_t first, std::uint64_t end, Visit visit) {
        trace::Event event;
        for (std::uint64_t number = first; number < end && !stopped(); ++number, ++turns_) {
            const trace::Turn& turn = trace_.turns[number];
            trace::EventReader reader(trace_, number);
            while (reader.next(event)) {
                if (!trace::is_access(event.kind) || event.space != trace::Space::global) continue;
                unsigned nth = 0;
                for (trace::Mask rest = event.mask; rest != 0; rest &= rest - 1, ++nth) {
                    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
                    const std::uint64_t offset = trace::offset_of(event, lane, nth);
                    for (std::uint64_t at = offset / cell_bytes; at * cell_bytes < offset + event.width;
                         ++at) {
                        GridTouch touch;
                        touch.turn = number;
                        touch.pc = event.pc;
                        touch.thread = turn.warp * trace::warp_size + lane;
                        touch.strong = event.pc < strong_.size() && strong_[event.pc];
                        touch.kind = trace::access_kind(event.kind);
                        for (std::uint64_t byte = 0; byte < cell_bytes; ++byte) {
                            const std::uint64_t place = at * cell_bytes + byte;
                            if (place >= offset && place < offset + event.width)
                                touch.bytes = static_cast<std::uint8_t>(touch.bytes | 1u << byte);
                        }
                        visit(at, touch);
                    }
                }
            }
        }
    }

    void examine(const trace::GridOrigin& origin) {
        const trace::Launch& parent = trace_.launches[origin.parent];
        const trace::Launch& child = trace_.launches[origin.launch];
        if (origin.turn < parent.first_turn || origin.turn >= parent.end_turn) return;
        GridCells later;
        for_each_touch(origin.turn + 1, parent.end_turn, [&](std::uint64_t at, const GridTouch& touch) {
            if (later.size() * sizeof(GridCell) > limits_.shadow_bytes) return;
            GridCell& cell = later[at];
            if (touch.kind != trace::AccessKind::load) add_touch(cell.write, touch);
            if (touch.kind != trace::AccessKind::store) add_touch(cell.read, touch);
        });
        if (later.empty()) return;
        for_each_touch(child.first_turn, child.end_turn, [&](std::uint64_t at, const GridTouch& touch) {
            const auto found = later.find(at);
            if (found == later.end()) return;
            compare(origin, found->second.write, touch, at);
            if (touch.kind != trace::AccessKind::load) compare(origin, found->second.read, touch, at);
        });
    }

    void compare(const trace::GridOrigin& origin, const GridTouch& ours, const GridTouch& theirs,
                 std::uint64_t at) {
        if ((ours.bytes & theirs.bytes) == 0 || (ours.strong && theirs.strong)) return;
        const std::uint64_t offset =
            at * cell_bytes +
            static_cast<std::uint64_t>(std::countr_zero(static_cast<unsigned>(ours.bytes & theirs.bytes)));
        const trace::Resolved place = trace::resolve(trace_, origin.launch, trace::Space::global, offset);
        const Key key{place.symbol, line_of(ours.pc), line_of(theirs.pc)};
        const auto [known, added] = problems_.try_emplace(key, report_.problems.size());
        if (!added) {
            if (known->second < report_.problems.size()) ++report_.problems[known->second].occurrences;
            return;
        }
        if (report_.problems.size() >= limits_.problems) {
            known->second = ~std::size_t{0};
            return;
        }
        trace::Problem problem;
        problem.kind = trace::ProblemKind::race;
        problem.space = trace::Space::global;
        if (place.symbol != nullptr) problem.variable = place.symbol->name;
        problem.index = static_cast<std::int64_t>(place.index);
        problem.first = site_of(ours, origin.parent);
        problem.second = site_of(theirs, origin.launch);
        problem.message = message(problem, origin, ours, theirs, place.text);
        report_.problems.push_back(std::move(problem));
    }

    std::uint32_t line_of(std::uint32_t pc) const {
        return pc < trace_.program.code_rows.size() ? trace_.program.code_rows[pc].line : 0;
    }

    trace::ProblemSite site_of(const GridTouch& touch, std::uint32_t launch) const {
        trace::ProblemSite site;
        site.turn = touch.turn;
        site.launch = launch;
        site.line = trace_.turns[touch.turn].line;
        if (const std::uint32_t own = line_of(touch.pc); own != 0) site.line = own;
        site.block = trace_.turns[touch.turn].block;
        site.thread = touch.thread;
        site.pc = touch.pc;
        site.access = touch.kind;
        site.has_access = true;
        return site;
    }

    static const char* verb(trace::AccessKind kind, bool past) {
        if (kind == trace::AccessKind::load) return past ? "read" : "reads";
        if (kind == trace::AccessKind::store) return past ? "wrote" : "writes";
        return past ? "changed with an atomic" : "changes with an atomic";
    }

    std::string message(const trace::Problem& problem, const trace::GridOrigin& origin, const GridTouch& ours,
                        const GridTouch& theirs, const std::string& place) const {
        const auto who = [](const trace::ProblemSite& site) {
            return "thread " + std::to_string(site.thread) + " of block " + std::to_string(site.block);
        };
        return "line " + std::to_string(problem.second.line) + ": " + who(problem.second) +
               " of a grid launched by " + trace_.launches[origin.parent].kernel + " " +
               verb(theirs.kind, false) + " " + place + ", which " + who(problem.first) + " of " +
               trace_.launches[origin.parent].kernel + " " + verb(ours.kind, true) + " in line " +
               std::to_string(problem.first.line) +
               " after the launch; a kernel and the grids that it launches run at the same time";
    }

    using Key = std::tuple<const trace::Symbol*, std::uint32_t, std::uint32_t>;
    const trace::Trace& trace_;
    const RaceLimits& limits_;
    const std::atomic<bool>* cancelled_;
    std::vector<bool> strong_;
    std::map<Key, std::size_t> problems_;
    std::uint64_t turns_ = 0;
    RaceReport report_;
};

}  // namespace

RaceReport find_grid_races(const trace::Trace& trace, const Code& code,
                           std::span<const trace::GridOrigin> origins, const RaceLimits& limits,
                           const std::atomic<bool>* cancelled) {
    if (trace.events == nullptr || origins.empty()) return {};
    return GridRaces(trace, code, limits, cancelled).run(origins);
}

}  // namespace lanescope::analysis
