// The places of the panels: rectangles in pixels for a window of any size.
#pragma once

#include <array>
#include <cstddef>

#include "ui/kit/view.h"

namespace lanescope::ui {

enum class Panel : std::uint8_t {
    top_bar,
    lessons,
    parameters,
    page,
    stage,
    warps,
    source,
    inspector,
    transport,
    timeline,
    ptx
};
constexpr std::size_t panel_count = 11;

// The borders that the user moves with the mouse: pixels at scale 1, or shares of a column.
struct Splits {
    float left = 236;
    float page = 456;  // of the left column while it holds the lesson's page
    float right = 480;
    float bottom = 168;            // timeline
    float schedule = 450;          // the same, while it has rows for many multiprocessors
    float stage_share = 0.64f;     // of the middle column; the warps get the rest
    float source_share = 0.46f;    // of the right column; the inspector gets the rest
    float lecture_source = 0.58f;  // of the width, in a lecture; the timeline gets the rest
    float lecture_bottom = 0.2f;   // of the height, for source and timeline
};

// What the left panels need: heights, px.
struct Wishes {
    float lessons = 0;
    float parameters = 0;
    bool page = false;                       // the left column holds the lesson's page
    float caption = 0;                       // notes on the step, in a lecture
    bool schedule = false;                   // the timeline has rows for many multiprocessors
    LectureBand band = LectureBand::source;  // below the stage, in a lecture
};

struct Layout {
    std::array<Rect, panel_count> panels{};
    Rect caption;                  // below the stage, in a lecture; otherwise empty
    bool schedule = false;         // as wished
    bool talks_of_source = false;  // a lecture with the source below the stage
    const Rect& operator[](Panel panel) const { return panels[static_cast<std::size_t>(panel)]; }
    Rect& operator[](Panel panel) { return panels[static_cast<std::size_t>(panel)]; }
};

Layout arrange(float width, float height, const WindowState& window, const Splits& splits,
               const Wishes& wishes);

// Returns the scale at which the design's 1600×1000 fills this window, but never so small that text is
// unreadable. `zoom` is the user's factor on top of it, `content_scale` the monitor's.
float fitting_scale(float width, float height, float content_scale, float zoom, bool lecture);

// Lets the user drag the bars between panels; a double click puts a bar back. Changes `splits`.
void drag_splits(const Layout& layout, const WindowState& window, Splits& splits);

}  // namespace lanescope::ui
