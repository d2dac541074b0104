// What a frame shows, read back from the triangles of Dear ImGui: pieces of text and figures, panel by panel.
#pragma once

#include <imgui.h>

#include <string>
#include <variant>
#include <vector>

namespace lanescope::ui {

// Corners in pixels of the window.
struct DrawnBox {
    float left = 0, top = 0, right = 0, bottom = 0;
    float width() const { return right - left; }
    float height() const { return bottom - top; }
    void add(const ImVec2& at);
    DrawnBox within(const DrawnBox& clip) const;
    bool empty() const { return width() < 0.5f || height() < 0.5f; }
};

// A piece of text on one line, in one font and colour.
struct DrawnText {
    std::string text;
    const ImFont* font = nullptr;
    ImU32 colour = 0;
    DrawnBox line;  // from the first letter's pen to the pen behind the last one, as high as the font's line
    DrawnBox ink;   // around its letters
    DrawnBox seen;  // the same, of the letters in sight
    DrawnBox clip;  // nothing outside of it is in sight
    bool clipped = false;  // some letter is not in sight as a whole
    int first_vertex = 0;  // in the panel's draw list
};

struct DrawnFigure {
    enum class Kind { box, shape, picture };
    Kind kind = Kind::shape;
    DrawnBox box;  // the part in sight
    DrawnBox clip = {};
    unsigned texture = 0;  // of a picture: OpenGL's name
    ImU32 colour = 0;
    // Where it stands in the panel's draw list.
    int first_vertex = 0, first_index = 0, end_index = 0, vertex_offset = 0;
};
// Whether one of the figure's triangles covers the point.
bool covers(const ImDrawList& list, const DrawnFigure& figure, const ImVec2& point);
const char* name_of(DrawnFigure::Kind kind);

struct DrawnPanel {
    std::string name;  // panel_name()
    // Returns "source" for "source/code".
    std::string root() const { return name.substr(0, name.find('/')); }
    const ImDrawList* list = nullptr;                         // lives until the next frame
    std::vector<std::variant<DrawnText, DrawnFigure>> items;  // in the order in which they are drawn
};

// The panels that show something, the lowest first. Call it after the frame has ended.
std::vector<DrawnPanel> read_frame(const ImDrawData& drawn);

}  // namespace lanescope::ui
