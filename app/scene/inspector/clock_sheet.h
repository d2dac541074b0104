// What the tab "Clock" shows: an estimate and its reasons in words, what would change it, other values of a
// parameter as a plot.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "session/clock/file_clock.h"

namespace lanescope::scene {

struct ClockShare {
    std::string unit;  // "L2"
    double share = 0;  // of the time in which it is busy
};

struct ClockLimit {
    std::string name, arithmetic;  // "registers"; "40 × 32 = 1 280 of a warp; …"
    std::string blocks;            // "6 blocks"
    bool decides = false;
};

struct ClockLine {
    std::uint32_t line = 0;
    double share = 0;     // of the time of all warps
    std::string code;     // the line's text
    std::string reasons;  // "30 % waits for global or local memory, 4 % issues an instruction"
};

struct ClockSheet {
    std::string refused;  // "No estimate: …"; the rest is empty then
    std::uint32_t refused_line = 0;
    std::string time;    // "≈ 5.1 µs"
    std::string launch;  // "mostly the launch: ≈ 3.6 µs of it"; empty: it is not
    std::string traced;  // which smaller run stands for this one; empty: none
    std::string limit;   // of one launch
    std::string kernel;  // of that launch; empty: there is only one launch
    std::vector<ClockShare> shares;
    std::string occupancy, registers;
    std::vector<ClockLimit> limits;  // of the blocks on a multiprocessor, the smallest first
    std::string spills;              // of the launch's kernel; empty: not known
    std::vector<ClockLine> lines;    // the largest first
    std::string error;               // how far estimates are from recorded times
};

// `launch`: whose limit is shown, from 0. `source`: the text of the file. `resources` may be null.
ClockSheet clock_sheet(const session::ClockReading& reading, std::size_t launch, const std::string& source,
                       const session::Resources* resources = nullptr);

// "recorded 4.84 µs: the estimate is 6 % too high"; empty if these times do not have this text with these
// parameters. A time on another GPU is not compared.
std::string timed_words(const session::ClockReading& reading, const session::Timings& timings,
                        const std::string& source);

// "1.5 times as fast", "takes 1.2 times as long", "about as fast".
std::string speed_words(double microseconds_before, double microseconds_after);
// "≈ 3.4 µs, 1.5 times as fast, limited by …"
std::string otherwise_words(const session::ClockReading& reading, const session::ClockReading& otherwise,
                            std::size_t launch);

// One figure that can be supposed, as a slider.
struct ClockKnob {
    std::string label, value;
    std::string checked;  // what supports the estimates of this figure and of those before it; may be empty
    double share = 0;     // the place of the value on the slider, 0 … 1
    double least = 0, most = 0, as_it_is = 0, step = 1;
    bool factor = false;                    // the slider is logarithmic
    int session::WhatIf::*whole = nullptr;  // the figure is one of these
    double session::WhatIf::*real = nullptr;
};
// A figure of which the launch leaves no choice has none.
std::vector<ClockKnob> clock_knobs(const session::ClockReading& reading, const analysis::DeviceModel& device,
                                   const session::WhatIf& supposed, std::size_t launch);
// What is supposed with the knob at this place.
session::WhatIf turned(const ClockKnob& knob, session::WhatIf supposed, double share);

struct SweepDot {
    std::int64_t value = 0;
    std::string words;    // "block = 128: ≈ 4.1 µs"
    double x = 0, y = 0;  // 0 … 1, right and upwards, on logarithmic axes
    bool now = false, best = false;
};
struct SweepPlot {
    std::string parameter;
    std::vector<SweepDot> dots;  // ascending values
    std::string best;            // "fastest with block = 128: ≈ 4.1 µs, 1.3 times as fast as now"
    std::string refused;         // "2 values have no estimate: …"; empty: all have one
    std::string low, high;       // times at the ends of the axis
};
SweepPlot sweep_plot(const session::FileClock::Sweep& sweep, std::int64_t now);

// The parameters of the file of which other values can be tried, with their values now.
std::vector<std::string> swept_parameters(const session::ClockReading& reading);

}  // namespace lanescope::scene
