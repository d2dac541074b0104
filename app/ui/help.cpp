#include "ui/help.h"

#include <algorithm>
#include <cmath>

#include "ui/keys.h"
#include "ui/widgets.h"

namespace lanescope::ui {
namespace {

constexpr ImGuiWindowFlags overlay_flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                           ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                           ImGuiWindowFlags_NoBackground;

// A panel that floats in the middle of the window; call End after it.
void begin_overlay(const char* id, const Rect& box, const Shared& shared, ImGuiWindowFlags more = 0) {
    ImGui::SetNextWindowPos(box.min());
    ImGui::SetNextWindowSize(ImVec2(box.width, box.height));
    ImGui::Begin(id, nullptr, overlay_flags | more);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(box.min(), box.max(), theme().panel_raised, shared.px(8));
    draw->AddRect(box.min(), box.max(), theme().line, shared.px(8));
}

Rect centred(float width, float height) {
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    width = std::min(width, window.x), height = std::min(height, window.y);
    return {std::round((window.x - width) / 2), std::round((window.y - height) / 2), width, height};
}

}  // namespace

void draw_progress(const session::Session& session, double busy_s, const Shared& shared,
                   session::Commands& commands) {
    constexpr double unnoticed_s = 0.4;  // shorter runs come and go without a word
    if (!session.busy() || (busy_s < unnoticed_s && !shared.still)) return;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const float width = shared.px(420), height = shared.px(44);
    const Rect box{std::round((window.x - width) / 2), shared.px(56), width, height};
    begin_overlay("##progress", box, shared,
                  ImGuiWindowFlags_NoFocusOnAppearing);  // who types goes on typing
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float share = std::clamp(session.progress(), 0.0f, 1.0f);
    draw_text(draw, fonts().text, ImVec2(box.x + shared.px(14), centre_line(fonts().text, box.y, box.height)),
              theme().text, share > 0 ? "Running" : "Compiling");
    const Rect bar{box.x + shared.px(100), box.y + box.height / 2 - shared.px(3), shared.px(220),
                   shared.px(6)};
    draw->AddRectFilled(bar.min(), bar.max(), theme().line, shared.px(3));
    draw->AddRectFilled(bar.min(), ImVec2(bar.x + bar.width * share, bar.bottom()), theme().active_edge,
                        shared.px(3));
    const ImVec2 at(box.right() - chip_width("Cancel", shared) - shared.px(9),
                    box.y + (height - chip_height(shared)) / 2);
    if (chip("cancel", at, "Cancel", shared)) commands.push_back(session::CancelRun{});
    ImGui::End();
}

void draw_help(Shared& shared) {
    if (!shared.show_help) return;
    const auto rows = key_help();
    const float row_height = shared.px(27);
    const Rect box = centred(shared.px(660), row_height * float(rows.size()) + shared.px(78));
    begin_overlay("##keys", box, shared);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw_text(draw, fonts().title, ImVec2(box.x + shared.px(24), box.y + shared.px(18)), theme().text_strong,
              "Keys");
    float y = box.y + shared.px(54);
    for (const KeyHelp& row : rows) {
        draw_text(draw, fonts().strong, ImVec2(box.x + shared.px(24), y), theme().text, row.keys);
        draw_text(draw, fonts().text, ImVec2(box.x + shared.px(210), y), theme().text_quiet, row.what);
        y += row_height;
    }
    const bool outside =
        ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsMouseHoveringRect(box.min(), box.max());
    if (outside && !shared.still) shared.show_help = false;
    ImGui::End();
}

}  // namespace lanescope::ui
