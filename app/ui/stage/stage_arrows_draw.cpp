// Arrows of the stage: links between cells, grouped by stage_arrows.h.
#include <algorithm>
#include <cmath>

#include "ui/kit/arrow_draw.h"
#include "ui/stage/stage_draw.h"

namespace lanescope::ui {

namespace {

ArrowLook look_of(const Arrow& arrow, const WindowState& window) {
    ArrowLook look{theme().read_edge, theme().write_edge, window.px(1.6f), window.px(5)};
    if (arrow.conflict) look.line = look.head = theme().conflict;
    if (arrow.faint) {
        look.line = faded(look.line, 0.55f);
        look.head = faded(look.head, 0.8f);
        look.width_px = window.px(1.2f);
        look.head_px = window.px(4);
    }
    return look;
}

struct Label {
    float centre = 0, y = 0;
    std::string text;
};

class ArrowDrawer {
  public:
    explicit ArrowDrawer(const StagePicture& picture) : picture_(picture) {}

    void draw_band(const Arrow& arrow) {
        const ArrayPlan& from = plan(arrow.from);
        const ArrayPlan& to = plan(arrow.to);
        if (arrow.shape != Arrow::Shape::band || !in_sight(from, to)) return;
        side_by_side(from, to) ? draw_side_band_of(arrow, from, to) : draw_band_of(arrow, from, to);
    }

    void draw(const Arrow& arrow) {
        const ArrayPlan& from = plan(arrow.from);
        const ArrayPlan& to = plan(arrow.to);
        if (!in_sight(from, to)) return;
        switch (arrow.shape) {
            case Arrow::Shape::arc:
                draw_arc_of(arrow, from);
                break;
            case Arrow::Shape::bracket:
                draw_bracket_of(arrow, from);
                break;
            case Arrow::Shape::curve:
                side_by_side(from, to) ? draw_sideways_of(arrow, from, to) : draw_curve_of(arrow, from, to);
                break;
            case Arrow::Shape::band:
                break;  // drawn behind the cells: draw_bands
        }
    }

    // Labels come last, over all lines. If labels would overlap, only the first is drawn.
    void draw_labels() {
        std::stable_sort(labels_.begin(), labels_.end(), [](const Label& a, const Label& b) {
            return a.y != b.y ? a.y < b.y : a.centre < b.centre;
        });
        for (std::size_t begin = 0; begin < labels_.size();) {
            std::size_t end = begin;
            std::vector<float> centres, widths;
            for (; end < labels_.size() && labels_[end].y == labels_[begin].y; ++end) {
                centres.push_back(labels_[end].centre);
                widths.push_back(text_width(fonts().small, labels_[end].text));
            }
            const std::vector<bool> kept = labels_that_fit(centres, widths, picture_.window.px(6));
            for (std::size_t i = begin; i < end; ++i)
                if (kept[i - begin]) draw_label(labels_[i], widths[i - begin]);
            begin = end;
        }
    }

  private:
    bool in_sight(const ArrayPlan& a, const ArrayPlan& b) const {
        return picture_.visible(std::min(a.top, b.top), std::max(a.bottom, b.bottom));
    }

    const ArrayPlan& plan(const CellBox& box) const { return picture_.model.layout().plans[box.array]; }

    void draw_label(const Label& label, float width) {
        const float x = label.centre - width / 2;
        picture_.draw->AddRectFilled({x - 1, label.y}, {x + width + 1, label.y + font_size(fonts().small)},
                                     theme().background);
        draw_text(picture_.draw, fonts().small, {x, label.y}, theme().text_quiet, label.text);
    }

    // Returns the top middle of the first cell of a box.
    ImVec2 top_of(const CellBox& box, const ArrayPlan& plan) const {
        return {plan.column_x(static_cast<double>(box.first_column)) + plan.cell_width / 2,
                picture_.window_y(plan.row_y(box.first_row))};
    }

    void draw_arc_of(const Arrow& arrow, const ArrayPlan& plan) {
        if (!plan.shows_row(arrow.from.first_row)) return;
        ImVec2 from = top_of(arrow.from, plan), to = top_of(arrow.to, plan);
        float height = picture_.arc_height(plan, (to.x - from.x) / plan.pitch_x);
        // Two cells that swap have an outer arc to the right and an inner one back.
        const bool swaps = has_opposite(arrow), outer = to.x > from.x;
        if (swaps) {
            const float apart = std::min(0.22f * plan.cell_width, picture_.window.px(14));
            from.x -= apart, to.x += apart;
            if (!outer) height *= 0.55f;
        }
        draw_arc(picture_.draw, from, to, height, look_of(arrow, picture_.window));
        if (swaps && !outer) return;  // the outer one has the label
        if (plan.arc_room > picture_.window.px(18))
            labels_.push_back({swaps ? (from.x + to.x) / 2 : to.x,  // above the cell that the thread writes
                               std::round(from.y - height - font_size(fonts().small) - picture_.window.px(1)),
                               arrow.label()});
    }

    bool has_opposite(const Arrow& arrow) const {
        const std::vector<Arrow>& all = picture_.model.arrows().arrows;
        return std::any_of(all.begin(), all.end(), [&](const Arrow& other) {
            return other.shape == arrow.shape && other.from == arrow.to && other.to == arrow.from;
        });
    }

    Edge edge_of(const CellBox& box, const ArrayPlan& plan, float y) const {
        return {plan.column_x(static_cast<double>(box.first_column)),
                plan.column_x(static_cast<double>(box.last_column)) + plan.cell_width, y};
    }

    void draw_bracket_of(const Arrow& arrow, const ArrayPlan& plan) {
        if (!plan.shows_row(arrow.from.first_row)) return;
        const ArrowLook look = look_of(arrow, picture_.window);
        const float top = picture_.window_y(plan.row_y(arrow.from.first_row));
        const WindowState& window = picture_.window;
        const Edge from = edge_of(arrow.from, plan, top - window.px(4)),
                   to = edge_of(arrow.to, plan, top - window.px(7));
        draw_bracket(picture_.draw, from, window.px(3), look.line, window.px(2));
        draw_bracket(picture_.draw, to, window.px(6), look.head, window.px(2));
        ArrowLook wide = look;
        wide.width_px = window.px(2.2f);
        wide.head_px = window.px(6);
        const float height = picture_.arc_height(plan, 8) - window.px(7);
        draw_arc(picture_.draw, {from.middle(), from.y}, {to.middle(), to.y}, height, wide);
        labels_.push_back(
            {to.middle(), std::round(top - window.px(8) - height - font_size(fonts().small)), arrow.label()});
    }

    void draw_curve_of(const Arrow& arrow, const ArrayPlan& from_plan, const ArrayPlan& to_plan) {
        ImVec2 from = top_of(arrow.from, from_plan), to = top_of(arrow.to, to_plan);
        const bool down = to.y > from.y;
        (down ? from : to).y += (down ? from_plan : to_plan).cell_height;
        // The curve passes beside the digits of an array that lies between the two.
        const auto apart =
            static_cast<std::ptrdiff_t>(arrow.from.array) - static_cast<std::ptrdiff_t>(arrow.to.array);
        const float label_x = to.x + picture_.window.px(12);
        if (std::abs(apart) > 1) from.x -= 0.36f * from_plan.cell_width, to.x -= 0.36f * to_plan.cell_width;
        draw_curve(picture_.draw, from, to, look_of(arrow, picture_.window));
        if (!arrow.faint && std::abs(to.y - from.y) > picture_.window.px(30))
            labels_.push_back({label_x,
                               std::round(down ? to.y - font_size(fonts().small) - picture_.window.px(6)
                                               : to.y + picture_.window.px(6)),
                               arrow.label()});
    }

    static bool side_by_side(const ArrayPlan& a, const ArrayPlan& b) {
        return a.array != b.array && a.top == b.top && a.label_x != b.label_x;
    }

    void draw_sideways_of(const Arrow& arrow, const ArrayPlan& from_plan, const ArrayPlan& to_plan) {
        ImVec2 from = top_of(arrow.from, from_plan), to = top_of(arrow.to, to_plan);
        const float side = to.x > from.x ? 0.5f : -0.5f;
        from = {from.x + side * from_plan.cell_width, from.y + from_plan.cell_height / 2};
        to = {to.x - side * to_plan.cell_width, to.y + to_plan.cell_height / 2};
        draw_sideways(picture_.draw, from, to, look_of(arrow, picture_.window));
    }

    // The band lies between the two arrays, below the label of the right one.
    void draw_side_band_of(const Arrow& arrow, const ArrayPlan& from_plan, const ArrayPlan& to_plan) {
        const WindowState& window = picture_.window;
        const bool right = to_plan.x > from_plan.x;
        const ArrayPlan& left_plan = right ? from_plan : to_plan;
        const ArrayPlan& right_plan = right ? to_plan : from_plan;
        const float low = std::min(from_plan.bottom, to_plan.bottom);
        const float y =
            picture_.window_y(std::max((from_plan.y + low) / 2, std::min(from_plan.y + window.px(66), low)));
        const float from = left_plan.x + left_plan.width() + window.px(6), to = right_plan.x - window.px(6);
        ArrowLook look = look_of(arrow, window);
        look.width_px = window.px(2.5f);
        look.head_px = window.px(7);
        draw_sideways(picture_.draw, {right ? from : to, y}, {right ? to : from, y}, look);
        if (text_width(fonts().small, arrow.label()) < to - from)
            labels_.push_back({(from + to) / 2, y - font_size(fonts().small) - window.px(3), arrow.label()});
    }

    // Several rows go to several others of the same array: a band between them would join the wrong ones.
    void draw_beside(const Arrow& arrow, const ArrayPlan& plan, ImVec2 from_rows, ImVec2 to_rows) {
        const WindowState& window = picture_.window;
        const float x =
            plan.column_x(static_cast<double>(std::max(arrow.from.last_column, arrow.to.last_column))) +
            plan.cell_width + window.px(4);
        ArrowLook look = look_of(arrow, window);
        look.width_px = window.px(2);
        look.head_px = window.px(6);
        picture_.draw->AddLine({x, from_rows.x}, {x, from_rows.y}, look.line, window.px(3));
        picture_.draw->AddLine({x, to_rows.x}, {x, to_rows.y}, look.head, window.px(3));
        const float from = (from_rows.x + from_rows.y) / 2, to = (to_rows.x + to_rows.y) / 2;
        const float out = x + window.px(22);
        picture_.draw->AddBezierCubic({x, from}, {out, from}, {out, to}, {x + window.px(6), to}, look.line,
                                      look.width_px, 20);
        draw_triangle(picture_.draw, Triangle::left, {x + window.px(6), to}, window.px(8), look.head);
    }

    void draw_band_of(const Arrow& arrow, const ArrayPlan& from_plan, const ArrayPlan& to_plan) {
        const float from_top = picture_.window_y(from_plan.row_y(arrow.from.first_row));
        const float to_top = picture_.window_y(to_plan.row_y(arrow.to.first_row));
        const bool down = to_top > from_top;
        const float from_bottom =
            picture_.window_y(from_plan.row_y(arrow.from.last_row)) + from_plan.cell_height;
        const float to_bottom = picture_.window_y(to_plan.row_y(arrow.to.last_row)) + to_plan.cell_height;
        const Edge from = edge_of(arrow.from, from_plan, down ? from_bottom : from_top);
        const Edge to = edge_of(arrow.to, to_plan, down ? to_top : to_bottom);
        if (arrow.cells_apart != 0)
            draw_beside(arrow, from_plan, {from_top, from_bottom}, {to_top, to_bottom});
        else
            ui::draw_band(picture_.draw, from, to, look_of(arrow, picture_.window));
        if (std::abs(to.y - from.y) > font_size(fonts().small) + picture_.window.px(4))
            labels_.push_back({(from.middle() + to.middle()) / 2 + picture_.window.px(38),
                               std::round((from.y + to.y - font_size(fonts().small)) / 2), arrow.label()});
    }

    const StagePicture& picture_;
    std::vector<Label> labels_;
};

}  // namespace

// Longer arcs are higher, so that arcs of different lengths do not run into each other.
float StagePicture::arc_height(const ArrayPlan& plan, float columns) const {
    const float label = font_size(fonts().small);
    const float room = std::max(plan.arc_room - label - window.px(4), window.px(7));
    const float share = std::min(1.0f, 0.55f + 0.07f * std::abs(columns));
    return std::min(room * share, std::max(window.px(34), plan.cell_height));
}

void draw_bands(const StagePicture& picture) {
    ArrowDrawer drawer(picture);
    for (const Arrow& arrow : picture.model.arrows().arrows)
        drawer.draw_band(arrow);
    drawer.draw_labels();
}

void draw_arrows(const StagePicture& picture) {
    ArrowDrawer drawer(picture);
    for (const Arrow& arrow : picture.model.arrows().arrows)
        drawer.draw(arrow);
    drawer.draw_labels();
    // If arrows are left out, the cells of one thread show what each thread does.
    if (!picture.model.arrows().left_out) return;
    for (const CellAccess& access : picture.model.scene().accesses)
        if (access.thread == picture.focus_thread) draw_cell_frame(picture, access.cell);
}

void draw_thread_cells(const StagePicture& picture, std::uint32_t thread) {
    for (const CellAccess& access : picture.model.scene().accesses)
        if (access.thread == thread) draw_cell_frame(picture, access.cell);
    std::vector<RowShape> shapes;
    for (const ArrayPlan& plan : picture.model.layout().plans)
        shapes.push_back({plan.columns, false, plan.lead});
    std::vector<Link> own;
    for (const Link& link : picture.model.scene().links)
        if (link.thread == thread) own.push_back(link);
    ArrowDrawer drawer(picture);
    for (const Arrow& arrow : make_arrows(own, shapes).arrows)
        drawer.draw(arrow);
    drawer.draw_labels();
}

}  // namespace lanescope::ui
