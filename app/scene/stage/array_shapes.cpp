#include "scene/stage/array_shapes.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "analysis/turn_flow.h"

namespace lanescope::scene {

namespace {

using trace::Space;

constexpr std::uint64_t most_bars = 64;
constexpr std::size_t most_rows = 200'000;  // that are remembered

std::uint64_t total(const std::map<std::int64_t, std::uint64_t>& votes) {
    std::uint64_t sum = 0;
    for (const auto& [distance, count] : votes)
        sum += count;
    return sum;
}

std::uint64_t votes_for(const std::map<std::int64_t, std::uint64_t>& votes, std::int64_t distance) {
    const auto at = votes.find(distance);
    return at == votes.end() ? 0 : at->second;
}

// The line of the PTX that holds this instruction.
std::string_view ptx_line(const trace::Program& program, std::uint32_t pc) {
    if (pc >= program.code_rows.size()) return {};
    std::string_view text = program.ptx;
    for (std::uint32_t line = 1; line < program.code_rows[pc].ptx_line && !text.empty(); ++line) {
        const std::size_t end = text.find('\n');
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return text.substr(0, text.find('\n'));
}

bool adds(std::string_view instruction) {
    return instruction.find(".add") != std::string_view::npos ||
           instruction.find(".inc") != std::string_view::npos;
}

bool is_number(const trace::Trace& trace, const StageArray& array) {
    const ValueType& type = trace.program.types[array.symbol->element];
    return type.kind != ValueType::Kind::structure && type.kind != ValueType::Kind::array &&
           type.kind != ValueType::Kind::pointer;
}

// A mask of 5 × 5 in 25 cells.
std::uint64_t odd_root(std::uint64_t count) {
    const auto root = static_cast<std::uint64_t>(std::lround(std::sqrt(static_cast<double>(count))));
    return root * root == count && root % 2 == 1 && root > 1 ? root : 0;
}

void trim(StageArray& array, bool complete) {
    const bool may_be_short = array.symbol->space != Space::global || !array.symbol->buffer;
    if (!complete || !may_be_short || array.is_matrix() || !array.use.touched()) return;
    array.count = std::min(array.count, array.use.last + 1);
}

}  // namespace

void ShapeWatch::note(const trace::TurnDetail& detail, std::span<const StageArray> arrays,
                      std::uint32_t launch) {
    if (detail.turn >= trace_.turns.size() || launch >= trace_.launches.size()) return;
    const trace::Dim3& block = trace_.launches[launch].block;
    flat_ |= block.y > 1;
    const std::uint32_t warp = trace_.turns[detail.turn].warp;
    for (const trace::Access& access : detail.accesses)
        if (access.space != Space::local && access.mask != 0)
            note_access(access, warp, block, arrays, launch);
    note_copies(detail, arrays, launch);
}

// A line that loads one cell and stores one cell copies, whatever it does to the value. A condition in the
// line may part the load from the store: they are then in two turns.
void ShapeWatch::note_copies(const trace::TurnDetail& detail, std::span<const StageArray> arrays,
                             std::uint32_t launch) {
    const trace::Access* load = nullptr;
    const trace::Access* store = nullptr;
    for (const trace::Access& access : detail.accesses) {
        if (access.space == Space::local || access.owner != trace::none) continue;
        const trace::Access*& same = access.kind == trace::AccessKind::load ? load : store;
        if (same != nullptr) return;
        same = &access;
    }
    Loaded& loaded = loaded_[trace_.turns[detail.turn].warp];
    const auto line = [&](const trace::Access& access) { return trace_.program.code_rows[access.pc].line; };
    if (load != nullptr) {
        loaded = {};
        if (load->space != Space::global) return;
        loaded.line = line(*load);
        for (unsigned lane = 0; lane < trace::warp_size; ++lane)
            if (load->mask >> lane & 1)
                loaded.cells[lane] =
                    cells_at(arrays, load->space, load->offset[lane], load->width_bytes, launch);
    }
    if (store == nullptr || store->space != Space::shared || line(*store) != loaded.line) return;
    for (unsigned lane = 0; lane < trace::warp_size; ++lane) {
        const CellSpan& from = loaded.cells[lane];
        if ((store->mask >> lane & 1) == 0 || from.count != 1) continue;
        const CellSpan to = cells_at(arrays, store->space, store->offset[lane], store->width_bytes, launch);
        if (to.count != 1) continue;
        ++copies_[{to.array, from.array}]
                 [static_cast<std::int64_t>(from.first) - static_cast<std::int64_t>(to.first)];
    }
    loaded = {};
}

void ShapeWatch::note_access(const trace::Access& access, std::uint32_t warp, const trace::Dim3& block,
                             std::span<const StageArray> arrays, std::uint32_t launch) {
    const auto first = static_cast<unsigned>(std::countr_zero(access.mask));
    const CellSpan span = cells_at(arrays, access, first, launch);
    if (span.count == 0) return;
    if (access.kind == trace::AccessKind::atomic) {
        ++atomics_[span.array][access.pc];
        if (span.count > 1) wide_.insert(span.array);
    }
    if (block.y < 2) return;
    const auto bytes = static_cast<std::int64_t>(arrays[span.array].cell_bytes);
    const auto cell = [&](unsigned lane) { return static_cast<std::int64_t>(access.offset[lane]) / bytes; };
    Distances& distances = distances_[span.array];
    const std::uint32_t thread = warp * trace::warp_size + first;
    for (unsigned lane = first; lane + 1 < trace::warp_size; ++lane) {
        const std::uint32_t x = (warp * trace::warp_size + lane) % block.x;
        const auto on = [&](unsigned other) {
            return other < trace::warp_size && (access.mask >> lane & access.mask >> other & 1) != 0;
        };
        if (x + 1 < block.x && on(lane + 1)) ++distances.by_x[cell(lane + 1) - cell(lane)];
        if (on(lane + block.x)) ++distances.by_y[cell(lane + block.x) - cell(lane)];
    }
    const std::uint64_t visit = visits_[{access.pc, warp}]++;
    compare_rows({access.pc, visit, thread % block.x}, {thread / block.x % block.y, cell(first)}, distances);
}

// Warps of wide blocks hold one row each: the same execution by the next warp has the next row.
void ShapeWatch::compare_rows(const Row& row, const Place& place, Distances& distances) {
    const auto known = rows_.find(row);
    if (known == rows_.end()) {
        if (rows_.size() < most_rows) rows_.emplace(row, place);
        return;
    }
    const std::int64_t cells = place.cell - known->second.cell;
    if (place.y == known->second.y + 1) ++distances.by_y[cells];
    if (place.y + 1 == known->second.y) ++distances.by_y[-cells];
    known->second = place;
}

// Returns the distance that most accesses have between rows; 0: there is none.
std::uint64_t ShapeWatch::columns_of(const Distances& distances, std::uint64_t count) const {
    if (votes_for(distances.by_x, 1) + votes_for(distances.by_y, 1) == 0) return 0;
    std::map<std::int64_t, std::uint64_t> votes;
    for (const auto* each : {&distances.by_x, &distances.by_y})
        for (const auto& [distance, times] : *each)
            if (distance > 1) votes[distance] += times;
    const auto best = std::max_element(votes.begin(), votes.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (best == votes.end() || best->second * 2 < total(votes)) return 0;
    const auto columns = static_cast<std::uint64_t>(best->first);
    return columns < count ? columns : 0;
}

bool ShapeWatch::counts(const StageArray& array, std::uint32_t number) const {
    const ArrayUse& use = array.use;
    if (!use.updated || use.inner_links || use.stores > use.updates) return false;
    if (array.whole < 2 || array.whole > most_bars || !is_number(trace_, array)) return false;
    if (wide_.contains(number)) return false;
    const auto instructions = atomics_.find(number);
    return instructions != atomics_.end() &&
           std::all_of(instructions->second.begin(), instructions->second.end(),
                       [&](const auto& each) { return adds(ptx_line(trace_.program, each.first)); });
}

void ShapeWatch::propose(std::span<StageArray> arrays, bool complete) const {
    for (std::uint32_t i = 0; i < arrays.size(); ++i) {
        StageArray& array = arrays[i];
        if (array.is_matrix()) continue;
        if (counts(array, i)) {
            array.view = ArrayView::bars;
            continue;
        }
        trim(array, complete);
        const auto distances = distances_.find(i);
        if (distances != distances_.end()) array.columns = columns_of(distances->second, array.count);
        if (!array.is_matrix() && flat_ && array.symbol->space == Space::constant)
            array.columns = odd_root(array.count);
        if (array.is_matrix()) array.view = ArrayView::matrix;
    }
}

std::optional<std::int64_t> ShapeWatch::distance_of(std::uint32_t tile, std::uint32_t source) const {
    const auto copies = copies_.find({tile, source});
    if (copies == copies_.end()) return {};
    std::uint64_t most = 0;
    std::int64_t distance = 0;
    for (const auto& [each, times] : copies->second)
        if (times > most) most = times, distance = each;
    if (most < 2 || most * 10 < total(copies->second) * 9) return {};
    return distance;
}

namespace {

bool in_one_row(const StageArray& array) {
    return array.view == ArrayView::cells && array.count + array.lead <= trace::warp_size;
}

const lesson::ShapeInstance* alignment_of(std::span<const lesson::ShapeInstance> given,
                                          const StageArray& array) {
    const auto found = std::find_if(given.begin(), given.end(), [&](const lesson::ShapeInstance& shape) {
        return shape.name == array.symbol->name && !shape.align.empty();
    });
    return found == given.end() ? nullptr : &*found;
}

}  // namespace

void ShapeWatch::align(std::span<const lesson::ShapeInstance> given, std::span<StageArray> arrays) const {
    for (std::uint32_t source = 0; source < arrays.size(); ++source) {
        Tiles tiles;
        for (std::uint32_t tile = 0; tile < arrays.size(); ++tile) {
            const lesson::ShapeInstance* stated = alignment_of(given, arrays[tile]);
            const bool here = stated != nullptr && stated->align == arrays[source].symbol->name;
            if (stated != nullptr && !here) continue;
            const std::optional<std::int64_t> distance = distance_of(tile, source);
            if (here || distance) tiles.distances[tile] = distance.value_or(0);
            tiles.stated |= here;
        }
        align_under(source, tiles, arrays);
    }
}

void ShapeWatch::align_under(std::uint32_t source, const Tiles& tiles, std::span<StageArray> arrays) const {
    std::int64_t before = 0;  // how far the first tile begins before its source
    bool shifted = false;
    for (const auto& [tile, distance] : tiles.distances) {
        before = std::max(before, -distance);
        shifted |= distance % static_cast<std::int64_t>(trace::warp_size) != 0;
    }
    if (!shifted) return;
    const std::vector<StageArray> usual(arrays.begin(), arrays.end());
    bool one_row = true;
    for (std::uint32_t i = 0; i < arrays.size(); ++i) {
        const auto tile = tiles.distances.find(i);
        const bool like_source = i == source || (arrays[i].symbol->space == Space::global &&
                                                 arrays[i].count == arrays[source].count);
        if (arrays[i].view != ArrayView::cells || (tile == tiles.distances.end() && !like_source)) continue;
        const std::int64_t distance = tile == tiles.distances.end() ? 0 : tile->second;
        arrays[i].lead = static_cast<std::uint64_t>(before + distance);
        arrays[i].aligned = true;
        one_row &= in_one_row(arrays[i]);
    }
    if (!one_row && !tiles.stated) std::copy(usual.begin(), usual.end(), arrays.begin());
}

namespace {

ArrayView view_named(const std::string& name) {
    return name == "bars"     ? ArrayView::bars
           : name == "text"   ? ArrayView::text
           : name == "matrix" ? ArrayView::matrix
           : name == "image"  ? ArrayView::image
                              : ArrayView::cells;
}

void apply_extents(const lesson::ShapeInstance& shape, StageArray& array) {
    std::uint64_t cells = 1;
    for (const std::uint64_t extent : shape.extents)
        cells = cells > array.whole ? 0 : cells * extent;
    if (shape.extents.empty() || cells == 0) return;
    array.count = std::min(array.whole, cells);
    array.columns = shape.extents.size() > 1 ? shape.extents.back() : 0;
    if (array.columns > array.count) array.columns = 0;
    if (array.view == ArrayView::cells || array.view == ArrayView::matrix)
        array.view = array.is_matrix() ? ArrayView::matrix : ArrayView::cells;
}

// A few rows of 32 cells in shared memory, such as a ring of tiles, are rows of lanes if the arrays around
// them are.
void stand_under_lanes(std::span<const lesson::ShapeInstance> given, std::span<StageArray> arrays) {
    constexpr std::uint64_t few_rows = 4;
    const auto shared = [](const StageArray& array) { return array.symbol->space == trace::Space::shared; };
    if (std::any_of(arrays.begin(), arrays.end(),
                    [&](const StageArray& array) { return !shared(array) && array.is_matrix(); }))
        return;
    for (StageArray& array : arrays) {
        const bool stated = std::any_of(given.begin(), given.end(), [&](const lesson::ShapeInstance& shape) {
            return shape.name == array.symbol->name && shape.view == "matrix";
        });
        if (stated || !shared(array) || array.view != ArrayView::matrix ||
            array.columns != trace::warp_size || array.count > few_rows * trace::warp_size)
            continue;
        array.view = ArrayView::cells;
        array.columns = 0;
    }
}

}  // namespace

void apply_shapes(std::span<const lesson::ShapeInstance> given, std::span<StageArray> arrays) {
    for (StageArray& array : arrays)
        for (const lesson::ShapeInstance& shape : given) {
            if (shape.name != array.symbol->name || array.whole == 0) continue;
            apply_extents(shape, array);
            if (!shape.view.empty()) array.view = view_named(shape.view);
            if (!array.flows() || array.view == ArrayView::bars) array.columns = 0;
            if (!shape.labels.empty()) array.labels = shape.labels;
            if (!shape.axes.empty()) array.axes = shape.axes;
        }
    stand_under_lanes(given, arrays);
}

}  // namespace lanescope::scene
