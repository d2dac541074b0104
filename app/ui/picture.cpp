#include "ui/picture.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "render/framebuffer.h"
#include "render/headless.h"
#include "ui/app.h"

namespace lanescope::ui {
namespace {

constexpr int warm_up_frames = 3;  // layout settles: scroll positions follow what the frame before measured
constexpr int measured_frames = 5;

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2), values.end());
    return values[values.size() / 2];
}

}  // namespace

Result<PictureOutcome> draw_picture(session::Session& session, const PictureRequest& request) {
    auto context = render::HeadlessContext::create();
    if (!context) return context.diagnostics();
    auto target = render::Framebuffer::create(request.size.width, request.size.height);
    if (!target) return target.diagnostics();
    App app(session, nullptr);
    app.shared().still = true;
    app.shared().lecture = request.lecture;
    app.shared().show_help = request.help;
    app.shared().stage_tab = request.stage_tab;
    app.shared().map_colour = request.map_colour;
    app.shared().timeline_rows = request.timeline_rows;
    app.shared().show_tab = request.tab;
    if (request.prepare)
        if (Result<void> prepared = request.prepare(app.gpu()); !prepared) return prepared.diagnostics();
    FrameInput input;
    input.pixels = request.size;
    std::vector<double> times_ms;
    for (int i = 0; i < warm_up_frames + measured_frames; ++i) {
        const auto start = std::chrono::steady_clock::now();
        input.now_s += 1.0 / 60;
        target->bind();
        app.frame(input);
        glFinish();
        const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
        if (i >= warm_up_frames) times_ms.push_back(spent.count());
    }
    if (!app.shared().problem.empty()) return error(app.shared().problem);
    auto image = target->read();
    if (!image) return image.diagnostics();
    return PictureOutcome{std::move(*image), median(times_ms), context->device().renderer, app.shared().note};
}

}  // namespace lanescope::ui
