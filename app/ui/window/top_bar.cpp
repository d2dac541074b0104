#include "ui/window/top_bar.h"

#include <algorithm>
#include <cstdio>

#include "base/file_kind.h"
#include "base/language.h"
#include "scene/words/access_words.h"
#include "scene/words/verdict.h"
#include "ui/actions/table.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", share * 100);
    return text;
}

// "on average 3.0 of 32 lanes work"
std::string lanes_on(double simt_efficiency) {
    char text[64];
    std::snprintf(text, sizeof text, tr("on average %.1f of %u lanes work"),
                  simt_efficiency * trace::warp_size, unsigned(trace::warp_size));
    return text;
}

constexpr float fade_width = 32;

// Fades the ends behind which more titles are hidden.
void fade_ends(const Rect& room, bool left, bool right, const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float width = std::min(window.px(fade_width), room.width / 2);
    const ImU32 solid = theme().panel, clear = solid & ~IM_COL32_A_MASK;
    if (left)
        draw->AddRectFilledMultiColor(room.min(), {room.x + width, room.bottom()}, solid, clear, clear,
                                      solid);
    if (right)
        draw->AddRectFilledMultiColor({room.right() - width, room.y}, room.max(), clear, solid, solid, clear);
}

std::string of_name(const session::Session& session) {
    const std::string& name = session.timings().gpu_name();
    return name.empty() ? "" : ", " + name;
}

// "CPU machine · NVIDIA H200 here", where a GPU is there and the run did not use it.
std::string engine_words(const session::Session& session, const WindowState& window, bool switches) {
    const std::string ran = provenance(*session.trace()), &here = session.timings().gpu_name();
    const bool other = switches && !session.runner().on_device() && window.gpu.place.empty() && !here.empty();
    return other ? tr("{1} · {2} here", {ran, here}) : ran;
}

std::string engine_hint(const session::Session& session, const WindowState& window) {
    const std::string other = session.runner().on_device() ? std::string(tr("the CPU machine"))
                              : window.gpu.place.empty()   ? tr("this machine's GPU") + of_name(session)
                                                           : tr("the GPU of ") + window.gpu.place;
    std::string text = with_keys(tr("click or {engine.toggle}: run on ")) + other + "\n" +
                       tr("right click: choose the engine, also a GPU of another machine");
    if (session.run() != nullptr && session.run()->on_device() && !window.gpu.records.empty())
        text += "\n" + window.gpu.records;
    return text;
}

}  // namespace

scene::RunTime shown_run_time(const ViewContext& view) {
    if (!view.window.still && !view.session.clock().wanted())
        view.requests.commands.push_back(session::WantClock{});
    scene::RunTime time = scene::run_time(view.session);
    if (view.window.still && (!view.window.lecture || time.kind != scene::TimeKind::measured)) return {};
    return time;
}

void TopBar::content(const Rect& inside, const ViewContext& view) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    float x = inside.x + view.px(14);
    const auto word = [&](ImFont* font, ImU32 colour, const std::string& text) {
        draw_text(draw, font, ImVec2(x, centre_line(font, inside.y, inside.height)), colour, text);
        x += text_width(font, text);
    };
    const float menu_right = x + text_width(fonts().title, "Lanescope") + view.px(15);
    if (click_area("menu", {x, inside.y, menu_right - x, inside.height})) view.requests.act("window.menu");
    const bool hot = !view.window.still && ImGui::IsItemHovered();
    if (hot)
        tooltip(with_keys(tr("menu ({window.menu}); {file.find} finds commands, lessons and files")),
                view.window);
    word(fonts().title, hot ? theme().accent : theme().text_strong, "Lanescope");
    draw_triangle(draw, Triangle::down, ImVec2(x + view.px(7), inside.y + inside.height / 2), view.px(7),
                  hot ? theme().accent : theme().text_quiet);
    const float right = chips(inside, view);
    x += view.px(15);
    if (view.session.topic()) {
        word(fonts().text, theme().text_quiet, view.session.topic()->title + " ");
        draw_triangle(draw, Triangle::right, ImVec2(x + view.px(4), inside.y + inside.height / 2), view.px(8),
                      theme().text_quiet);
        x += view.px(16);
    }
    const float end = view.session.run() ? words(inside, right, view.window, view.requests) : right;
    tabs({x, inside.y, end - x - view.px(12), inside.height}, view);
}

// Draws tr("+ Compare") and "Export" left of the chips. Returns their left end.
float TopBar::words(const Rect& inside, float right, const WindowState& window, Requests& requests) {
    const auto add = [&](const char* word, const char* says, bool open, const char* action) {
        const float width = text_width(fonts().text, word);
        const Rect box{right - window.px(18) - width, inside.y, width + window.px(12), inside.height};
        if (click_area(word, box)) requests.act(action);
        const bool hot = !window.still && ImGui::IsItemHovered();
        if (hot) tooltip(with_keys(says), window);
        draw_text(ImGui::GetWindowDrawList(), fonts().text,
                  {box.x + window.px(6), centre_line(fonts().text, inside.y, inside.height)},
                  open  ? theme().accent
                  : hot ? theme().text_strong
                        : theme().text_quiet,
                  word);
        right = box.x;
    };
    add(tr("Export"), tr("{export.toggle}: a picture, an animation, a page for any browser"),
        window.exporting, "export.toggle");
    add(window.comparing ? tr("Leave compare") : tr("+ Compare"),
        tr("{compare.toggle}: two files, or two sizes, side by side"), window.comparing, "compare.toggle");
    return right;
}

void TopBar::tabs(const Rect& room, const ViewContext& view) {
    if (!view.session.topic() || room.width < view.px(60)) {
        const std::string name =
            view.session.document().path().filename().string() +
            (view.session.document().edited() ? " (" + std::string(tr("edited")) + ")" : "");
        draw_text_within(ImGui::GetWindowDrawList(), fonts().text,
                         ImVec2(room.x, centre_line(fonts().text, room.y, room.height)), theme().text_strong,
                         name, room.width);
        return;
    }
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float padding = view.px(12), gap = view.px(4);
    const bool follow = shown_ != view.session.document().path().string() || shown_width_ != room.width;
    shown_ = view.session.document().path().string();
    shown_width_ = room.width;
    if (hovered(room, view.window))
        scroll_ -= (ImGui::GetIO().MouseWheel + ImGui::GetIO().MouseWheelH) * view.px(80);
    draw->PushClipRect(room.min(), room.max(), true);
    float x = room.x - scroll_;
    for (const lesson::LessonEntry& entry : view.session.topic()->lessons) {
        const bool current = view.session.lesson() == &entry;
        const Rect tab{x, room.y, text_width(fonts().text, entry.title) + 2 * padding, room.height};
        x += tab.width + gap;
        const float margin = view.px(fade_width);
        if (current && follow)
            scroll_ = std::max(tab.right() + margin - room.right() + scroll_,
                               std::min(scroll_, tab.x - margin - room.x + scroll_));
        const Rect seen{tab.x, tab.y, std::min(tab.right(), room.right()) - tab.x, tab.height};
        if (tab.x < room.x - 1 || seen.width < std::min(tab.width, view.px(72))) continue;
        if (click_area(entry.name.c_str(), seen) && !current)
            view.requests.commands.push_back(session::OpenFile{entry.path});
        const bool hot = !view.window.still && ImGui::IsItemHovered();
        draw_text_within(draw, fonts().text, {tab.x + padding, centre_line(fonts().text, tab.y, tab.height)},
                         current || hot ? theme().text_strong : theme().text, entry.title,
                         seen.width - (seen.width < tab.width ? padding : 2 * padding) + 1);
        if (current)
            draw->AddRectFilled(ImVec2(tab.x, tab.bottom() - view.px(3)),
                                ImVec2(tab.right(), tab.bottom() - view.px(1)), theme().accent);
    }
    draw->PopClipRect();
    const float hidden = std::max(x - gap - room.right(), 0.0f);  // width of the titles beyond the right end
    fade_ends(room, scroll_ > 0, hidden > 0, view.window);
    scroll_ = std::clamp(scroll_, 0.0f, std::max(x + scroll_ - room.right(), 0.0f));
}

float TopBar::chips(const Rect& inside, const ViewContext& view) {
    float x = inside.right() - view.px(14);
    const float y = inside.y + (inside.height - chip_height(view.window)) / 2;
    const auto add = [&](const char* id, const std::string& label, ImU32 colour, bool clickable) {
        x -= chip_width(label, view.window);
        const bool clicked = chip(id, ImVec2(x, y), label, view.window, {colour, false, clickable});
        x -= view.px(14);
        return clicked;
    };
    const bool about_images = view.session.topic() != nullptr && view.session.topic()->name == "convolution";
    const float before_preview = x;
    if (about_images && add("preview", with_keys(tr("Preview · {preview.toggle}")), theme().accent, true))
        view.requests.act("preview.toggle");
    if (about_images && hovered({x, inside.y, before_preview - x, inside.height}, view.window))
        tooltip(with_keys(tr("run these kernels on your own picture ({preview.toggle})")), view.window);
    const bool engine = view.session.trace() && !view.session.document().path().empty();
    const bool switches =
        kind_of(view.session.document().path()) != FileKind::trace && !view.session.host_code().runs();
    const scene::RunTime time = shown_run_time(view);
    const bool names_gpu = time.kind == scene::TimeKind::measured;
    const std::string words =
        engine ? engine_words(view.session, view.window, switches && !names_gpu) : std::string();
    const float time_width = time.text.empty() ? 0 : chip_width(time.text, view.window) + view.px(14);
    // What the other chips may take: at the left are the menu, the topic, a tab and two words.
    const auto room = [&] {
        return x - inside.x - view.px(620) - (engine ? chip_width(words, view.window) : 0) - time_width;
    };
    const execution::RunResult* run = view.session.run();
    if (run && view.window.runs_long() &&
        (view.session.runner().busy() || view.session.host_code().running())) {
        if (add("verdict", tr("runs; no result yet"), theme().text_quiet, true))
            view.requests.act("tab.problems");
    } else if (run) {
        const bool told = view.session.playhead().results().revealed_until == ~0ull;
        Verdict ended = told ? verdict(*run) : Verdict{tr_later("results are hidden"), Meaning::note};
        ended.text = tr(ended.text);
        const std::string efficiency =
            run->report_ready ? lanes_on(run->report.total.simt_efficiency()) : not_counted(view.session);
        const std::string whole = ended.text + " · " + efficiency;
        const bool wide = inside.width > view.px(1200) && ended.text.size() < 40 &&
                          (time_width == 0 || chip_width(whole, view.window) < room());
        const float before = x;
        if (add("verdict", wide ? whole : ended.text, colour_of(ended.meaning), true))
            view.requests.act("tab.problems");
        if (hovered({x, inside.y, before - x, inside.height}, view.window))
            tooltip(tr("click: show the problems of this run") +
                        (run->report_ready ? "\n" + std::string(tr("SIMT efficiency: ")) +
                                                 percent(run->report.total.simt_efficiency())
                                           : std::string()),
                    view.window);
    }
    if (time_width > 0 && room() > 0) {
        const float before = x;
        const ImU32 colour = time.pending                             ? theme().text_faint
                             : time.kind == scene::TimeKind::measured ? theme().text
                                                                      : theme().text_quiet;
        if (add("time", time.text, colour, true)) view.requests.act("timings.show");
        if (hovered({x, inside.y, before - x, inside.height}, view.window))
            tooltip(time.hint + (time.hint.empty() ? "" : "\n") +
                        with_keys(tr("click or {timings.show}: the times of all files of the topic")),
                    view.window);
    }
    if (engine) {
        const float width = chip_width(words, view.window);
        const Rect chip_at{x - width, y, width, chip_height(view.window)};
        if (add("engine", words, theme().text, switches)) view.requests.act("engine.toggle");
        if (switches && ImGui::IsItemClicked(ImGuiMouseButton_Right)) view.requests.act("engine.choose");
        if (switches && hovered(chip_at, view.window))
            tooltip(engine_hint(view.session, view.window), view.window);
    }
    return x;
}

}  // namespace lanescope::ui
