#include "ui/window/picture.h"

#include <algorithm>
#include <cmath>

#include "ui/window/app.h"
#include "ui/window/headless_renderer.h"

namespace lanescope::ui {
namespace {

// Layout settles: scroll positions follow what the frame before measured; what waits for a resting mouse,
// appears.
constexpr int settling_frames = 4, resting_frames = 8;

}  // namespace

Result<PictureOutcome> draw_picture(session::Session& session, const PictureRequest& request) {
    Result<HeadlessRenderer> studio = HeadlessRenderer::open(session, request);
    if (!studio) return studio.diagnostics();
    const int frames = request.mouse ? resting_frames : settling_frames;
    for (int i = 0; i < frames; ++i)
        if (Result<void> drawn = studio->draw(); !drawn) return drawn.diagnostics();
    auto image = studio->picture();
    if (!image) return image.diagnostics();
    return PictureOutcome{std::move(*image), studio->device(), studio->note()};
}

void set_up(App& app, const PictureRequest& request) {
    WindowState& shared = app.shared();
    shared.still = !request.mouse;
    shared.lecture = request.lecture;
    shared.dialog = request.dialog;
    shared.show_help = request.help;
    shared.exporting = request.exporting;
    shared.stage_tab = request.stage_tab;
    shared.map_colour = request.map_colour;
    shared.timeline_rows = request.timeline_rows;
    shared.show_tab = request.tab;
    shared.help_page = request.help_page;
    shared.pointer = request.pointer;
    shared.spotlight = request.spotlight;
    if (request.tour_stop >= 0) {
        start_tour(shared);
        shared.tour_stop = request.tour_stop;
    }
    shared.show_ptx = request.ptx;
    shared.heat = request.heat;
    shared.reals = request.reals;
    shared.lane_colour = request.lane_colour;
    if (!request.compared.other) return;
    shared.comparing = true;
    CompareMode& both = app.compare();
    both.show(*request.compared.other);
    if (request.compared.share < 0 || both.ticks().empty()) return;
    both.place(session::StepTogether::share, 0);
    const double last = double(both.ticks().size() - 1);
    both.place(session::StepTogether::share,
               std::size_t(std::lround(last * std::min(request.compared.share, 1.0))));
}

}  // namespace lanescope::ui
