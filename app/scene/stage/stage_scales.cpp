#include "scene/stage/stage_scales.h"

#include <algorithm>
#include <utility>

namespace lanescope::scene {

namespace {

using trace::Space;

bool has_reals(const TypeTable& types, TypeId type) {
    const ValueType& shown = types[type];
    return is_real(shown.scalar) ||
           std::any_of(shown.members.begin(), shown.members.end(),
                       [&](const TypeMember& member) { return is_real(types[member.type].scalar); });
}

std::uint64_t first_index(const ArrayPlan& plan, std::uint64_t row) {
    return row == 0 ? 0 : plan.index_at(row, 0);
}

// Marks of one array: a range of the scene's marks.
std::span<const CellMark> marks_of(const StepScene& scene, std::uint32_t array) {
    const auto before = [](const CellMark& mark, const CellRef& cell) { return mark.cell < cell; };
    const auto begin = std::lower_bound(scene.marks.begin(), scene.marks.end(), CellRef{array, 0}, before);
    const auto end = std::lower_bound(begin, scene.marks.end(), CellRef{array + 1, 0}, before);
    return {begin, end};
}

// Ghost cells that a block would read outside of an array.
CellBorder border_of(const StageArray& array, const BlockFootprint& block, std::uint32_t number) {
    constexpr std::int64_t widest = 8;
    if (!block.shows(number) || block.arrays[number].ghosts == 0) return {};
    const CellArea& reads = block.arrays[number].reads;
    const CellArea whole = area_of(array);
    const auto cells = [&](std::int64_t count) {
        return static_cast<std::uint32_t>(std::clamp<std::int64_t>(count, 0, widest));
    };
    return {cells(whole.first_column - reads.first_column), cells(whole.first_row - reads.first_row),
            cells(reads.end_column - whole.end_column), cells(reads.end_row - whole.end_row)};
}

}  // namespace

void StageScales::begin(const session::Session& session, std::span<const StageArray> arrays, bool banks) {
    hints_.assign(arrays.size(), {});
    ranges_.assign(arrays.size(), {});
    any_reals_ = false;
    const TypeTable& types = session.trace()->program.types;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const StageArray& array = arrays[i];
        hints_[i].lines = array.flows() ? 1 : stacked_lines(types, array.symbol->element);
        hints_[i].banks = banks && array.symbol->space == Space::shared;
        any_reals_ |= has_reals(types, array.symbol->element);
        if (array.use.touched()) hints_[i].window_index = array.use.first;
        note_contents(session, array, i);
        if (array.view == ArrayView::bars) ranges_[i].include(0);
    }
}

bool StageScales::update(const session::Session& session, std::span<const StageArray> arrays,
                         RealFormat reals, const LastShared& last, bool last_arrived) {
    const bool other_texts = std::exchange(reals_, reals) != reals;
    if (other_texts)  // they need other widths
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            hints_[i].widest_chars = 1;
            note_contents(session, arrays[i], i);
        }
    if (other_texts || last_arrived) include(session, arrays, last);
    return std::exchange(paged_, false) || other_texts || last_arrived;
}

CellStyle StageScales::style(const StageArray& array, std::size_t number) const {
    return {reals_, hints_[number].lines > 1, array.symbol->text};
}

void StageScales::include(const session::Session& session, std::span<const StageArray> arrays,
                          const LastShared& last) {
    const TypeTable& types = session.trace()->program.types;
    for (const LastShared::Contents& contents : last.contents()) {
        const StageArray& array = arrays[contents.array];
        const TypeId element = array.symbol->element;
        int& widest = hints_[contents.array].widest_chars;
        widest = std::max(
            widest, widest_cell(types, element, array.cell_bytes, contents.bytes,
                                {contents.set.get(), contents.bytes.size()}, style(array, contents.array)));
        if (array.view != ArrayView::bars) continue;
        // Bars keep their scale from step to step.
        for (std::size_t at = 0; at + array.cell_bytes <= contents.bytes.size(); at += array.cell_bytes)
            if (cell_set(types[element], {contents.set.get() + at, array.cell_bytes}))
                ranges_[contents.array].include(
                    numeric_value(types, element, std::span(contents.bytes).subspan(at, array.cell_bytes)));
    }
}

// Widths and colours of a buffer come from its first and last contents, so that they stay the same from step
// to step.
void StageScales::note_contents(const session::Session& session, const StageArray& array,
                                std::size_t number) {
    const execution::RunResult* run = session.run();
    const trace::Symbol& symbol = *array.symbol;
    if (!run || !symbol.buffer) return;
    const TypeTable& types = session.trace()->program.types;
    const std::uint32_t size = array.cell_bytes;
    const auto note = [&](std::span<const std::byte> bytes) {
        int& widest = hints_[number].widest_chars;
        widest = std::max(widest, widest_cell(types, symbol.element, size, bytes, {}, style(array, number)));
        const std::size_t cells = bytes.size() / size, stride = std::max<std::size_t>(1, cells / 4096);
        for (std::size_t i = 0; i < cells; i += stride)
            ranges_[number].include(numeric_value(types, symbol.element, bytes.subspan(i * size, size)));
    };
    for (const lesson::BufferInstance& buffer : run->instance.buffers)
        if (buffer.name == symbol.name && buffer.initialised) note(buffer.contents);
    for (const execution::BufferView& buffer : run->buffers) {
        const bool all_set = std::find(buffer.set.begin(), buffer.set.end(), false) == buffer.set.end();
        if (buffer.name == symbol.name && all_set) note(buffer.contents);
    }
}

bool StageScales::follow_marks(const StepScene& scene, const StageLayout& layout) {
    bool moved = false;
    for (const ArrayPlan& plan : layout.plans) {
        const std::span<const CellMark> marks = marks_of(scene, plan.array);
        if (marks.empty()) continue;
        ArrayHint& hint = hints_[plan.array];
        const std::uint64_t row =
            follow_window(plan.first_row, plan.shown_rows, plan.rows, plan.row_of(marks.front().cell.index),
                          plan.row_of(marks.back().cell.index));
        const auto column_of = [&](const CellMark& mark) { return plan.column_of(mark.cell.index); };
        const auto [left, right] = std::ranges::minmax(marks, {}, column_of);
        const std::uint64_t column = plan.shown_columns < plan.columns
                                         ? follow_window(plan.first_column, plan.shown_columns, plan.columns,
                                                         column_of(left), column_of(right))
                                         : 0;
        moved |= row != plan.first_row || column != plan.first_column;
        hint.window_index = first_index(plan, row);
        hint.window_column = column;
    }
    return moved;
}

void StageScales::page(const ArrayPlan& plan, int pages) {
    const std::int64_t step = static_cast<std::int64_t>(plan.shown_rows) * pages;
    const auto furthest = static_cast<std::int64_t>(plan.rows - plan.shown_rows);
    const std::int64_t row =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(plan.first_row) + step, 0, furthest);
    hints_[plan.array].window_index = first_index(plan, static_cast<std::uint64_t>(row));
    paged_ = true;
}

void StageScales::make_borders(std::span<const StageArray> arrays, const BlockFootprint& block) {
    for (std::uint32_t i = 0; i < arrays.size(); ++i)
        hints_[i].border = border_of(arrays[i], block, i);
}

void StageScales::even_out(std::span<const StageArray> arrays) {
    int widest = 1;
    for (std::size_t i = 0; i < arrays.size(); ++i)
        if (arrays[i].aligned) widest = std::max(widest, hints_[i].widest_chars);
    for (std::size_t i = 0; i < arrays.size(); ++i)
        if (arrays[i].aligned) hints_[i].widest_chars = widest;
}

bool StageScales::widen(std::span<const ShownArray> shown) {
    bool wider = false;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (shown[i].widest <= hints_[i].widest_chars) continue;
        hints_[i].widest_chars = shown[i].widest;
        wider = true;
    }
    return wider;
}

}  // namespace lanescope::scene
