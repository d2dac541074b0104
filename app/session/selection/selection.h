// What a person points at: the pinned thread, what the mouse is over, a line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "trace/trace.h"

namespace lanescope::session {

struct Selection {
    std::uint32_t warp = 0, lane = 0;  // pinned thread
    bool lane_hovered = false;
    std::uint32_t hovered_warp = 0, hovered_lane = 0;
    std::string hovered_symbol;  // empty: no cell is hovered
    std::uint64_t hovered_index = 0;
    std::uint32_t line = 0;      // 0: none
    std::string label_variable;  // shown in every lane

    void pin(std::uint32_t wanted_warp, std::uint32_t wanted_lane) {
        warp = wanted_warp, lane = wanted_lane % trace::warp_size;
    }
    void pin_thread(std::uint32_t thread) { pin(thread / trace::warp_size, thread); }
    void hover_lane(std::uint32_t over_warp, std::uint32_t over_lane) {
        lane_hovered = true;
        hovered_warp = over_warp, hovered_lane = over_lane;
        hovered_symbol.clear();
    }
    void hover_cell(const std::string& symbol, std::uint64_t index) {
        lane_hovered = false;
        hovered_symbol = symbol;
        hovered_index = index;
    }
    void clear_hover() { lane_hovered = false, hovered_symbol.clear(); }
    // Moves the pinned thread to a warp that some launch has.
    void clamp(const trace::Trace& trace) {
        unsigned warps = 1;
        for (const trace::Launch& launch : trace.launches)
            warps = std::max(warps, launch.warps_per_block());
        warp = std::min(warp, warps - 1);
    }
};

}  // namespace lanescope::session
