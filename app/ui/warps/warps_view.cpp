#include "ui/warps/warps_view.h"
#include "base/language.h"
#include "session/lane_explanation.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "scene/warps/warps_words.h"
#include "scene/words/block_words.h"
#include "ui/actions/table.h"
#include "ui/kit/arrow_draw.h"
#include "ui/kit/lane_grid.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"
#include "ui/stage/stage_draw.h"

namespace lanescope::ui {

namespace {

using trace::LaneStatus;

constexpr float arc_room_px = 34;
constexpr float value_share = 0.55f;  // share of a full row's height for the value above the thread's name
constexpr std::uint32_t listed_blocks = 64;  // in a larger grid the block is chosen by its number

struct LaneLook {
    ImU32 fill, edge, value, name;
    float edge_px;
    bool dotted;
};

LaneLook look_of(LaneStatus status) {
    const Theme& t = theme();
    const ImU32 dim = blend(t.background, t.off, 0.45f);
    switch (status) {
        case LaneStatus::active:
            return {t.active, t.active_edge, t.text_strong, blend(t.active_edge, t.text_strong, 0.6f),
                    2,        false};
        case LaneStatus::ready:
            return {t.off, blend(t.off_edge, t.text_faint, 0.6f), t.text_quiet, t.text_faint, 1, false};
        case LaneStatus::at_barrier:
            return {t.off, t.barrier, t.text_quiet, t.text_faint, 1.5f, false};
        case LaneStatus::at_warp_sync:
            return {t.off, t.barrier, t.text_quiet, t.text_faint, 1.5f, true};
        case LaneStatus::finished:
            return {dim, dim, t.text_faint, blend(t.background, t.text_faint, 0.6f), 1, false};
        case LaneStatus::unstarted:
            return {t.background, t.off_edge, t.text_faint, t.text_faint, 1, true};
        case LaneStatus::faulted:
            return {t.off, t.conflict, t.conflict, t.conflict, 2, false};
        case LaneStatus::diverged:
        case LaneStatus::absent:
            break;
    }
    return {t.off, t.off_edge, t.text_faint, blend(t.off, t.text_faint, 0.7f), 1, false};
}

// A lane that only evaluated the step's condition: between a lane that acts and one that waits.
LaneLook only_evaluates() {
    const Theme& t = theme();
    return {blend(t.off, t.active, 0.35f),
            blend(t.off_edge, t.active_edge, 0.6f),
            t.text_quiet,
            t.text_quiet,
            1,
            true};
}

void draw_dotted(ImDrawList* draw, const Rect& box, ImU32 colour, float dash, float width) {
    const auto line = [&](ImVec2 from, ImVec2 step, float length) {
        for (float at = 0; at < length; at += 2 * dash) {
            const float end = std::min(at + dash, length);
            draw->AddLine({from.x + step.x * at, from.y + step.y * at},
                          {from.x + step.x * end, from.y + step.y * end}, colour, width);
        }
    };
    line({box.x, box.y + 0.5f}, {1, 0}, box.width);
    line({box.x, box.bottom() - 0.5f}, {1, 0}, box.width);
    line({box.x + 0.5f, box.y}, {0, 1}, box.height);
    line({box.right() - 0.5f, box.y}, {0, 1}, box.height);
}

// Returns the largest font in which the text fits, or null if it fits in none.
ImFont* font_that_fits(const std::string& text, float width) {
    for (ImFont* font : {fonts().small, fonts().mono_tiny})
        if (text_width(font, text) <= width) return font;
    return nullptr;
}

}  // namespace

struct WarpsView::Picture {
    ImDrawList* draw;
    LaneGrid grid;
    Rect inside;
    const session::Session& session;
    const WindowState& window;
    float scroll;
    TextFit text;
    double age_s = no_motion;  // of the motion that follows a step
    ChangeForm change = ChangeForm::after;
    float window_y(float y) const { return std::round(inside.y + y - scroll); }
    Rect lane_rect(const WarpRow& row, double lane) const {
        return {grid.x(lane), window_y(row.y), grid.cell, row.cell_height};
    }
};

void WarpsView::tools(Heading& heading, const ViewContext& view) {
    if (!view.session.playhead().step_state()) return;
    choose_colour(heading, view);
    choose_label(heading, view);
    choose_block(heading, view);
}

void WarpsView::choose_colour(Heading& heading, const ViewContext& view) {
    const std::string& current = view.window.lane_colour;
    if (menu_word(heading, tr("colour: ") + (current.empty() ? tr("state") : current), view.window))
        ImGui::OpenPopup("colour");
    if (!ImGui::IsPopupOpen("colour")) return;
    std::vector<std::string> names = model_.lane_values(view.session);
    names.insert(names.begin(), tr("state"));
    const auto at = std::find(names.begin() + 1, names.end(), current);
    const int chosen = choice_popup(
        "colour", names, current.empty() || at == names.end() ? 0 : int(at - names.begin()), view.window);
    if (chosen >= 0)
        view.requests.set(&WindowState::lane_colour,
                          chosen == 0 ? std::string() : names[static_cast<std::size_t>(chosen)]);
}

void WarpsView::choose_label(Heading& heading, const ViewContext& view) {
    const std::string& current = view.session.selection().label_variable;
    if (menu_word(heading, tr("label: ") + (current.empty() ? tr("none") : current), view.window))
        ImGui::OpenPopup("label");
    if (!ImGui::IsPopupOpen("label")) return;
    std::vector<std::string> names = model_.lane_values(view.session);
    const auto at = std::find(names.begin(), names.end(), current);
    names.push_back(with_keys(tr("an expression … ({watch.add})")));
    const int chosen =
        choice_popup("label", names, at == names.end() ? -1 : int(at - names.begin()), view.window);
    if (chosen < 0) return;
    if (chosen + 1 == int(names.size())) {
        view.requests.act("watch.add");
    } else {
        view.requests.commands.push_back(session::LabelVariable{names[static_cast<std::size_t>(chosen)]});
    }
}

void WarpsView::choose_block(Heading& heading, const ViewContext& view) {
    const session::StepState& step_state = *view.session.playhead().step_state();
    if (!step_state.launch || step_state.launch->grid.count() < 2) return;
    const trace::Dim3& grid = step_state.launch->grid;
    const auto count = static_cast<std::uint32_t>(grid.count());
    if (menu_word_right(heading,
                        tr("block {1} of {2}", {block_name(grid, step_state.step.block), grouped(count)}),
                        view.window))
        ImGui::OpenPopup("block");
    if (count <= listed_blocks) {
        std::vector<std::string> names;
        std::vector<std::uint32_t> blocks;
        int current = -1;
        for (std::uint32_t block = 0; block < count; ++block) {
            if (!step_state.launch->records(block)) continue;
            if (block == step_state.step.block) current = static_cast<int>(names.size());
            names.push_back(tr("block {1}", {block_name(grid, block)}));
            blocks.push_back(block);
        }
        const int chosen = choice_popup("block", names, current, view.window);
        if (chosen >= 0)
            view.requests.commands.push_back(session::FocusBlock{blocks[static_cast<std::size_t>(chosen)]});
        return;
    }
    if (!ImGui::BeginPopup("block")) return;
    int block = static_cast<int>(step_state.step.block);
    ImGui::SetNextItemWidth(view.px(140));
    if (ImGui::InputInt("block", &block, 1, 32, ImGuiInputTextFlags_EnterReturnsTrue) && block >= 0 &&
        static_cast<std::uint32_t>(block) < count &&
        step_state.launch->records(static_cast<std::uint32_t>(block)))
        view.requests.commands.push_back(session::FocusBlock{static_cast<std::uint32_t>(block)});
    name_last_item("block");
    ImGui::EndPopup();
}

void WarpsView::content(const Rect& inside, const ViewContext& view) {
    if (!model_.update(view.session, view.window.lane_colour)) return;
    const float arc_room = model_.has_exchanges() ? view.px(arc_room_px) : 0;
    const float growth = std::clamp(lane_scale(view.window.lanes), 1.0f, 1.5f);
    layout_ = make_warps_layout(model_.count(), view.session.selection().warp,
                                {inside.height, arc_room, view.window.scale, growth});
    navigate(inside, view.window);
    Picture picture{ImGui::GetWindowDrawList(),
                    lane_grid(inside, view.window.lanes, view.window.scale),
                    inside,
                    view.session,
                    view.window,
                    scroll_,
                    {},
                    age_of_motion(motion_, view.session, view.window)};
    view.requests.next_frame |= picture.age_s < motion_s && !view.window.still;
    std::vector<const WarpRow*> visible;
    for (const WarpRow& row : layout_.rows)
        if (row.bottom >= scroll_ && row.y <= scroll_ + inside.height) visible.push_back(&row);
    for (const WarpRow* row : visible)
        model_.prepare(view.session, row->warp);
    std::optional<TellInWords> told;
    told.emplace([&] {
        std::string words;
        for (const WarpRow* row : visible)
            words +=
                scene::warp_words(model_.warp(row->warp), row->warp, *view.session.playhead().step_state());
        return words;
    });
    for (const WarpRow* row : visible) {
        const float line = row->cell_height * (row->detailed() ? value_share : 1.2f);
        picture.text = fit_text(picture.grid.cell, line, model_.widest(), cell_fonts().sizes);
        // A value on the cell's edge is better than none.
        const TextFit wider = fit_text(picture.grid.cell + 1, line, model_.widest(), cell_fonts().sizes);
        if (picture.text.max_chars < model_.widest() && wider.max_chars > picture.text.max_chars)
            picture.text = wider;
        if (picture.grid.cell < picture.window.px(8)) picture.text.size = -1;  // only the colour has room
        picture.change = change_form(picture, *row);
        draw_row(picture, *row);
    }
    told.reset();
    draw_scroll_mark(inside, scroll_, layout_.height, view.window);
    if (picture.grid.x(trace::warp_size - 1) + picture.grid.cell > inside.right() + 1) name_scrolling();
    predictions(picture, view.requests);
    if (!view.window.still) interact(picture, view.session, view.requests);
}

void WarpsView::navigate(const Rect& inside, const WindowState& window) {
    if (hovered(inside, window) && !ImGui::GetIO().KeyCtrl)
        scroll_ -= ImGui::GetIO().MouseWheel * window.px(50);
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, layout_.height - inside.height));
}

// The form in which all lanes have room for their values before and after.
ChangeForm WarpsView::change_form(const Picture& picture, const WarpRow& row) {
    if (picture.text.size < 0) return ChangeForm::after;
    ChangeForms forms;
    ImFont* font = cell_fonts().fonts[static_cast<std::size_t>(picture.text.size)];
    const Rect box{0, 0, picture.grid.cell, row.cell_height - font_size(fonts().small)};
    for (const session::LaneValue& value : model_.warp(row.warp).values)
        if (value.set && !value.before.empty())
            forms.add(font, box, value.before, shorten(value.text, value.number, picture.text.max_chars));
    return forms.best();
}

// What all lanes hold, if it has no room in them: "n = 1024".
std::string WarpsView::common_value(const Picture& picture, const ShownWarp& warp) const {
    std::string text;
    double number = 0;
    for (const session::LaneValue& value : warp.values) {
        if (!value.set) continue;
        if (!text.empty() && value.text != text) return {};
        text = value.text, number = value.number;
    }
    const bool cut = !text.empty() && shorten(text, number, picture.text.max_chars) == "…";
    return !cut ? "" : picture.session.selection().label_variable + " = " + text;
}

void WarpsView::draw_row(const Picture& picture, const WarpRow& row) {
    const ShownWarp& warp = model_.warp(row.warp);
    draw_names(picture, row, warp);
    if (widgets_are_named())
        name_widget((row.detailed() ? "warp " : "row ") + std::to_string(row.warp),
                    {picture.inside.x, picture.window_y(row.y), picture.inside.width, row.cell_height});
    for (unsigned lane = 0; lane < trace::warp_size; ++lane)
        draw_lane(picture, row, warp, lane);
    if (row.detailed()) {
        draw_exchanges(picture, row, warp);
        draw_travelling_values(picture, row, warp);
        const float y = picture.window_y(row.y + row.cell_height) + picture.window.px(5);
        std::string sentence = warp.sentence;
        if (const std::string common = common_value(picture, warp); !common.empty())
            sentence = common + (sentence.empty() ? "" : " · " + sentence);
        draw_text_within(picture.draw, fonts().small, {picture.grid.cells_x, y}, theme().text_quiet, sentence,
                         picture.inside.right() - picture.grid.cells_x - picture.window.px(8));
    }
    draw_frames(picture, row);
}

void WarpsView::draw_names(const Picture& picture, const WarpRow& row, const ShownWarp& warp) {
    const WindowState& window = picture.window;
    ImDrawList* draw = picture.draw;
    const float x = picture.grid.label_x, width = picture.grid.label_width - window.px(4);
    const float y = picture.window_y(row.y);
    if (!row.detailed()) {
        // If rows are lower than text, only every second, third … row has its name.
        const auto every =
            static_cast<std::uint32_t>(std::ceil((font_size(fonts().small) - 3) / (row.cell_height + 1)));
        if (row.warp % std::max(every, 1u) != 0) return;
        const float text_y = centre_line(fonts().small, y, row.cell_height);
        draw_text(draw, fonts().small, {x, text_y}, warp.summary.active ? theme().text : theme().text_quiet,
                  "w" + std::to_string(row.warp));
        draw_text_within(draw, fonts().small, {x + window.px(30), text_y}, theme().text_quiet,
                         warp.summary.short_text, width - window.px(30));
        return;
    }
    const float small = font_size(fonts().small), name = font_size(fonts().text);
    std::vector<std::string> lines = {warp.summary.count_text};
    if (warp.summary.active != 0 && row.cell_height >= name + 2 * small - window.px(4)) {
        lines = {tr("{1} of {2} lanes", {std::to_string(std::popcount(warp.summary.active)),
                                         std::to_string(std::popcount(warp.summary.present))})};
        if (warp.summary.line != 0) lines.push_back(tr("line {1}", {std::to_string(warp.summary.line)}));
    }
    float line = y + std::max(0.0f, (row.cell_height - name - float(lines.size()) * small) / 2);
    draw_text(draw, fonts().text, {x, line}, theme().text, "warp " + std::to_string(row.warp));
    line += name;
    for (const std::string& text : lines) {
        draw_text_within(draw, fonts().small, {x, line}, theme().text_quiet, text, width);
        line += small;
    }
}

void WarpsView::draw_lane(const Picture& picture, const WarpRow& row, const ShownWarp& warp, unsigned lane) {
    const trace::LaneInfo& info = picture.session.playhead().step_state()->warps[row.warp][lane];
    if (info.status == LaneStatus::absent) return;
    const session::LaneValue& value = warp.values[lane];
    const bool acted = (picture.session.playhead().step_state()->acted[row.warp] >> lane & 1) != 0;
    LaneLook look = info.status == LaneStatus::active && !acted ? only_evaluates() : look_of(info.status);
    const Rect box = picture.lane_rect(row, lane);
    if (widgets_are_named())
        name_widget("lane w" + std::to_string(row.warp) + "." + std::to_string(lane), box);
    ImDrawList* draw = picture.draw;
    if (const float share = model_.colour_share(row.warp, lane); share >= 0) {
        look.fill = heat_colour(share);
        look.value = look.name = share > 0.5f ? theme().background : theme().text_strong;
    }
    const float rounding = picture.window.px(row.detailed() ? 4 : 2);
    const float edge = std::min(look.edge_px * picture.window.scale, row.cell_height / 5);
    if (look.dotted) {
        draw->AddRectFilled(box.min(), box.max(), look.fill, rounding);
        draw_dotted(draw, box, look.edge, picture.window.px(2), edge);
    } else {
        draw_cell_box(draw, box, look.fill, look.edge, edge, rounding);
    }
    if (row.form == WarpForm::thin || picture.text.size < 0) return;
    if (!value.set) look.value = blend(look.fill, look.value, 0.5f);
    look.value = legible(look.value, look.fill), look.name = legible(look.name, look.fill);
    const std::string text = value.set       ? shorten(value.text, value.number, picture.text.max_chars)
                             : value.visible ? "–"
                                             : "";
    if (text != value.text) name_cut_text(value.text);  // the lane's story tells it
    ImFont* font = cell_fonts().fonts[static_cast<std::size_t>(picture.text.size)];
    if (row.form == WarpForm::strip) {
        draw_text_centred(draw, font, box, look.value, text);
        return;
    }
    const float name_height = font_size(fonts().small);
    const float top = box.y + std::max(1.0f, (box.height - name_height - font_size(font)) / 2);
    const Rect above_name{box.x, box.y, box.width, box.height - name_height};
    const bool both = !value.before.empty() && picture.change != ChangeForm::after;
    if (both)
        draw_change(draw, font, above_name, value.before, text, look.name, look.value, picture.change);
    else
        draw_text_centred(draw, font, {box.x, top, box.width, font_size(font)}, look.value, text);
    // Either all lanes have names or none; the last name is as wide as any.
    const std::uint32_t first = row.warp * trace::warp_size;
    const std::string name = "t" + std::to_string(first + lane);
    if (ImFont* name_font = font_that_fits("t" + std::to_string(first + 30), box.width - 1))
        draw_text_centred(draw, name_font, {box.x, top + font_size(font), box.width, name_height}, look.name,
                          name);
    if (value.changed && !both)
        draw->AddCircleFilled({box.right() - picture.window.px(5), box.y + picture.window.px(5)},
                              picture.window.px(2), theme().write_edge);
}

// Values on their way from lane to lane.
void WarpsView::draw_travelling_values(const Picture& picture, const WarpRow& row,
                                       const ShownWarp& warp) const {
    if (picture.age_s >= travel_s || picture.text.size < 0) return;
    const float y = picture.window_y(row.y) + row.cell_height / 2;
    const float rise = row.cell_height / 2 + picture.window.px(arc_room_px);
    for (const Arrow& arrow : warp.exchanges.arrows) {
        if (arrow.shape != Arrow::Shape::arc) continue;
        const auto middle = [&](const CellBox& box) {
            return picture.grid.x(box.middle_column()) + picture.grid.cell / 2;
        };
        const float from = middle(arrow.from), to = middle(arrow.to);
        const session::LaneValue& value = warp.values[arrow.from.first_column % trace::warp_size];
        const std::string& text = value.before.empty() ? value.text : value.before;
        if (text.empty()) continue;
        const TravelPath path{{from, y}, {from, y - rise}, {to, y - rise}, {to, y}};
        draw_travelling(picture.draw, cell_fonts().fonts[static_cast<std::size_t>(picture.text.size)],
                        path.at(static_cast<float>(travelled(picture.age_s))),
                        shorten(text, value.number, picture.text.max_chars), picture.window);
    }
}

void WarpsView::draw_exchanges(const Picture& picture, const WarpRow& row, const ShownWarp& warp) {
    const WindowState& window = picture.window;
    const float y = picture.window_y(row.y);
    const ArrowLook look{theme().read_edge, theme().write_edge, window.px(1.6f), window.px(4.5f)};
    for (const Arrow& arrow : warp.exchanges.arrows) {
        const auto middle = [&](const CellBox& box) {
            return picture.grid.x(box.middle_column()) + picture.grid.cell / 2;
        };
        const float columns =
            static_cast<float>(std::abs(arrow.from.middle_column() - arrow.to.middle_column()));
        const float height = window.px(arc_room_px - 8) * std::min(1.0f, 0.4f + 0.06f * columns);
        if (arrow.shape == Arrow::Shape::arc) {
            draw_arc(picture.draw, {middle(arrow.from), y}, {middle(arrow.to), y}, height, look);
            continue;
        }
        const auto edge = [&](const CellBox& box, float up) {
            return Edge{picture.grid.x(static_cast<double>(box.first_column)),
                        picture.grid.x(static_cast<double>(box.last_column)) + picture.grid.cell,
                        y - window.px(up)};
        };
        const Edge from = edge(arrow.from, 3), to = edge(arrow.to, 6);
        draw_bracket(picture.draw, from, window.px(3), look.line, window.px(2));
        draw_bracket(picture.draw, to, window.px(6), look.head, window.px(2));
        draw_arc(picture.draw, {from.middle(), from.y}, {to.middle(), to.y}, window.px(arc_room_px - 14),
                 look);
    }
}

// Frames the pinned thread, the hovered thread, and the threads that access the hovered cell.
void WarpsView::draw_frames(const Picture& picture, const WarpRow& row) {
    const session::Selection& selection = picture.session.selection();
    const auto frame = [&](unsigned lane, ImU32 colour) {
        const Rect box = picture.lane_rect(row, lane);
        const float out = picture.window.px(1);
        picture.draw->AddRect({box.x - out, box.y - out}, {box.right() + out, box.bottom() + out}, colour,
                              picture.window.px(4), 0, picture.window.px(2));
    };
    for (std::uint32_t thread : model_.touching())
        if (thread / trace::warp_size == row.warp) frame(thread % trace::warp_size, theme().text_strong);
    // Lanes that met a breakpoint's condition.
    const session::BreakHit* hit = picture.session.search().hit();
    if (hit && hit->conditional && row.warp < hit->lanes.size())
        for (unsigned lane = 0; lane < trace::warp_size; ++lane)
            if ((hit->lanes[row.warp] >> lane & 1) != 0) frame(lane, theme().accent);
    if (selection.lane_hovered && selection.hovered_warp == row.warp)
        frame(selection.hovered_lane, theme().text_strong);
    if (selection.warp != row.warp || !row.detailed()) return;
    // The pinned lane, which the tab Variables shows, has a bar below it.
    const Rect box = picture.lane_rect(row, selection.lane);
    const float top = box.bottom() + picture.window.px(1.5f);
    picture.draw->AddRectFilled({box.x + 1, top}, {box.right() - 1, top + picture.window.px(2.5f)},
                                theme().accent, picture.window.px(1));
}

// --- Predict, then reveal ----------------------------------------------------------------------------------

namespace {

// Whether the stage has something to predict, which then comes first.
bool writes_cells(const session::Session& session) {
    for (const trace::TurnDetail& detail : session.playhead().step_state()->details)
        for (const trace::Access& access : detail.accesses)
            if (access.kind != trace::AccessKind::load && access.space != trace::Space::local &&
                access.owner == trace::none)
                return true;
    return false;
}

}  // namespace

bool WarpsView::can_predict(std::uint32_t thread) const {
    const std::uint32_t warp = thread / trace::warp_size;
    return warp < model_.count() && model_.warp(warp).values[thread % trace::warp_size].hidden;
}

void WarpsView::predict(const session::Session& session, std::uint32_t thread) {
    prediction_.open(session, {session.selection().label_variable, thread});
}

// Opens the input of the thread after (or before) this one; without one: of the first for which nothing was
// typed.
void WarpsView::predict_next(const Picture& picture, std::optional<std::uint32_t> after, int direction) {
    const session::Session& session = picture.session;
    const auto threads = std::int64_t(model_.count()) * trace::warp_size;
    std::optional<std::uint32_t> first;
    for (std::int64_t at = after ? std::int64_t(*after) + direction : 0; at >= 0 && at < threads;
         at += direction) {
        const auto thread = static_cast<std::uint32_t>(at);
        if (!can_predict(thread)) continue;
        if (after || !session.predictions().of({session.selection().label_variable, thread}))
            return predict(session, thread);
        if (!first) first = thread;
    }
    if (!after && first) predict(session, *first);
}

void WarpsView::predictions(const Picture& picture, Requests& requests) {
    const session::Session& session = picture.session;
    const std::string& label = session.selection().label_variable;
    const auto lane_at = [&](std::uint32_t thread) -> std::optional<Rect> {
        for (const WarpRow& row : layout_.rows)
            if (row.warp == thread / trace::warp_size)
                return picture.lane_rect(row, thread % trace::warp_size);
        return {};
    };
    for (const auto& [place, typed] : session.predictions().of_step())
        if (place.thread != trace::none && place.text == label)
            if (const auto lane = lane_at(place.thread))
                draw_prediction(picture.draw, *lane, typed, picture.window);
    if (!session.playhead().results().concealed) return prediction_.close();
    if (picture.window.signals.predict && !prediction_.place() && !writes_cells(session))
        predict_next(picture, {}, 1);
    if (!prediction_.place()) return;
    const std::uint32_t thread = prediction_.place()->thread;
    const auto lane = lane_at(thread);
    if (!lane || !can_predict(thread) || prediction_.place()->text != label) return prediction_.close();
    const PredictionInput::Move move = prediction_.draw(*lane, {session, picture.window, requests});
    if (move == PredictionInput::Move::stay) return;
    predict_next(picture, thread, move == PredictionInput::Move::next ? 1 : -1);
    requests.next_frame = true;
}

void WarpsView::interact(const Picture& picture, const session::Session& session, Requests& requests) {
    bool over_lane = false;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto row = layout_.row_at(mouse.y - picture.inside.y + scroll_);
    const int lane = picture.grid.column_at(mouse.x);
    if (hovered(picture.inside, picture.window) && row && lane >= 0 &&
        lane < static_cast<int>(trace::warp_size)) {
        const std::uint32_t warp = layout_.rows[*row].warp;
        const auto number = static_cast<std::uint32_t>(lane);
        over_lane = session.playhead().step_state()->warps[warp][number].status != LaneStatus::absent;
        const session::Selection& selection = session.selection();
        const bool known =
            selection.lane_hovered && selection.hovered_warp == warp && selection.hovered_lane == number;
        if (over_lane && !known) requests.commands.push_back(session::HoverLane{warp, number});
        if (over_lane && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
            requests.commands.push_back(session::PinLane{warp, number});
            if (can_predict(warp * trace::warp_size + number))
                predict(session, warp * trace::warp_size + number);
        }
        if (over_lane && ImGui::IsMouseReleased(ImGuiMouseButton_Right))
            if (const std::string cell = session.values().cell(selection.label_variable, warp, number);
                !cell.empty())
                menu_.open(session, cell);
        if (over_lane) {
            std::string story = model_.lane_story(session, warp, number);
            const session::Prediction* typed =
                session.predictions().of({selection.label_variable, warp * trace::warp_size + number});
            if (typed && !prediction_words(*typed).empty()) story += "\n" + prediction_words(*typed);
            tooltip(story, picture.window);
        }
    }
    if (!over_lane && hovering_) requests.commands.push_back(session::ClearHover{});
    hovering_ = over_lane;
    menu_.draw({session, picture.window, requests});
}

}  // namespace lanescope::ui
