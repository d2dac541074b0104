#include "ui/window/transport.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/language.h"
#include "ui/actions/table.h"
#include "ui/kit/widgets.h"
#include "ui/source/source_breakpoints.h"

namespace lanescope::ui {
namespace {

const std::vector<std::string> granularities = {tr_later("instruction"), tr_later("turn"), tr_later("line"),
                                                tr_later("phase"), tr_later("launch")};
const std::vector<std::string> timeline_rows = {tr_later("warps"), tr_later("SMs, real clock"),
                                                tr_later("warps of one SM, estimated clock")};
constexpr std::array<float, 7> speeds = {0.5f, 1, 2, 4, 8, 20, 60};  // steps a second

std::string speed_label(float steps_per_second) {
    const bool whole = steps_per_second == std::floor(steps_per_second);
    return tr("{1} steps/s", {whole ? std::to_string(int(steps_per_second)) : std::string(tr("0.5"))});
}

int nearest_speed(float speed) {
    int best = 0;
    for (int i = 1; i < int(speeds.size()); ++i)
        if (std::abs(speeds[std::size_t(i)] - speed) < std::abs(speeds[std::size_t(best)] - speed)) best = i;
    return best;
}

void draw_bar(ImDrawList* draw, ImVec2 centre, float height, ImU32 colour) {
    const float w = height * 0.1f;
    draw->AddRectFilled(ImVec2(centre.x - w, centre.y - height / 2),
                        ImVec2(centre.x + w, centre.y + height / 2), colour);
}

// "7 of 8 predictions right · "; empty before the first one.
std::string score_words(const session::Session& session) {
    const session::Predictions& predictions = session.predictions();
    if (predictions.judged() == 0) return {};
    return tr(predictions.judged() == 1 ? tr_later("{1} of 1 prediction right")
                                        : tr_later("{1} of {2} predictions right"),
              {std::to_string(predictions.right()), std::to_string(predictions.judged())}) +
           " · ";
}

// Returns the progress or the result of the search for a breakpoint.
std::string search_words(const session::Session& session) {
    if (session.search().searching())
        return tr("searching for a breakpoint: {1} %",
                  {std::to_string(int(session.search().progress() * 100))}) +
               " · " + with_keys(tr("{window.close} stops the search"));
    if (!session.search().note().empty()) return session.search().note();
    const session::BreakHit* hit = session.search().hit();
    if (!hit) return {};
    const std::string who = hit_words(session, hit->line);
    if (!hit->cell.empty())
        return "stopped after line " + std::to_string(hit->line) + ": " + hit->cell + " was written" +
               (who.starts_with("hit ") ? who.substr(3) : std::string());
    return "stopped after line " + std::to_string(hit->line) + (who.empty() ? "" : ", " + who);
}

}  // namespace

bool Transport::button(Button which, const Rect& box, bool playing, bool enabled, const WindowState& window) {
    static constexpr const char* ids[] = {"first",   "stop back",    "back", "play",
                                          "forward", "stop forward", "last"};
    static constexpr const char* says[] = {
        tr_later("first step ({step.first})"),
        tr_later("back to the previous breakpoint ({breakpoint.previous})"),
        tr_later("one step back ({step.back})"),
        tr_later("play, pause ({step.play})"),
        tr_later("one step forward ({step.forward})"),
        tr_later("on to the next breakpoint ({breakpoint.next}); a click on a line's number sets one"),
        tr_later("last step ({step.last})")};
    const int index = int(which);
    const bool clicked = click_area(ids[index], box) && enabled;
    const bool hot = enabled && !window.still && ImGui::IsItemHovered();
    if (!window.still && ImGui::IsItemHovered()) tooltip(with_keys(says[index]), window);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImU32 plain = which == Button::play ? theme().accent : theme().text;
    const ImU32 colour = !enabled ? theme().line : hot ? theme().text_strong : plain;
    const ImVec2 centre(box.x + box.width / 2, box.y + box.height / 2);
    const float size = window.px(14), off = size * 0.5f;
    switch (which) {
        case Button::first:
            draw_bar(draw, ImVec2(centre.x - off, centre.y), size, colour);
            draw_triangle(draw, Triangle::left, ImVec2(centre.x + window.px(1.5f), centre.y), size, colour);
            break;
        case Button::stop_back:
        case Button::stop_forward: {
            const bool back = which == Button::stop_back;
            const float side = back ? -1.0f : 1.0f;
            draw_triangle(draw, back ? Triangle::left : Triangle::right,
                          ImVec2(centre.x - side * window.px(3), centre.y), size * 0.8f, colour);
            draw->AddCircleFilled(ImVec2(centre.x + side * off, centre.y), window.px(3.2f), colour);
            break;
        }
        case Button::back:
            draw_triangle(draw, Triangle::left, centre, size, colour);
            break;
        case Button::play:
            if (playing) {
                draw_bar(draw, ImVec2(centre.x - window.px(3), centre.y), size * 1.1f, colour);
                draw_bar(draw, ImVec2(centre.x + window.px(3), centre.y), size * 1.1f, colour);
            } else {
                draw_triangle(draw, Triangle::right, centre, size * 1.15f, colour);
            }
            break;
        case Button::forward:
            draw_triangle(draw, Triangle::right, centre, size, colour);
            break;
        case Button::last:
            draw_triangle(draw, Triangle::right, ImVec2(centre.x - window.px(1.5f), centre.y), size, colour);
            draw_bar(draw, ImVec2(centre.x + off, centre.y), size, colour);
            break;
    }
    return clicked;
}

float Transport::buttons(const Rect& inside, const ViewContext& view) {
    const float size = view.px(26);
    float x = inside.x + view.px(10);
    const std::size_t count = view.session.playhead().steps().size();
    const std::size_t at =
        view.session.playhead().step_state() ? view.session.playhead().step_state()->index : 0;
    const auto add = [&](Button which, bool enabled, session::Command command) {
        const Rect box{x, inside.y + (inside.height - size) / 2, size, size};
        if (button(which, box, view.session.playback().playing(), enabled, view.window))
            view.requests.commands.push_back(command);
        x += size;
    };
    const bool before = count > 0 && at > 0, after = count > 0 && at + 1 < count;
    add(Button::first, before, session::SeekStep{0});
    const bool stops = !view.session.marks().breakpoints().empty();
    add(Button::stop_back, before && stops, session::Continue{true});
    add(Button::back, before, session::StepBy{-1});
    add(Button::play, count > 0, session::Play{!view.session.playback().playing()});
    add(Button::forward, after, session::StepBy{1});
    add(Button::stop_forward, after && stops, session::Continue{false});
    add(Button::last, after, session::SeekStep{count ? count - 1 : 0});
    return x;
}

// Draws the choice of the timeline's rows. Returns its right end.
float Transport::rows_choice(float x, float y, const WindowState& window, Requests& requests) {
    const int rows = int(window.timeline_rows);
    const std::string label = tr("rows: ") + tr(timeline_rows[std::size_t(rows)]);
    ImGui::PushID("rows");
    if (chip("chip", ImVec2(x, y), label, window, {.arrow = true, .name = "rows"})) ImGui::OpenPopup("list");
    const int chosen = choice_popup("list", tr(timeline_rows), rows, window);
    ImGui::PopID();
    if (chosen >= 0) requests.set(&WindowState::timeline_rows, TimelineRows(chosen));
    return x + chip_width(label, window, true);
}

float Transport::choices(float x, const Rect& inside, const ViewContext& view) {
    const float y = inside.y + (inside.height - chip_height(view.window)) / 2;
    const int granularity =
        view.session.playhead().by_instruction() ? 0 : int(view.session.playhead().granularity()) + 1;
    const std::string step = tr("step: ") + tr(granularities[std::size_t(granularity)]);
    ImGui::PushID("granularity");
    if (chip("chip", ImVec2(x, y), step, view.window, {.arrow = true, .name = "step"}))
        ImGui::OpenPopup("list");
    int chosen = choice_popup("list", tr(granularities), granularity, view.window);
    ImGui::PopID();
    if (chosen == 0) {
        view.requests.commands.push_back(session::StepInstructions{true});
        view.requests.set(&WindowState::source, &SourceState::ptx, true);
    } else if (chosen > 0) {
        view.requests.commands.push_back(session::StepInstructions{false});
        view.requests.commands.push_back(session::SetGranularity{trace::Granularity(chosen - 1)});
    }
    x += chip_width(step, view.window, true) + view.px(12);

    const int speed = nearest_speed(view.session.playback().steps_per_second());
    const std::string label = speed_label(speeds[std::size_t(speed)]);
    std::vector<std::string> labels;
    for (const float each : speeds)
        labels.push_back(speed_label(each));
    ImGui::PushID("speed");
    if (chip("chip", ImVec2(x, y), label, view.window, {.arrow = true, .name = "speed"}))
        ImGui::OpenPopup("list");
    chosen = choice_popup("list", labels, speed, view.window);
    ImGui::PopID();
    if (chosen >= 0) view.requests.commands.push_back(session::SetSpeed{speeds[std::size_t(chosen)]});
    x += chip_width(label, view.window, true) + view.px(12);
    const std::string moment =
        view.session.playhead().stands_before() ? tr("before the step") : tr("after the step");
    if (chip("moment", ImVec2(x, y), moment, view.window)) view.requests.act("step.before");
    if (!view.window.still && ImGui::IsItemHovered())
        tooltip(with_keys(tr("which state is shown; click or {step.before} changes it")), view.window);
    x += chip_width(moment, view.window) + view.px(12);
    if (!view.window.lecture) x = rows_choice(x, y, view.window, view.requests) + view.px(12);
    if (chip("lecture", ImVec2(x, y), view.window.lecture ? tr("Leave lecture") : tr("Lecture"), view.window))
        view.requests.act("lecture.toggle");
    return x + chip_width(view.window.lecture ? tr("Leave lecture") : tr("Lecture"), view.window);
}

void Transport::content(const Rect& inside, const ViewContext& view) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float x = choices(buttons(inside, view) + view.px(12), inside, view);
    std::string place;
    if (const session::StepState* step_state = view.session.playhead().step_state()) {
        const std::string at = grouped(step_state->index + 1),
                          count = grouped(view.session.playhead().steps().size());
        place = (view.session.playhead().at_start() ? tr("before the first of {2}", {at, count})
                 : view.window.lecture ? tr("step {1} of {2}", {at, count})  // the chip says which
                 : view.session.playhead().stands_before() ? tr("before step {1} of {2}", {at, count})
                                                           : tr("after step {1} of {2}", {at, count}));
    }
    const float right = inside.right() - view.px(14) - text_width(fonts().text, place);
    const float text_y = centre_line(fonts().text, inside.y, inside.height);
    if (right < x + view.px(14)) {  // no room for more
        draw_text_within(draw, fonts().text, ImVec2(x + view.px(14), text_y), theme().text, place,
                         inside.right() - x - view.px(28));
        return;
    }
    draw_text(draw, fonts().text, ImVec2(right, text_y), theme().text, place);
    const std::string hint = with_keys(
        view.session.playhead().results().concealed
            ? score_words(view.session) +
                  (view.window.lecture ? tr("{step.forward} reveals it")
                                       : tr("{step.forward} or {results.reveal} reveals what this step wrote"
                                            " · {parameters.focus}: predict it"))
        : view.session.playhead().results().hidden_at_first && view.session.predictions().judged() > 0
            ? score_words(view.session) + tr("{step.forward} goes to the next step")
        : !view.window.lecture
            ? tr("{step.back} {step.forward} step · {phase.back} {phase.forward} barrier "
                 "phase · space play · {help.keys} keys, terms, tour")
            : tr("{lecture.pointer} pointer · {lecture.pen} pen · {lecture.spotlight} spotlight · "
                 "{results.hide} hide results · {note.edit} note · {lecture.black} black"));
    const bool noted = view.window.note.empty() && !view.window.lecture &&
                       !view.window.notes.here.empty();  // a lecture has a caption
    const std::string told = search_words(view.session);
    const std::string shown = !told.empty()              ? told
                              : noted                    ? view.window.notes.here
                              : view.window.note.empty() ? hint
                                                         : view.window.note;
    const bool cut = draw_text_within(draw, fonts().text, ImVec2(x + view.px(14), text_y),
                                      !told.empty() ? theme().accent
                                      : noted       ? theme().text_strong
                                                    : theme().text_faint,
                                      shown, right - x - view.px(28));
    if (noted && cut &&
        hovered({x + view.px(14), inside.y, right - x - view.px(28), inside.height}, view.window))
        tooltip(shown, view.window);
}

}  // namespace lanescope::ui
