#include "ui/window/headless_renderer.h"

#include <utility>

#include "image/gif.h"
#include "render/framebuffer.h"
#include "render/headless.h"
#include "ui/window/app.h"

namespace lanescope::ui {
namespace {

constexpr int frames_between_steps = 2;  // the layout uses measurements of the previous frame

}  // namespace

struct HeadlessRenderer::State {
    render::HeadlessContext context;
    render::Framebuffer target;
    std::unique_ptr<App> app;
    FrameInput input;
    SyntheticInput hand;  // the input, if there is a mouse
    double frame_s = 1.0 / 60;
};

HeadlessRenderer::HeadlessRenderer(std::unique_ptr<State> state) : state_(std::move(state)) {}
HeadlessRenderer::HeadlessRenderer(HeadlessRenderer&&) noexcept = default;
HeadlessRenderer::~HeadlessRenderer() = default;

Result<HeadlessRenderer> HeadlessRenderer::open(session::Session& session, const PictureRequest& request) {
    auto context = render::HeadlessContext::create();
    if (!context) return context.diagnostics();
    auto target = render::Framebuffer::create(request.size.width, request.size.height);
    if (!target) return target.diagnostics();
    std::unique_ptr<State> state(new State{std::move(*context), std::move(*target), nullptr, {}, {}});
    state->app = std::make_unique<App>(session, nullptr);
    state->input.pixels = request.size;
    set_up(*state->app, request);
    state->app->skip_drawing(request.as_text);
    if (request.as_text) state->app->name_widgets();
    if (request.mouse) {
        state->hand.x = request.mouse->first, state->hand.y = request.mouse->second;
        state->frame_s = 0.25;  // long frames, so that hints for a resting mouse appear
    }
    if (request.prepare)
        if (Result<void> prepared = request.prepare(state->app->gpu()); !prepared)
            return prepared.diagnostics();
    if (request.preview) {
        PreviewPage& page = state->app->preview();
        state->app->window().gpu.place = request.gpu_place;
        page.use_gpu_place(request.gpu_place);
        if (Result<void> prepared = request.preview(page); !prepared) return prepared.diagnostics();
        page.model().wait();
        if (!page.model().problem().empty()) return error(page.model().problem());
    }
    return HeadlessRenderer(std::move(state));
}

Result<void> HeadlessRenderer::draw() {
    State& s = *state_;
    s.input.now_s += s.frame_s;
    s.input.hand = s.app->window().still ? nullptr : &s.hand;
    s.target.bind();
    s.app->frame(s.input);
    if (s.app->preview().open()) s.app->preview().model().wait();  // ends the jobs that the mouse started
    if (!s.app->problem().empty()) return error(s.app->problem());
    return {};
}

Result<image::Image> HeadlessRenderer::picture() {
    return state_->target.read();
}
std::string HeadlessRenderer::outline() const {
    return state_->app->outline();
}
std::vector<std::string> HeadlessRenderer::problems() const {
    return state_->app->problems();
}
void HeadlessRenderer::show_as(render::Extent size, Brightness brightness, float zoom) {
    state_->input.pixels = size;
    state_->app->window().zoom = zoom;
    set_theme(brightness);
}
void HeadlessRenderer::show_motion(double at_s) {
    state_->app->window().motion.at_s = at_s;
}
const std::string& HeadlessRenderer::device() const {
    return state_->context.device().renderer;
}
const std::string& HeadlessRenderer::note() const {
    return state_->app->window().note;
}

// Adds pictures of the values that travel into the current step.
Result<void> add_motion(HeadlessRenderer& studio, image::GifWriter& gif) {
    constexpr int pictures = 6, each_ms = 40;
    for (int i = 0; i < pictures; ++i) {
        studio.show_motion(i * each_ms / 1000.0);
        if (Result<void> drawn = studio.draw(); !drawn) return drawn;
        const Result<image::Image> image = studio.picture();
        if (!image) return image.diagnostics();
        if (Result<void> added = gif.add(*image, each_ms); !added) return added;
    }
    studio.show_motion(-1);
    return studio.draw();
}

Result<void> write_animation(session::Session& session, const PictureRequest& picture,
                             const AnimationRequest& wanted) {
    if (wanted.last_step >= session.playhead().steps().size() || wanted.first_step > wanted.last_step)
        return error("steps " + std::to_string(wanted.first_step + 1) + ".." +
                         std::to_string(wanted.last_step + 1) + " do not exist",
                     session.playhead().steps().empty()
                         ? "nothing was recorded"
                         : "the run has steps 1 to " + std::to_string(session.playhead().steps().size()));
    Result<HeadlessRenderer> studio = HeadlessRenderer::open(session, picture);
    if (!studio) return studio.diagnostics();
    Result<image::GifWriter> gif =
        image::GifWriter::create(wanted.path, picture.size.width, picture.size.height);
    if (!gif) return gif.diagnostics();
    for (std::size_t step = wanted.first_step; step <= wanted.last_step; ++step) {
        if (wanted.cancel && wanted.cancel->load(std::memory_order_relaxed)) return error("cancelled");
        if (wanted.progress)
            wanted.progress(float(step - wanted.first_step) /
                            float(wanted.last_step - wanted.first_step + 1));
        session.apply(session::SeekStep{step});
        for (int i = 0; i <= frames_between_steps; ++i)
            if (Result<void> drawn = studio->draw(); !drawn) return drawn.diagnostics();
        if (wanted.motion && step != wanted.first_step)
            if (Result<void> moved = add_motion(*studio, *gif); !moved) return moved;
        const Result<image::Image> image = studio->picture();
        if (!image) return image.diagnostics();
        const int stands = step == wanted.last_step ? 4 : 1;
        if (Result<void> added = gif->add(*image, wanted.delay_ms * stands); !added)
            return added.diagnostics();
    }
    return gif->finish();
}

}  // namespace lanescope::ui
