// Drawn over the cells of the stage: what the block reads and writes, the cells of one thread's output, and
// the cells that the hovered cell is linked with.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/stage/stage_draw.h"

namespace lanescope::ui {

namespace {

// Where the edges of a frame are drawn; a side is open where the area goes on in another row.
struct Frame {
    Rect box;
    bool left = true, right = true;
};

class OverlayDrawer {
  public:
    OverlayDrawer(const StagePicture& picture, const ArrayPlan& plan)
        : picture_(picture),
          plan_(plan),
          array_(picture.model.arrays()[plan.array]),
          whole_(area_of(array_)),
          px_(picture.window.scale) {}

    void footprint(const ArrayFootprint& print) {
        ghosts(print.reads);
        for (const Frame& frame : frames(print.reads))
            dashed(grown(frame, 2.5f), theme().barrier, 1.5f);
        for (const Frame& frame : frames(print.outputs))
            solid(grown(frame, 1), theme().active_edge, 2);
    }

    // One frame around cells that fill a rectangle, else a frame around each.
    void cells(std::span<const CellRef> cells, bool filled, ImU32 colour, float width, bool dash) {
        CellArea area;
        for (const CellRef& cell : cells)
            area.include(row_of(cell.index), column_of(cell.index));
        const bool together = area.count() == cells.size() && (array_.is_matrix() || area.rows() == 1);
        constexpr std::size_t most_frames = 4096;
        if (together) return one(area, filled, colour, width, dash);
        if (cells.size() > most_frames) return;
        for (const CellRef& cell : cells) {
            CellArea single;
            single.include(row_of(cell.index), column_of(cell.index));
            one(single, filled, colour, width, dash);
        }
    }

    // A cell that the array does not have, beside its first or last one; of the first one also what the
    // thread does there.
    void outside(const OutsideAccess& access, bool first) {
        const bool before = access.index < 0;
        const std::uint64_t beside = before ? 0 : array_.count - 1;
        const std::int64_t row =
            std::clamp<std::int64_t>(row_of(beside), std::int64_t(plan_.first_row),
                                     std::int64_t(plan_.first_row + plan_.shown_rows) - 1);
        const std::int64_t column = column_of(beside) + (before ? -1 : 1);
        const Rect box = box_of({row, row + 1, column, column + 1});
        const ImU32 colour = theme().conflict;
        if (!first) return;
        const ImU32 fill = blend(theme().background, colour, 0.22f);
        picture_.draw->AddRectFilled(box.min(), box.max(), fill, 3 * px_);
        picture_.draw->AddRect(box.min(), box.max(), colour, 3 * px_, 0, 2 * px_);
        const std::string index = "[" + std::to_string(access.index) + "]";
        const float y = centre_line(fonts().small, box.y, box.height),
                    width = text_width(fonts().small, index);
        if (width < box.width)
            draw_text(picture_.draw, fonts().small, {box.x + (box.width - width) / 2, y},
                      legible(theme().text_strong, fill), index);
        const float right = box.right() + 6 * px_;
        if (!before && right + text_width(fonts().small, access.text) < picture_.inside.right())
            draw_text(picture_.draw, fonts().small, {right, y}, colour, access.text);
    }

  private:
    std::int64_t row_of(std::uint64_t index) const { return std::int64_t(plan_.row_of(index)); }
    std::int64_t column_of(std::uint64_t index) const { return std::int64_t(plan_.column_of(index)); }

    void one(const CellArea& area, bool filled, ImU32 colour, float width, bool dash) {
        const CellArea seen = area.cut_to(shown());
        if (seen.empty()) return;
        const Frame frame = grown({box_of(seen), true, true}, 1);
        if (filled)
            picture_.draw->AddRectFilled(frame.box.min(), frame.box.max(), faded(colour, 0.22f), 3 * px_);
        dash ? dashed(frame, colour, width) : solid(frame, colour, width);
    }

    // The rows and columns of the plan that are in sight.
    CellArea shown() const {
        return {std::int64_t(plan_.first_row), std::int64_t(plan_.first_row + plan_.shown_rows),
                std::int64_t(plan_.first_column), std::int64_t(plan_.first_column + plan_.shown_columns)};
    }

    // In rows and columns of the plan, which may lie outside of the array.
    Rect box_of(const CellArea& area) const {
        const float gap_x = plan_.pitch_x - plan_.cell_width, gap_y = plan_.pitch_y - plan_.cell_height;
        const auto y = [&](std::int64_t row) {
            return picture_.window_y(plan_.y + float(row - std::int64_t(plan_.first_row)) * plan_.pitch_y);
        };
        const float left = column_x(area.first_column), top = y(area.first_row);
        return {left, top, column_x(area.end_column) - gap_x - left, y(area.end_row) - gap_y - top};
    }

    // Cells before and behind a row of lanes are narrow, because names stand there.
    float column_x(std::int64_t column) const {
        constexpr std::int64_t narrow_px = 11;
        const std::int64_t at = column - std::int64_t(plan_.first_column);
        const auto shown_columns = std::int64_t(plan_.shown_columns);
        const float narrow = plan_.flows ? plan_.pitch_x : std::min(plan_.pitch_x, narrow_px * px_);
        if (at < 0) return plan_.x + float(at) * narrow;
        if (at <= shown_columns) return plan_.x + float(at) * plan_.pitch_x;
        return plan_.x + float(shown_columns) * plan_.pitch_x + float(at - shown_columns) * narrow;
    }

    Frame grown(Frame frame, float by) const {
        const float out = by * px_;
        frame.box = {frame.box.x - out, frame.box.y - out, frame.box.width + 2 * out,
                     frame.box.height + 2 * out};
        return frame;
    }

    // An area of the array as frames in rows of the plan: one for a matrix, one for each row of a vector.
    std::vector<Frame> frames(const CellArea& area) const {
        if (area.empty()) return {};
        if (array_.is_matrix()) {
            CellArea seen = area.cut_to(with_border());
            return seen.empty() ? std::vector<Frame>{} : std::vector<Frame>{{box_of(seen), true, true}};
        }
        std::vector<Frame> made;
        const auto columns = std::int64_t(plan_.columns), lead = std::int64_t(plan_.lead);
        const std::int64_t begin = area.first_column + lead, end = area.end_column + lead;
        const std::int64_t last_row = std::int64_t(plan_.first_row + plan_.shown_rows) - 1;
        for (std::int64_t row = std::int64_t(plan_.first_row); row <= last_row; ++row) {
            // What lies before the first cell or behind the last one is drawn beside them.
            const std::int64_t row_begin = row == 0 ? std::min<std::int64_t>(0, begin) : row * columns;
            const std::int64_t row_end = row == std::int64_t(plan_.rows) - 1
                                             ? std::max((row + 1) * columns, end)
                                             : (row + 1) * columns;
            const std::int64_t from = std::max(row_begin, begin), to = std::min(row_end, end);
            if (from >= to) continue;
            made.push_back(
                {box_of({row, row + 1, from - row * columns, to - row * columns}), from == begin, to == end});
        }
        return made;
    }

    // What is in sight, and the room around it.
    CellArea with_border() const {
        CellArea area = shown();
        area.first_row -= plan_.border.top;
        area.end_row += plan_.border.bottom;
        area.first_column -= plan_.border.left;
        area.end_column += plan_.border.right;
        return area;
    }

    // Cells outside of the array: boxes with a stroke, or strokes alone where they are small.
    void ghosts(const CellArea& area) {
        if (area.empty()) return;
        const CellArea seen = array_.is_matrix() ? area.cut_to(with_border()) : area;
        for (std::int64_t row = seen.first_row; row < seen.end_row; ++row)
            for (std::int64_t column = seen.first_column; column < seen.end_column; ++column) {
                const bool inside = row >= whole_.first_row && row < whole_.end_row &&
                                    column >= whole_.first_column && column < whole_.end_column;
                if (!inside) array_.is_matrix() ? ghost(row, column) : ghost_beside(column);
            }
    }

    // A cell before the first or behind the last one of a vector.
    void ghost_beside(std::int64_t index) {
        const std::int64_t place = index + std::int64_t(plan_.lead);
        const std::int64_t row = index < 0 ? 0 : std::int64_t(plan_.rows) - 1;
        if (plan_.shows_row(std::uint64_t(row))) ghost(row, place - row * std::int64_t(plan_.columns));
    }

    void ghost(std::int64_t row, std::int64_t column) {
        const Rect box = box_of({row, row + 1, column, column + 1});
        if (box.width >= 6)
            picture_.draw->AddRect(box.min(), box.max(), theme().off_edge, std::min(3 * px_, box.width / 6));
        picture_.draw->AddLine({box.x + 1, box.bottom() - 1}, {box.right() - 1, box.y + 1},
                               theme().text_faint, 1);
    }

    void solid(const Frame& frame, ImU32 colour, float width) {
        lines(frame, [&](ImVec2 a, ImVec2 b) { picture_.draw->AddLine(a, b, colour, width * px_); });
    }

    void dashed(const Frame& frame, ImU32 colour, float width) {
        const float dash = 5 * px_;
        lines(frame, [&](ImVec2 a, ImVec2 b) {
            const float length = std::hypot(b.x - a.x, b.y - a.y);
            for (float at = 0; at < length; at += 2 * dash) {
                const float to = std::min(at + dash, length);
                const auto point = [&](float share) {
                    return ImVec2(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share);
                };
                picture_.draw->AddLine(point(at / length), point(to / length), colour, width * px_);
            }
        });
    }

    template <class F>
    void lines(const Frame& frame, F&& line) {
        const Rect& box = frame.box;
        line(ImVec2(box.x, box.y), ImVec2(box.right(), box.y));
        line(ImVec2(box.x, box.bottom()), ImVec2(box.right(), box.bottom()));
        if (frame.left) line(ImVec2(box.x, box.y), ImVec2(box.x, box.bottom()));
        if (frame.right) line(ImVec2(box.right(), box.y), ImVec2(box.right(), box.bottom()));
    }

    const StagePicture& picture_;
    const ArrayPlan& plan_;
    const StageArray& array_;
    CellArea whole_;
    float px_;
};

std::span<const CellRef> of_array(const std::vector<CellRef>& cells, std::uint32_t array) {
    const auto first = std::lower_bound(cells.begin(), cells.end(), CellRef{array, 0});
    const auto end = std::lower_bound(first, cells.end(), CellRef{array + 1, 0});
    return {first, end};
}

template <class F>
void each_plan(const StagePicture& picture, F&& each) {
    picture.draw->PushClipRect(picture.inside.min(), picture.inside.max(), true);
    for (const ArrayPlan& plan : picture.model.layout().plans) {
        const bool cells = plan.form == Form::cells || plan.form == Form::heat;
        if (cells && plan.shown_rows != 0 && picture.visible(plan.top, plan.bottom)) each(plan);
    }
    picture.draw->PopClipRect();
}

// Cells that are coloured squares do not show what the step does with them, if they show their origin.
void draw_step_frames(const StagePicture& picture) {
    if (!picture.model.shows_origins()) return;
    std::vector<CellRef> read, written, conflicting;
    for (const ArrayPlan& plan : picture.model.layout().plans) {
        if (plan.form != Form::heat) continue;
        for (const ShownCell& cell : picture.model.shown()[plan.array].cells)
            if (cell.mark != nullptr && !cell.dimmed)
                (cell.mark->conflict    ? conflicting
                 : cell.mark->written() ? written
                                        : read)
                    .push_back(cell.mark->cell);
    }
    each_plan(picture, [&](const ArrayPlan& plan) {
        OverlayDrawer drawer(picture, plan);
        if (const std::span<const CellRef> cells = of_array(read, plan.array); !cells.empty())
            drawer.cells(cells, false, theme().read_edge, 2, false);
        if (const std::span<const CellRef> cells = of_array(written, plan.array); !cells.empty())
            drawer.cells(cells, false, theme().write_edge, 2, false);
        if (const std::span<const CellRef> cells = of_array(conflicting, plan.array); !cells.empty())
            drawer.cells(cells, false, theme().conflict, 3, false);
    });
}

}  // namespace

void draw_footprints(const StagePicture& picture) {
    draw_step_frames(picture);
    const StageOverlays& overlays = picture.model.overlays();
    each_plan(picture, [&](const ArrayPlan& plan) {
        OverlayDrawer drawer(picture, plan);
        if (overlays.block().shows(plan.array)) drawer.footprint(overlays.block().arrays[plan.array]);
        if (overlays.block().words.empty()) return;
        const std::span<const CellRef> cells = of_array(overlays.thread_cells(), plan.array);
        if (!cells.empty()) drawer.cells(cells, true, theme().barrier, 2, false);
    });
}

void draw_outside(const StagePicture& picture) {
    picture.draw->PushClipRect(picture.inside.min(), picture.inside.max(), true);
    for (const ArrayPlan& plan : picture.model.layout().plans)
        for (bool first = true; const OutsideAccess& access : picture.model.scene().outside)
            if (access.array == plan.array && plan.shown_rows != 0)
                OverlayDrawer(picture, plan).outside(access, std::exchange(first, false));
    picture.draw->PopClipRect();
}

void draw_bank_cells(const StagePicture& picture) {
    std::vector<CellRef> cells;
    for (const std::uint64_t word : picture.window.cells.bank_words) {
        const CellSpan span = cells_at(picture.model.arrays(), trace::Space::shared, word, 4);
        for (std::uint32_t i = 0; i < span.count; ++i)
            cells.push_back({span.array, span.first + i});
    }
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    if (cells.empty()) return;
    each_plan(picture, [&](const ArrayPlan& plan) {
        const std::span<const CellRef> mine = of_array(cells, plan.array);
        if (!mine.empty()) OverlayDrawer(picture, plan).cells(mine, false, theme().text_strong, 2, false);
    });
}

void draw_linked(const StagePicture& picture, const LinkedCells& linked) {
    each_plan(picture, [&](const ArrayPlan& plan) {
        OverlayDrawer drawer(picture, plan);
        const auto draw = [&](const std::vector<CellRef>& cells, float width, bool dash) {
            const std::span<const CellRef> mine = of_array(cells, plan.array);
            if (!mine.empty()) drawer.cells(mine, false, theme().text_strong, width, dash);
        };
        draw(linked.inputs, 1, false);
        draw(linked.sources, 2, false);
        draw(linked.results, 1.5f, true);
    });
}

}  // namespace lanescope::ui
