// Small widgets of several views: text, chips, inputs, shapes. Places are pixels on the window's draw list.
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
// Draws as much of the text as fits into `width`, with … at the end if it is cut; a resting mouse then shows
// the whole text. Returns whether it is cut.
bool draw_text_within(ImDrawList* draw, ImFont* font, ImVec2 at, ImU32 colour, std::string_view text,
                      float width);
// The last text drawn under the mouse in this frame, or an empty text.
struct HoveredText {
    std::string text;
    ImFont* font = nullptr;
    float x = 0;       // where the text begins
    bool cut = false;  // only its start is in sight
};
HoveredText& hovered_text();
// Notes a text for hovered_text() that draw_text does not draw in one piece.
void note_text(ImFont* font, ImVec2 at, std::string_view text, float width, bool cut = false);
// Draws the text centred in both directions.
void draw_text_centred(ImDrawList* draw, ImFont* font, const Rect& box, ImU32 colour, std::string_view text);
// How the boxes of one picture show what a step changed. All have the same form, so that none looks like the
// value of another kind.
enum class ChangeForm : std::uint8_t {
    one_line,   // "3→8"
    two_lines,  // the old value small above the new one
    after,      // the new value alone
};
// Finds the form for which every box has room.
class ChangeForms {
  public:
    void add(ImFont* font, const Rect& box, const std::string& before, const std::string& after);
    ChangeForm best() const;

  private:
    bool one_line_ = true, two_lines_ = true;
};
// Draws a value that a step changed, centred. The form must have room.
void draw_change(ImDrawList* draw, ImFont* font, const Rect& box, const std::string& before,
                 const std::string& after, ImU32 quiet, ImU32 strong, ChangeForm form);
// Returns the vertical position that centres one line in a row.
float centre_line(ImFont* font, float top, float height);
std::string in_capitals(std::string_view text);

// --- Boxes -------------------------------------------------------------------------------------------------

// Draws a filled cell with an edge and small cut corners, on whole pixels. A frame has thousands of cells;
// this box has a tenth of the triangles of a smooth rounded rectangle and looks the same at this size.
void draw_cell_box(ImDrawList* draw, const Rect& box, ImU32 fill, ImU32 edge, float edge_px, float rounding);

// Draws diagonal lines in the box, `step` pixels apart.
void draw_hatching(ImDrawList* draw, const Rect& box, ImU32 colour, float step);
// Draws a figure that is estimated and not measured: with hatching behind it. Returns its width, px.
float draw_estimate(ImDrawList* draw, ImFont* font, ImVec2 at, ImU32 colour, std::string_view text,
                    const WindowState& window);

ImTextureID imgui_texture(unsigned gl_name);

// Draws a scrolling panel's position at its right edge; nothing if its whole content is in sight.
void draw_scroll_mark(const Rect& inside, float scroll, float content_height, const WindowState& window);

// --- Tooltips ----------------------------------------------------------------------------------------------

// Returns whether the mouse is over the rectangle and nothing covers its panel.
bool hovered(const Rect& rect, const WindowState& window);
void tooltip(const std::string& text, const WindowState& window);
// Shows a tooltip with a bold first line.
void tooltip(const std::string& title, const std::string& text, const WindowState& window);

// --- Controls ----------------------------------------------------------------------------------------------

enum class Triangle { left, right, up, down };
// Draws a diamond with a rim that separates it from what lies below.
void draw_diamond(ImDrawList* draw, ImVec2 centre, float size, ImU32 colour);
void draw_triangle(ImDrawList* draw, Triangle direction, ImVec2 centre, float size, ImU32 colour);

// Puts an invisible button over the rectangle and, if it is too small, a little around it. Returns whether it
// was clicked. `id` is unique in the window;
// tests find the button by `name`, or by `id` if the name is empty.
bool click_area(const char* id, const Rect& rect, std::string_view name = {});

// A pill with a label, at `at` and as wide as needed; `arrow` adds a small ▾. chip() returns true if clicked.
struct ChipLook {
    ImU32 text = 0;  // 0: the theme's text
    bool arrow = false;
    bool clickable = true;
    std::string_view name = {};  // as for click_area
};
float chip_width(const std::string& label, const WindowState& window, bool arrow = false);
bool chip(const char* id, ImVec2 at, const std::string& label, const WindowState& window,
          const ChipLook& look = {});
float chip_height(const WindowState& window);

// Draws a horizontal slider whose knob stands at this share of its width. Returns the share to which the
// mouse moves it in this frame, or -1.
float slider(const char* id, const Rect& box, float share, const WindowState& window);

// Draws a word at the right edge of a row and shortens the row by it. Returns whether it was clicked.
bool right_word(const char* id, Rect& row, const std::string& text, const WindowState& window);

// Returns whether Dear ImGui sees this key pressed or repeated.
bool key_pressed(ImGuiKey key);
#if IMGUI_VERSION_NUM < 18700
constexpr ImGuiKey keypad_enter = ImGuiKey_KeyPadEnter;
#else
constexpr ImGuiKey keypad_enter = ImGuiKey_KeypadEnter;
#endif

bool list_is_open();  // or a menu, or an input line that floats over a panel

// Draws a drop-down list in `box` with the current choice. Returns the index chosen in this frame, or -1.
int choice(const char* id, const Rect& box, const std::vector<std::string>& labels, int current,
           const WindowState& window);
// Draws only the popup, which ImGui::OpenPopup(id) opens.
int choice_popup(const char* id, const std::vector<std::string>& labels, int current,
                 const WindowState& window);

}  // namespace lanescope::ui
