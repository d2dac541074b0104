#include "ui/stage/stage_view.h"

#include <algorithm>
#include <cmath>

#include "analysis/flow/provenance.h"
#include "base/language.h"
#include "scene/stage/cell_words.h"
#include "scene/stage/stage_words.h"
#include "scene/words/block_words.h"
#include "session/playhead/named_cell.h"
#include "ui/kit/stage_tabs.h"
#include "ui/kit/widget_log.h"
#include "ui/stage/stage_draw.h"
#include "ui/stage/stage_frame.h"

namespace lanescope::ui {

namespace {

constexpr const char* real_names[] = {tr_later("decimal"), tr_later("scientific"), tr_later("hex bits")};
constexpr const char* label_names[] = {tr_later("values"), tr_later("indices"), tr_later("banks")};
constexpr const char* colour_names[] = {tr_later("automatic"), tr_later("state"), tr_later("origin")};

CellColour colour_for(const session::Session& session, const WindowState& window) {
    if (window.cells.colour != CellColour::automatic || session.lesson() == nullptr)
        return window.cells.colour;
    const std::string& wanted = session.lesson()->colour;
    return wanted == "origin"  ? CellColour::origin
           : wanted == "state" ? CellColour::state
                               : CellColour::automatic;
}

}  // namespace

// Returns "after line 33 · step 3 of 40", which the heading always has.
static std::string short_place(const session::Session& session) {
    const session::Playhead& playhead = session.playhead();
    if (!playhead.step_state() || !playhead.step_state()->launch || playhead.at_start()) return {};
    return moment_words(session) + " · " +
           tr("step {1} of {2}",
              {std::to_string(playhead.step_state()->index + 1), std::to_string(playhead.steps().size())});
}

// Returns "line 33 · 3/40", for the narrowest panels; steps of several lines have no line.
static std::string shortest_place(const session::Session& session) {
    const session::StepState& now = *session.playhead().step_state();
    const std::string step =
        std::to_string(now.index + 1) + "/" + std::to_string(session.playhead().steps().size());
    const bool one_line = session.playhead().granularity() <= trace::Granularity::line && now.step.line != 0;
    return one_line ? tr("line {1}", {std::to_string(now.step.line)}) + " · " + step : tr("step {1}", {step});
}

// Returns "block 0 · step 3 of 40 · stride = 2"; the text is made again when the step changes.
const std::string& StageView::place(const session::Session& session) {
    const session::StepState* step_state = session.playhead().step_state();
    if (!step_state || !step_state->launch) return heading_ = {};
    const trace::Replay* replay = session.playhead().replay();  // null: before the step
    const HeadingKey key{session.runner().generation(),
                         replay ? replay->position() : 0,
                         step_state->index,
                         step_state->instruction,
                         session.playhead().steps().size(),
                         session.playhead().results().concealed};
    if (key == heading_key_) return heading_;
    heading_key_ = key;
    heading_ = step_heading(session);
    return heading_;
}

// Returns what the step does in the pinned thread, or in the first thread that takes part.
const std::string& StageView::story(const session::Session& session) {
    const session::Selection& selection = session.selection();
    const std::uint32_t thread = selection.warp * trace::warp_size + selection.lane;
    (void)place(session);  // whose key says whether the step is another one
    if (heading_key_ == story_key_ && thread == story_thread_) return story_;
    story_key_ = heading_key_;
    story_thread_ = thread;
    story_ = thread_story(session, thread);
    // An access that failed matters most.
    const std::vector<OutsideAccess>& outside = model_.scene().outside;
    const auto own = std::find_if(outside.begin(), outside.end(),
                                  [&](const OutsideAccess& access) { return access.thread == thread; });
    if (!outside.empty()) story_ = own == outside.end() ? outside.front().text : own->text;
    return story_;
}

void StageView::tools(Heading& heading, const ViewContext& view) {
    stage_tabs(heading, view.window, view.requests);
    const std::string proposed = view.session.run() ? proposed_launch(*view.session.run()) : std::string();
    const std::string least = short_place(view.session);
    if (!least.empty()) heading.keep_room(least);
    if (!proposed.empty() &&
        (heading.word(tr("{1} · edit", {proposed}), true) || heading.word(tr("proposed launch"), true)))
        view.requests.act("form.open");
    if (heading.word_right(tr("Fit"))) {
        fit_wanted_ = true;
        scroll_ = 0;
    }
    if (menu_word_right(heading, tr(label_names[static_cast<int>(label_)]), view.window))
        ImGui::OpenPopup("cell labels");
    const int chosen = choice_popup("cell labels", tr({label_names[0], label_names[1], label_names[2]}),
                                    static_cast<int>(label_), view.window);
    if (chosen >= 0) label_ = static_cast<CellLabel>(chosen);
    const std::string colour = tr(model_.shows_origins() ? "origin" : "state");
    if (menu_word_right(heading, tr("colour: ") + colour, view.window)) ImGui::OpenPopup("cell colours");
    const int coloured = choice_popup("cell colours", tr({colour_names[0], colour_names[1], colour_names[2]}),
                                      static_cast<int>(view.window.cells.colour), view.window);
    if (coloured >= 0)
        view.requests.set(&WindowState::cells, &CellChoices::colour, static_cast<CellColour>(coloured));
    if (model_.shows_reals()) {
        const int reals = static_cast<int>(view.window.cells.reals);
        if (menu_word_right(heading, tr(real_names[reals]), view.window)) ImGui::OpenPopup("reals");
        const int real =
            choice_popup("reals", tr({real_names[0], real_names[1], real_names[2]}), reals, view.window);
        if (real >= 0)
            view.requests.set(&WindowState::cells, &CellChoices::reals, static_cast<RealFormat>(real));
    }
    std::vector<std::string> places = {place(view.session)};
    if (const std::size_t at = places[0].find(least); !least.empty() && at != std::string::npos)
        places = {places[0], places[0].substr(0, at + least.size()), least, shortest_place(view.session)};
    heading.words(places);
}

void StageView::content(const Rect& whole, const ViewContext& view) {
    const Rect inside{whole.x, whole.y, whole.width,
                      std::max(0.0f, whole.height - legend_height(model_, view.window))};
    LaneColumns columns = view.window.lanes;
    if (fit_wanted_) fit_lanes(columns);
    fit_wanted_ = false;
    navigate(inside, view.window, columns);
    const bool shown = lay_out(inside, view.session, view.window, columns);
    if (columns != view.window.lanes) view.requests.set(&WindowState::lanes, columns);
    if (!shown) return;
    view.requests.next_frame |= model_.preparing();
    if (!view.window.comparing && model_.shows_origins() != view.window.cells.origins_shown)
        view.requests.set(&WindowState::cells, &CellChoices::origins_shown, model_.shows_origins());
    if (stepped_) follow(inside);
    clamp_scroll(inside.height);
    if (model_.arrays().empty()) {
        const bool prints = view.session.run() && !view.session.run()->console.empty();
        draw_text_centred(
            ImGui::GetWindowDrawList(), fonts().text, whole, theme().text_faint,
            prints ? tr("This launch has no buffers or shared arrays. The tab Console shows what it prints.")
                   : tr("This launch has no buffers or shared arrays."));
        return;
    }
    const session::Selection& selection = view.session.selection();
    const StagePicture picture{ImGui::GetWindowDrawList(),
                               model_,
                               *view.session.trace(),
                               lane_grid(inside, columns, view.window.scale),
                               inside,
                               scroll_,
                               view.window,
                               selection.warp * trace::warp_size + selection.lane,
                               heat_,
                               view.session.playhead().stands_before(),
                               age_of_motion(motion_, view.session, view.window),
                               story(view.session)};
    {
        const TellInWords told([&] { return scene::stage_words(model_); });
        draw_bands(picture);
        draw_arrays(picture);
        draw_arrows(picture);
        draw_motion(picture);
        draw_queues(picture);
        draw_footprints(picture);
        draw_outside(picture);
    }
    view.requests.next_frame |= picture.age_s < motion_s && !view.window.still;
    fold_lines(picture);
    draw_scroll_mark(inside, scroll_, model_.layout().height, view.window);
    if (picture.grid.x(trace::warp_size - 1) + picture.grid.cell > inside.right() + 1) name_scrolling();
    draw_legend(picture);
    mark_stops(picture, view.session);
    predictions(picture, view.session, view.requests);
    if (!view.window.still) hover(picture, view.session, view.requests);
    dragged_ = ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4) ||
               (dragged_ && !ImGui::IsMouseReleased(ImGuiMouseButton_Left));
    menu_.draw(view);
    highlight(picture, view.session);
}

// Returns false if there is nothing to show.
bool StageView::lay_out(const Rect& inside, const session::Session& session, const WindowState& window,
                        LaneColumns& columns) {
    model_.colour_by(colour_for(session, window));
    const auto update = [&] {
        return model_.update(session, stage_frame(inside, columns, window.scale), label_, window.cells.reals,
                             window.still);
    };
    if (!update()) return false;
    stepped_ = model_.step_changed();
    fit_small_blocks(inside, session, window, columns);
    update();
    return true;
}

void StageView::fit_small_blocks(const Rect& inside, const session::Session& session,
                                 const WindowState& window, LaneColumns& columns) {
    const bool same_panel = fitted_.width == inside.width && fitted_.height == inside.height;
    if (same_panel && !model_.run_changed()) return;
    fitted_ = inside;
    fit_columns(model_, inside, session, window.scale, columns);
}

// Scrolls as little as possible so that the cells that the step accesses are in sight.
void StageView::follow(const Rect& inside) {
    float top = 1e30f, bottom = -1e30f;
    for (const CellMark& mark : model_.scene().marks) {
        const ArrayPlan& plan = model_.layout().plans[mark.cell.array];
        const float y = plan.row_y(plan.row_of(mark.cell.index));
        top = std::min(top, y - plan.arc_room);
        bottom = std::max(bottom, y + plan.cell_height);
    }
    if (top > bottom) return;
    if (bottom > scroll_ + inside.height) scroll_ = bottom - inside.height + 8;
    if (top < scroll_) scroll_ = top - 8;
}

void StageView::clamp_scroll(float height) {
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, model_.layout().height - height));
}

void StageView::navigate(const Rect& inside, const WindowState& window, LaneColumns& columns) {
    if (window.still || !hovered(inside, window)) return;
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl && io.MouseWheel != 0) {
        zoom_lanes(inside, columns, window.scale, std::pow(1.15f, io.MouseWheel), io.MousePos.x);
    } else if (io.KeyShift) {
        pan_lanes(inside, columns, window.scale, -io.MouseWheel * window.px(60));
    } else {
        scroll_ -= io.MouseWheel * window.px(60);
    }
    if (ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4) ||
        ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 0)) {
        scroll_ -= io.MouseDelta.y;
        pan_lanes(inside, columns, window.scale, -io.MouseDelta.x);
    }
}

// Draws "▲ 2 032 rows above"; a click pages through the rows of a large array.
void StageView::fold_lines(const StagePicture& picture) {
    for (const ArrayPlan& plan : model_.layout().plans) {
        if (!picture.visible(plan.top, plan.bottom)) continue;
        const auto line = [&](const char* id, float y, std::uint64_t rows, bool above) {
            const std::string text =
                grouped(rows) + (rows == 1 ? " row " : " rows ") + (above ? "above" : "below");
            const float mark = picture.window.px(12);
            const Rect area{plan.x, picture.window_y(y), mark + text_width(fonts().small, text),
                            font_size(fonts().small)};
            picture.draw->AddRectFilled(area.min(), area.max(), theme().background);  // arrows may lie below
            ImGui::PushID(static_cast<int>(plan.array));
            if (click_area(id, area)) model_.page(plan.array, above ? -1 : 1);
            const bool hot = !picture.window.still && ImGui::IsItemHovered();
            ImGui::PopID();
            const ImU32 colour = hot ? theme().accent : theme().text_faint;
            draw_triangle(picture.draw, above ? Triangle::up : Triangle::down,
                          {area.x + picture.window.px(4), area.y + area.height / 2}, picture.window.px(7),
                          colour);
            draw_text(picture.draw, fonts().small, {area.x + mark, area.y}, colour, text);
        };
        const float height = font_size(fonts().small);
        if (plan.hides_above()) line("above", plan.y - height - picture.window.px(2), plan.first_row, true);
        const float bottom = plan.row_y(plan.first_row + plan.shown_rows - 1) + plan.cell_height +
                             plan.queue_room + picture.window.px(3);
        if (plan.hides_below()) line("below", bottom, plan.rows - plan.first_row - plan.shown_rows, false);
    }
}

void StageView::hover(const StagePicture& picture, const session::Session& session, Requests& requests) {
    std::optional<CellRef> cell;
    if (hovered(picture.inside, picture.window) && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        cell = model_.layout().hit(mouse.x, mouse.y - picture.inside.y + scroll_);
        if (cell && cell->index >= model_.arrays()[cell->array].count) cell.reset();
    }
    if (!cell) {
        if (hovering_) requests.commands.push_back(session::ClearHover{});
        hovering_ = false;
        return;
    }
    hovering_ = true;
    const session::Selection& selection = session.selection();
    const std::string& symbol = model_.arrays()[cell->array].symbol->name;
    if (selection.hovered_symbol != symbol || selection.hovered_index != cell->index)
        requests.commands.push_back(session::HoverCell{symbol, cell->index});
    const bool clicked = ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !dragged_;
    if (clicked && can_predict(*cell, session)) return predict(*cell, session);
    if (clicked || ImGui::IsMouseReleased(ImGuiMouseButton_Right)) return open_menu(*cell, session);
    std::string story = cell_story(model_, session, *cell);
    if (const LinkedCells* linked = model_.linked(session, *cell)) story += linked_words(*linked);
    if (const session::Prediction* typed = session.predictions().of(place_of(*cell)))
        if (const std::string words = prediction_words(*typed); !words.empty()) story += "\n" + words;
    tooltip(story, picture.window);
}

void StageView::open_menu(const CellRef& cell, const session::Session& session) {
    const StageArray& array = model_.arrays()[cell.array];
    const bool shared = array.symbol->space == trace::Space::shared;
    CellPlace place;
    place.space = array.symbol->space;
    const session::StepState* step_state = session.playhead().step_state();
    if (!step_state) return;
    place.launch = !shared                       ? trace::none
                   : array.launch != trace::none ? array.launch
                                                 : step_state->step.launch;
    place.block = shared ? step_state->step.block : trace::none;
    place.offset = array.symbol->offset + cell.index * array.cell_bytes;
    place.bytes = array.cell_bytes;
    place.element = array.symbol->element;
    menu_.open(session, place, analysis::cell_name(*array.symbol, cell.index));
}

// Draws a dot at the corner of each cell whose writes stop a run.
void StageView::mark_stops(const StagePicture& picture, const session::Session& session) {
    if (session.marks().breakpoints() != stops_ || model_.run_changed()) {
        stops_ = session.marks().breakpoints();
        stop_cells_.clear();
        const std::uint32_t launch = session.playhead().step_state()->step.launch;
        for (const session::Breakpoint& each : stops_) {
            if (each.cell.empty() || !each.enabled) continue;
            const Result<session::NamedCell> cell = session::cell_named(*session.trace(), each.cell);
            if (!cell) continue;
            for (const session::NamedCell::Part& part : cell->parts) {
                if (part.launch != trace::none && part.launch != launch) continue;
                const CellSpan span = cells_at(model_.arrays(), part.space, part.offset, part.bytes);
                if (span.count != 0) stop_cells_.push_back({span.array, span.first});
            }
        }
    }
    for (const CellRef& cell : stop_cells_) {
        if (cell.array >= model_.layout().plans.size()) continue;
        const ArrayPlan& plan = model_.layout().plans[cell.array];
        if (!plan.shows(cell.index)) continue;
        const Rect box = picture.cell_rect(plan, cell.index);
        picture.draw->AddCircleFilled({box.x, box.y}, picture.window.px(4), theme().active_edge);
    }
}

void StageView::highlight(const StagePicture& picture, const session::Session& session) {
    const session::Selection& selection = session.selection();
    if (selection.lane_hovered)
        draw_thread_cells(picture, selection.hovered_warp * trace::warp_size + selection.hovered_lane);
    draw_bank_cells(picture);
    if (selection.hovered_symbol.empty()) return;
    const auto array = model_.find(selection.hovered_symbol);
    if (!array) return;
    const CellRef cell{*array, selection.hovered_index};
    if (const LinkedCells* linked = model_.linked(session, cell)) draw_linked(picture, *linked);
    draw_cell_frame(picture, cell);
}

}  // namespace lanescope::ui
