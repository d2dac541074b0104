#include "ui/timeline/timeline_view.h"

#include <algorithm>
#include <cmath>

#include "base/language.h"
#include "scene/timeline/timeline_words.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"
#include "ui/source/problem_marks.h"
#include "ui/timeline/timeline_paint.h"

namespace lanescope::ui {
namespace {

constexpr float label_width = 74, right_margin = 26, row_pitch = 30, marks_height = 20, curve_height = 56;
constexpr float drawn_cell = 12, drawn_row = 10;  // px; smaller ones become pixels of a texture
constexpr std::uint64_t built_at_once = 100'000;  // up to so many turns are prepared without a job

const char* words(CellKind kind) {
    switch (kind) {
        case CellKind::run:
            return "runs";
        case CellKind::write:
            return tr("writes to memory");
        case CellKind::barrier:
            return tr("arrives at a barrier");
        case CellKind::finished:
            break;
    }
    return tr("has finished");
}

// Draws the kind as a shape too, for eyes that cannot distinguish the colours.
void draw_kind_sign(ImDrawList* draw, CellKind kind, const Rect& cell, float scale) {
    const ImVec2 centre(cell.x + cell.width / 2, cell.y + cell.height / 2);
    const ImU32 ink = faded(theme().background, 0.55f);
    if (kind == CellKind::write) draw_triangle(draw, Triangle::down, centre, 6 * scale, ink);
    if (kind != CellKind::barrier) return;
    for (const float side : {-2.0f, 2.0f})
        draw->AddRectFilled(ImVec2(centre.x + (side - 0.75f) * scale, centre.y - 4 * scale),
                            ImVec2(centre.x + (side + 0.75f) * scale, centre.y + 4 * scale), ink);
}

}  // namespace

struct TimelineView::Frame {
    const WindowState& window;
    ImDrawList* draw;
    Rect rows, marks, curve;  // below each other, with the same left and right ends
    float pitch;              // of one row
    double begin, per_step_px;
    float x_of(double step) const { return float(rows.x + (step - begin) * per_step_px); }
    double step_of(float x) const { return begin + double(x - rows.x) / per_step_px; }
    std::uint32_t first_step() const { return std::uint32_t(std::max(begin, 0.0)); }
    std::uint32_t end_step(std::size_t count) const {
        return std::uint32_t(std::min(std::ceil(step_of(rows.right())), double(count)));
    }
    float curve_y(float share) const {
        const float margin = window.px(3);
        return curve.y + margin + (curve.height - 2 * margin) * (1 - share);
    }
    Rect band(std::size_t row) const {
        const float gap = pitch > 12 ? std::round(pitch * 0.13f) * 2 : pitch > 4 ? 1 : 0;
        return {rows.x, rows.y + pitch * float(row) + gap / 2, rows.width, pitch - gap};
    }
};

void TimelineView::prepare(const session::Session& session, const WindowState& window) {
    jobs_.poll();
    const bool by_turn = session.playhead().granularity() == trace::Granularity::turn;
    const std::uint32_t block = session.playhead().block();
    const bool counted = session.run() && session.run()->report_ready;
    const bool other = generation_ != session.runner().generation() || block != block_ || by_turn != by_turn_;
    const bool names_due = counted && !counted_;  // the names of phases appear once the trace was played
    counted_ = counted;
    if (other || names_due) {
        generation_ = session.runner().generation(), block_ = block, by_turn_ = by_turn;
        if (other) model_.reset();
        jobs_.cancel("timeline");
        const std::shared_ptr<const trace::Trace> trace = session.run() ? session.run()->trace : nullptr;
        if (!trace) return;
        const auto granularity = session.playhead().granularity();
        const auto log = session.run()->turn_log;
        const bool whole = other || !model_;
        const auto named = execution::phase_lines(session.lesson(), session.run()->source);
        jobs_.start("timeline", [=, this](JobContext& context) -> Jobs::Completion {
            auto model =
                TimelineModel::build(*trace, block, granularity, &context.cancel_flag(), log.get(), named);
            return [this, model, whole] {
                model_ = model;
                if (!whole) return;
                begin_ = 0;
                end_ = model ? std::max<double>(double(model->steps().size()), 1) : 1;
            };
        });
        if (window.still || trace->turns.size() < built_at_once) jobs_.wait("timeline");
        jobs_.poll();
    }
}

void TimelineView::clamp_range() {
    const double count = std::max<double>(double(model_->steps().size()), 1), least = 1;
    const double length = std::clamp(end_ - begin_, least, count);
    begin_ = std::clamp(begin_, 0.0, count - length);
    end_ = begin_ + length;
}

// Keeps the current step in sight.
void TimelineView::follow(const session::Session& session) {
    const session::StepState* step_state = session.playhead().step_state();
    if (!step_state || step_state->index == followed_ || scrubbing_) return;
    followed_ = step_state->index;
    const double at = double(trace::step_at(model_->steps(), step_state->step.first)), length = end_ - begin_;
    if (at < begin_ || at + 1 > end_) begin_ = at - length / 3, end_ = begin_ + length;
}

float TimelineView::wanted_height(const session::Session&, const WindowState& window, float) const {
    if (window.timeline_rows == TimelineRows::cycles) return 1;
    return window.timeline_rows == TimelineRows::multiprocessors && by_multiprocessor_.has_many_rows() ? 1
                                                                                                       : 0;
}

void TimelineView::content(const Rect& inside, const ViewContext& view) {
    if (view.window.timeline_rows == TimelineRows::multiprocessors)
        return by_multiprocessor_.draw(inside, view);
    if (view.window.timeline_rows == TimelineRows::cycles) return by_cycle_.draw(inside, view);
    prepare(view.session, view.window);
    if (!model_ || model_->steps().empty()) {
        const char* text = jobs_.busy("timeline") ? tr("preparing the timeline …")
                           : view.session.run()   ? tr("this run has no steps")
                                                  : tr("no run yet");
        draw_text_centred(ImGui::GetWindowDrawList(), fonts().text, inside, theme().text_faint, text);
        return;
    }
    follow(view.session);
    clamp_range();
    const float left = inside.x + view.px(label_width),
                width = inside.width - view.px(label_width + right_margin);
    const float below = view.px(marks_height + curve_height + 12), top = inside.y + view.px(4);
    const float room = std::max(inside.bottom() - below - top, view.px(20));
    const float pitch =
        std::min(room / float(std::max<std::size_t>(model_->rows().size(), 1)), view.px(row_pitch));
    const Rect rows{left, top, width, pitch * float(model_->rows().size())};
    const Rect marks{left, rows.bottom(), width, view.px(marks_height)};
    const Rect curve{left, marks.bottom() + view.px(4), width,
                     std::min(inside.bottom() - view.px(8) - marks.bottom(), view.px(curve_height))};
    const Frame frame{view.window, ImGui::GetWindowDrawList(),     rows, marks, curve, pitch,
                      begin_,      double(width) / (end_ - begin_)};
    handle_mouse(frame, view.session, view.requests);
    const TellInWords told([&] { return scene::timeline_words(*model_); });
    draw_rows(frame);
    draw_row_labels(frame);
    draw_marks(frame);
    draw_problems(frame, view.session);
    draw_notes(frame);
    draw_lanes_on(frame);
    draw_playhead(frame, view.session);
    say_what_is_there(frame);
    if (widgets_are_named()) name_steps(frame);
}

void TimelineView::handle_mouse(const Frame& frame, const session::Session& session, Requests& requests) {
    const Rect area{frame.rows.x, frame.rows.y, frame.rows.width, frame.curve.bottom() - frame.rows.y};
    ImGuiIO& io = ImGui::GetIO();
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) scrubbing_ = false;
    const bool over = hovered(area, frame.window);
    if (over && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) scrubbing_ = true;
    if (scrubbing_) seek(frame, session, requests);
    if (over && io.MouseWheel != 0) {
        const double centre = frame.step_of(io.MousePos.x), factor = std::pow(0.8, double(io.MouseWheel));
        begin_ = centre - (centre - begin_) * factor;
        end_ = centre + (end_ - centre) * factor;
        clamp_range();
    }
    const bool pan =
        ImGui::IsMouseDown(ImGuiMouseButton_Right) || ImGui::IsMouseDown(ImGuiMouseButton_Middle);
    if (over && pan && io.MouseDelta.x != 0) {
        const double moved = double(io.MouseDelta.x) / frame.per_step_px;
        begin_ -= moved, end_ -= moved;
        clamp_range();
    }
}

void TimelineView::seek(const Frame& frame, const session::Session& session, Requests& requests) const {
    const double last = double(model_->steps().size() - 1);
    const auto step = std::size_t(std::clamp(frame.step_of(ImGui::GetIO().MousePos.x), 0.0, last));
    const std::uint64_t turn = model_->steps()[step].first;
    const session::StepState* step_state = session.playhead().step_state();
    if (step_state && step_state->step.first <= turn && turn < step_state->step.end) return;
    requests.commands.push_back(session::SeekTurn{turn});
}

void TimelineView::draw_rows(const Frame& frame) {
    frame.draw->PushClipRect(ImVec2(frame.rows.x, frame.rows.y),
                             ImVec2(frame.rows.right(), frame.curve.bottom()), true);
    const bool large =
        frame.per_step_px >= frame.window.px(drawn_cell) && frame.pitch >= frame.window.px(drawn_row);
    if (!large) paint_rows(frame);
    for (std::size_t i = 0; i < model_->rows().size(); ++i) {
        const Rect band = frame.band(i);
        if (large)
            draw_row_cells(frame, model_->rows()[i], band);
        else
            draw_row_painted(frame, i, band);
    }
    frame.draw->PopClipRect();
}

void TimelineView::draw_row_cells(const Frame& frame, const TimelineRow& row, const Rect& band) const {
    const std::uint32_t end = frame.end_step(model_->steps().size());
    std::size_t i = row.first_cell(frame.first_step());
    if (i > 0) --i;  // the warp may still wait there
    const bool few = float(model_->rows().size()) * frame.rows.width < 400 * float(frame.per_step_px);
    const float gap = 1.5f, rounding = few ? frame.window.px(2) : 0;
    const float thin = std::max(band.height * 0.14f, 1.0f), middle = band.y + band.height / 2;
    for (; i < row.cells.size() && row.cells[i].step < end; ++i) {
        const TimelineCell& cell = row.cells[i];
        const float x = frame.x_of(cell.step), next_x = frame.x_of(cell.step + 1.0);
        const std::uint32_t next =
            i + 1 < row.cells.size() ? row.cells[i + 1].step : std::uint32_t(model_->steps().size());
        if ((cell.waits || cell.finished) && next > cell.step + 1)
            frame.draw->AddRectFilled(ImVec2(next_x, middle - thin), ImVec2(frame.x_of(next), middle + thin),
                                      cell.waits ? faded(theme().barrier, 0.6f) : theme().finished);
        const Rect box{x, band.y, next_x - x - gap, band.height};
        frame.draw->AddRectFilled(box.min(), box.max(), cell_colour(cell), rounding);
        if (few && box.height > frame.window.px(12))
            draw_kind_sign(frame.draw, cell.kind, box, frame.window.scale);
    }
}

// Paints each row as one line of pixels, again only if its content changes.
void TimelineView::paint_rows(const Frame& frame) {
    const int width = std::max(int(frame.rows.width), 1), height = int(model_->rows().size());
    const Painted wanted{model_.get(), begin_, end_, width};
    if (painted_ == wanted) return;
    std::vector<ImU32> pixels(std::size_t(width) * std::size_t(height));
    for (std::size_t i = 0; i < model_->rows().size(); ++i)
        paint_row(model_->rows()[i], model_->steps().size(), begin_, frame.per_step_px,
                  std::span(pixels).subspan(i * std::size_t(width), std::size_t(width)));
    if (texture_.set(width, height, pixels)) painted_ = wanted;
}

void TimelineView::draw_row_painted(const Frame& frame, std::size_t row, const Rect& band) const {
    if (texture_.name() == 0) return;
    const float v = (float(row) + 0.5f) / float(model_->rows().size());
    frame.draw->AddImage(imgui_texture(texture_.name()), band.min(), band.max(), ImVec2(0, v), ImVec2(1, v));
}

void TimelineView::draw_row_labels(const Frame& frame) const {
    const float line = font_size(fonts().small), x = frame.rows.x - frame.window.px(label_width - 14);
    const auto every = std::size_t(std::ceil(line / std::max(frame.pitch, 1.0f)));
    const float last = frame.rows.bottom() + line / 2;
    for (std::size_t i = 0; i < model_->rows().size(); i += every) {
        if (frame.rows.y + frame.pitch * float(i) + line > last) break;
        draw_text(frame.draw, fonts().small,
                  ImVec2(x, centre_line(fonts().small, frame.rows.y + frame.pitch * float(i),
                                        std::max(frame.pitch, line))),
                  theme().text_quiet, "warp " + std::to_string(i));
    }
    if (frame.curve.height < 3 * line) return;  // the numbers at both ends of the curve have the place
    draw_text(frame.draw, fonts().small,
              ImVec2(x, centre_line(fonts().small, frame.curve.y, frame.curve.height)), theme().text_quiet,
              tr("lanes on"));
}

void TimelineView::draw_marks(const Frame& frame) const {
    const std::vector<TimelineMark>& marks = model_->marks();
    const auto before = [](const TimelineMark& mark, std::uint32_t step) { return mark.step < step; };
    const auto first = std::lower_bound(marks.begin(), marks.end(), frame.first_step(), before);
    const std::uint32_t end = frame.end_step(model_->steps().size());
    const float text_y = centre_line(fonts().small, frame.marks.y, frame.marks.height);
    const auto last = std::lower_bound(first, marks.end(), end, before);
    const bool dense =
        float(last - first) * frame.window.px(4) > frame.rows.width;  // too many barriers to draw
    float free_x = frame.rows.x;
    for (auto mark = first; mark != marks.end() && mark->step <= end; ++mark) {
        const float x = std::round(frame.x_of(mark->step));
        if (dense && !mark->launch) continue;
        const ImU32 colour = mark->launch ? theme().text_quiet : theme().barrier;
        frame.draw->AddRectFilled(ImVec2(x - 1, frame.rows.y - frame.window.px(4)),
                                  ImVec2(x, frame.marks.y + frame.window.px(mark->launch ? 16 : 8)), colour);
        // A launch is indented behind the kernel that launched it, each generation further.
        const float indent = frame.window.px(4 + 12 * float(mark->level));
        const float label_x = x + indent, width = text_width(fonts().small, mark->label);
        if (label_x < free_x || label_x + width > frame.rows.right() + frame.window.px(20)) continue;
        draw_text(frame.draw, fonts().small, ImVec2(label_x, text_y), theme().text_quiet, mark->label);
        if (mark->level > 0)
            draw_triangle(frame.draw, Triangle::right,
                          ImVec2(label_x - frame.window.px(6), frame.marks.y + frame.marks.height / 2),
                          frame.window.px(7), theme().text_faint);
        free_x = label_x + width + frame.window.px(10);
    }
}

// Draws both sides of a problem, joined by a line if both are in this block.
void TimelineView::draw_problems(const Frame& frame, const session::Session& session) const {
    const auto place = [&](const trace::ProblemSite& site, ImVec2& at) {
        const std::size_t warp = site.thread / trace::warp_size;
        if (!was_recorded(site) || site.thread == trace::none || warp >= model_->rows().size()) return false;
        const std::size_t step = trace::step_at(model_->steps(), site.turn);
        const trace::Step& shown = model_->steps()[step];
        if (shown.block != site.block || site.turn < shown.first || site.turn >= shown.end) return false;
        const Rect band = frame.band(warp);
        at = ImVec2(frame.x_of(double(step) + 0.5), band.y + band.height / 2);
        return at.x >= frame.rows.x && at.x <= frame.rows.right();
    };
    const float size = std::clamp(frame.pitch * 0.45f, frame.window.px(7), frame.window.px(12));
    for (const trace::Problem& problem : session.run()->problems) {
        if (problem.note) continue;
        const ImU32 colour = colour_of(meaning_of(problem));
        ImVec2 first, second;
        const bool has_first = place(problem.first, first);
        const bool has_second = problem.second.line != 0 && place(problem.second, second);
        if (has_first && has_second) frame.draw->AddLine(first, second, colour, frame.window.px(1.5f));
        if (has_first) draw_diamond(frame.draw, first, size, colour);
        if (has_second) draw_diamond(frame.draw, second, size, colour);
    }
}

// Draws a small flag below the curve at each step with a note.
void TimelineView::draw_notes(const Frame& frame) const {
    const float size = frame.window.px(5), top = frame.curve_y(0) + frame.window.px(2);
    float last_x = -1e6f;
    for (const std::uint64_t turn : frame.window.notes.turns) {
        const float x = frame.x_of(double(trace::step_at(model_->steps(), turn)) + 0.5);
        if (x < frame.rows.x || x > frame.rows.right() || x - last_x < size) continue;
        last_x = x;
        frame.draw->AddTriangleFilled({x - size, top + 1.5f * size}, {x, top}, {x + size, top + 1.5f * size},
                                      theme().accent);
    }
}

void TimelineView::draw_lanes_on(const Frame& frame) const {
    const Rect& box = frame.curve;
    if (box.empty() || !(frame.per_step_px > 0)) return;  // the window is too narrow
    const float small_x = box.x - frame.window.px(8);
    for (const auto& [share, label] : {std::pair{1.0f, "32"}, std::pair{0.0f, "0"}}) {
        if (box.height < font_size(fonts().small)) break;
        const float width = text_width(fonts().small, label);
        draw_text(frame.draw, fonts().small,
                  ImVec2(small_x - width, frame.curve_y(share) - font_size(fonts().small) / 2),
                  theme().text_faint, label);
    }
    frame.draw->AddLine(ImVec2(box.x, frame.curve_y(0)), ImVec2(box.right(), frame.curve_y(0)), theme().line);
    frame.draw->PushClipRect(ImVec2(box.x, box.y), ImVec2(box.right(), box.bottom() + 2), true);
    if (frame.per_step_px < 1) draw_curve(frame, 1 / frame.per_step_px, Curve::span);
    draw_curve(frame, std::max(1 / frame.per_step_px, 1.0), Curve::average);
    frame.draw->PopClipRect();
}

// Draws columns of `column_steps` steps: a level line for each, an upright line where the level changes.
// Equal neighbours share one line.
void TimelineView::draw_curve(const Frame& frame, double column_steps, Curve curve) const {
    const float thick = std::max(frame.window.px(1.5f), 1.0f) / 2;
    const std::uint32_t end = frame.end_step(model_->steps().size());
    const ImU32 colour = curve == Curve::span ? faded(theme().active_edge, 0.3f) : theme().active_edge;
    float open_x = frame.curve.x, open_top = -1, open_bottom = -1;
    const auto close = [&](float x) {
        if (open_top >= 0)
            frame.draw->AddRectFilled({open_x, open_top - thick}, {x, open_bottom + thick}, colour);
        open_x = x;
    };
    for (double step = column_steps > 1 ? frame.begin : frame.first_step(); step < double(end);
         step += column_steps) {
        const auto from = std::uint32_t(step + 1e-6);
        const auto to =
            std::clamp(std::uint32_t(step + column_steps + 1e-6), from + 1, std::max(end, from + 1));
        const TimelineModel::Range range = model_->lanes_on(from, to);
        const float average = frame.curve_y(float(range.sum / double(to - from))), x = frame.x_of(step);
        const float top = curve == Curve::span ? frame.curve_y(range.greatest) : average;
        const float bottom = curve == Curve::span ? frame.curve_y(range.least) : average;
        if (top == open_top && bottom == open_bottom) continue;
        close(x);
        if (open_top >= 0 && curve == Curve::average)
            frame.draw->AddRectFilled({x - thick, std::min(open_top, top) - thick},
                                      {x + thick, std::max(open_top, top) + thick}, colour);
        open_top = top, open_bottom = bottom;
    }
    close(std::min(frame.x_of(double(end)), frame.curve.right()));
}

void TimelineView::draw_playhead(const Frame& frame, const session::Session& session) const {
    const session::StepState* step_state = session.playhead().step_state();
    if (!step_state) return;
    const double first = double(trace::step_at(model_->steps(), step_state->step.first));
    const double last = double(
        trace::step_at(model_->steps(), std::max(step_state->step.end, step_state->step.first + 1) - 1));
    const float top = frame.rows.y - frame.window.px(10), bottom = frame.curve.bottom() + frame.window.px(4);
    const float from = std::max(frame.x_of(first), frame.rows.x),
                to = std::min(frame.x_of(last + 1), frame.rows.right());
    if (to < frame.rows.x || from > frame.rows.right()) return;
    if (last > first)
        frame.draw->AddRectFilled(ImVec2(from, frame.rows.y), ImVec2(to, bottom), faded(theme().text, 0.1f));
    const double at = session.playhead().at_start() ? first : last + 0.5;
    const float x = std::clamp(std::round(frame.x_of(at)), frame.rows.x, frame.rows.right());
    frame.draw->AddRectFilled(ImVec2(x - frame.window.px(1), top), ImVec2(x + frame.window.px(1), bottom),
                              theme().text_strong);
}

// Names the steps for tests, if they are wide enough for the mouse.
void TimelineView::name_steps(const Frame& frame) const {
    constexpr double least_px = 3;
    if (frame.per_step_px < least_px) return;
    const std::uint32_t end = frame.end_step(model_->steps().size());
    for (std::uint32_t step = frame.first_step(); step < end; ++step)
        name_widget(
            "step " + std::to_string(step + 1),
            {frame.x_of(step), frame.rows.y, float(frame.per_step_px), frame.curve.bottom() - frame.rows.y});
}

void TimelineView::say_what_is_there(const Frame& frame) const {
    if (!hovered(frame.rows, frame.window) || scrubbing_) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto warp = std::size_t((mouse.y - frame.rows.y) / frame.pitch);
    const double at = frame.step_of(mouse.x);
    if (warp >= model_->rows().size() || at < 0 || at >= double(model_->steps().size())) return;
    const auto step = std::uint32_t(at);
    const TimelineRow& row = model_->rows()[warp];
    const std::size_t index = row.first_cell(step);
    std::string text = "warp " + std::to_string(warp) + ", step " + grouped(step + 1ull);
    if (index < row.cells.size() && row.cells[index].step == step) {
        const TimelineCell& cell = row.cells[index];
        text += ", line " + std::to_string(model_->steps()[step].line) + ": " + words(cell.kind) + " with " +
                std::to_string(cell.lanes) + " of 32 lanes";
    } else if (index > 0 && row.cells[index - 1].waits) {
        text += ": waits at a barrier";
    } else if (index > 0 && row.cells[index - 1].finished) {
        text += ": has finished";
    } else {
        text += ": another warp runs";
    }
    tooltip(text, frame.window);
}

}  // namespace lanescope::ui
