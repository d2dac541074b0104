// Watch expressions with their values in all lanes of a warp, and how many lanes stand in a row.
#pragma once

#include <array>
#include <string>

#include "session/session.h"

namespace lanescope::scene {

struct WatchRow {
    std::string text;
    Diagnostics problems;  // of the expression; empty: it has values
    std::array<session::LaneValue, trace::warp_size> values;
    int widest = 1;  // characters
};
WatchRow watch_row(const session::Session& session, const std::string& text, std::uint32_t warp);

// Returns how many characters distinguish a value from others: all digits of an integer, a few of a real
// number.
int wanted_characters(const std::string& value);

struct LaneRows {
    int lanes = 32;      // in one row: 32, 16, 8 or 4
    float pitch_px = 0;  // from one to the next
    int characters = 0;  // that fit into each
};
// Returns the longest rows of lanes that leave room for `widest` characters in each lane.
LaneRows lane_rows(float width, int widest, float character_px);

}  // namespace lanescope::scene
