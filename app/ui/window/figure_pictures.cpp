#include "ui/window/figure_pictures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "render/framebuffer.h"
#include "render/headless.h"
#include "ui/kit/imgui_layer.h"
#include "ui/lesson/lesson_figures.h"

namespace lanescope::ui {
namespace {

constexpr int pixels_of_a_pixel = 2;  // of the slide
constexpr float usual_type_px = 14;   // of the window, at scale 1
// Sizes of the type, largest first.
constexpr std::array type_sizes = {2.0f, 1.8f, 1.6f, 1.4f, 1.2f, 1.05f, 0.9f, 0.8f};
constexpr int most_frames = 40;  // until jobs have made the figure, and its layout has settled

image::Image upper_part(image::Image image, std::uint32_t rows) {
    image.height = std::min(image.height, rows);
    image.samples.resize(image.pixels() * image.channels);
    return image;
}

}  // namespace

struct FigurePictures::State {
    render::HeadlessContext context;
    render::Framebuffer target;
    FigureRoom room;
    session::Session session;  // figures take the registry from it
    ImGuiLayer imgui{nullptr};
    LessonFigures figures;
    WindowState window;

    State(render::HeadlessContext context_, render::Framebuffer target_, const FigureRoom& room_,
          std::shared_ptr<const lesson::Registry> registry)
        : context(std::move(context_)),
          target(std::move(target_)),
          room(room_),
          session(std::move(registry)) {
        window.still = true;
        window.brightness = brightness();
    }

    render::Extent pixels() const { return {target.width(), target.height()}; }
    void choose_type(float size);
    Result<float> measured(const lesson::LessonEntry& entry, const std::string& figure);
    Result<FigurePicture> picture(const std::string& figure, float height);
};

FigurePictures::FigurePictures(std::unique_ptr<State> state) : state_(std::move(state)) {}
FigurePictures::FigurePictures(FigurePictures&&) noexcept = default;
FigurePictures::~FigurePictures() = default;

Result<FigurePictures> FigurePictures::open(std::shared_ptr<const lesson::Registry> registry,
                                            const FigureRoom& room) {
    auto context = render::HeadlessContext::create();
    if (!context) return context.diagnostics();
    auto target =
        render::Framebuffer::create(room.width * pixels_of_a_pixel, room.height * pixels_of_a_pixel);
    if (!target) return target.diagnostics();
    return FigurePictures(
        std::make_unique<State>(std::move(*context), std::move(*target), room, std::move(registry)));
}

void FigurePictures::State::choose_type(float size) {
    window.scale = size * pixels_of_a_pixel;
    imgui.set_scale(window.scale);
    const float height = float(room.height) / size;
    figures.limit({height, height, height});
}

// Returns the height of the figure, px. Errors: the figure cannot be drawn.
Result<float> FigurePictures::State::measured(const lesson::LessonEntry& entry, const std::string& figure) {
    float height = 0;
    for (int i = 0; i < most_frames; ++i) {
        window.now_s += 1.0 / 60;
        imgui.begin(pixels(), 1.0 / 60);
        figures.show(&entry, session, 0, window);
        height = figures.figure_height(figure, float(target.width()), window);
        ImGui::EndFrame();
        const LessonFigures::State state = figures.state(figure, window);
        if (state.problem) return *state.problem;
        if (state.made && !figures.busy()) return height;
    }
    return error("the figure '" + figure + "' is not ready in time");
}

Result<FigurePicture> FigurePictures::State::picture(const std::string& figure, float height) {
    const Rect area{0, 0, float(target.width()), std::min(height, float(target.height()))};
    target.bind();
    imgui.begin(pixels(), 1.0 / 60);
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({area.width, float(target.height())});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::Begin("figure", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoInputs);
    figures.draw_figure(ImGui::GetWindowDrawList(), figure, area, window);
    ImGui::End();
    ImGui::PopStyleVar(2);
    imgui.end(theme().background, {});
    Result<image::Image> image = target.read();
    if (!image) return image.diagnostics();
    FigurePicture picture;
    picture.image = upper_part(std::move(*image), std::uint32_t(std::lround(area.height)));
    picture.type_px = usual_type_px * window.scale / pixels_of_a_pixel;
    picture.width = room.width;
    picture.height = int(std::ceil(area.height / pixels_of_a_pixel));
    return picture;
}

Result<FigurePicture> FigurePictures::draw(const lesson::LessonEntry& entry, const std::string& target) {
    float height = 0;
    for (const float size : type_sizes) {
        state_->choose_type(size);
        const Result<float> measured = state_->measured(entry, target);
        if (!measured) return measured.diagnostics();
        height = *measured;
        if (state_->figures.state(target, state_->window).whole) break;
    }
    return state_->picture(target, height);
}

}  // namespace lanescope::ui
