#include "ui/lecture/tour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/language.h"
#include "execution/run/step_place.h"
#include "ui/kit/text_block.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

constexpr TourScene adds = {"scan", "compaction", "s[t] += left"},
                    moves = {"scan", "compaction", "out[s[t] - 1]"},
                    reads = {"scan", "compaction", "s[t - stride]"},
                    races = {"scan", "hillis_steele_one_barrier_missing", "s[t] += left"};
constexpr TourStop stops[] = {
    {Panel::transport, "Step",
     "→ runs one line of the kernel, ← goes one line back. Space plays. ↑ and ↓ go from barrier to barrier.",
     adds},
    {Panel::stage, "See memory",
     "The stage shows buffers and shared arrays as cells. This step reads green cells and writes orange "
     "cells; arrows show where values go. Point at a cell for more.",
     moves},
    {Panel::warps, "See the threads",
     "Each row is a warp of 32 lanes. Blue lanes run; the others wait, and a sentence says why. Click a lane "
     "to follow it.",
     moves},
    {Panel::parameters, "Change n",
     "Type another number of elements. The kernel runs again at once, on a simulated GPU.", adds},
    {Panel::inspector, "Memory access",
     "Access shows the banks and sectors that the step touched, and what that costs.", reads,
     InspectorTab::access},
    {Panel::timeline, "Go anywhere",
     "The timeline shows every step of every warp. Click or drag to go to a step; the wheel zooms. The curve "
     "is the share of lanes that are on.",
     adds},
    {Panel::inspector, "Find mistakes",
     "A barrier is missing in this kernel. The tab Problems shows the race: a click goes to either side.",
     races, InspectorTab::problems},
    {Panel::lessons, "Choose a lesson",
     "D opens the lesson's page. You can also drop your own .cu file here. L is for lectures: large type, "
     "for the back of the hall. ? "
     "shows every key, and this tour again.",
     races},
};
constexpr float card_width = 330, card_padding = 16;

constexpr ImGuiWindowFlags overlay = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                     ImGuiWindowFlags_NoBackground;

// Returns a place for the card beside the panel, or on it if there is no room.
Rect card_place(const Rect& panel, float width, float height, float gap, ImVec2 display) {
    const float y =
        std::clamp(panel.y + (panel.height - height) / 2, gap, std::max(display.y - height - gap, gap));
    const float x =
        std::clamp(panel.x + (panel.width - width) / 2, gap, std::max(display.x - width - gap, gap));
    if (panel.right() + width + 2 * gap < display.x) return {panel.right() + gap, y, width, height};
    if (panel.x - width - 2 * gap > 0) return {panel.x - width - gap, y, width, height};
    if (panel.y - height - 2 * gap > 0) return {x, panel.y - height - gap, width, height};
    if (panel.bottom() + height + 2 * gap < display.y) return {x, panel.bottom() + gap, width, height};
    return {x, y, width, height};
}

void dim_outside(ImDrawList* draw, const Rect& hole, ImVec2 display) {
    constexpr ImU32 shade = IM_COL32(0, 0, 0, 150);
    draw->AddRectFilled({0, 0}, {display.x, hole.y}, shade);
    draw->AddRectFilled({0, hole.bottom()}, display, shade);
    draw->AddRectFilled({0, hole.y}, {hole.x, hole.bottom()}, shade);
    draw->AddRectFilled({hole.right(), hole.y}, {display.x, hole.bottom()}, shade);
}

void draw_dots(ImDrawList* draw, ImVec2 at, int current, const WindowState& window) {
    for (int i = 0; i < int(std::size(stops)); ++i)
        draw->AddCircleFilled({at.x + window.px(11) * float(i), at.y}, window.px(i == current ? 4 : 2.5f),
                              i == current ? theme().accent : theme().text_faint);
}

void draw_card(const Rect& card, int number, const WindowState& window, Requests& requests) {
    const TourStop& stop = stops[number];
    const float padding = window.px(card_padding), left = card.x + padding;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(card.min(), card.max(), theme().panel_raised, window.px(8));
    draw->AddRect(card.min(), card.max(), theme().accent, window.px(8), 0, window.px(1.5f));
    draw_text(draw, fonts().title, {left, card.y + padding}, theme().text_strong, tr(stop.title));
    draw_text_block(draw, fonts().text, {left, card.y + padding + window.px(28)}, theme().text, tr(stop.text),
                    card.width - 2 * padding);
    const float y = card.bottom() - padding - chip_height(window);
    const bool last = number + 1 == int(std::size(stops));
    float x = card.right() - padding - chip_width(last ? tr("Finish") : tr("Next  →"), window);
    if (chip("next", {x, y}, last ? tr("Finish") : tr("Next  →"), window, {theme().accent}))
        requests.act("tour.forward");
    if (number > 0) {
        x -= chip_width(tr("←  Back"), window) + window.px(8);
        if (chip("back", {x, y}, tr("←  Back"), window)) requests.act("tour.back");
    }
    if (!last) {
        const float corner = card.right() - padding - text_width(fonts().text, tr("Skip (Esc)"));
        const Rect skip{corner, card.y + padding, text_width(fonts().text, tr("Skip (Esc)")),
                        font_size(fonts().text)};
        if (click_area("skip", skip)) requests.act("window.close");
        const bool hot = !window.still && ImGui::IsItemHovered();
        draw_text(draw, fonts().text, skip.min(), hot ? theme().text_strong : theme().text_quiet,
                  tr("Skip (Esc)"));
    }
    draw_dots(draw, {left + window.px(4), y + chip_height(window) / 2}, number, window);
}

}  // namespace

std::span<const TourStop> tour_stops() {
    return stops;
}

void Tour::follow(const session::Session& session, WindowState& window, session::Commands& commands) {
    if (window.tour_stop >= int(std::size(stops))) window.tour_stop = -1;
    const int before = std::exchange(stop_, window.tour_stop);
    if (before < 0 && stop_ >= 0) {
        home_ = session.document().path();
        travels_ = !window.still && !session.document().edited() && !session.document().read_only() &&
                   (session.host_code().of_course()
                        ? !session.host_code().runs()
                        : session.host_code().stand() == session::HostCode::Stand::no_program);
        placed_ = -1;
        asked_.clear();
    }
    if (stop_ != before && stop_ >= 0) window.inspector.tab = stops[stop_].tab;
    if (stop_ >= 0 && travels_ && placed_ != stop_) show(stops[stop_].scene, session, commands);
    if (stop_ < 0 && std::exchange(travels_, false) && !home_.empty() && home_ != session.document().path())
        commands.push_back(session::OpenFile{home_});
}

// Opens the lesson, and goes to the step once the lesson has run.
void Tour::show(const TourScene& scene, const session::Session& session, session::Commands& commands) {
    const lesson::LessonEntry* lesson = nullptr;
    for (const lesson::Topic& topic : session.registry().topics)
        for (const lesson::LessonEntry& entry : topic.lessons)
            if (topic.name == scene.topic && entry.name == scene.lesson) lesson = &entry;
    if (lesson == nullptr) return;
    if (session.document().path() != lesson->path) {
        if (std::exchange(asked_, lesson->path) != lesson->path)
            commands.push_back(session::OpenFile{lesson->path});
        return;
    }
    if (session.run() == nullptr || session.runner().busy()) return;
    placed_ = stop_;
    const Result<execution::PlacedStep> place =
        execution::find_place({{0, scene.code}}, *session.trace(), session.run()->source);
    if (!place) return;
    commands.push_back(session::SetGranularity{trace::Granularity::line});
    commands.push_back(session::FocusBlock{place->block});
    commands.push_back(session::SeekStep{place->step});
}

void Tour::draw(const Layout& layout, const WindowState& window, Requests& requests) {
    if (window.tour_stop < 0 || window.tour_stop >= int(std::size(stops))) return;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const Rect& panel = layout[stops[window.tour_stop].panel];
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(display);
    ImGui::SetNextWindowFocus();  // above all panels, so that clicks go to the tour
    if (ImGui::Begin("##tour", nullptr, overlay)) {
        ImDrawList* draw = ImGui::GetWindowDrawList();
        dim_outside(draw, panel, display);
        draw->AddRect({panel.x + 1, panel.y + 1}, {panel.right() - 1, panel.bottom() - 1}, theme().accent, 0,
                      0, window.px(2));
        const float width = std::min(window.px(card_width), display.x), padding = window.px(card_padding);
        const float text =
            text_block_height(fonts().text, tr(stops[window.tour_stop].text), width - 2 * padding);
        const float height = 2 * padding + window.px(28 + 14) + text + chip_height(window);
        draw_card(card_place(panel, width, height, window.px(12), display), window.tour_stop, window,
                  requests);
    }
    ImGui::End();
}

}  // namespace lanescope::ui
