#include "scene/stage/footprint.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <unordered_set>

#include "scene/words/block_words.h"

namespace lanescope::scene {

namespace {

using analysis::FlowGraph;
using analysis::FlowWrite;
using analysis::ValueId;
using trace::Space;

constexpr std::size_t most_turns = 200'000;       // of a block
constexpr std::size_t most_made_of = 4096;        // that one output is made of
constexpr std::size_t most_outputs = 1 << 14;     // that are looked at for one pattern
constexpr std::size_t most_offsets = 1024;        // of one pattern
constexpr std::size_t most_followed = 8'000'000;  // through the graph, for one block
constexpr std::uint64_t widest_pattern = 64;      // cells in each direction

struct Offset {
    std::int64_t row = 0, column = 0;
    auto operator<=>(const Offset&) const = default;
};

Offset coordinates(const StageArray& array, std::uint64_t index) {
    if (!array.is_matrix()) return {0, static_cast<std::int64_t>(index)};
    return {static_cast<std::int64_t>(index / array.columns),
            static_cast<std::int64_t>(index % array.columns)};
}

// The cells that a value was computed from: in shared memory the nearest ones, in global memory those of its
// inputs and of earlier stores.
class Sources {
  public:
    Sources(const OriginIndex& index, std::span<const StageArray> arrays, const trace::Step& place)
        : index_(index), arrays_(arrays), place_(place) {}

    // False: there are too many. `through`: go on through shared memory to global memory.
    bool of(ValueId store, std::vector<CellRef>& found) {
        const FlowGraph& graph = index_.flow().graph;
        open_.assign(1, {graph.node(store).operands[0], false});
        seen_.clear();
        while (!open_.empty()) {
            const auto [id, through_shared] = open_.back();
            open_.pop_back();
            if (!graph.is_data(id) || !seen_.insert(id).second) continue;
            if (seen_.size() > most_made_of) return false;
            if (graph.is_input(id)) {
                note_input(graph.input(id), found);
            } else if (graph.is_node(id) && graph.op(id) == analysis::Operator::store) {
                const FlowWrite& write = graph.write_of(id);
                const bool shared = write.space == Space::shared;
                if (!shared || !through_shared) note(write, found);
                if (shared) open_.emplace_back(graph.node(id).operands[0], true);
            } else if (graph.is_node(id)) {
                const FlowGraph::Node& node = graph.node(id);
                open_.emplace_back(node.operands[0], through_shared);
                if (analysis::is_copy(graph.op(id))) continue;
                open_.emplace_back(node.operands[1], through_shared);
                open_.emplace_back(node.operands[2], through_shared);
            }
        }
        return true;
    }
    std::size_t steps() const { return seen_.size(); }

  private:
    void note(const FlowWrite& write, std::vector<CellRef>& found) const {
        if (write.is_outside(place_.block)) return;
        add(cells_at(arrays_, write.space, write.offset, write.width_bytes,
                     write.space == Space::shared ? place_.launch : trace::none),
            found);
    }
    void note_input(const FlowGraph::Input& input, std::vector<CellRef>& found) const {
        const trace::Symbol& symbol = index_.trace().symbols[input.symbol];
        const std::uint32_t bytes = std::max(1u, index_.trace().program.types[symbol.element].size_bytes);
        add(cells_at(arrays_, symbol.space, symbol.offset + input.cell * bytes, bytes), found);
    }
    static void add(const CellSpan& span, std::vector<CellRef>& found) {
        for (std::uint32_t i = 0; i < span.count; ++i)
            found.push_back({span.array, span.first + i});
    }

    const OriginIndex& index_;
    std::span<const StageArray> arrays_;
    const trace::Step& place_;
    std::vector<std::pair<ValueId, bool>> open_;
    std::unordered_set<ValueId> seen_;
};

// The writes of a block in its launch, in the order of time.
template <class F>
void each_write(const OriginIndex& index, const trace::Step& place, F&& each) {
    const trace::Launch& launch = index.trace().launches[place.launch];
    const std::vector<FlowWrite>& writes = index.flow().graph.writes();
    auto at = std::lower_bound(writes.begin(), writes.end(), launch.first_turn,
                               [](const FlowWrite& write, std::uint64_t turn) { return write.turn < turn; });
    for (; at != writes.end() && at->turn < launch.end_turn; ++at)
        if (at->block == place.block && !at->exchange && !each(*at)) return;
}

// Which cells each output is computed from, relative to its own place, if it is the same pattern for all.
class Pattern {
  public:
    void add(const Offset& output, const std::vector<Offset>& inputs) {
        if (all_.size() > most_offsets) return;
        std::set<Offset> offsets;
        for (const Offset& input : inputs)
            offsets.insert({input.row - output.row, input.column - output.column});
        all_.insert(offsets.begin(), offsets.end());
        outputs_.emplace_back(output, offsets.size());
    }

    // The area of the pattern; empty if outputs differ in more than what lies outside of `within`. Two
    // outputs must have all of it: the sums of a scan differ in their lengths, and only the last one is
    // complete.
    CellArea area(const CellArea& within) const {
        CellArea area;
        if (outputs_.size() < 2 || all_.size() > most_offsets) return area;
        for (const Offset& offset : all_)
            area.include(offset.row, offset.column);
        if (area.rows() > widest_pattern || area.columns() > widest_pattern) return {};
        std::size_t complete = 0;
        for (const auto& [output, count] : outputs_) {
            std::size_t inside = 0;
            if (count == all_.size()) ++complete;
            for (const Offset& offset : all_) {
                const std::int64_t row = output.row + offset.row, column = output.column + offset.column;
                if (row >= within.first_row && row < within.end_row && column >= within.first_column &&
                    column < within.end_column)
                    ++inside;
            }
            if (inside != count) return {};
        }
        return complete < 2 ? CellArea{} : area;
    }

  private:
    std::set<Offset> all_;
    std::vector<std::pair<Offset, std::size_t>> outputs_;  // how many offsets each has
};

class FootprintMaker {
  public:
    FootprintMaker(const OriginIndex& index, std::span<const StageArray> arrays, const trace::Step& place)
        : index_(index), arrays_(arrays), place_(place), loaded_(arrays.size()), stored_(arrays.size()) {
        made_.arrays.resize(arrays.size());
    }

    BlockFootprint run() {
        if (!note_accesses()) return {};
        for (std::size_t i = 0; i < arrays_.size(); ++i) {
            if (arrays_[i].symbol->space != Space::global) continue;
            made_.arrays[i].outputs = dense_area(i, stored_[i]);
            made_.arrays[i].reads = dense_area(i, loaded_[i]);
            made_.outputs += stored_[i].size();
        }
        find_patterns();
        std::string outputs;
        for (std::uint32_t i = 0; i < arrays_.size() && outputs.empty(); ++i)
            if (!made_.arrays[i].outputs.empty())
                outputs = size(i, made_.arrays[i].outputs) + " outputs (blue)";
        leave_out_whole_arrays();
        say(outputs);
        return std::move(made_);
    }

  private:
    // False: there are too many.
    bool note_accesses() {
        const trace::Launch& launch = index_.trace().launches[place_.launch];
        trace::TurnDetail detail;
        std::size_t turns = 0;
        for (std::uint64_t turn = launch.first_turn; turn < launch.end_turn; ++turn) {
            if (index_.trace().turns[turn].block != place_.block) continue;
            if (++turns > most_turns) return false;
            trace::decode(index_.trace(), turn, detail);
            for (const trace::Access& access : detail.accesses) {
                if (access.space == Space::local) continue;
                for (unsigned lane = 0; lane < trace::warp_size; ++lane) {
                    if ((access.mask >> lane & 1) == 0) continue;
                    const CellSpan span = cells_at(arrays_, access, lane, place_.launch);
                    if (span.count != 0) note(span, access.kind);
                }
            }
        }
        return true;
    }

    void note(const CellSpan& span, trace::AccessKind kind) {
        if (kind != trace::AccessKind::store) made_.arrays[span.array].loads += span.count;
        // For shared memory, only the number of loads is needed.
        if (arrays_[span.array].symbol->space != Space::global) return;
        for (std::uint64_t cell = span.first; cell < span.first + span.count; ++cell)
            (kind == trace::AccessKind::load ? loaded_ : stored_)[span.array].insert(cell);
    }

    CellArea dense_area(std::size_t array, const std::unordered_set<std::uint64_t>& cells) const {
        CellArea area;
        for (const std::uint64_t cell : cells) {
            const Offset at = coordinates(arrays_[array], cell);
            area.include(at.row, at.column);
        }
        return area.count() <= cells.size() + cells.size() / 4 ? area : CellArea{};
    }

    // Where the outputs of an array are all made of the same neighbourhood of another array, the block's
    // reads reach as far outside of that array as the neighbourhoods of its outputs do.
    void find_patterns() {
        for (std::uint32_t to = 0; to < arrays_.size(); ++to) {
            if (made_.arrays[to].outputs.empty() || stored_[to].size() > most_outputs) continue;
            std::vector<Pattern> patterns(arrays_.size());
            if (!collect(to, patterns)) continue;
            for (std::uint32_t from = 0; from < arrays_.size(); ++from)
                if (from != to && !made_.arrays[from].reads.empty()) apply(patterns[from], from, to);
        }
    }

    bool collect(std::uint32_t to, std::vector<Pattern>& patterns) {
        Sources sources(index_, arrays_, place_);
        std::vector<CellRef> found;
        std::vector<std::vector<Offset>> inputs(arrays_.size());
        std::size_t steps = 0;
        bool all = true;
        each_write(index_, place_, [&](const FlowWrite& write) {
            const CellSpan span =
                cells_at(arrays_, write.space, write.offset, write.width_bytes, place_.launch);
            if (span.count == 0 || span.array != to) return true;
            found.clear();
            all = sources.of(write.value, found);
            steps += sources.steps();
            if (!all || steps > most_followed) return all = false;
            for (auto& each : inputs)
                each.clear();
            for (const CellRef& cell : found)
                inputs[cell.array].push_back(coordinates(arrays_[cell.array], cell.index));
            for (std::uint32_t from = 0; from < arrays_.size(); ++from)
                if (!made_.arrays[from].reads.empty())
                    patterns[from].add(coordinates(arrays_[to], span.first), inputs[from]);
            return true;
        });
        return all;
    }

    void apply(const Pattern& pattern, std::uint32_t from, std::uint32_t to) {
        const CellArea whole = area_of(arrays_[from]);
        const CellArea offsets = pattern.area(whole);
        if (offsets.empty()) return;
        const CellArea& outputs = made_.arrays[to].outputs;
        const CellArea wanted{outputs.first_row + offsets.first_row, outputs.end_row + offsets.end_row - 1,
                              outputs.first_column + offsets.first_column,
                              outputs.end_column + offsets.end_column - 1};
        ArrayFootprint& print = made_.arrays[from];
        if (offsets.count() > 1) print.outputs = outputs.cut_to(whole);
        if (wanted.cut_to(whole) != print.reads) return;
        print.reads = wanted;
        print.ghosts = wanted.count() - wanted.cut_to(whole).count();
    }

    // A frame around everything says nothing.
    void leave_out_whole_arrays() {
        for (std::size_t i = 0; i < arrays_.size(); ++i) {
            ArrayFootprint& print = made_.arrays[i];
            const CellArea whole = area_of(arrays_[i]);
            const bool same = print.outputs == print.reads;
            if (print.reads == whole) print.reads = {};
            if ((print.outputs == whole && print.ghosts == 0) || (same && print.outputs.count() < 2))
                print.outputs = {};
        }
    }

    void say(const std::string& outputs) {
        std::string reads, per_output;
        for (std::uint32_t i = 0; i < arrays_.size(); ++i) {
            const ArrayFootprint& print = made_.arrays[i];
            const std::string& name = arrays_[i].symbol->name;
            if (!print.reads.empty()) {
                reads += ", " + size(i, print.reads) + " reads of " + name + " (amber)";
                if (print.ghosts != 0)
                    reads += ", " + std::to_string(print.ghosts) +
                             (print.ghosts == 1 ? " ghost cell (hatched)" : " ghost cells (hatched)");
            }
            const bool counted =
                made_.outputs != 0 && print.loads != 0 && arrays_[i].symbol->space != Space::constant;
            if (counted) per_output += (per_output.empty() ? "" : ", ") + ratio(print.loads) + " of " + name;
        }
        if (outputs.empty() || reads.empty()) return;
        const trace::Launch& launch = index_.trace().launches[place_.launch];
        made_.words = "block " + block_name(launch.grid, place_.block) + ": " + outputs + reads;
        if (made_.outputs > 1 && !per_output.empty())
            made_.words += "; on average each output loads " + per_output;
    }

    std::string size(std::uint32_t array, const CellArea& area) const {
        if (!arrays_[array].is_matrix()) return std::to_string(area.count());
        return std::to_string(area.rows()) + " × " + std::to_string(area.columns());
    }

    std::string ratio(std::uint64_t loads) const {
        char text[32];
        const double each = static_cast<double>(loads) / static_cast<double>(made_.outputs);
        std::snprintf(text, sizeof text, loads % made_.outputs == 0 ? "%.0f" : "%.1f", each);
        return text;
    }

    const OriginIndex& index_;
    std::span<const StageArray> arrays_;
    const trace::Step& place_;
    std::vector<std::unordered_set<std::uint64_t>> loaded_, stored_;  // cells of global memory, by array
    BlockFootprint made_;
};

}  // namespace

void CellArea::include(std::int64_t row, std::int64_t column) {
    const bool first = empty();
    first_row = first ? row : std::min(first_row, row);
    end_row = first ? row + 1 : std::max(end_row, row + 1);
    first_column = first ? column : std::min(first_column, column);
    end_column = first ? column + 1 : std::max(end_column, column + 1);
}

CellArea CellArea::cut_to(const CellArea& other) const {
    const CellArea cut{std::max(first_row, other.first_row), std::min(end_row, other.end_row),
                       std::max(first_column, other.first_column), std::min(end_column, other.end_column)};
    return cut.empty() ? CellArea{} : cut;
}

CellArea area_of(const StageArray& array) {
    const auto columns = static_cast<std::int64_t>(array.is_matrix() ? array.columns : array.count);
    const auto count = static_cast<std::int64_t>(array.count);
    return {0, columns == 0 ? 0 : (count + columns - 1) / columns, 0, columns};
}

bool BlockFootprint::shows(std::uint32_t array) const {
    return array < arrays.size() && (!arrays[array].outputs.empty() || !arrays[array].reads.empty());
}

BlockFootprint block_footprint(const OriginIndex& index, std::span<const StageArray> arrays,
                               const trace::Step& place) {
    return FootprintMaker(index, arrays, place).run();
}

std::vector<const FlowWrite*> outputs_of_thread(const OriginIndex& index, const trace::Step& place,
                                                std::uint32_t thread) {
    std::vector<const FlowWrite*> global, shared;
    each_write(index, place, [&](const FlowWrite& write) {
        if (write.thread == thread) (write.space == Space::global ? global : shared).push_back(&write);
        return true;
    });
    return global.empty() ? shared : global;
}

std::vector<CellRef> thread_footprint(const OriginIndex& index, std::span<const StageArray> arrays,
                                      const trace::Step& place, std::span<const FlowWrite* const> outputs) {
    if (outputs.empty()) return {};
    const auto next =
        std::lower_bound(outputs.begin(), outputs.end(), place.first,
                         [](const FlowWrite* write, std::uint64_t turn) { return write->turn < turn; });
    std::vector<CellRef> found;
    const FlowWrite& output = next == outputs.end() ? *outputs.back() : **next;
    if (!Sources(index, arrays, place).of(output.value, found)) return {};
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

}  // namespace lanescope::scene
