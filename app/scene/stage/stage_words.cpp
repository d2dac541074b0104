#include "scene/stage/stage_words.h"

#include <algorithm>

namespace lanescope::scene {
namespace {

std::string marks_of(const ShownCell& cell) {
    std::string marks;
    if (cell.mark != nullptr) {
        if (cell.mark->atomics != 0) marks += 'a';
        if (cell.mark->writes != 0) marks += 'w';
        if (cell.mark->reads != 0) marks += 'r';
        if (cell.mark->conflict) marks += '!';
        if (cell.mark->race) marks += '*';
    }
    if (cell.faded) marks += '~';
    return marks.empty() ? marks : ":" + marks;
}

std::string cell_words(const ShownCell& cell) {
    std::string value = cell.hidden ? "?" : cell.set ? cell.text : "·";
    std::replace(value.begin(), value.end(), '\n', '/');
    if (!cell.before.empty() && !cell.hidden) value = cell.before + "→" + value;
    if (!cell.gain.empty()) value += "(" + cell.gain + ")";
    return value + marks_of(cell);
}

std::string row_words(const ArrayPlan& plan, const ShownArray& shown, std::uint64_t row) {
    std::string words;
    for (std::uint64_t column = 0; column < plan.shown_columns; ++column) {
        const ShownCell& cell = shown.cells[row * plan.shown_columns + column];
        if (cell.exists) words += " " + cell_words(cell);
    }
    return words;
}

// Counts the cells of an array whose cells are too small for text.
std::string summary_words(const ArrayPlan& plan, const ShownArray& shown) {
    std::size_t set = 0, read = 0, written = 0, faded = 0;
    for (const ShownCell& cell : shown.cells) {
        set += cell.exists && cell.set;
        read += cell.mark != nullptr && cell.mark->reads != 0;
        written += cell.mark != nullptr && cell.mark->written();
        faded += cell.faded;
    }
    std::string words = "  " + std::to_string(plan.shown_rows) +
                        (plan.shown_rows == 1 ? " row of " : " rows of ") +
                        std::to_string(plan.shown_columns) + ": " + std::to_string(set) + " with values";
    if (read != 0) words += ", " + std::to_string(read) + " read";
    if (written != 0) words += ", " + std::to_string(written) + " written";
    if (faded != 0) words += ", " + std::to_string(faded) + " not read again";
    return words + "\n";
}

std::string array_words(const StageArray& array, const ArrayPlan& plan, const ShownArray& shown) {
    std::string words = array.symbol->name + ": " + array.detail();
    if (array.flows()) words += " · " + array.shape_text();
    if (const std::string used = array.used_text(); !used.empty()) words += " · " + used;
    if (plan.form == Form::line) return words + " · not used by this block\n";
    if (!shown.any_set && array.use.touched()) words += " · not written yet";
    words += '\n';
    if (plan.form == Form::heat) return words + summary_words(plan, shown);
    for (std::uint64_t row = 0; row < plan.shown_rows; ++row) {
        const std::uint64_t first = plan.first_row + row;
        words += "  " + std::to_string(first == 0 ? 0 : plan.index_at(first, plan.first_column)) + ":" +
                 row_words(plan, shown, row) + "\n";
    }
    for (std::size_t i = 0; i < shown.copies.size(); ++i) {
        if (i == plan.own_copy) continue;
        words += "  of block " + std::to_string(array.copies[i]) + ":";
        for (const ShownCell& cell : shown.copies[i])
            words += " " + cell.text;
        words += "\n";
    }
    if (plan.folded())
        words += "  rows " + std::to_string(plan.first_row) + "…" +
                 std::to_string(plan.first_row + plan.shown_rows - 1) + " of " + std::to_string(plan.rows) +
                 "\n";
    return words;
}

std::string span_words(std::uint64_t first, std::uint64_t last) {
    return "[" + std::to_string(first) + (last == first ? "" : "…" + std::to_string(last)) + "]";
}

// "s[0]", "s[0…31]"; of a matrix "m[0…3][0…7]".
std::string box_words(const StageModel& model, const CellBox& box) {
    const StageArray& array = model.arrays()[box.array];
    const auto& plans = model.layout().plans;
    const auto plan = std::find_if(plans.begin(), plans.end(),
                                   [&](const ArrayPlan& each) { return each.array == box.array; });
    if (plan == plans.end()) return array.symbol->name;
    if (array.is_matrix())
        return array.symbol->name + span_words(box.first_row, box.last_row) +
               span_words(box.first_column, box.last_column);
    return array.symbol->name + span_words(plan->index_at(box.first_row, box.first_column),
                                           plan->index_at(box.last_row, box.last_column));
}

}  // namespace

std::string stage_words(const StageModel& model) {
    std::string words;
    for (const ArrayPlan& plan : model.layout().plans)
        words += array_words(model.arrays()[plan.array], plan, model.shown()[plan.array]);
    for (const OutsideAccess& outside : model.scene().outside)
        words += outside.text + "\n";
    for (const Arrow& arrow : model.arrows().arrows)
        words += box_words(model, arrow.from) + " → " + box_words(model, arrow.to) + " " + arrow.label() +
                 (arrow.conflict ? " bank conflict" : "") + "\n";
    return words;
}

}  // namespace lanescope::scene
