#include "analysis/layouts/tiles.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include "analysis/layouts/accesses.h"
#include "analysis/layouts/matrix_rows.h"
#include "trace/cells.h"

namespace lanescope::analysis {
namespace {

using trace::Launch;
using trace::Space;
using trace::Symbol;
using trace::Trace;

constexpr std::uint64_t most_shared_bytes = 1 << 20;

struct Held {
    std::uint64_t cell = 0;   // of the input
    std::int64_t offset = 0;  // in elements of the tile, from the start of the array
    std::uint64_t turn = 0;
};
struct Content {
    std::uint32_t element_bytes = 0;
    std::vector<Held> held;
};

// A piece of a write that holds one element of an input.
struct Piece {
    ValueId input = 0;
    std::uint32_t bytes = 0;  // of the element in shared memory
};

class Collector {
  public:
    Collector(const Trace& trace, const Flow& flow, const InputRanges& ranges, const TileLimits& limits,
              std::uint32_t launch, std::uint32_t block)
        : trace_(trace),
          flow_(flow),
          ranges_(ranges),
          limits_(limits),
          launch_number_(launch),
          launch_(trace.launches[launch]),
          block_(block) {
        std::uint64_t bytes = 0;
        for (const Symbol& symbol : launch_.shared)
            bytes = std::max(bytes, symbol.offset + symbol.size_bytes);
        bytes = std::min(bytes, most_shared_bytes);
        contents_.assign(bytes, 0);
        last_.assign(bytes, FlowGraph::constant);
    }

    std::vector<SharedTile> collect(const std::atomic<bool>* cancelled) {
        for (const FlowWrite& write : flow_.graph.writes()) {
            if (elements_ > limits_.elements || (cancelled != nullptr && *cancelled)) break;
            if (write.exchange || write.space != Space::shared || write.place() != block_ ||
                write.turn < launch_.first_turn || write.turn >= launch_.end_turn)
                continue;
            add(write);
        }
        std::vector<SharedTile> tiles;
        for (auto& [key, content] : found_)
            if (std::optional<SharedTile> tile = tile_of(key, content)) tiles.push_back(std::move(*tile));
        return tiles;
    }

  private:
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // array, input, number

    std::uint32_t cell_bytes(ValueId input) const {
        return trace::cell_shape(trace_, trace_.symbols[flow_.graph.input(input).symbol]).cell_bytes;
    }

    // The elements that the written bytes hold, one behind the other; none: they hold no elements of inputs.
    std::optional<Piece> first_piece(const FlowWrite& write) const {
        const ValueId stored = flow_.graph.node(write.value).operands[0];
        const InputRange range = ranges_.of(stored);
        if (write.atomic || !range.known() || !range.any()) return {};
        const std::uint64_t count = range.last - range.first + 1;
        if (count == 1) {
            const std::uint32_t whole = cell_bytes(range.first);
            const bool part = flow_.graph.depth(stored) == 0 && write.width_bytes < whole;
            return Piece{range.first, part ? whole : write.width_bytes};
        }
        if (flow_.graph.depth(stored) != 0 || write.width_bytes != count * cell_bytes(range.first)) return {};
        return Piece{range.first, cell_bytes(range.first)};
    }

    void add(const FlowWrite& write) {
        const std::uint32_t symbol = shared_array_at(launch_, write.offset);
        if (symbol == trace::none || write.offset + write.width_bytes > contents_.size()) return;
        const std::optional<Piece> piece = first_piece(write);
        const std::uint64_t within = write.offset - launch_.shared[symbol].offset;
        const std::uint32_t step =
            piece ? std::min<std::uint32_t>(piece->bytes, write.width_bytes) : write.width_bytes;
        for (std::uint32_t at = 0, nth = 0; at < write.width_bytes; at += step, ++nth) {
            const ValueId input = piece ? piece->input + nth : FlowGraph::constant;
            const std::uint64_t place = write.offset + at;
            if (last_[place] == input && contents_[place] != 0) continue;
            last_[place] = input;
            const std::uint32_t number = contents_[place]++;
            if (!piece || number >= limits_.tiles || (within + at) % step != 0) continue;
            put(symbol, input, number, (within + at) / piece->bytes, piece->bytes, write.turn);
        }
    }

    void put(std::uint32_t symbol, ValueId input, std::uint32_t number, std::uint64_t offset,
             std::uint32_t bytes, std::uint64_t turn) {
        const FlowGraph::Input of = flow_.graph.input(input);
        Content& content = found_[{symbol, of.symbol, number}];
        if (content.element_bytes == 0) content.element_bytes = bytes;
        if (content.element_bytes != bytes) return;
        content.held.push_back({of.cell, static_cast<std::int64_t>(offset), turn});
        ++elements_;
    }

    // Elements of a row of the input; 0: it has one row.
    std::uint64_t columns_of(std::uint32_t source, const std::vector<Held>& held) {
        const auto [known, added] = columns_.try_emplace(source, 0);
        if (!added && known->second != 0) return known->second;
        const trace::CellShape shape = trace::cell_shape(trace_, trace_.symbols[source]);
        if (shape.columns != 0) return known->second = shape.columns;
        std::vector<std::uint64_t> cells;
        for (const Held& each : held)
            cells.push_back(each.cell);
        return known->second = row_length(cells);
    }

    std::optional<SharedTile> tile_of(const Key& key, Content& content) {
        std::vector<Held>& held = content.held;
        std::sort(held.begin(), held.end(), [](const Held& a, const Held& b) {
            return std::tie(a.cell, a.offset) < std::tie(b.cell, b.offset);
        });
        SharedTile tile;
        tile.launch = launch_number_;
        tile.block = block_;
        std::tie(tile.symbol, tile.source, tile.number) = key;
        tile.element_bytes = content.element_bytes;
        tile.first_turn = ~0ull;
        for (const Held& each : held) {
            tile.first_turn = std::min(tile.first_turn, each.turn);
            tile.last_turn = std::max(tile.last_turn, each.turn);
        }
        const auto same = std::unique(held.begin(), held.end(), [](const Held& a, const Held& b) {
            return a.cell == b.cell && a.offset == b.offset;  // the parts of one element
        });
        held.erase(same, held.end());
        const auto once = std::unique(held.begin(), held.end(),
                                      [](const Held& a, const Held& b) { return a.cell == b.cell; });
        tile.copies = static_cast<std::uint64_t>(held.end() - once);
        held.erase(once, held.end());
        return place(tile, held) ? std::optional(std::move(tile)) : std::nullopt;
    }

    bool place(SharedTile& tile, const std::vector<Held>& held) {
        const std::uint64_t columns = columns_of(tile.source, held);
        tile.source_columns = columns;
        const auto row_of = [&](const Held& each) { return columns == 0 ? 0 : each.cell / columns; };
        const auto column_of = [&](const Held& each) {
            return columns == 0 ? each.cell : each.cell % columns;
        };
        tile.first_row = tile.first_column = ~0ull;
        std::uint64_t last_row = 0, last_column = 0;
        for (const Held& each : held) {
            tile.first_row = std::min(tile.first_row, row_of(each));
            last_row = std::max(last_row, row_of(each));
            tile.first_column = std::min(tile.first_column, column_of(each));
            last_column = std::max(last_column, column_of(each));
        }
        const std::uint64_t rows = last_row - tile.first_row + 1, width = last_column - tile.first_column + 1;
        // A gather reads scattered elements, whose rectangle would be mostly empty.
        if (rows > most_shared_bytes || width > most_shared_bytes || rows * width > 8 * held.size() + 64)
            return false;
        tile.rows = static_cast<std::uint32_t>(rows);
        tile.columns = static_cast<std::uint32_t>(width);
        for (const Held& each : held)
            tile.elements.push_back({static_cast<std::uint32_t>(row_of(each) - tile.first_row),
                                     static_cast<std::uint32_t>(column_of(each) - tile.first_column),
                                     each.offset});
        tile.name = name_layout(tile.elements, tile.rows, tile.columns);
        fold(tile);
        return true;
    }

    // A tile of whole rows is one run of the input. Its layout says how long the rows are, or the shared
    // array's declaration.
    void fold(SharedTile& tile) const {
        const LayoutMode& mode = tile.name.columns;
        if (tile.rows != 1 || tile.source_columns != 0 || tile.name.shape.empty()) return;
        const std::vector<std::uint64_t>& extents = launch_.shared[tile.symbol].extents;
        std::uint64_t columns = 0;
        if (mode.shape.size() == 2 && tile.name.kind == LayoutName::Kind::linear)
            columns = mode.shape[0];
        else if (mode.shape.size() == 1 && mode.stride[0] == 1 && extents.size() > 1)
            columns = extents.back();
        if (columns < 2 || columns >= tile.columns || tile.first_column % columns != 0) return;
        tile.source_columns = columns;
        tile.first_row = tile.first_column / columns;
        tile.first_column = 0;
        tile.rows = static_cast<std::uint32_t>((tile.columns + columns - 1) / columns);
        tile.columns = static_cast<std::uint32_t>(columns);
        for (PlacedElement& each : tile.elements) {
            each.row = each.column / tile.columns;
            each.column %= tile.columns;
        }
        tile.name = name_layout(tile.elements, tile.rows, tile.columns);
    }

    const Trace& trace_;
    const Flow& flow_;
    const InputRanges& ranges_;
    TileLimits limits_;
    std::uint32_t launch_number_;
    const Launch& launch_;
    std::uint32_t block_;
    std::uint64_t elements_ = 0;
    std::vector<std::uint32_t> contents_;  // by byte: how many contents it has had
    std::vector<ValueId> last_;            // by byte: the input that it holds
    std::map<Key, Content> found_;
    std::map<std::uint32_t, std::uint64_t> columns_;  // by input
};

}  // namespace

std::vector<SharedTile> tiles_of(const Trace& trace, const Flow& flow, const InputRanges& ranges,
                                 std::uint32_t launch, std::uint32_t block, const TileLimits& limits,
                                 const std::atomic<bool>* cancelled) {
    if (launch >= trace.launches.size() || trace.launches[launch].shared.empty()) return {};
    return Collector(trace, flow, ranges, limits, launch, block).collect(cancelled);
}

}  // namespace lanescope::analysis
