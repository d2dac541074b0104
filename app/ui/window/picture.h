// Draws a picture of the window's contents without a window.
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
#include "ui/vector/vector_picture.h"

namespace lanescope::ui {

class PreviewPage;

// The other run of a comparison, and the position of both: a step of the session, or a share of the run.
struct ComparedWith {
    std::shared_ptr<const execution::RunResult> other;
    double share = -1;  // 0 … 1; negative: at the session's step, together by phase
};

struct PictureRequest {
    render::Extent size{1600, 1000};
    bool lecture = false;
    bool alone = false;  // the view without its heading and the other panels, in a lecture's type
    bool help = false;
    bool page = false;       // the lesson's page is open
    int page_down = 0;       // and moved down by so many screens
    bool exporting = false;  // the dialogue that writes pictures and pages is open
    StageTab stage_tab = StageTab::cells;
    LayoutChoices layout = {};
    std::string map_colour = "state";
    CellColour cell_colour = CellColour::automatic;
    TimelineRows timeline_rows = TimelineRows::warps;
    Dialog dialog = Dialog::none;
    InspectorTab tab = InspectorTab::automatic;
    bool roofline = false;  // in the tab "Timings"
    bool counters = false;  // in the tab "Access"
    bool ptx = false;
    HeatMetric heat = HeatMetric::executions;
    RealFormat reals = RealFormat::decimal;
    std::string lane_colour = {};
    ComparedWith compared = {};  // no other run: no comparison
    // The mouse rests here, and the picture shows the hint for this place; empty: there is no mouse.
    std::optional<std::pair<float, float>> mouse = {};
    bool pointer = false, spotlight = false;  // of a lecture, at the mouse
    HelpPage help_page = HelpPage::keys;
    int tour_stop = -1;
    LectureBand band = LectureBand::of_lesson;  // what stands below a lecture's picture
    bool as_text = false;                       // the frame is put into words instead of drawn
    bool as_shapes = false;                     // the picture is also read as shapes
    bool inspect = false;  // and looked at in all sizes, themes and zooms: see ui/kit/frame_check.h
    // Called with a current OpenGL context before the first frame; may be empty. Runs with this source write
    // their records into the buffer that the picture's shaders read.
    std::function<Result<void>(session::DeviceSource&)> prepare = {};
    // Opens the page of image convolutions; empty: the panels are drawn.
    std::function<Result<void>(PreviewPage&)> preview = {};
    std::string gpu_place = {};  // of this page, as WindowState::gpu_place
};

class App;
// Applies the request's modes, tabs and rows to the window.
void set_up(App& app, const PictureRequest& request);

struct PictureOutcome {
    image::Image image;
    std::string text;                   // instead of the image, if the request asked for it
    VectorFrame shapes;                 // if the request asked for them
    std::vector<std::string> problems;  // of the frames that were inspected
    std::string device;                 // the name of the OpenGL renderer
    std::string note;                   // for example a font that was not found
};

// Draws the session as it is. Errors: no OpenGL 4.5, a size that the driver refuses.
Result<PictureOutcome> draw_picture(session::Session& session, const PictureRequest& request);

}  // namespace lanescope::ui
