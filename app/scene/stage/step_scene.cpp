#include "scene/stage/step_scene.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

#include "analysis/metrics.h"
#include "base/number_text.h"
#include "scene/words/block_words.h"

namespace lanescope::scene {

namespace {

using trace::AccessKind;
using trace::Space;
using trace::warp_size;

constexpr std::size_t max_accesses = 400'000;
constexpr std::size_t max_links = 16'384;
constexpr std::size_t broadcast_lanes = 5;  // from this many readers on, one mark says more than many arrows

struct LoadedCell {
    CellSpan span;
    bool conflict = false;
    std::uint16_t ordinal = 0;
};

bool lane_conflicts(const trace::Access& access, const analysis::BankUse& use, unsigned lane) {
    if (use.wavefronts <= 1) return false;
    const std::uint64_t first = access.offset[lane] / 4;
    const unsigned words = std::max(1u, access.width_bytes / 4u);
    for (unsigned word = 0; word < words; ++word)
        if (use.words[(first + word) % 32] > 1) return true;
    return false;
}

class SceneMaker {
  public:
    SceneMaker(const trace::Trace& trace, std::span<const StageArray> arrays, analysis::TurnFlow& flow,
               const analysis::Flow* values, std::span<const analysis::AsyncCopy> copies)
        : trace_(trace), arrays_(arrays), flow_(flow), values_(values), copies_(copies) {}

    void turn(const trace::TurnDetail& detail) {
        const std::uint32_t warp = detail.turn < trace_.turns.size() ? trace_.turns[detail.turn].warp : 0;
        for (auto& lane : loads_)
            lane.clear();
        sources_.clear();
        traced_.clear();
        if (values_ != nullptr) trace_values(detail);
        if (detail.turn < trace_.turns.size() && several_cells(detail))
            sources_ = flow_.sources(trace_.turns[detail.turn], detail);
        const bool updates =
            std::any_of(detail.accesses.begin(), detail.accesses.end(),
                        [](const trace::Access& access) { return access.kind == AccessKind::atomic; });
        chosen_.clear();
        if (updates && detail.turn < trace_.turns.size()) chosen_ = flow_.chosen_places(trace_, detail);
        for (const trace::Access& access : detail.accesses) {
            if (access.space == Space::local) continue;
            if (access.owner != trace::none) {
                note_remote(detail.turn, access, warp);
                continue;
            }
            analysis::BankUse banks;
            if (access.space == Space::shared) banks = analysis::banks(access);
            for (unsigned lane = 0; lane < warp_size; ++lane)
                if (access.mask >> lane & 1) lane_access(access, banks, warp, lane);
        }
    }

    StepScene finish(std::span<const trace::TurnDetail> details) {
        sort_accesses();
        make_marks();
        for (const DataLink& each : data_links_)
            link({each.from, in_conflict(each.from), 0}, each.to, each.thread, in_conflict(each.to));
        for (const trace::TurnDetail& detail : details)
            begin_copies(detail.turn);
        if (!details.empty()) note_pending(details.back().turn);
        mark_races(details);
        note_outside(details);
        reduce_links();
        tell_remote();
        return std::move(scene_);
    }

  private:
    void note_remote(std::uint64_t turn, const trace::Access& access, std::uint32_t warp) {
        const std::uint32_t launch = trace_.launch_of(turn);
        grid_ = trace_.launches[launch].grid;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if ((access.mask >> lane & 1) == 0) continue;
            const trace::Resolved cell = trace::resolve(trace_, launch, Space::shared, access.offset[lane]);
            Remote& use = remote_[{access.owner, cell.symbol, access.kind}];
            if (use.threads.empty() || cell.index < use.low.index) use.low = cell;
            if (use.threads.empty() || cell.index > use.high.index) use.high = cell;
            use.threads.insert(warp * warp_size + lane);
            const CellSpan span = cells_at(arrays_, Space::shared, access.offset[lane], access.width_bytes);
            for (std::uint32_t i = 0; i < span.count; ++i)
                mark_remote(access, {span.array, span.first + i}, warp * warp_size + lane);
        }
    }

    void mark_remote(const trace::Access& access, const CellRef& cell, std::uint32_t thread) {
        auto& marks = scene_.remote_marks;
        auto at = std::find_if(marks.begin(), marks.end(), [&](const RemoteMark& each) {
            return each.block == access.owner && each.mark.cell == cell;
        });
        if (at == marks.end()) {
            constexpr std::size_t most = 1024;  // as many cells as copies of arrays can show
            if (marks.size() >= most) return;
            at = marks.insert(at, {access.owner, {}});
            at->mark.cell = cell;
        }
        ++(access.kind == AccessKind::load    ? at->mark.reads
           : access.kind == AccessKind::store ? at->mark.writes
                                              : at->mark.atomics);
        if (access.kind != AccessKind::load) at->mark.last_writer = thread;
    }

    // A link from the source of each copy that is issued in the turn to where it will arrive.
    void begin_copies(std::uint64_t turn) {
        auto at = std::lower_bound(
            copies_.begin(), copies_.end(), turn,
            [](const analysis::AsyncCopy& copy, std::uint64_t number) { return copy.issued < number; });
        for (; at != copies_.end() && at->issued == turn; ++at) {
            const CellSpan to = target_of(*at);
            const CellSpan from = cells_at(arrays_, at->from_space, at->from, at->read_bytes);
            if (to.count != 0 && from.count != 0) link({from, false, 0}, to, at->thread, false);
        }
    }

    CellSpan target_of(const analysis::AsyncCopy& copy) const {
        if (copy.arrived == analysis::AsyncCopy::never) return {};
        return cells_at(arrays_, copy.to_space, copy.to, copy.width_bytes);
    }

    void note_pending(std::uint64_t turn) {
        for (const analysis::AsyncCopy& copy : copies_) {
            if (copy.issued > turn) break;
            if (copy.arrived <= turn) continue;
            const CellSpan to = target_of(copy);
            for (std::uint32_t i = 0; i < to.count; ++i)
                scene_.pending.push_back({to.array, to.first + i});
        }
        std::sort(scene_.pending.begin(), scene_.pending.end());
    }

    void tell_remote() {
        for (const auto& [key, use] : remote_) {
            std::string text = use.low.text;
            if (use.high.index != use.low.index) {
                const std::size_t bracket = use.high.text.find('[');
                const bool plain = text.ends_with(']') && text.find('[') == text.rfind('[');
                text = plain ? text.substr(0, text.size() - 1) + " … " + use.high.text.substr(bracket + 1)
                             : text + " … " + use.high.text;
            }
            scene_.remote.push_back(
                {std::get<AccessKind>(key), text + " of block " + block_name(grid_, std::get<0>(key)) +
                                                " · " + counted(use.threads.size(), "thread")});
        }
    }

    // Links the turn's writes with what they were computed from.
    void trace_values(const trace::TurnDetail& detail) {
        const std::vector<analysis::FlowWrite>& writes = values_->graph.writes();
        auto at = std::lower_bound(
            writes.begin(), writes.end(), detail.turn,
            [](const analysis::FlowWrite& write, std::uint64_t turn) { return write.turn < turn; });
        for (; at != writes.end() && at->turn == detail.turn; ++at) {
            const bool shown =
                std::any_of(detail.accesses.begin(), detail.accesses.end(),
                            [&](const trace::Access& access) { return access.ordinal == at->ordinal; });
            if (at->exchange || !shown) continue;
            const CellSpan to = cells_at(arrays_, at->space, at->offset, at->width_bytes);
            if (to.count == 0 || at->is_outside(at->block)) continue;
            for (const CellSpan& from : sources_of(at->value, trace_.launch_of(detail.turn), at->block)) {
                bool& fed = traced_[{at->ordinal, at->thread % warp_size}];
                if (from.array == to.array && from.first == to.first) continue;  // what the cell held before
                data_links_.push_back({from, to, at->thread});
                fed = true;
            }
        }
    }

    // The shown cells whose values a stored value was computed from.
    std::vector<CellSpan> sources_of(analysis::ValueId store, std::uint32_t launch,
                                     std::uint32_t block) const {
        constexpr std::size_t most_values = 4096;
        const analysis::FlowGraph& graph = values_->graph;
        std::vector<CellSpan> found;
        std::deque<analysis::ValueId> open{graph.node(store).operands[0]};  // the nearest ones come first
        std::unordered_set<analysis::ValueId> seen;
        while (!open.empty() && seen.size() < most_values) {
            const analysis::ValueId id = open.front();
            open.pop_front();
            if (!graph.is_data(id) || !seen.insert(id).second) continue;
            CellSpan span;
            if (graph.is_input(id)) {
                span = cell_of(graph.input(id));
            } else if (graph.is_node(id) && graph.op(id) == analysis::Operator::store) {
                const analysis::FlowWrite& write = graph.write_of(id);
                const bool elsewhere = write.is_outside(block) || (write.space == Space::shared &&
                                                                   trace_.launch_of(write.turn) != launch);
                if (!elsewhere) span = cells_at(arrays_, write.space, write.offset, write.width_bytes);
            } else if (graph.is_node(id)) {
                const analysis::FlowGraph::Node& node = graph.node(id);
                open.push_back(node.operands[0]);
                if (!analysis::is_copy(graph.op(id)))
                    open.insert(open.end(), {node.operands[1], node.operands[2]});
            }
            if (span.count != 0) found.push_back(span);
        }
        return found;
    }

    CellSpan cell_of(const analysis::FlowGraph::Input& input) const {
        const trace::Symbol& symbol = trace_.symbols[input.symbol];
        const std::uint32_t bytes = std::max(1u, trace_.program.types[symbol.element].size_bytes);
        return cells_at(arrays_, symbol.space, symbol.offset + input.cell * bytes, bytes);
    }

    void lane_access(const trace::Access& access, const analysis::BankUse& banks, std::uint32_t warp,
                     unsigned lane) {
        const CellSpan span = cells_at(arrays_, access, lane);
        if (span.count == 0 || scene_.accesses.size() >= max_accesses) return;
        const bool conflict = lane_conflicts(access, banks, lane);
        const std::uint32_t thread = warp * warp_size + lane;
        for (std::uint32_t i = 0; i < span.count; ++i) {
            scene_.accesses.push_back({{span.array, span.first + i}, thread, access.kind});
            if (conflict) conflicts_.push_back({span.array, span.first + i});
        }
        if (access.kind == AccessKind::load) {
            loads_[lane].push_back({span, conflict, access.ordinal});
            return;
        }
        const auto known = sources_.find(access.ordinal);
        const auto traced = traced_.find({access.ordinal, lane});
        for (const analysis::TurnFlow::Chosen& by : chosen_) {
            if (by.ordinal != access.ordinal || by.lane != lane) continue;
            if (traced != traced_.end() && traced->second) continue;
            const CellSpan from = cells_at(arrays_, by.space, by.offset, by.width_bytes);
            if (from.count != 0) link({from, false, 0}, span, thread, conflict);
        }
        if (traced == traced_.end())
            for (const LoadedCell& load : loads_[lane])
                if (known == sources_.end() || std::find(known->second.begin(), known->second.end(),
                                                         load.ordinal) != known->second.end())
                    link(load, span, thread, conflict);
        // The value that an atomic operation returns goes on, like a load.
        if (access.kind == AccessKind::atomic) loads_[lane].push_back({span, conflict, access.ordinal});
        // If the instructions' registers are not known, a later store of the same turn has loads of its own.
        if (known == sources_.end()) loads_[lane].clear();
    }

    // Only a turn with loads and stores leaves open which value went where.
    static bool several_cells(const trace::TurnDetail& detail) {
        bool loads = false, stores = false;
        for (const trace::Access& access : detail.accesses) {
            if (access.space == Space::local) continue;
            loads |= access.kind != AccessKind::store;
            stores |= access.kind != AccessKind::load;
        }
        return loads && stores;
    }

    void link(const LoadedCell& load, const CellSpan& to, std::uint32_t thread, bool conflict) {
        if (scene_.links.size() >= max_links) {
            scene_.links_left_out = true;
            return;
        }
        const std::uint32_t pairs = load.span.count == to.count ? to.count : 1;
        for (std::uint32_t i = 0; i < pairs; ++i) {
            const Link made{{load.span.array, load.span.first + i},
                            {to.array, to.first + i},
                            thread,
                            conflict || load.conflict};
            if (made.from != made.to) scene_.links.push_back(made);
        }
    }

    bool in_conflict(const CellSpan& span) const {
        const CellMark* mark = scene_.mark({span.array, span.first});
        return mark != nullptr && mark->conflict;
    }

    void sort_accesses() {
        std::stable_sort(scene_.accesses.begin(), scene_.accesses.end(),
                         [](const CellAccess& a, const CellAccess& b) { return a.cell < b.cell; });
    }

    void make_marks() {
        std::sort(conflicts_.begin(), conflicts_.end());
        scene_.any_conflict = !conflicts_.empty();
        const auto& accesses = scene_.accesses;
        for (std::size_t i = 0; i < accesses.size(); ++i) {
            if (scene_.marks.empty() || scene_.marks.back().cell != accesses[i].cell) {
                CellMark mark;
                mark.cell = accesses[i].cell;
                mark.first_access = static_cast<std::uint32_t>(i);
                mark.conflict = std::binary_search(conflicts_.begin(), conflicts_.end(), mark.cell);
                scene_.marks.push_back(mark);
            }
            CellMark& mark = scene_.marks.back();
            mark.end_access = static_cast<std::uint32_t>(i + 1);
            if (accesses[i].kind == AccessKind::load) {
                ++mark.reads;
            } else {
                ++(accesses[i].kind == AccessKind::store ? mark.writes : mark.atomics);
                mark.last_writer = accesses[i].thread;
            }
        }
    }

    void mark_races(std::span<const trace::TurnDetail> details) {
        const auto in_step = [&](const trace::ProblemSite& site) {
            return std::any_of(details.begin(), details.end(),
                               [&](const trace::TurnDetail& detail) { return detail.turn == site.turn; });
        };
        for (const trace::Problem& problem : trace_.problems) {
            if (problem.kind != trace::ProblemKind::race &&
                problem.kind != trace::ProblemKind::unsynced_lanes)
                continue;
            if (problem.index < 0 || (!in_step(problem.first) && !in_step(problem.second))) continue;
            for (CellMark& mark : scene_.marks) {
                const trace::Symbol& symbol = *arrays_[mark.cell.array].symbol;
                if (mark.cell.index != static_cast<std::uint64_t>(problem.index)) continue;
                if (symbol.space != problem.space || symbol.name != problem.variable) continue;
                mark.race = scene_.any_race = true;
            }
        }
    }

    void note_outside(std::span<const trace::TurnDetail> details) {
        for (const trace::Problem& problem : trace_.problems) {
            const bool here =
                problem.kind == trace::ProblemKind::out_of_bounds && problem.first.has_access &&
                std::any_of(details.begin(), details.end(), [&](const trace::TurnDetail& detail) {
                    return detail.turn == problem.first.turn;
                });
            if (!here) continue;
            OutsideAccess made{trace::none, problem.index, problem.first.thread, {}};
            for (std::uint32_t i = 0; i < arrays_.size(); ++i)
                if (arrays_[i].symbol->name == problem.variable && arrays_[i].symbol->space == problem.space)
                    made.array = i;
            made.text = outside_text(problem, made.array);
            scene_.outside.push_back(std::move(made));
        }
    }

    std::string outside_text(const trace::Problem& problem, std::uint32_t array) const {
        const std::string who = "t" + std::to_string(problem.first.thread) + " ";
        const auto count = array == trace::none ? 0 : static_cast<std::int64_t>(arrays_[array].whole);
        const bool beyond = problem.index < 0 || problem.index >= count;
        const std::string said = problem.message.substr(
            std::min(problem.message.find(" of block " + std::to_string(problem.first.block) + " "),
                     problem.message.size()));
        // The message has more to say where the index wrapped or the buffer is gone.
        if (array == trace::none || !beyond || said.find(" end of ") == said.npos) {
            const std::size_t verb = said.find(' ', std::min<std::size_t>(10, said.size()));
            return who +
                   (verb == said.npos ? "reaches memory outside of every array" : said.substr(verb + 1));
        }
        const std::string cell = problem.variable + "[" + std::to_string(problem.index) + "]";
        const std::string verb = problem.first.access == AccessKind::load    ? "reads "
                                 : problem.first.access == AccessKind::store ? "writes "
                                                                             : "updates ";
        const std::int64_t past = problem.index - count;
        return who + verb + cell +
               (past == 0 ? ", just past the end"
                          : ", " + grouped(static_cast<std::uint64_t>(past)) + " past the end");
    }

    void reduce_links() {
        auto& links = scene_.links;
        if (scene_.links_left_out) links.clear();
        std::sort(links.begin(), links.end());
        links.erase(std::unique(links.begin(), links.end()), links.end());
        std::map<CellRef, std::size_t> readers;
        for (const Link& link : links)
            ++readers[link.from];
        std::erase_if(links, [&](const Link& link) { return readers[link.from] >= broadcast_lanes; });
    }

    const trace::Trace& trace_;
    std::span<const StageArray> arrays_;
    struct DataLink {
        CellSpan from, to;
        std::uint32_t thread = 0;
    };
    analysis::TurnFlow& flow_;
    const analysis::Flow* values_;
    std::span<const analysis::AsyncCopy> copies_;
    std::vector<DataLink> data_links_;
    // The turn's writes whose sources are known, by ordinal and lane: fed by another cell?
    std::map<std::pair<std::uint16_t, unsigned>, bool> traced_;
    analysis::TurnFlow::Sources sources_;
    std::vector<analysis::TurnFlow::Chosen> chosen_;
    std::array<std::vector<LoadedCell>, warp_size> loads_;
    std::vector<CellRef> conflicts_;
    struct Remote {
        trace::Resolved low, high;
        std::set<std::uint32_t> threads;
    };
    std::map<std::tuple<std::uint32_t, const trace::Symbol*, AccessKind>, Remote> remote_;
    trace::Dim3 grid_;
    StepScene scene_;
};

}  // namespace

const CellMark* StepScene::mark(const CellRef& cell) const {
    const auto at =
        std::lower_bound(marks.begin(), marks.end(), cell,
                         [](const CellMark& m, const CellRef& wanted) { return m.cell < wanted; });
    return at != marks.end() && at->cell == cell ? &*at : nullptr;
}

const CellMark* StepScene::remote_mark(std::uint32_t block, const CellRef& cell) const {
    for (const RemoteMark& each : remote_marks)
        if (each.block == block && each.mark.cell == cell) return &each.mark;
    return nullptr;
}

bool StepScene::is_pending(const CellRef& cell) const {
    return std::binary_search(pending.begin(), pending.end(), cell);
}

std::span<const CellAccess> StepScene::accesses_of(const CellMark& mark) const {
    return std::span(accesses).subspan(mark.first_access, mark.end_access - mark.first_access);
}

StepScene make_scene(const trace::Trace& trace, std::span<const StageArray> arrays,
                     std::span<const trace::TurnDetail> details, analysis::TurnFlow& turns,
                     const analysis::Flow* values, std::span<const analysis::AsyncCopy> copies) {
    SceneMaker maker(trace, arrays, turns, values, copies);
    for (const trace::TurnDetail& detail : details)
        maker.turn(detail);
    return maker.finish(details);
}

}  // namespace lanescope::scene
