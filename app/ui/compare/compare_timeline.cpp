#include "ui/compare/compare_timeline.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "ui/compare/compare_mode.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"
#include "ui/timeline/timeline_paint.h"

namespace lanescope::ui {
namespace {

constexpr float controls_px = 42, label_px = 96, margin_px = 22, timeline_row_px = 20;
constexpr std::uint64_t built_at_once = 100'000;  // up to so many turns are prepared without a job
constexpr float waiting = 0.45f, leftover = 0.5f;

// Returns the colour of a row at a step: what the warp does or waits for; 0 for nothing.
ImU32 colour_at(const TimelineRow& row, std::uint32_t step) {
    const std::size_t next = row.first_cell(step);
    if (next < row.cells.size() && row.cells[next].step == step) return cell_colour(row.cells[next]);
    if (next == 0) return 0;
    const TimelineCell& before = row.cells[next - 1];
    return before.waits      ? faded(theme().barrier, waiting)
           : before.finished ? faded(theme().finished, leftover)
                             : 0;
}

}  // namespace

float CompareTimeline::x_of(double tick, const Rect& rows) const {
    return rows.x + float(tick / double(shown_.ticks.size())) * rows.width;
}

void CompareTimeline::content(const Rect& inside, const ViewContext& view) {
    controls({inside.x, inside.y, inside.width, view.px(controls_px)}, view.window);
    jobs_.poll();
    prepare(a_, *shown_.a, view.window, "a");
    prepare(b_, *shown_.b, view.window, "b");
    const Rect room{inside.x + view.px(label_px), inside.y + view.px(controls_px) + view.px(4),
                    inside.width - view.px(label_px + margin_px), inside.height - view.px(controls_px + 14)};
    if (shown_.ticks.empty() || !a_.model || !b_.model) {
        draw_text_centred(ImGui::GetWindowDrawList(), fonts().text, room, theme().text_faint,
                          shown_.b->runner().busy() ? "running the other file …" : "no steps to compare");
        return;
    }
    const float gap = view.px(14), half = (room.height - gap) / 2;
    const Rect upper{room.x, room.y, room.width, half}, lower{room.x, room.y + half + gap, room.width, half};
    handle_mouse(room, view.window);
    draw_part(a_, true, upper, view.window);
    draw_part(b_, false, lower, view.window);
    draw_phases(room);
    draw_playhead(room, view.window);
    name_ticks(room);
}

void CompareTimeline::controls(const Rect& row, const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float size = window.px(26), y = row.y + (row.height - size) / 2;
    float x = row.x + window.px(10);
    const std::size_t count = shown_.ticks.size();
    const auto button = [&](const char* id, const char* says, bool enabled, auto sign) {
        const Rect box{x, y, size, size};
        const bool clicked = click_area(id, box) && enabled;
        const bool hot = enabled && !window.still && ImGui::IsItemHovered();
        if (hot) tooltip(says, window);
        sign(ImVec2(box.x + size / 2, box.y + size / 2), !enabled ? theme().line
                                                         : hot    ? theme().text_strong
                                                                  : theme().text);
        x += size;
        return clicked;
    };
    const auto bar = [&](ImVec2 at, ImU32 colour) {
        draw->AddRectFilled({at.x - window.px(1.5f), at.y - window.px(7)},
                            {at.x + window.px(1.5f), at.y + window.px(7)}, colour);
    };
    const auto arrow = [&](Triangle way) {
        return [&, way](ImVec2 at, ImU32 colour) { draw_triangle(draw, way, at, window.px(14), colour); };
    };
    if (button("back", "step both runs back (←)", shown_.tick > 0, arrow(Triangle::left)))
        shown_.go_to = shown_.tick - 1;
    const bool play = button("play", "play or pause (Space)", count > 0, [&](ImVec2 at, ImU32 colour) {
        if (!shown_.playing) return draw_triangle(draw, Triangle::right, at, window.px(16), theme().accent);
        bar({at.x - window.px(3), at.y}, colour), bar({at.x + window.px(3), at.y}, colour);
    });
    if (play) shown_.toggle_play = true;
    if (button("forward", "step both runs forward (→)", shown_.tick + 1 < count, arrow(Triangle::right)))
        shown_.go_to = shown_.tick + 1;
    x += window.px(12);
    static const std::vector<std::string> ways = {"together: barrier phase", "together: share of the run"};
    const std::string& way = ways[std::size_t(shown_.how)];
    const float chip_y = row.y + (row.height - chip_height(window)) / 2;
    if (chip("together", {x, chip_y}, way, window, {.arrow = true})) ImGui::OpenPopup("ways");
    const int chosen = choice_popup("ways", ways, int(shown_.how), window);
    if (chosen >= 0 && chosen != int(shown_.how)) shown_.change_how = session::StepTogether(chosen);
    x += chip_width(way, window, true) + window.px(14);
    std::string place;
    if (count > 0) {
        const session::TickPair& at = shown_.ticks[shown_.tick];
        place = "A step " + grouped(at.a + 1ull) + " of " + grouped(shown_.a->playhead().steps().size()) +
                "   B step " + grouped(at.b + 1ull) + " of " + grouped(shown_.b->playhead().steps().size());
    }
    const float text_y = centre_line(fonts().text, row.y, row.height);
    const float right = row.right() - window.px(14) - text_width(fonts().text, place);
    draw_text(draw, fonts().text, {right, text_y}, theme().text, place);
    draw_text_within(draw, fonts().text, {x, text_y}, theme().text_faint,
                     "← → both step · ↑ ↓ phase · space play · C or Esc leaves", right - x - window.px(14));
}

void CompareTimeline::prepare(Part& part, const session::Session& session, const WindowState& window,
                              const char* tag) {
    const bool by_turn = session.playhead().granularity() == trace::Granularity::turn;
    const std::uint32_t block = session.playhead().block();
    if (part.generation == session.runner().generation() && part.block == block && part.by_turn == by_turn)
        return;
    part.generation = session.runner().generation(), part.block = block, part.by_turn = by_turn;
    part.model.reset();
    jobs_.cancel(tag);
    const std::shared_ptr<const trace::Trace> trace = session.run() ? session.run()->trace : nullptr;
    if (!trace) return;
    const trace::Granularity granularity = session.playhead().granularity();
    const auto log = session.run()->turn_log;
    const auto named = execution::phase_lines(session.lesson(), session.run()->source);
    jobs_.start(tag, [&part, trace, block, granularity, log, named](JobContext& context) -> Jobs::Completion {
        auto model =
            TimelineModel::build(*trace, block, granularity, &context.cancel_flag(), log.get(), named);
        return [&part, model] { part.model = model; };
    });
    if (window.still || trace->turns.size() < built_at_once) jobs_.wait(tag);
    jobs_.poll();
}

// Makes the rows as strips of one colour, one for each tick, or for every two pixels if ticks are narrower.
// Makes them again only if their content changes.
void CompareTimeline::paint(Part& part, bool first, float width, float gap) {
    if (part.painted == part.model.get() && part.version == shown_.version && part.painted_width == width)
        return;
    part.painted = part.model.get(), part.version = shown_.version, part.painted_width = width;
    part.strips.clear();
    const std::size_t count = shown_.ticks.size();
    const std::size_t columns = std::min(count, std::max<std::size_t>(std::size_t(width / 2), 1));
    const float column = width / float(columns);
    const bool apart = columns == count && column > 6;
    const std::vector<trace::Step>& own = first ? shown_.a->playhead().steps() : shown_.b->playhead().steps();
    const std::vector<TimelineRow>& rows = part.model->rows();
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
        std::uint32_t before = ~0u;
        for (std::size_t i = 0; i < columns; ++i) {
            const session::TickPair& tick = shown_.ticks[std::min(i * count / columns, count - 1)];
            const std::uint32_t at = first ? tick.a : tick.b;
            const auto step = std::uint32_t(trace::step_at(part.model->steps(), own[at].first));
            const ImU32 colour = colour_at(rows[row], step);
            // A step is one strip, no matter for how many ticks the run stays at it.
            const bool goes_on = !part.strips.empty() && i > 0 && part.strips.back().row == row &&
                                 part.strips.back().colour == colour && (!apart || at == before);
            before = at;
            if (colour == 0) continue;
            const float x = column * float(i);
            if (goes_on &&
                std::abs(part.strips.back().x + part.strips.back().width + (apart ? gap : 0) - x) < 0.5f)
                part.strips.back().width = x + column - (apart ? gap : 0) - part.strips.back().x;
            else
                part.strips.push_back({x, column - (apart ? gap : 0), row, colour});
        }
    }
}

void CompareTimeline::draw_part(Part& part, bool first, const Rect& box, const WindowState& window) {
    paint(part, first, box.width, 1.5f);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const std::size_t count = std::max<std::size_t>(part.model->rows().size(), 1);
    const float pitch = std::min(box.height / float(count), window.px(timeline_row_px)), gap = pitch > 8 ? 2
                                                                                               : pitch > 4
                                                                                                   ? 1
                                                                                                   : 0;
    const float x = box.x - window.px(label_px - 14);
    draw_text(draw, fonts().strong, {x, box.y - window.px(1)}, theme().text_strong, first ? "A" : "B");
    const float line = font_size(fonts().small);
    const auto every = std::size_t(std::ceil(line / pitch));
    for (std::size_t row = 0; row < count; row += every) {
        if (pitch * float(row) + line > box.height + line / 2) break;
        draw_text(draw, fonts().small,
                  {x + window.px(22),
                   centre_line(fonts().small, box.y + pitch * float(row), std::max(pitch, line))},
                  theme().text_quiet, "warp " + std::to_string(row));
    }
    for (const Part::Strip& strip : part.strips) {
        const float y = box.y + pitch * float(strip.row);
        draw->AddRectFilled({box.x + strip.x, y},
                            {box.x + strip.x + std::max(strip.width, 1.0f), y + pitch - gap}, strip.colour);
    }
}

// Draws a line where a run passes a barrier or begins a launch, unless the lines would be too dense.
void CompareTimeline::draw_phases(const Rect& rows) const {
    const auto phase = [](const trace::Step& step) { return std::pair{step.launch, step.phase}; };
    const std::vector<trace::Step>&a = shown_.a->playhead().steps(), &b = shown_.b->playhead().steps();
    std::vector<float> lines;
    for (std::size_t i = 1; i < shown_.ticks.size(); ++i) {
        const session::TickPair &now = shown_.ticks[i], &before = shown_.ticks[i - 1];
        if (phase(a[now.a]) != phase(a[before.a]) || phase(b[now.b]) != phase(b[before.b]))
            lines.push_back(std::round(x_of(double(i), rows)));
        if (float(lines.size()) * 8 > rows.width) return;
    }
    for (const float x : lines)
        ImGui::GetWindowDrawList()->AddRectFilled({x - 1, rows.y - 2}, {x, rows.bottom() + 2},
                                                  faded(theme().barrier, 0.8f));
}

void CompareTimeline::draw_playhead(const Rect& rows, const WindowState& window) const {
    const float x = std::round(x_of(double(shown_.tick) + 0.5, rows)), half = window.px(1);
    ImGui::GetWindowDrawList()->AddRectFilled({x - half, rows.y - window.px(6)},
                                              {x + half, rows.bottom() + window.px(6)}, theme().text_strong);
}

// Names the ticks for tests, if they are wide enough for the mouse.
void CompareTimeline::name_ticks(const Rect& rows) const {
    constexpr float least_px = 3;
    const float width = rows.width / float(shown_.ticks.size());
    if (!widgets_are_named() || width < least_px) return;
    for (std::size_t i = 0; i < shown_.ticks.size(); ++i)
        name_widget("tick " + std::to_string(i + 1), {x_of(double(i), rows), rows.y, width, rows.height});
}

void CompareTimeline::handle_mouse(const Rect& rows, const WindowState& window) {
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) scrubbing_ = false;
    const bool over = hovered(rows, window);
    if (over && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) scrubbing_ = true;
    if (!scrubbing_ && !over) return;
    const double share = double(ImGui::GetIO().MousePos.x - rows.x) / double(rows.width);
    const double last = double(shown_.ticks.size() - 1);
    const auto tick = std::size_t(std::clamp(share * double(shown_.ticks.size()), 0.0, last));
    if (scrubbing_ && tick != shown_.tick) shown_.go_to = tick;
    if (scrubbing_) return;
    const session::TickPair& at = shown_.ticks[tick];
    tooltip("A: step " + grouped(at.a + 1ull) + ", line " +
                std::to_string(shown_.a->playhead().steps()[at.a].line) + "\nB: step " +
                grouped(at.b + 1ull) + ", line " + std::to_string(shown_.b->playhead().steps()[at.b].line),
            window);
}

}  // namespace lanescope::ui
