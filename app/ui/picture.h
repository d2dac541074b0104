// A picture of the window without a window.
#pragma once

#include <functional>
#include <string>

#include "render/image.h"
#include "render/window.h"
#include "session/session.h"
#include "ui/view.h"

namespace lanescope::ui {

struct PictureRequest {
    render::Extent size{1600, 1000};
    bool lecture = false;
    bool help = false;
    StageTab stage_tab = StageTab::cells;
    std::string map_colour = "state";
    TimelineRows timeline_rows = TimelineRows::warps;
    InspectorTab tab = InspectorTab::automatic;
    // Called once there is an OpenGL context, before anything is drawn; may be empty. Runs with this source write their
    // records where the picture's shaders read them.
    std::function<Result<void>(session::DeviceSource&)> prepare = {};
};

struct PictureOutcome {
    render::Image image;
    double frame_ms = 0;  // median time of a frame after the first ones
    std::string device;   // what drew it
    std::string note;     // e.g. a font that was not found
};

// Draws the session as it is. Errors: no OpenGL 4.5, a size that the driver refuses.
Result<PictureOutcome> draw_picture(session::Session& session, const PictureRequest& request);

}  // namespace lanescope::ui
