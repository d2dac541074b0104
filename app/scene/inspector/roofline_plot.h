// The roofline of a topic's files as a plot: places from 0 to 1, right and upwards, on logarithmic axes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lesson/course/registry.h"
#include "session/timing/roofline.h"

namespace lanescope::scene {

struct RooflineDot {
    std::string title, details;  // details: tooltip
    std::filesystem::path file;  // opened by a click
    bool open = false;
    double x = 0, y = 0;
    std::optional<double> requested_x;  // by the bytes of the sectors that its requests touch
    std::optional<double> dram_x;       // by the bytes that the GPU's memory moved; nothing beyond the axes
};

// A ceiling, with the words beside it.
struct RooflineCeiling {
    std::string label;
    bool memory = false;  // rises with the operations for each byte
    double from_x = 0, from_y = 0, to_x = 0, to_y = 0;
};

struct RooflineTick {
    double at = 0;
    std::string label;
};

struct RooflinePlot {
    std::vector<RooflineDot> dots;  // the highest first
    std::vector<RooflineCeiling> ceilings;
    std::vector<RooflineTick> x_ticks, y_ticks;
    std::string note;  // where the ceilings come from, which files are left out; why there is no plot
};

RooflinePlot roofline_plot(const session::Roofline& roofline, const lesson::Topic& topic,
                           const lesson::LessonEntry* open);

// Distributes labels of one height over a column from 0 to `room`. `wanted`: their middles, from the top
// downwards. Labels do not overlap, keep their order and are as near as possible to where they are wanted;
// those for which there is no room are left out, the one with index `kept` last.
std::vector<std::optional<float>> label_places(const std::vector<float>& wanted, std::size_t kept,
                                               float height, float room);

}  // namespace lanescope::scene
