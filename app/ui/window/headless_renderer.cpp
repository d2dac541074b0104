#include "ui/window/headless_renderer.h"

#include <utility>

#include "base/file_kind.h"
#include "image/film.h"
#include "image/gif.h"
#include "render/framebuffer.h"
#include "render/headless.h"
#include "ui/window/app.h"

namespace lanescope::ui {
namespace {

constexpr int frames_between_steps = 2;  // the layout uses measurements of the previous frame

}  // namespace

struct HeadlessRenderer::State {
    session::Session& session;
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
    std::unique_ptr<State> state(
        new State{session, std::move(*context), std::move(*target), nullptr, {}, {}});
    state->app = std::make_unique<App>(session, nullptr);
    state->input.pixels = request.size;
    set_up(*state->app, request);
    state->app->skip_drawing(request.as_text);
    if (request.as_text) state->app->name_widgets();
    if (request.as_shapes) state->app->draw_sharp();
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
    if (s.session.clock().wanted() && s.session.clock().busy()) s.session.wait();  // a later frame shows it
    if (s.app->preview().open()) s.app->preview().model().wait();  // ends the jobs that the mouse started
    if (!s.app->problem().empty()) return error(s.app->problem());
    return {};
}

Result<image::Image> HeadlessRenderer::picture() {
    return state_->target.read();
}
Result<VectorFrame> HeadlessRenderer::vector_frame() const {
    return state_->app->vector_frame();
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

namespace {

// Takes the pictures of an animation.
struct PictureSink {
    std::function<Result<void>(const image::Image&, int delay_ms)> add;
    std::function<Result<void>()> finish;
};

template <typename Writer>
Result<PictureSink> sink_of(Result<Writer> made) {
    if (!made) return made.diagnostics();
    auto writer = std::make_shared<Writer>(std::move(*made));
    return PictureSink{
        [writer](const image::Image& image, int delay_ms) { return writer->add(image, delay_ms); },
        [writer] { return writer->finish(); }};
}

// Adds pictures of the values that travel into the current step.
Result<void> add_motion(HeadlessRenderer& studio, const PictureSink& sink) {
    constexpr int pictures = 6, each_ms = 40;
    for (int i = 0; i < pictures; ++i) {
        studio.show_motion(i * each_ms / 1000.0);
        if (Result<void> drawn = studio.draw(); !drawn) return drawn;
        const Result<image::Image> image = studio.picture();
        if (!image) return image.diagnostics();
        if (Result<void> added = sink.add(*image, each_ms); !added) return added;
    }
    studio.show_motion(-1);
    return studio.draw();
}

}  // namespace

Result<void> HeadlessRenderer::show_step(session::Session& session, std::size_t step) {
    session.apply(session::SeekStep{step});
    for (int i = 0; i <= frames_between_steps; ++i)
        if (Result<void> drawn = draw(); !drawn) return drawn;
    return {};
}

Result<void> write_animation(session::Session& session, const PictureRequest& picture,
                             const AnimationRequest& wanted) {
    const std::size_t count = session.playhead().steps().size();
    for (const std::size_t step : wanted.steps)
        if (step >= count)
            return error(
                "step " + std::to_string(step + 1) + " does not exist",
                count == 0 ? "nothing was recorded" : "the run has steps 1 to " + std::to_string(count));
    Result<HeadlessRenderer> studio = HeadlessRenderer::open(session, picture);
    if (!studio) return studio.diagnostics();
    const Result<PictureSink> sink =
        kind_of(wanted.path) == FileKind::film
            ? sink_of(image::FilmWriter::create(wanted.path))
            : sink_of(image::GifWriter::create(wanted.path, picture.size.width, picture.size.height));
    if (!sink) return sink.diagnostics();
    for (std::size_t i = 0; i < wanted.steps.size(); ++i) {
        if (wanted.cancel && wanted.cancel->load(std::memory_order_relaxed)) return error("cancelled");
        if (wanted.progress) wanted.progress(float(i) / float(wanted.steps.size()));
        if (Result<void> shown = studio->show_step(session, wanted.steps[i]); !shown) return shown;
        if (wanted.motion && i != 0)
            if (Result<void> moved = add_motion(*studio, *sink); !moved) return moved;
        const Result<image::Image> image = studio->picture();
        if (!image) return image.diagnostics();
        const int stands = i + 1 == wanted.steps.size() ? 4 : 1;
        if (Result<void> added = sink->add(*image, wanted.delay_ms * stands); !added)
            return added.diagnostics();
    }
    return sink->finish();
}

}  // namespace lanescope::ui
