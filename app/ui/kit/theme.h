// Every colour, size and font of the window, by meaning. A meaning has the same colour everywhere.
#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

#include "ui/state/brightness.h"

namespace lanescope::scene {
enum class Meaning : std::uint8_t;
}

namespace lanescope::ui {

struct Theme {
    // Surfaces
    ImU32 background;               // of the stage and the warps
    ImU32 panel, panel_raised;      // of everything else; of chips and inputs on it
    ImU32 line, heading, selected;  // between panels; text of headings; the selected row
    // Text
    ImU32 text_strong, text, text_quiet, text_faint, accent;
    // Meanings; each also has a shape, an edge or a word, never only a colour
    ImU32 active, active_edge;  // lanes that run: blue
    ImU32 off, off_edge;        // lanes that do not: grey
    ImU32 barrier;              // amber
    ImU32 read, read_edge;      // green
    ImU32 write, write_edge;    // orange
    ImU32 conflict;             // red
    ImU32 race;                 // magenta
    ImU32 good;                 // "no conflict", "as expected"
    ImU32 cell, cell_edge, cell_unset;
    ImU32 current_line;
    ImU32 run, finished;         // turns on the timeline
    std::array<ImU32, 5> scale;  // for numbers, smallest first, in steps that look equal to every eye
    ImU32 library;               // bars of libraries, beside the lessons: violet
    ImU32 time;                  // bars of the time that lines take on a GPU: cyan
    // Source
    ImU32 keyword, type_name, builtin, number, string, comment;
    // Sizes in pixels at scale 1 (1600×1000); multiply by WindowState::scale
    float heading_height, row_height, cell_size, gap, padding, rounding;
};

struct Fonts {
    ImFont* text = nullptr;         // Inter 14
    ImFont* small = nullptr;        // Inter 11.5
    ImFont* strong = nullptr;       // Inter semibold 14
    ImFont* heading = nullptr;      // Inter semibold 11.5, for capitals
    ImFont* title = nullptr;        // Inter semibold 16
    ImFont* caption = nullptr;      // Inter semibold 19, lecture
    ImFont* mono = nullptr;         // JetBrains Mono 13
    ImFont* mono_small = nullptr;   // JetBrains Mono 11
    ImFont* mono_tiny = nullptr;    // JetBrains Mono 9
    ImFont* mono_medium = nullptr;  // JetBrains Mono 18
    ImFont* mono_large = nullptr;   // JetBrains Mono 27, lecture
};

// The face of a font, as pages and documents name it.
struct Typeface {
    const char* family = nullptr;
    int weight = 400;
    float line_box_em = 1;       // height of ImGui's line box in ems
    std::filesystem::path file;  // empty: a font that is built into Dear ImGui
    bool monospaced = false;
};
Typeface typeface_of(const ImFont* font);

const Theme& theme();
// Sets the theme that theme() returns and, if there is a context, the colours of Dear ImGui's own widgets.
void set_theme(Brightness brightness);
Brightness brightness();
const Fonts& fonts();
void use_fonts(const Fonts& those);  // of another context of Dear ImGui

// While this object exists, small texts and headings have the size of the others.
class LargeType {
  public:
    explicit LargeType(bool on);
    ~LargeType();
    LargeType(const LargeType&) = delete;
    LargeType& operator=(const LargeType&) = delete;

  private:
    Fonts usual_;
};
// Returns the height of the monospaced face's em square, px; "24 pixel type" has 24.
float code_size_px();

ImU32 colour_of(scene::Meaning meaning);
// The ratio of two opaque colours' luminances, 1 … 21, and the least one of text on what lies behind it
// (WCAG 2.2, criterion 1.4.3).
float contrast(ImU32 a, ImU32 b);
constexpr float least_contrast = 4.5f;
// Returns the colour, mixed with as much white or black as text on this surface needs. Both are opaque.
ImU32 legible(ImU32 text, ImU32 surface);
// Returns the colour with its opacity multiplied by `share` (0 … 1).
ImU32 faded(ImU32 colour, float share);
// Mixes two colours: 0 gives `a`, 1 gives `b`.
ImU32 blend(ImU32 a, ImU32 b, float share);
// What is seen where a colour lies over an opaque one.
ImU32 over(ImU32 top, ImU32 below);

// Loads the fonts at this scale into ImGui's atlas and sets ImGui's style. Returns a note that names the
// fonts that were not found, for which ImGui's own font is used, or an empty text.
std::string load_theme(float scale);

}  // namespace lanescope::ui
