#include "ui/timeline_view.h"

#include <algorithm>
#include <cmath>

#include "ui/widgets.h"

namespace lanescope::ui {
namespace {

constexpr float label_width = 74, right_margin = 26, row_pitch = 30, marks_height = 20, curve_height = 56;
constexpr float narrowest_cell = 3;       // px; narrower ones are folded
constexpr float fold_column = 2;          // px
constexpr std::uint64_t built_at_once = 100'000;  // turns that are prepared without a job

ImU32 kind_colour(CellKind kind) {
    switch (kind) {
        case CellKind::run: return theme().run;
        case CellKind::write: return blend(theme().panel, theme().write_edge, 0.68f);
        case CellKind::barrier: return theme().barrier;
        case CellKind::finished: break;
    }
    return theme().finished;
}

// Fewer lanes: paler.
ImU32 cell_colour(const TimelineCell& cell) {
    if (cell.kind == CellKind::barrier) return theme().barrier;
    return blend(theme().panel, kind_colour(cell.kind), 0.35f + 0.65f * float(cell.lanes) / float(trace::warp_size));
}

ImU32 bucket_colour(const TimelineBucket& bucket) {
    float rgb[3] = {0, 0, 0}, total = 0;
    for (std::size_t kind = 0; kind < cell_kinds; ++kind) {
        const float share = float(bucket.share[kind]) / 255;
        const ImU32 colour = kind_colour(CellKind(kind));
        for (int channel = 0; channel < 3; ++channel) rgb[channel] += share * float(colour >> 8 * channel & 255);
        total += share;
    }
    if (total <= 0) return 0;
    const auto mixed = [&](int channel) { return ImU32(rgb[channel] / total + 0.5f) << 8 * channel; };
    return faded(mixed(0) | mixed(1) | mixed(2) | IM_COL32_A_MASK, std::min(0.35f + total, 1.0f));
}

const char* words(CellKind kind) {
    switch (kind) {
        case CellKind::run: return "runs";
        case CellKind::write: return "writes to memory";
        case CellKind::barrier: return "arrives at a barrier";
        case CellKind::finished: break;
    }
    return "has finished";
}

// The kind once more as a shape, for eyes that do not tell the colours apart.
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
    const Shared& shared;
    ImDrawList* draw;
    Rect rows, marks, curve;          // side by side below each other; the same left and right ends
    float pitch;                      // of one row
    double begin, per_step_px;
    float x_of(double step) const { return float(rows.x + (step - begin) * per_step_px); }
    double step_of(float x) const { return begin + double(x - rows.x) / per_step_px; }
    std::uint32_t first_step() const { return std::uint32_t(std::max(begin, 0.0)); }
    std::uint32_t end_step(std::size_t count) const {
        return std::uint32_t(std::min(std::ceil(step_of(rows.right())), double(count)));
    }
    Rect band(std::size_t row) const {
        const float gap = pitch > 12 ? std::round(pitch * 0.13f) * 2 : pitch > 4 ? 1 : 0;
        return {rows.x, rows.y + pitch * float(row) + gap / 2, rows.width, pitch - gap};
    }
};

void TimelineView::prepare(const session::Session& session, const Shared& shared) {
    jobs_.poll();
    const bool by_turn = session.granularity() == trace::Granularity::turn;
    const std::uint32_t block = session.selection().block;
    if (generation_ != session.generation() || block != block_ || by_turn != by_turn_) {
        generation_ = session.generation(), block_ = block, by_turn_ = by_turn;
        model_.reset();
        jobs_.cancel("timeline");
        const std::shared_ptr<const trace::Trace> trace = session.run() ? session.run()->trace : nullptr;
        if (!trace) return;
        const auto granularity = session.granularity();
        jobs_.start("timeline", [this, trace, block, granularity](JobContext& context) -> Jobs::Completion {
            auto model = TimelineModel::build(*trace, block, granularity, &context.cancel_flag());
            return [this, model] {
                model_ = model;
                begin_ = 0;
                end_ = model ? std::max<double>(double(model->steps().size()), 1) : 1;
            };
        });
        if (shared.still || trace->turns.size() < built_at_once) jobs_.wait("timeline");
        jobs_.poll();
    }
}

void TimelineView::clamp_range() {
    const double count = std::max<double>(double(model_->steps().size()), 1), least = std::min(count, 4.0);
    const double length = std::clamp(end_ - begin_, least, count);
    begin_ = std::clamp(begin_, 0.0, count - length);
    end_ = begin_ + length;
}

// Keeps the current step in sight when it moves.
void TimelineView::follow(const session::Session& session) {
    const session::Moment* moment = session.moment();
    if (!moment || moment->index == followed_ || scrubbing_) return;
    followed_ = moment->index;
    const double at = double(trace::step_at(model_->steps(), moment->step.first)), length = end_ - begin_;
    if (at < begin_ || at + 1 > end_) begin_ = at - length / 3, end_ = begin_ + length;
}

void TimelineView::content(const Rect& inside, const session::Session& session, Shared& shared,
                           session::Commands& commands) {
    prepare(session, shared);
    if (!model_ || model_->steps().empty()) {
        const char* text = jobs_.busy("timeline") ? "preparing the timeline …"
                           : session.run()        ? "this run has no steps"
                                                  : "no run yet";
        draw_text_centred(ImGui::GetWindowDrawList(), fonts().text, inside, theme().text_faint, text);
        return;
    }
    follow(session);
    clamp_range();
    const float left = inside.x + shared.px(label_width), width = inside.width - shared.px(label_width + right_margin);
    const float below = shared.px(marks_height + curve_height + 12), top = inside.y + shared.px(4);
    const float room = std::max(inside.bottom() - below - top, shared.px(20));
    const float pitch = std::min(room / float(std::max<std::size_t>(model_->rows().size(), 1)), shared.px(row_pitch));
    const Rect rows{left, top, width, pitch * float(model_->rows().size())};
    const Rect marks{left, rows.bottom(), width, shared.px(marks_height)};
    const Rect curve{left, marks.bottom() + shared.px(4), width,
                     std::min(inside.bottom() - shared.px(8) - marks.bottom(), shared.px(curve_height))};
    const Frame frame{shared, ImGui::GetWindowDrawList(), rows, marks, curve, pitch, begin_,
                      double(width) / (end_ - begin_)};
    handle_mouse(frame, session, commands);
    draw_rows(frame);
    draw_row_labels(frame);
    draw_marks(frame);
    draw_lanes_on(frame);
    draw_playhead(frame, session);
    say_what_is_there(frame);
}

void TimelineView::handle_mouse(const Frame& frame, const session::Session& session, session::Commands& commands) {
    const Rect area{frame.rows.x, frame.rows.y, frame.rows.width, frame.curve.bottom() - frame.rows.y};
    ImGuiIO& io = ImGui::GetIO();
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) scrubbing_ = false;
    const bool over = hovered(area, frame.shared);
    if (over && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) scrubbing_ = true;
    if (scrubbing_) seek(frame, session, commands);
    if (over && io.MouseWheel != 0) {
        const double centre = frame.step_of(io.MousePos.x), factor = std::pow(0.8, double(io.MouseWheel));
        begin_ = centre - (centre - begin_) * factor;
        end_ = centre + (end_ - centre) * factor;
        clamp_range();
    }
    const bool pan = ImGui::IsMouseDown(ImGuiMouseButton_Right) || ImGui::IsMouseDown(ImGuiMouseButton_Middle);
    if (over && pan && io.MouseDelta.x != 0) {
        const double moved = double(io.MouseDelta.x) / frame.per_step_px;
        begin_ -= moved, end_ -= moved;
        clamp_range();
    }
}

void TimelineView::seek(const Frame& frame, const session::Session& session, session::Commands& commands) const {
    const double last = double(model_->steps().size() - 1);
    const auto step = std::size_t(std::clamp(frame.step_of(ImGui::GetIO().MousePos.x), 0.0, last));
    const std::uint64_t turn = model_->steps()[step].first;
    const session::Moment* moment = session.moment();
    if (moment && moment->step.first <= turn && turn < moment->step.end) return;
    commands.push_back(session::SeekTurn{turn});
}

void TimelineView::draw_rows(const Frame& frame) const {
    frame.draw->PushClipRect(ImVec2(frame.rows.x, frame.rows.y), ImVec2(frame.rows.right(), frame.curve.bottom()), true);
    for (std::size_t i = 0; i < model_->rows().size(); ++i) {
        const Rect band = frame.band(i);
        if (frame.per_step_px < narrowest_cell) draw_row_folded(frame, model_->rows()[i], band);
        else draw_row_cells(frame, model_->rows()[i], band);
    }
    frame.draw->PopClipRect();
}

void TimelineView::draw_row_cells(const Frame& frame, const TimelineRow& row, const Rect& band) const {
    const std::uint32_t end = frame.end_step(model_->steps().size());
    std::size_t i = row.first_cell(frame.first_step());
    if (i > 0) --i;  // its waiting reaches into what is seen
    const float gap = frame.per_step_px > 8 ? 1.5f : 0, rounding = frame.per_step_px > 8 ? frame.shared.px(2) : 0;
    const float thin = std::max(band.height * 0.14f, 1.0f), middle = band.y + band.height / 2;
    for (; i < row.cells.size() && row.cells[i].step < end; ++i) {
        const TimelineCell& cell = row.cells[i];
        const float x = frame.x_of(cell.step), next_x = frame.x_of(cell.step + 1.0);
        const std::uint32_t next = i + 1 < row.cells.size() ? row.cells[i + 1].step : std::uint32_t(model_->steps().size());
        if ((cell.waits || cell.finished) && next > cell.step + 1)
            frame.draw->AddRectFilled(ImVec2(next_x, middle - thin), ImVec2(frame.x_of(next), middle + thin),
                                      cell.waits ? faded(theme().barrier, 0.6f) : theme().finished);
        const Rect box{x, band.y, next_x - x - gap, band.height};
        frame.draw->AddRectFilled(box.min(), box.max(), cell_colour(cell), rounding);
        if (box.width > frame.shared.px(12) && box.height > frame.shared.px(12))
            draw_kind_sign(frame.draw, cell.kind, box, frame.shared.scale);
    }
}

// Several steps a pixel column: their kinds mixed; equal neighbours become one rectangle.
void TimelineView::draw_row_folded(const Frame& frame, const TimelineRow& row, const Rect& band) const {
    const double per_column = fold_column / frame.per_step_px;
    std::size_t level = 0;
    double fold = TimelineModel::first_fold;
    while (level + 1 < row.levels.size() && fold * TimelineModel::fold_factor <= per_column)
        ++level, fold *= TimelineModel::fold_factor;
    const std::vector<TimelineBucket>& buckets = row.levels[level];
    const double columns_px = std::max<double>(fold_column, fold * frame.per_step_px);
    ImU32 open_colour = 0;
    float open_x = band.x;
    const auto flush = [&](float x) {
        if (open_colour) frame.draw->AddRectFilled(ImVec2(open_x, band.y), ImVec2(x, band.bottom()), open_colour);
        open_x = x;
    };
    for (double x = band.x; x < band.right(); x += columns_px) {
        const auto bucket = std::size_t(std::max(frame.step_of(float(x)) / fold, 0.0));
        const ImU32 colour = bucket < buckets.size() ? bucket_colour(buckets[bucket]) : 0;
        if (colour == open_colour) continue;
        flush(float(x));
        open_colour = colour;
    }
    flush(std::min(band.right(), frame.x_of(double(model_->steps().size()))));
}

void TimelineView::draw_row_labels(const Frame& frame) const {
    const float line = font_size(fonts().small), x = frame.rows.x - frame.shared.px(label_width - 14);
    const auto every = std::size_t(std::ceil(line / std::max(frame.pitch, 1.0f)));
    for (std::size_t i = 0; i < model_->rows().size(); i += every)
        draw_text(frame.draw, fonts().small, ImVec2(x, centre_line(fonts().small, frame.rows.y + frame.pitch * float(i),
                                                                   std::max(frame.pitch, line))),
                  theme().text_quiet, "warp " + std::to_string(i));
    draw_text(frame.draw, fonts().small, ImVec2(x, centre_line(fonts().small, frame.curve.y, frame.curve.height)),
              theme().text_quiet, "lanes on");
}

void TimelineView::draw_marks(const Frame& frame) const {
    const std::vector<TimelineMark>& marks = model_->marks();
    const auto before = [](const TimelineMark& mark, std::uint32_t step) { return mark.step < step; };
    const auto first = std::lower_bound(marks.begin(), marks.end(), frame.first_step(), before);
    const std::uint32_t end = frame.end_step(model_->steps().size());
    const float text_y = centre_line(fonts().small, frame.marks.y, frame.marks.height);
    float free_x = frame.rows.x, drawn_x = -1;
    for (auto mark = first; mark != marks.end() && mark->step <= end; ++mark) {
        const float x = std::round(frame.x_of(mark->step));
        if (x - drawn_x < 2 && !mark->launch) continue;  // denser than pixels
        drawn_x = x;
        const ImU32 colour = mark->launch ? theme().text_quiet : theme().barrier;
        frame.draw->AddRectFilled(ImVec2(x - 1, frame.rows.y - frame.shared.px(4)),
                                  ImVec2(x, frame.marks.y + frame.shared.px(mark->launch ? 16 : 8)), colour);
        const float label_x = x + frame.shared.px(4), width = text_width(fonts().small, mark->label);
        if (label_x < free_x || label_x + width > frame.rows.right() + frame.shared.px(20)) continue;
        draw_text(frame.draw, fonts().small, ImVec2(label_x, text_y), theme().text_quiet, mark->label);
        free_x = label_x + width + frame.shared.px(10);
    }
}

void TimelineView::draw_lanes_on(const Frame& frame) const {
    const Rect& box = frame.curve;
    const float top = box.y + frame.shared.px(3), height = box.height - frame.shared.px(6);
    const auto y_of = [&](float share) { return top + height * (1 - share); };
    const float small_x = box.x - frame.shared.px(8);
    for (const auto& [share, label] : {std::pair{1.0f, "32"}, std::pair{0.0f, "0"}}) {
        const float width = text_width(fonts().small, label);
        draw_text(frame.draw, fonts().small, ImVec2(small_x - width, y_of(share) - font_size(fonts().small) / 2),
                  theme().text_faint, label);
    }
    frame.draw->AddLine(ImVec2(box.x, y_of(0)), ImVec2(box.right(), y_of(0)), theme().line);
    const std::uint32_t first = frame.first_step(), end = frame.end_step(model_->steps().size());
    frame.draw->PushClipRect(ImVec2(box.x, box.y), ImVec2(box.right(), box.bottom() + 2), true);
    const float thick = std::max(frame.shared.px(1.5f), 1.0f);
    if (frame.per_step_px >= 1) {
        float last_y = -1;
        for (std::uint32_t step = first; step < end; ++step) {
            const float x = frame.x_of(step), y = y_of(model_->lanes_on(step, step + 1).greatest);
            if (last_y >= 0 && y != last_y)
                frame.draw->AddRectFilled(ImVec2(x - thick / 2, std::min(y, last_y)),
                                          ImVec2(x + thick / 2, std::max(y, last_y)), theme().active_edge);
            frame.draw->AddRectFilled(ImVec2(x, y - thick / 2), ImVec2(frame.x_of(step + 1.0), y + thick / 2),
                                      theme().active_edge);
            last_y = y;
        }
    } else {
        for (float x = box.x; x < box.right(); x += 1) {
            const auto from = std::uint32_t(std::max(frame.step_of(x), 0.0));
            const auto to = std::max(std::uint32_t(std::max(frame.step_of(x + 1), 0.0)), from + 1);
            if (from >= end) break;
            const TimelineModel::Range range = model_->lanes_on(from, to);
            frame.draw->AddRectFilled(ImVec2(x, y_of(range.greatest) - thick / 2), ImVec2(x + 1, y_of(range.least) + thick / 2),
                                      theme().active_edge);
        }
    }
    frame.draw->PopClipRect();
}

void TimelineView::draw_playhead(const Frame& frame, const session::Session& session) const {
    const session::Moment* moment = session.moment();
    if (!moment) return;
    const double first = double(trace::step_at(model_->steps(), moment->step.first));
    const double last = double(trace::step_at(model_->steps(), std::max(moment->step.end, moment->step.first + 1) - 1));
    const float top = frame.rows.y - frame.shared.px(10), bottom = frame.curve.bottom() + frame.shared.px(4);
    const float from = std::max(frame.x_of(first), frame.rows.x), to = std::min(frame.x_of(last + 1), frame.rows.right());
    if (to < frame.rows.x || from > frame.rows.right()) return;
    if (last > first) frame.draw->AddRectFilled(ImVec2(from, frame.rows.y), ImVec2(to, bottom), faded(theme().text, 0.1f));
    const float x = std::clamp(std::round(frame.x_of(last + 0.5)), frame.rows.x, frame.rows.right());
    frame.draw->AddRectFilled(ImVec2(x - frame.shared.px(1), top), ImVec2(x + frame.shared.px(1), bottom),
                              theme().text_strong);
}

void TimelineView::say_what_is_there(const Frame& frame) const {
    if (!hovered(frame.rows, frame.shared) || scrubbing_) return;
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
    tooltip(text, frame.shared);
}

}  // namespace lanescope::ui
