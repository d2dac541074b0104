// The legend of the map of threads: the meaning of each colour, and how many threads have it.
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

// Returns a value of the map's type as text: "-3", "0.125".
std::string value_text(std::uint32_t value_type, std::uint64_t bits);

}  // namespace lanescope::ui
