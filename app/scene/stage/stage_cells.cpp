#include "scene/stage/stage_cells.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <utility>

#include "base/text.h"

namespace lanescope::scene {

namespace {

using trace::Space;

// Bytes of some cells with a flag for each byte that has a value.
struct Bytes {
    std::vector<std::byte> bytes;
    std::unique_ptr<bool[]> set;
    std::span<const bool> flags() const { return {set.get(), bytes.size()}; }
};

Bytes read_cells(const session::Session& session, std::uint32_t launch, std::uint32_t block,
                 const StageArray& array, std::uint64_t first, std::uint64_t count) {
    Bytes read;
    if (first >= array.count) return read;
    count = std::min(count, array.count - first);
    read.bytes.resize(count * array.cell_bytes);
    read.set.reset(new bool[read.bytes.size()]());
    const trace::Symbol& symbol = *array.symbol;
    session.playhead().replay()->read(symbol.space, launch, symbol.space == Space::shared ? block : 0,
                                      symbol.offset + first * array.cell_bytes, read.bytes,
                                      std::span<bool>(read.set.get(), read.bytes.size()));
    return read;
}

Bytes read_cells(const session::Session& session, const session::StepState& step_state,
                 const StageArray& array, std::uint64_t first, std::uint64_t count) {
    return read_cells(session, step_state.step.launch, step_state.step.block, array, first, count);
}

bool is_written(const ShownCell& cell) {
    return cell.mark && cell.mark->written();
}

// The values that a cell held before the lanes of one instruction wrote it, in any order.
using ValuesBefore = std::map<std::uint64_t, std::vector<double>>;

// By cell of the array: before the first instruction of the step that writes it.
ValuesBefore values_before(std::span<const trace::TurnDetail> details, std::span<const StageArray> arrays,
                           std::uint32_t array, const TypeTable& types) {
    ValuesBefore values;
    const StageArray& of = arrays[array];
    for (const trace::TurnDetail& detail : details)
        for (const trace::Access& access : detail.accesses) {
            if (access.kind == trace::AccessKind::load || access.space != of.symbol->space) continue;
            if (access.width_bytes != of.cell_bytes) continue;
            ValuesBefore now;
            for (unsigned lane = 0; lane < trace::warp_size; ++lane) {
                if ((access.mask >> lane & 1) == 0) continue;
                const CellSpan span = cells_at(arrays, access, lane);
                if (span.count != 1 || span.array != array || values.contains(span.first)) continue;
                const auto bytes = std::span(access.before[lane]).first(access.width_bytes);
                now[span.first].push_back(numeric_value(types, of.symbol->element, bytes));
            }
            values.merge(now);
        }
    return values;
}

// The one that was there first: the farthest from the value that remains.
double first_value(const std::vector<double>& before, double after) {
    return *std::max_element(before.begin(), before.end(),
                             [&](double a, double b) { return std::abs(after - a) < std::abs(after - b); });
}

// "+3"; empty if nothing changed
std::string gain_text(double before, double after) {
    if (before == after) return {};
    char text[32];
    std::snprintf(text, sizeof text, "%+.6g", after - before);
    return text[0] == '-' ? "−" + std::string(text + 1) : text;
}

}  // namespace

bool cell_set(const ValueType& type, std::span<const bool> flags) {
    const auto is_set = [](bool flag) { return flag; };
    const bool parts = type.kind == ValueType::Kind::structure || type.kind == ValueType::Kind::array;
    return parts ? std::any_of(flags.begin(), flags.end(), is_set)
                 : std::all_of(flags.begin(), flags.end(), is_set);
}

std::string value_text(const session::Session& session, const session::StepState& step_state,
                       const StageArray& array, std::uint64_t index) {
    const Bytes read = read_cells(session, step_state, array, index, 1);
    const TypeTable& types = session.trace()->program.types;
    const TypeId element = array.symbol->element;
    if (read.bytes.empty() || !cell_set(types[element], read.flags())) return "not set";
    return format_value(types, element, read.bytes);
}

CellReader::CellReader(const Place& place)
    : at_(place), types_(place.session.trace()->program.types), one_warp_bright_(many_warps()) {}

bool CellReader::many_warps() const {
    std::vector<std::uint32_t> warps;
    bool matrix = false;
    for (const CellAccess& access : at_.scene.accesses) {
        warps.push_back(access.thread / trace::warp_size);
        matrix |= at_.arrays[access.cell.array].is_matrix();
    }
    std::sort(warps.begin(), warps.end());
    const auto count = std::unique(warps.begin(), warps.end()) - warps.begin();
    const bool focus_takes_part =
        std::binary_search(warps.begin(), warps.begin() + count, at_.focus_thread / trace::warp_size);
    return focus_takes_part && count > (matrix ? 2 : 8);
}

bool CellReader::touched_by_focus(const CellMark& mark) const {
    const auto accesses = at_.scene.accesses_of(mark);
    return std::any_of(accesses.begin(), accesses.end(), [&](const CellAccess& access) {
        return access.thread / trace::warp_size == at_.focus_thread / trace::warp_size;
    });
}

bool CellReader::shows_before() const {
    const auto& marks = at_.scene.marks;
    return at_.label == CellLabel::value && !at_.session.playhead().stands_before() &&
           std::any_of(marks.begin(), marks.end(), [](const CellMark& mark) { return mark.written(); });
}

void CellReader::read_before(const ArrayPlan& plan, const CellStyle& style, ShownArray& shown) const {
    if (plan.text.size < 0) return;
    const StageArray& array = at_.arrays[plan.array];
    const TypeId element = array.symbol->element;
    for (std::uint64_t row = 0; row < plan.shown_rows; ++row) {
        const std::uint64_t skipped = plan.first_row + row == 0 ? plan.lead : 0;
        const auto cells = std::span(shown.cells)
                               .subspan(row * plan.shown_columns + skipped,
                                        static_cast<std::size_t>(plan.shown_columns - skipped));
        if (std::none_of(cells.begin(), cells.end(), is_written)) continue;
        const Bytes read =
            read_cells(at_.session, at_.step_state, array,
                       plan.index_at(plan.first_row + row, plan.first_column + skipped), cells.size());
        for (std::size_t i = 0; i < read.bytes.size() / array.cell_bytes; ++i) {
            const std::size_t at = i * array.cell_bytes;
            if (!is_written(cells[i]) ||
                !cell_set(types_[element], read.flags().subspan(at, array.cell_bytes)))
                continue;
            cells[i].was_set = true;
            std::string text = cell_text(types_, element, std::span(read.bytes).subspan(at, array.cell_bytes),
                                         plan.text.max_chars, style);
            if (text != cells[i].text) cells[i].before = std::move(text);
        }
    }
}

// Only shared memory has banks.
bool CellReader::writes_values(const StageArray& array) const {
    return at_.label == CellLabel::value ||
           (at_.label == CellLabel::bank && array.symbol->space != Space::shared);
}

void CellReader::label_cell(const ArrayPlan& plan, std::uint64_t index, std::span<const std::byte> bytes,
                            const CellStyle& style, ShownCell& cell) const {
    const StageArray& array = at_.arrays[plan.array];
    const trace::Symbol& symbol = *array.symbol;
    if (writes_values(array))
        cell.text = cell.set ? cell_text(types_, symbol.element, bytes, plan.text.max_chars, style) : "?";
    else if (at_.label == CellLabel::index)
        cell.text = std::to_string(index);
    else
        cell.text = std::to_string((symbol.offset + index * array.cell_bytes) / 4 % 32);
    if (cell.hidden && at_.label == CellLabel::value) {  // the old value is an operand, and stays visible
        if (cell.set) cell.before = std::move(cell.text);
        cell.text = "?";
    }
    const bool one_line = cell.text.find('\n') == std::string::npos;
    if (one_line && character_count(cell.text) > static_cast<std::size_t>(plan.text.max_chars))
        cell.text = "…";
}

ShownArray CellReader::read(const ArrayPlan& plan, const CellStyle& style, NumberRange& range) const {
    const StageArray& array = at_.arrays[plan.array];
    const TypeId element = array.symbol->element;
    const std::uint64_t position = at_.session.playhead().replay()->position();
    const bool concealed = at_.session.playhead().results().concealed;
    ShownArray shown;
    shown.cells.resize(plan.shown_rows * plan.shown_columns);
    for (std::uint64_t row = 0; row < plan.shown_rows; ++row) {
        const std::uint64_t skipped = plan.first_row + row == 0 ? plan.lead : 0;
        const std::uint64_t first = plan.index_at(plan.first_row + row, plan.first_column + skipped);
        const Bytes read =
            read_cells(at_.session, at_.step_state, array, first, plan.shown_columns - skipped);
        std::vector<CellOrigin> origins(at_.origins ? read.bytes.size() / array.cell_bytes : 0);
        if (at_.origins) at_.origins->read(at_.arrays, array, at_.step_state.step, position, first, origins);
        for (std::uint64_t i = 0; i < read.bytes.size() / array.cell_bytes; ++i) {
            ShownCell& cell = shown.cells[row * plan.shown_columns + skipped + i];
            const std::size_t at = i * array.cell_bytes;
            const auto bytes = std::span(read.bytes).subspan(at, array.cell_bytes);
            cell.exists = true;
            cell.set = cell_set(types_[element], read.flags().subspan(at, array.cell_bytes));
            shown.any_set |= cell.set;
            cell.mark = at_.scene.mark({plan.array, first + i});
            cell.pending = at_.scene.is_pending({plan.array, first + i});
            cell.faded = cell.set && !cell.mark && !cell.pending && !at_.origins && at_.uses != nullptr &&
                         at_.uses->dead(plan.array, first + i, position);
            if (at_.origins) cell.origin = origins[i];
            cell.dimmed = one_warp_bright_ && cell.mark && !touched_by_focus(*cell.mark);
            if (cell.set) {
                cell.number = numeric_value(types_, element, bytes);
                range.include(cell.number);
            }
            cell.hidden = concealed && is_written(cell);
            if (plan.text.size < 0) continue;
            label_cell(plan, first + i, bytes, style, cell);
            if (cell.set && writes_values(array))
                shown.widest = std::max(shown.widest, wanted_chars(types_, element, bytes, style));
        }
    }
    if (plan.copies > 1) read_copies(plan, style, range, shown);
    for (ShownCell& cell : shown.cells) {
        shown.any_faded |= cell.faded;
        shown.any_pending |= cell.pending;
        shown.any_several |= cell.origin.kind == CellOrigin::Kind::several;
        shown.any_unknown |= cell.origin.kind == CellOrigin::Kind::unknown;
        if (cell.set) cell.share = range.share(cell.number);
    }
    if (plan.form == Form::bars) measure_bars(plan.array, range, shown);
    return shown;
}

void CellReader::read_copies(const ArrayPlan& plan, const CellStyle& style, NumberRange& range,
                             ShownArray& shown) const {
    const StageArray& array = at_.arrays[plan.array];
    const TypeId element = array.symbol->element;
    for (const std::uint32_t block : array.copies) {
        std::vector<ShownCell>& cells = shown.copies.emplace_back();
        if (shown.copies.size() - 1 == plan.own_copy) continue;
        const Bytes read =
            read_cells(at_.session, at_.step_state.step.launch, block, array, 0, plan.shown_columns);
        cells.resize(plan.shown_columns);
        for (std::size_t i = 0; i < read.bytes.size() / array.cell_bytes; ++i) {
            const auto bytes = std::span(read.bytes).subspan(i * array.cell_bytes, array.cell_bytes);
            ShownCell& cell = cells[i];
            cell.exists = true;
            cell.mark = at_.scene.remote_mark(block, {plan.array, i});
            cell.set =
                cell_set(types_[element], read.flags().subspan(i * array.cell_bytes, array.cell_bytes));
            if (!cell.set) continue;
            cell.number = numeric_value(types_, element, bytes);
            range.include(cell.number);
            if (plan.text.size >= 0) label_cell(plan, i, bytes, style, cell);
            shown.widest = std::max(shown.widest, wanted_chars(types_, element, bytes, style));
        }
    }
    for (std::vector<ShownCell>& copy : shown.copies)
        for (ShownCell& cell : copy)
            if (cell.set) cell.share = range.share(cell.number);
}

void CellReader::measure_bars(std::uint32_t array, const NumberRange& range, ShownArray& shown) const {
    shown.zero_share = std::max(0.0f, range.share(0));
    for (const auto& [index, values] : values_before(at_.step_state.details, at_.arrays, array, types_)) {
        if (index >= shown.cells.size() || !shown.cells[index].set) continue;
        ShownCell& cell = shown.cells[index];
        const double first = first_value(values, cell.number);
        cell.before_share = range.share(first);
        cell.gain = gain_text(first, cell.number);
    }
}

}  // namespace lanescope::scene
