#include "ui/timeline/cycles_panel.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/language.h"
#include "base/text.h"
#include "gpu/sampled/stall_reasons.h"
#include "ui/kit/stall_look.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

using analysis::Stall;
using analysis::WarpInterval;
using scene::CyclesModel;

constexpr float name_width = 74, end_margin = 26, head_line = 22, ticks_height = 20, band_height = 34,
                most_band = 90, edge = 4;
constexpr float narrow = 560;  // px; a panel that is not wider has no labels at the left
constexpr float least_row_pitch = 2.5f, most_row_pitch = 30;  // px of a row
constexpr float read_pitch = 17;                              // of a row whose intervals have their lines
constexpr float drawn_cycle = 3;                              // px; narrower ones become pixels of a texture
constexpr float rows_with_bands = 110;                        // px that the rows keep when bands are drawn
constexpr std::size_t folded_at_once = 100'000;  // up to so many intervals are prepared without a job

StallLook look_of(Stall stall) {
    return stall_look(analysis::to_text(stall));
}

// A column is as bright as often as its warp issues, compared with what it could if all warps shared busy
// schedulers; mixed colours would have hues without a meaning. The choice depends on `index`, so that it
// stays the same while the view moves.
bool shows_issue(const CyclesModel::Column& column, double full_issue, double index) {
    constexpr double golden = 0.6180339887498949;
    return column.issue > 0 && double(column.issue) / full_issue > std::fmod(index * golden, 1.0);
}

// "1 200 bytes", "38 KiB"
std::string bytes_text(double bytes) {
    return bytes < 10'000 ? grouped(std::uint64_t(bytes)) + " B"
                          : grouped(std::uint64_t(std::lround(bytes / 1024))) + " KiB";
}

float left_of(const Rect& inside, const WindowState& window) {
    return inside.x + window.px(inside.width > window.px(narrow) ? name_width : 14);
}

}  // namespace

struct CyclesPanel::Frame {
    const CyclesModel& model;
    const WindowState& window;
    ImDrawList* draw;
    const TimeAxis& axis;
    Rect rows;
    float pitch, scroll;
    bool labelled;  // there is room at the left

    Rect band(std::size_t row) const {
        const float gap = pitch > 4 ? 1 : 0;
        return {rows.x, rows.y - scroll + pitch * float(row), rows.width, pitch - gap};
    }
    std::size_t first_row() const { return std::size_t(std::max(scroll / pitch, 0.0f)); }
    bool in_sight(std::size_t row) const { return row < model.rows().size() && band(row).y < rows.bottom(); }
};

// Returns whether there is something to draw; else reason_ says why not.
bool CyclesPanel::prepare(const ViewContext& view) {
    jobs_.poll();
    const session::FileClock& clock = view.session.clock();
    if (!clock.wanted()) view.requests.commands.push_back(session::WantClock{});
    const session::StepState* step_state = view.session.playhead().step_state();
    const std::shared_ptr<const session::ClockReading> reading = clock.latest();
    const std::uint32_t launch = step_state ? step_state->step.launch : 0;
    if (reading != reading_ || launch != launch_) {
        jobs_.cancel("cycles");
        if (!reading || !reading_ || reading->launches.size() != reading_->launches.size() ||
            launch != launch_)
            model_.reset();
        reading_ = reading, launch_ = launch;
        if (reading && reading->estimate.refused.empty() && launch < reading->estimate.launches.size()) {
            const double schedulers = clock.device()->schedulers;
            clock_ghz_ = clock.device()->clock_ghz;
            const std::size_t intervals = reading->estimate.launches[launch].intervals.size();
            jobs_.start("cycles", [=, this](JobContext& context) -> Jobs::Completion {
                auto model = CyclesModel::build(reading->estimate.launches[launch], schedulers,
                                                &context.cancel_flag());
                return [this, model] {
                    if (!model) return;
                    if (!model_ || model_->length() != model->length())
                        axis_.begin = 0, axis_.end = model->length(), scroll_ = 0;
                    model_ = model;
                };
            });
            if (view.window.still || intervals < folded_at_once) jobs_.wait("cycles");
            jobs_.poll();
        } else {
            model_.reset();
        }
    }
    if (model_ && !model_->shares().empty()) return true;
    if (clock.busy() || jobs_.busy("cycles") || !clock.wanted())
        reason_ = tr("estimating how long a GPU would take …");
    else if (!clock.problem().empty())
        reason_ = clock.problem();
    else if (!reading)
        reason_ = tr("no run yet");
    else if (!reading->estimate.refused.empty())
        reason_ = reading->estimate.refused +
                  (reading->estimate.refused_line > 0
                       ? " (line " + std::to_string(reading->estimate.refused_line) + ")"
                       : std::string());
    else
        reason_ = tr("this launch has no estimate");
    return false;
}

// Returns the height that the lines take.
float CyclesPanel::draw_head(const Rect& inside, const ViewContext& view) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float left = left_of(inside, view.window), line = view.px(head_line);
    std::string text = scene::clock_headline(*reading_, launch_);
    const bool old = !view.session.clock().reading();
    if (old) text = tr("of the code before the change; estimating …") + (" · " + text);
    draw_text_within(draw, fonts().small, {left, centre_line(fonts().small, inside.y, line)},
                     old ? theme().text_quiet : theme().text, text, inside.right() - left - view.px(8));
    return line + draw_legend({left, inside.y + line, inside.right() - left - view.px(8), line}, view.window);
}

float CyclesPanel::draw_legend(const Rect& line, const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float text_y = centre_line(fonts().small, line.y, line.height), box = window.px(10);
    float x = line.x;
    const auto entry = [&](Stall stall, double share) {
        const std::string words = scene::reason_words(stall, share);
        const float width = box + window.px(5) + text_width(fonts().small, words);
        if (x + width > line.right()) return false;
        const StallLook look = look_of(stall);
        const Rect square{x, line.y + (line.height - box) / 2, box, box};
        draw->AddRectFilled(square.min(), square.max(), look.colour);
        if (look.hatched) draw_hatching(draw, square, theme().panel, window.px(4));
        draw_text(draw, fonts().small, {x + box + window.px(5), text_y}, theme().text, words);
        x += width + window.px(14);
        return true;
    };
    const auto& shares = model_->shares();
    const auto issues = std::find_if(shares.begin(), shares.end(),
                                     [](const auto& each) { return each.first == Stall::issues; });
    if (issues != shares.end()) entry(issues->first, issues->second);
    const std::string wait = tr("waits for:");
    draw_text_within(draw, fonts().small, {x, text_y}, theme().text_quiet, wait,
                     std::max(line.right() - x, 0.0f));
    x += text_width(fonts().small, wait) + window.px(8);
    for (const auto& [stall, share] : shares)
        if (stall != Stall::issues && !entry(stall, share)) break;
    return line.height;
}

void CyclesPanel::handle_mouse(const Frame& frame) {
    const float labels = frame.window.px(name_width);
    if (!hovered({frame.rows.x - labels, frame.rows.y, frame.rows.width + labels,
                  frame.axis.rect.y - frame.rows.y},
                 frame.window))
        return;
    const ImGuiIO& io = ImGui::GetIO();
    if (io.MouseWheel != 0 && (io.KeyShift || io.MousePos.x < frame.rows.x))
        scroll_ -= io.MouseWheel * frame.window.px(40);
    else if (io.MouseWheel != 0)
        axis_.zoom_with_wheel();
    if (axis_.drag()) scroll_ -= io.MouseDelta.y;
    axis_.keep_within(frame.model.length(), 32);
}

// Paints each row as one line of pixels, again only if its content changes.
void CyclesPanel::paint(const Frame& frame) {
    const int width = std::max(int(frame.rows.width), 1), height = int(frame.model.rows().size());
    const Painted wanted{model_.get(), axis_.begin, axis_.end, width, brightness()};
    if (painted_ == wanted) return;
    std::array<StallLook, analysis::stall_count> looks{};
    for (std::size_t i = 0; i < looks.size(); ++i)
        looks[i] = look_of(Stall(i));
    const double each = (axis_.end - axis_.begin) / width;
    const double first = std::round(axis_.begin / each);
    const double period = std::max(4.0, std::round(double(frame.window.px(4))));  // of the hatching, columns
    std::vector<ImU32> pixels(std::size_t(width) * std::size_t(height));
    std::vector<CyclesModel::Column> columns(static_cast<std::size_t>(width));
    for (std::size_t row = 0; row < std::size_t(height); ++row) {
        frame.model.columns(row, axis_.begin, each, columns);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (columns[i].reason == Stall::count) continue;
            const double index = first + double(i);
            Stall shown = columns[i].reason;
            if (shows_issue(columns[i], frame.model.full_issue(), index + 7 * double(row)))
                shown = Stall::issues;
            const StallLook& look = looks[std::size_t(shown)];
            const bool stripe = look.hatched && std::fmod(index + double(row), period) < period / 4;
            pixels[row * std::size_t(width) + i] =
                stripe ? blend(look.colour, theme().background, 0.6f) : look.colour;
        }
    }
    if (texture_.set(width, height, pixels)) painted_ = wanted;
}

void CyclesPanel::draw_intervals(const Frame& frame, std::size_t row) const {
    const CyclesModel::Row& all = frame.model.rows()[row];
    const Rect band = frame.band(row);
    auto each = std::upper_bound(
        all.begin(), all.end(), axis_.begin,
        [](double wanted, const WarpInterval& interval) { return wanted < double(interval.end); });
    for (; each != all.end() && double(each->begin) < axis_.end; ++each) {
        const float x = std::max(axis_.x_of(double(each->begin)), frame.rows.x);
        const float end = std::min(axis_.x_of(double(each->end)), frame.rows.right());
        const StallLook look = look_of(each->stall);
        const Rect box{x, band.y, std::max(end - x - (end - x > 3 ? 1.0f : 0.0f), 0.75f), band.height};
        frame.draw->AddRectFilled(box.min(), box.max(), look.colour);
        if (look.hatched && box.width > 3)
            draw_hatching(frame.draw, box, faded(theme().background, 0.6f), frame.window.px(5));
        if (box.height < font_size(fonts().mono_tiny)) continue;
        std::string words = "line " + std::to_string(each->line);
        if (text_width(fonts().mono_tiny, words) > box.width - frame.window.px(4))
            words = std::to_string(each->line);
        if (text_width(fonts().mono_tiny, words) > box.width - frame.window.px(4)) continue;
        draw_text(frame.draw, fonts().mono_tiny,
                  {x + frame.window.px(2), centre_line(fonts().mono_tiny, box.y, box.height)},
                  legible(theme().text_strong, look.colour), words);
    }
}

void CyclesPanel::draw_rows(const Frame& frame) {
    const bool drawn = axis_.per_unit_px() >= double(frame.window.px(drawn_cycle));
    if (!drawn) paint(frame);
    for (std::size_t row = frame.first_row(); frame.in_sight(row); ++row) {
        if (drawn) {
            draw_intervals(frame, row);
        } else if (texture_.name() != 0) {
            const float v = (float(row) + 0.5f) / float(frame.model.rows().size());
            const Rect band = frame.band(row);
            frame.draw->AddImage(imgui_texture(texture_.name()), band.min(), band.max(), {0, v}, {1, v});
        }
    }
}

// Draws a bracket where a block begins and ends, with its number where there is room.
void CyclesPanel::draw_blocks(const Frame& frame) const {
    const float foot = frame.window.px(5);
    for (const analysis::SimulatedBlock& block : frame.model.blocks()) {
        if (block.warps == 0 || block.first_row + block.warps > frame.model.rows().size()) continue;
        const float top = frame.band(block.first_row).y,
                    bottom = frame.band(block.first_row + block.warps - 1).bottom();
        const float begin = axis_.x_of(double(block.begin)),
                    end = block.end > 0 ? axis_.x_of(double(block.end)) : frame.rows.right() + foot;
        if (end < frame.rows.x || begin > frame.rows.right() || bottom < frame.rows.y ||
            top > frame.rows.bottom())
            continue;
        const bool tall = bottom - top >= frame.window.px(16);
        const float thick = tall ? std::max(frame.window.px(1.5f), 1.0f) : 1;
        const auto bracket = [&](float x, float towards) {
            frame.draw->AddRectFilled({x - thick / 2, top}, {x + thick / 2, bottom}, theme().text);
            if (!tall) return;
            for (const float y : {top, bottom - thick})
                frame.draw->AddRectFilled({std::min(x, x + towards), y},
                                          {std::max(x, x + towards), y + thick}, theme().text);
        };
        if (end - begin > 2 * foot) bracket(begin, foot), bracket(end, -foot);
        const std::string words = "block " + grouped(block.block);
        const float line = font_size(fonts().small), width = text_width(fonts().small, words);
        const float x = std::max(begin, frame.rows.x) + foot, y = std::max(top, frame.rows.y) + thick;
        if (x + width + 2 * foot > std::min(end, frame.rows.right()) || y + line > bottom) continue;
        frame.draw->AddRectFilled({x - foot / 2, y}, {x + width + foot / 2, y + line},
                                  faded(theme().panel, 0.85f));
        draw_text(frame.draw, fonts().small, {x, y}, theme().text, words);
    }
}

void CyclesPanel::draw_labels(const Frame& frame) const {
    const float line = font_size(fonts().small), x = frame.rows.x - frame.window.px(name_width - 14);
    float free_y = frame.rows.y - line;
    const std::vector<analysis::SimulatedBlock>& blocks = frame.model.blocks();
    const bool thin = !blocks.empty() && float(blocks.front().warps) * frame.pitch < 2 * line &&
                      frame.pitch < line;  // each label would say the same
    if (thin)
        draw_text(frame.draw, fonts().small, {x, frame.rows.y}, theme().text_quiet,
                  counted(frame.model.rows().size(), "warp"));
    for (std::size_t row = frame.first_row(); !thin && frame.in_sight(row); ++row) {
        const Rect band = frame.band(row);
        const float y = band.y + (band.height - line) / 2;
        if (y < free_y || y < frame.rows.y - line / 2) continue;
        if (y > frame.rows.bottom() - line) break;
        draw_text(frame.draw, fonts().small, {x, y}, theme().text_quiet,
                  "warp " + std::to_string(frame.model.warp_of(row)));
        free_y = y + line * 1.1f;
    }
    draw_text(frame.draw, fonts().small, {x, axis_.rect.y + frame.window.px(2)}, theme().text_quiet,
              tr("cycles"));
}

namespace {

// Draws a curve as columns above the band's lower edge. `height_of`: of a column that begins at this x, px.
template <class HeightOf>
void draw_columns(ImDrawList* draw, const Rect& band, ImU32 colour, HeightOf height_of) {
    float open_x = band.x, open = -1;
    const auto close = [&](float x) {
        if (open > 0) draw->AddRectFilled({open_x, band.bottom() - open}, {x, band.bottom()}, colour);
        open_x = x;
    };
    for (float x = band.x; x < band.right(); x += 1) {
        const float height = std::round(2 * height_of(x)) / 2;
        if (height == open) continue;
        close(x);
        open = height;
    }
    close(band.right());
    draw->AddLine({band.x, band.bottom()}, {band.right(), band.bottom()}, theme().line);
}

void draw_band_label(const Rect& band, const char* name, bool labelled, const WindowState& window) {
    draw_text(ImGui::GetWindowDrawList(), fonts().small,
              {band.x + (labelled ? window.px(14 - name_width) : window.px(4)),
               centre_line(fonts().small, band.y, band.height)},
              theme().text_quiet, name);
}

}  // namespace

void CyclesPanel::draw_issue(const Frame& frame, const Rect& band) const {
    draw_band_label(band, tr("issue"), frame.labelled, frame.window);
    const double each = 1 / axis_.per_unit_px();
    draw_columns(frame.draw, band, look_of(Stall::issues).colour, [&](float x) {
        const double at = axis_.at(x);
        return band.height * float(std::min(frame.model.issue().average(at, at + each), 1.0));
    });
}

void CyclesPanel::draw_flight(const Frame& frame, const Rect& band) const {
    draw_band_label(band, tr("memory"), frame.labelled, frame.window);
    const double each = 1 / axis_.per_unit_px(), useful = frame.model.useful_flight();
    const double top = std::max({useful * 1.15, frame.model.flight().greatest(), 1.0});
    draw_columns(frame.draw, band, look_of(Stall::global_memory).colour, [&](float x) {
        const double at = axis_.at(x);
        return band.height * float(frame.model.flight().average(at, at + each) / top);
    });
    if (useful <= 0) return;
    const float y = band.bottom() - band.height * float(useful / top), dash = frame.window.px(6);
    for (float x = band.x; x < band.right(); x += 2 * dash)
        frame.draw->AddLine({x, y}, {std::min(x + dash, band.right()), y}, theme().text, 1);
    const std::string words = bytes_text(useful) + " " + tr("on their way keep DRAM busy");
    const float width = text_width(fonts().small, words), line = font_size(fonts().small);
    const Rect box{band.right() - width - frame.window.px(10), y + frame.window.px(2),
                   width + frame.window.px(6), line};
    if (box.bottom() > band.bottom() + 1 || box.x < band.x) return;
    frame.draw->AddRectFilled(box.min(), box.max(), faded(theme().panel, 0.8f));
    draw_text(frame.draw, fonts().small, {box.x + frame.window.px(3), box.y}, theme().text_quiet, words);
}

// Goes to the step in which the warp is at the line, at the same share of its visits.
void CyclesPanel::go_to(const WarpInterval& interval, std::size_t row, const ViewContext& view) const {
    const std::uint32_t block = model_->blocks()[interval.block].block;
    const trace::Trace* trace = view.session.trace();
    const bool has_block = trace && launch_ < trace->launches.size() &&
                           trace->launches[launch_].records(block) &&
                           block < trace->launches[launch_].grid.count();
    const std::optional<std::uint64_t> turn =
        has_block ? scene::turn_of_visit(*trace, launch_, block, interval.warp, interval.line,
                                         scene::visit_of(*model_, row, interval))
                  : std::nullopt;
    if (turn) {
        view.requests.commands.push_back(session::PinLane{interval.warp, view.session.selection().lane});
        view.requests.commands.push_back(session::SeekTurn{*turn});
        return;
    }
    view.requests.commands.push_back(session::SelectLine{interval.line});
    const std::string why = has_block ? tr("The warp has no step on line {1} in the run that is shown.",
                                           {std::to_string(interval.line)})
                                      : tr("Block {1} is not recorded in the run that is shown; line {2} is "
                                           "selected.",
                                           {grouped(block), std::to_string(interval.line)});
    view.requests.change([why](WindowState& window) { window.notice = {why, window.now_s + notice_s}; });
}

void CyclesPanel::interact(const Frame& frame, const ViewContext& view) const {
    if (view.window.still || !hovered(frame.rows, view.window)) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto row = std::size_t((mouse.y - frame.rows.y + frame.scroll) / frame.pitch);
    if (row >= frame.model.rows().size()) return;
    const WarpInterval* interval = frame.model.at(row, axis_.at(mouse.x));
    if (interval == nullptr) return;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) go_to(*interval, row, view);
    const auto from = std::uint64_t(std::lround(double(interval->begin))),
               to = std::uint64_t(std::lround(double(interval->end)));
    const trace::Trace* trace = view.session.trace();
    const std::string source(trace ? text_of_line(trace->program.source.text, interval->line) : "");
    tooltip("block " + grouped(frame.model.blocks()[interval->block].block) + ", warp " +
                std::to_string(interval->warp) + ", line " + std::to_string(interval->line),
            (source.empty() ? source : source + "\n") +
                std::string(gpu::stall_words(analysis::to_text(interval->stall))) + "\ncycles " +
                grouped(from) + "–" + grouped(to) + ", about " +
                session::estimated_time(double(interval->end - interval->begin) / clock_ghz_ / 1000),
            view.window);
}

void CyclesPanel::draw(const Rect& inside, const ViewContext& view) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    if (!prepare(view)) {
        draw_text_centred(draw, fonts().text, inside, theme().text_faint, reason_);
        return;
    }
    const float head = draw_head(inside, view), left = left_of(inside, view.window);
    const bool labelled = inside.width > view.px(narrow);
    Rect plot{left, inside.y + head + view.px(edge), inside.width - (left - inside.x) - view.px(end_margin),
              inside.height - head - view.px(ticks_height + 2 * edge)};
    if (plot.empty()) return;
    axis_.rect = {left, plot.bottom(), plot.width, 0};
    const float gap = view.px(4), least_band = view.px(band_height);
    const bool bands = plot.height - 2 * (least_band + gap) >= view.px(rows_with_bands);
    const float room = plot.height - (bands ? 2 * (least_band + gap) : 0);
    const auto count = float(model_->rows().size());
    // Rows grow when single instructions come into sight.
    const float fit = std::clamp(room / count, view.px(least_row_pitch), view.px(most_row_pitch));
    const double deep = std::clamp((axis_.per_unit_px() / double(view.px(drawn_cycle)) - 1) / 2, 0.0, 1.0);
    const float pitch = fit + float(deep) * std::max(view.px(read_pitch) - fit, 0.0f);
    const Rect rows{left, plot.y, plot.width, std::min(room, pitch * count)};
    const float band =
        std::clamp((plot.height - rows.height) / 2 - gap, 0.0f, std::max(view.px(most_band), least_band));
    plot.height = rows.height + (bands ? 2 * (band + gap) : 0);
    axis_.rect = {left, plot.bottom() + view.px(edge), plot.width, view.px(ticks_height)};
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, pitch * count - rows.height));
    const Frame frame{*model_, view.window, draw, axis_, rows, pitch, scroll_, labelled};
    if (!view.window.still) handle_mouse(frame);
    {
        const TellInWords told([&] { return scene::cycles_words(*model_); });
        draw->PushClipRect(rows.min(), {rows.right() + 1, rows.bottom()}, true);
        draw_rows(frame);
        draw_blocks(frame);
        draw->PopClipRect();
        if (labelled) draw_labels(frame);
        if (bands) {
            const Rect issue{left, rows.bottom() + gap, plot.width, band};
            draw_issue(frame, issue);
            draw_flight(frame, {left, issue.bottom() + gap, plot.width, band});
        }
        axis_.draw(view.window, [&](double cycle) {
            const auto number = std::uint64_t(std::llround(cycle));
            return grouped(number) + (labelled || number > 0 ? "" : " " + std::string(tr("cycles")));
        });
    }
    // A hatched edge marks an estimate: no measured view has one.
    const float rim = view.px(edge);
    for (const Rect& side :
         {Rect{plot.x - rim, plot.y - rim, plot.width + 2 * rim, rim},
          Rect{plot.x - rim, plot.bottom(), plot.width + 2 * rim, rim},
          Rect{plot.x - rim, plot.y, rim, plot.height}, Rect{plot.right(), plot.y, rim, plot.height}})
        draw_hatching(draw, side, theme().text_faint, view.px(5));
    interact(frame, view);
}

}  // namespace lanescope::ui
