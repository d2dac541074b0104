// Small parts that several views draw: text, chips, inputs, shapes. All in pixels on the window's draw list.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/number_text.h"
#include "ui/kit/theme.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

// --- Text --------------------------------------------------------------------------------------------------

float font_size(const ImFont* font);  // height of its line box, px
float text_width(ImFont* font, std::string_view text);
void draw_text(ImDrawList* draw, ImFont* font, ImVec2 at, ImU32 colour, std::string_view text);
// As much as fits into `width`, ending in … when it is cut. Returns whether it was cut.
bool draw_text_within(ImDrawList* draw, ImFont* font, ImVec2 at, ImU32 colour, std::string_view text,
                      float width);
// The text that is under the mouse in this frame, as the last one that was drawn there; empty: none.
struct HoveredText {
    std::string text;
    ImFont* font = nullptr;
    float x = 0;  // where the text begins
};
HoveredText& hovered_text();
// Takes note of a text that draw_text does not draw in one piece.
void note_text(ImFont* font, ImVec2 at, std::string_view text, float width);
// Centred in both directions.
void draw_text_centred(ImDrawList* draw, ImFont* font, const Rect& box, ImU32 colour, std::string_view text);
// Vertical position that centres one line in a row.
float centre_line(ImFont* font, float top, float height);
std::string in_capitals(std::string_view text);

// --- Boxes -------------------------------------------------------------------------------------------------

// A filled cell with an edge and small cut corners, on whole pixels. There are thousands of them in a frame:
// this one has a tenth of the triangles that smooth rounded rectangles have, and looks the same at the size
// of a cell.
void draw_cell_box(ImDrawList* draw, const Rect& box, ImU32 fill, ImU32 edge, float edge_px, float rounding);

ImTextureID imgui_texture(unsigned gl_name);

// Where a panel that scrolls stands, at its right edge; nothing when all of it is in sight.
void draw_scroll_mark(const Rect& inside, float scroll, float content_height, const WindowState& window);

// --- Tooltips ----------------------------------------------------------------------------------------------

// Whether the mouse is over the rectangle and nothing lies above its panel.
bool hovered(const Rect& rect, const WindowState& window);
void tooltip(const std::string& text, const WindowState& window);
// The same with a bold first line.
void tooltip(const std::string& title, const std::string& text, const WindowState& window);

// --- Controls ----------------------------------------------------------------------------------------------

enum class Triangle { left, right, up, down };
// Stands on a corner, with a rim that sets it off from what lies below.
void draw_diamond(ImDrawList* draw, ImVec2 centre, float size, ImU32 colour);
void draw_triangle(ImDrawList* draw, Triangle direction, ImVec2 centre, float size, ImU32 colour);

// An invisible button over the rectangle: true when clicked. `id` is unique in the window.
bool click_area(const char* id, const Rect& rect);

// A pill with a word in it; `arrow` draws a small ▾ after it. Width as needed, from `at`; true when clicked.
struct ChipLook {
    ImU32 text = 0;  // 0: the theme's text
    bool arrow = false;
    bool clickable = true;
};
float chip_width(const std::string& label, const WindowState& window, bool arrow = false);
bool chip(const char* id, ImVec2 at, const std::string& label, const WindowState& window,
          const ChipLook& look = {});
float chip_height(const WindowState& window);

// A key that Dear ImGui sees, with its repetitions.
bool key_pressed(ImGuiKey key);

bool list_is_open();  // or a menu, or a line to type in that floats over a panel

// A drop-down list: a box with the current choice, as wide as `box`. Returns the index chosen now, or -1.
int choice(const char* id, const Rect& box, const std::vector<std::string>& labels, int current,
           const WindowState& window);
// The popup part alone, opened by ImGui::OpenPopup(id).
int choice_popup(const char* id, const std::vector<std::string>& labels, int current,
                 const WindowState& window);

}  // namespace lanescope::ui
