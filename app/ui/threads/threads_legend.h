// What the colours of the map of threads mean, with how many threads have each.
#pragma once

#include "ui/kit/view.h"
#include "ui/threads/threads_model.h"

namespace lanescope::ui {

struct MapLegend {
    const ThreadsModel& model;
    const render::Tally& tally;
    const render::ValueRange& range;
    render::ColourBy colour_by;
    std::string variable;
};

float map_legend_height(const WindowState& window);
void draw_map_legend(const Rect& strip, const MapLegend& legend, const WindowState& window);

ImU32 state_colour(render::ThreadState state);
const char* state_words(render::ThreadState state);

// "-3", "0.125": a value of the map's kind.
std::string value_text(std::uint32_t value_type, std::uint64_t bits);

}  // namespace lanescope::ui
