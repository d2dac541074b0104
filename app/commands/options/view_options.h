// What a picture of `lanescope render` shows beside the step: watches, breakpoints, tabs, choices of the
// views.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}

namespace lanescope {

namespace session {
class Session;
}
namespace ui {
struct PictureRequest;
}

struct ViewOptions {
    std::string tab, heat = "executions", reals = "decimal", cell_colour = "automatic";
    std::string label, lane_colour, array, layout = "automatic";
    std::vector<std::string> watches, breakpoints, written_cells;
    bool ptx = false;
    int instruction = -1;

    bool operator==(const ViewOptions&) const = default;
    void add_to(CLI::App& app);
    Result<void> apply_to(ui::PictureRequest& picture) const;
    // Call this after the session has moved to its step. Errors: an expression that cannot be read, a line
    // without code, a breakpoint that never stops the run.
    Result<void> apply_to(session::Session& session) const;
};

}  // namespace lanescope
