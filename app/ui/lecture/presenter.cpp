#include "ui/lecture/presenter.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "base/language.h"
#include "scene/words/block_words.h"
#include "ui/kit/text_block.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

constexpr float script_share = 0.26f, script_least = 300;  // of the width; px at scale 1
constexpr float note_room = 150;                           // below the picture, px at scale 1

// "12:05", or "1:02:05"
std::string duration(double seconds) {
    const long whole = long(std::max(seconds, 0.0));
    char text[32];
    if (whole < 3600)
        (void)std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
    else
        (void)std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    return text;
}

std::string time_of_day() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    char text[16];
    (void)std::snprintf(text, sizeof text, "%02d:%02d", local.tm_hour, local.tm_min);
    return text;
}

}  // namespace

void Presenter::draw(const Rect& area, const AudiencePicture& picture, const Notes& notes,
                     const ViewContext& view) {
    hand_.reset();
    if (area.empty()) return;
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize({area.width, area.height});
    constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                                       ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav;
    if (ImGui::Begin("##presenter", nullptr, flags)) {
        name_panel(area, theme().panel);
        const float margin = view.px(16);
        const float script =
            std::min(std::max(area.width * script_share, view.px(script_least)), area.width / 2);
        const Rect left{area.x + margin, area.y + margin, area.width - script - 2 * margin,
                        area.height - 2 * margin};
        const float note = view.px(note_room);
        const float bottom =
            draw_mirror({left.x, left.y, left.width, std::max(left.height - note, left.height / 2)}, picture,
                        view.window);
        draw_note({left.x, bottom + margin, left.width, left.bottom() - bottom - margin}, notes, view);
        draw_script({area.right() - script + margin, left.y, script - 2 * margin, left.height}, notes, view);
    }
    ImGui::End();
}

// Returns the picture's lower edge.
float Presenter::draw_mirror(const Rect& room, const AudiencePicture& picture, const WindowState& window) {
    if (picture.texture == 0 || room.empty()) return room.y;
    const float scale =
        std::min(room.width / float(picture.size.width), room.height / float(picture.size.height));
    const Rect mirror{room.x, room.y, float(picture.size.width) * scale, float(picture.size.height) * scale};
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddImage(imgui_texture(picture.texture), mirror.min(), mirror.max(), {0, 1}, {1, 0});
    draw->AddRect(mirror.min(), mirror.max(), theme().line);
    name_widget("audience", mirror);
    if (!hovered(mirror, window)) return mirror.bottom();
    const ImGuiIO& io = ImGui::GetIO();
    hand_.emplace();
    hand_->x = (io.MousePos.x - mirror.x) / scale;
    hand_->y = (io.MousePos.y - mirror.y) / scale;
    hand_->left = ImGui::IsMouseDown(ImGuiMouseButton_Left);
    hand_->right = ImGui::IsMouseDown(ImGuiMouseButton_Right);
    hand_->wheel = io.MouseWheel;
    return mirror.bottom();
}

void Presenter::draw_note(const Rect& room, const Notes& notes, const ViewContext& view) {
    if (room.height < font_size(fonts().caption)) return;
    const std::string& note = view.window.notes.here.empty() ? notes.sentence() : view.window.notes.here;
    draw_text_block(ImGui::GetWindowDrawList(), fonts().caption, room.min(), theme().text_strong, note,
                    room.width);
}

void Presenter::draw_script(const Rect& room, const Notes& notes, const ViewContext& view) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float gap = view.px(14);
    ImFont* const large = fonts().mono_large;
    draw_text(draw, large, room.min(), theme().text_strong, duration(view.window.now_s - started_s_));
    const std::string clock = time_of_day();
    draw_text(draw, large, {room.right() - text_width(large, clock), room.y}, theme().text_quiet, clock);
    float y = room.y + font_size(large) + 2 * gap;
    const auto passage = [&](const std::string& heading, ImFont* font, ImU32 colour,
                             const std::string& text) {
        if (y >= room.bottom()) return;
        draw_text_within(draw, fonts().strong, {room.x, y}, theme().text_quiet, heading, room.width);
        y += font_size(fonts().strong) + view.px(4);
        draw_text_block(draw, font, {room.x, y}, colour, text, room.width);
        y += text_block_height(font, text, room.width) + 2 * gap;
    };
    const bool steps = view.session.playhead().step_state() != nullptr;
    passage(tr("now"), fonts().text, theme().text,
            steps ? scene::step_heading(view.session) : tr("nothing ran yet"));
    if (const PlacedNote* next = notes.next(view.session))
        passage(tr("next: step {1}", {std::to_string(next->step + 1)}), fonts().title, theme().text_strong,
                next->text);
    else if (steps)
        passage(tr("next"), fonts().text, theme().text, tr("No note follows in this run."));
    passage(tr("keys"), fonts().text, theme().text_quiet,
            tr("P pointer, O spotlight, J pen, Z wipe it off, V what stands below the stage, B black screen: "
               "with the mouse on the picture. Y closes the audience's window."));
}

}  // namespace lanescope::ui
