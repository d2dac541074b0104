// Rows of the warps view: how high they are so that as much as possible fits, and short texts for lanes.
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace/replay.h"

namespace lanescope::scene {

enum class WarpForm : std::uint8_t {
    roomy,  // value, thread and a sentence
    tight,  // the same, lower
    strip,  // one line: values
    thin,   // one line, too low for text: colours
};

struct WarpRow {
    std::uint32_t warp = 0;
    WarpForm form = WarpForm::roomy;
    float y = 0, cell_height = 0, bottom = 0;  // content coordinates
    bool detailed() const { return form == WarpForm::roomy || form == WarpForm::tight; }
};

struct WarpsLayout {
    std::vector<WarpRow> rows;  // ascending y
    float height = 0;
    std::optional<std::uint32_t> row_at(float y) const;  // index into rows
};

// The space that the rows must fit.
struct WarpsFrame {
    float panel_height = 0;
    float arc_room = 0;  // px above each full row
    float scale = 1;
    float growth = 1;  // how much higher full rows may be, as their lanes are wider
};
// Shows all warps in full when they fit; else the pinned one in full and all of them as strips.
WarpsLayout make_warps_layout(std::uint32_t warps, std::uint32_t pinned, const WarpsFrame& frame);

struct WarpSummary {
    trace::Mask active = 0, present = 0;  // active: the lanes that acted in the step
    std::uint32_t line = 0;               // of the active lanes
    std::string mask_text;                // "11111111"
    std::string count_text;               // "8/32 · line 10", "at barrier", "finished"
    std::string short_text;               // "8/32", "at barrier", "finished"
};
// `acted`: see session::StepState.
WarpSummary summarise(const std::array<trace::LaneInfo, trace::warp_size>& lanes,
                      trace::Mask acted = ~trace::Mask{0});

// Returns a value in at most `max_chars` characters: its text, else its number rounded, else its start and
// "…".
std::string shorten(const std::string& text, double number, int max_chars);

}  // namespace lanescope::scene
