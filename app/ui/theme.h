// Every colour, size and font of the window, by meaning. One meaning has one colour everywhere.
#pragma once

#include <imgui.h>

namespace lanescope::ui {

struct Theme {
    // Surfaces
    ImU32 background, panel, panel_raised, line, heading;
    // Text
    ImU32 text, text_quiet, text_faint, accent;
    // Meanings: never by colour alone (each also has a shape, an edge or a word)
    ImU32 active, active_edge;        // lanes that run: blue
    ImU32 off, off_edge;              // lanes that do not: grey
    ImU32 barrier;                    // amber
    ImU32 read, read_edge;            // green
    ImU32 write, write_edge;          // orange
    ImU32 conflict;                   // red
    ImU32 race;                       // magenta
    ImU32 good;                       // "no conflict", "as expected"
    ImU32 cell, cell_edge, cell_unset;
    ImU32 current_line;
    // Source
    ImU32 keyword, type_name, builtin, number, string, comment;
    // Sizes in pixels at scale 1 (1600×1000)
    float heading_height, row_height, cell_size, gap, padding, rounding;
};

struct Fonts {
    ImFont* text = nullptr;           // Inter 14
    ImFont* small = nullptr;          // Inter 11
    ImFont* strong = nullptr;         // Inter bold 15
    ImFont* mono = nullptr;           // JetBrains Mono 14
    ImFont* mono_small = nullptr;     // JetBrains Mono 11
    ImFont* mono_large = nullptr;     // JetBrains Mono 26, lecture
};

const Theme& theme();
const Fonts& fonts();

// Loads the fonts at this scale into ImGui's atlas and sets ImGui's style. False when a font file was not found
// (ImGui's own font is used then; `missing` names it).
bool load_theme(float scale, const char** missing);

}  // namespace lanescope::ui
