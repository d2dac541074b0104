// A picture of the window without a window.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "image/image.h"
#include "render/window.h"
#include "session/session.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

class PreviewPage;

// The other run of a comparison, and where both stand: at a step of the session, or at a share of the run.
struct ComparedWith {
    std::shared_ptr<const session::RunResult> other;
    double share = -1;  // 0 … 1; negative: where the session's own step is, together by phase
};

struct PictureRequest {
    render::Extent size{1600, 1000};
    bool lecture = false;
    bool help = false;
    bool exporting = false;  // the dialogue that writes pictures and pages is open
    StageTab stage_tab = StageTab::cells;
    std::string map_colour = "state";
    TimelineRows timeline_rows = TimelineRows::warps;
    Dialog dialog = Dialog::none;
    InspectorTab tab = InspectorTab::automatic;
    bool ptx = false;
    HeatMetric heat = HeatMetric::executions;
    RealFormat reals = RealFormat::decimal;
    std::string lane_colour = {};
    ComparedWith compared = {};  // without another run: the window as usual
    // The mouse rests here: what it points at is shown, as in the window. Nothing: there is no mouse.
    std::optional<std::pair<float, float>> mouse = {};
    bool pointer = false, spotlight = false;  // of a lecture, at the mouse
    HelpPage help_page = HelpPage::keys;
    int tour_stop = -1;
    bool as_text = false;  // the frame is described instead of drawn
    // Called once there is an OpenGL context, before anything is drawn; may be empty. Runs with this source
    // write their records where the picture's shaders read them.
    std::function<Result<void>(session::DeviceSource&)> prepare = {};
    // Opens the page of image convolutions; empty: the panels are drawn.
    std::function<Result<void>(PreviewPage&)> preview = {};
};

class App;
// What the request says about the window: modes, tabs, rows.
void set_up(App& app, const PictureRequest& request);

struct PictureOutcome {
    image::Image image;
    std::string text;    // instead of the image, if the request asked for it
    std::string device;  // what drew it
    std::string note;    // e.g. a font that was not found
};

// Draws the session as it is. Errors: no OpenGL 4.5, a size that the driver refuses.
Result<PictureOutcome> draw_picture(session::Session& session, const PictureRequest& request);

}  // namespace lanescope::ui
