#include "ui/window/picture.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "ui/window/app.h"
#include "ui/window/headless_renderer.h"

namespace lanescope::ui {
namespace {

// Frames until the layout settles, because scroll positions use measurements of the previous frame, and until
// the hints for a resting mouse appear.
constexpr int settling_frames = 4, resting_frames = 8;

Result<void> draw_settled(HeadlessRenderer& studio, const PictureRequest& request) {
    const int frames = request.mouse ? resting_frames : settling_frames;
    for (int i = 0; i < frames; ++i)
        if (Result<void> drawn = studio.draw(); !drawn) return drawn;
    return {};
}

// Draws the frame in every size, theme and zoom. Each problem is listed once, with the frames that have it.
Result<void> inspect(HeadlessRenderer& studio, const PictureRequest& request,
                     std::vector<std::string>& told) {
    struct Frame {
        render::Extent size;
        float zoom = 1;
    };
    constexpr Frame frames[] = {{{800, 600}},   {{1024, 768}},        {{1280, 720}},        {{1600, 1000}},
                                {{1920, 1080}}, {{1920, 1080}, 1.5f}, {{2560, 1440}, 0.8f}, {{3840, 2160}}};
    std::map<std::string, std::vector<std::string>> where;  // each problem is
    for (const Brightness brightness : {Brightness::dark, Brightness::light})
        for (const auto& [size, zoom] : frames) {
            studio.show_as(size, brightness, zoom);
            if (Result<void> drawn = draw_settled(studio, request); !drawn) return drawn;
            for (const std::string& problem : studio.problems()) {
                std::string frame = std::to_string(size.width) + "x" + std::to_string(size.height);
                if (brightness == Brightness::light) frame += " light";
                if (zoom != 1) frame += zoom > 1 ? " enlarged" : " reduced";
                where[problem].push_back(std::move(frame));
            }
        }
    for (const auto& [problem, seen] : where)
        told.push_back(problem + " (" + seen.front() +
                       (seen.size() > 1 ? " and " + std::to_string(seen.size() - 1) + " more)" : ")"));
    return {};
}

}  // namespace

Result<PictureOutcome> draw_picture(session::Session& session, const PictureRequest& request) {
    Result<HeadlessRenderer> studio = HeadlessRenderer::open(session, request);
    if (!studio) return studio.diagnostics();
    if (Result<void> drawn = draw_settled(*studio, request); !drawn) return drawn.diagnostics();
    if (request.as_text) {
        PictureOutcome outcome{{}, studio->outline(), {}, {}, studio->device(), studio->note()};
        if (request.inspect)
            if (Result<void> looked = inspect(*studio, request, outcome.problems); !looked)
                return looked.diagnostics();
        return outcome;
    }
    auto image = studio->picture();
    if (!image) return image.diagnostics();
    PictureOutcome outcome{std::move(*image), {}, {}, {}, studio->device(), studio->note()};
    if (!request.as_shapes) return outcome;
    Result<VectorFrame> shapes = studio->vector_frame();
    if (!shapes) return shapes.diagnostics();
    outcome.shapes = std::move(*shapes);
    return outcome;
}

void set_up(App& app, const PictureRequest& request) {
    WindowState& window = app.window();
    window.still = !request.mouse;
    window.lecture = request.lecture || request.alone;
    window.talk.alone = request.alone;
    window.talk.band = request.band;
    window.dialog = request.dialog;
    window.help.shown = request.help;
    window.exporting = request.exporting;
    if (request.page) window.page = true;
    window.signals.page_scroll = request.page_down;
    window.stage_tab = request.stage_tab;
    window.layout = request.layout;
    window.map_colour = request.map_colour;
    window.cells.colour = request.cell_colour;
    window.timeline_rows = request.timeline_rows;
    window.inspector.tab = request.tab;
    window.inspector.roofline = request.roofline;
    window.inspector.counters = request.counters;
    window.help.page = request.help_page;
    window.talk.pointer = request.pointer;
    window.talk.spotlight = request.spotlight;
    if (request.tour_stop >= 0) {
        start_tour(window);
        window.tour_stop = request.tour_stop;
    }
    window.source.ptx = request.ptx;
    window.source.heat = request.heat;
    window.cells.reals = request.reals;
    window.lane_colour = request.lane_colour;
    if (!request.compared.other) return;
    window.comparing = true;
    CompareMode& both = app.compare();
    both.show(*request.compared.other);
    if (request.compared.share < 0 || both.ticks().empty()) return;
    both.place(session::StepTogether::share, 0);
    const double last = double(both.ticks().size() - 1);
    both.place(session::StepTogether::share,
               std::size_t(std::lround(last * std::min(request.compared.share, 1.0))));
}

}  // namespace lanescope::ui
