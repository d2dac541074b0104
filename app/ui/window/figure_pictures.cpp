#include "ui/window/figure_pictures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "render/framebuffer.h"
#include "render/headless.h"
#include "ui/kit/imgui_layer.h"
#include "ui/lesson/lesson_figures.h"
#include "ui/warps/warps_view.h"

namespace lanescope::ui {
namespace {

constexpr int pixels_of_a_pixel = 2;  // of the slide
constexpr float usual_type_px = 14;   // of the window, at scale 1
// Sizes of the type, largest first.
constexpr std::array type_sizes = {2.0f, 1.8f, 1.6f, 1.4f, 1.2f, 1.05f, 0.9f, 0.8f};
constexpr float lanes_least_type = 1.2f;  // in smaller type, lanes that are not asked for are left out
constexpr float lanes_edge_px = 30, lanes_row_px = 62, lanes_arcs_px = 34;
constexpr unsigned most_full_warps = 4, few_warps = 2;
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
    WarpsView warps;
    WindowState window;
    float lanes_px = 0;  // height of the lanes below a figure, px at scale 1

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
    struct Lanes {
        unsigned warps = 0;
        float px = 0;
    };
    Lanes lanes() const;
    Result<float> measured(const lesson::LessonEntry& entry, const std::string& figure);
    Result<float> fitted(const lesson::LessonEntry& entry, const std::string& figure, float least_type);
    void draw_lanes(const std::string& figure, const Rect& area);
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
    const float height = float(room.height) / size - lanes_px;
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
        if (state.empty && lanes_px > 0) return 0.0f;
        if (state.problem) return *state.problem;
        if (state.made && !figures.busy()) return height;
    }
    return error("the figure '" + figure + "' is not ready in time");
}

// What all warps of the block need, px at scale 1, up to a limit.
FigurePictures::State::Lanes FigurePictures::State::lanes() const {
    WarpsModel model;
    if (!figures.run() || !model.update(*figures.run(), {})) return {};
    const float row = lanes_row_px + (model.has_exchanges() ? lanes_arcs_px : 0);
    return {model.count(), lanes_edge_px + row * float(std::min(model.count(), most_full_warps))};
}

// Chooses the largest type in which the figure is whole. Returns the figure's height, px.
Result<float> FigurePictures::State::fitted(const lesson::LessonEntry& entry, const std::string& figure,
                                            float least_type) {
    float height = 0;
    for (const float size : type_sizes) {
        if (size < least_type) return error("the figure does not fit");
        choose_type(size);
        const Result<float> measured_height = measured(entry, figure);
        if (!measured_height) return measured_height;
        height = *measured_height;
        const LessonFigures::State state = figures.state(figure, window);
        if (state.whole || state.empty) break;
    }
    return height;
}

void FigurePictures::State::draw_lanes(const std::string& figure, const Rect& area) {
    if (area.empty()) return;
    WindowState own = window;
    own.talk.alone = true;  // without a heading
    own.lanes = figures.columns(figure);
    Requests requests;
    warps.draw(area, {*figures.run(), own, requests});
}

Result<FigurePicture> FigurePictures::State::picture(const std::string& figure, float height) {
    const Rect area{0, 0, float(target.width()), std::min(height, float(target.height()))};
    const Rect below{0, area.height, area.width,
                     std::min(window.px(lanes_px), float(target.height()) - area.height)};
    target.bind();
    imgui.begin(pixels(), 1.0 / 60);
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({area.width, float(target.height())});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::Begin("figure", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoInputs);
    if (area.height > 0) figures.draw_figure(ImGui::GetWindowDrawList(), figure, area, window);
    ImGui::End();
    draw_lanes(figure, below);
    ImGui::PopStyleVar(2);
    imgui.end(theme().background, {});
    Result<image::Image> image = target.read();
    if (!image) return image.diagnostics();
    FigurePicture picture;
    picture.image = upper_part(std::move(*image), std::uint32_t(std::lround(below.bottom())));
    picture.type_px = usual_type_px * window.scale / pixels_of_a_pixel;
    picture.width = room.width;
    picture.height = int(std::ceil(below.bottom() / pixels_of_a_pixel));
    return picture;
}

Result<FigurePicture> FigurePictures::draw(const lesson::LessonEntry& entry, const std::string& target,
                                           bool lanes) {
    State& s = *state_;
    s.lanes_px = 0;
    Result<float> height = s.fitted(entry, target, 0);
    const bool empty = s.figures.state(target, s.window).empty;
    const State::Lanes below = s.lanes();
    const bool asked = entry.lecture_lanes || empty;
    if (lanes && below.warps > 0 && (asked || below.warps <= few_warps)) {
        s.lanes_px = below.px;
        const Result<float> above = s.fitted(entry, target, asked ? 0 : lanes_least_type);
        if (above) return s.picture(target, *above);
        s.lanes_px = 0;
        height = s.fitted(entry, target, 0);
    }
    if (!height) return height.diagnostics();
    return s.picture(target, *height);
}

std::optional<execution::PlacedStep> FigurePictures::place(const lesson::LessonEntry& entry,
                                                           const lesson::StepNote& note) {
    if (note.step >= 0) return execution::PlacedStep{0, std::size_t(note.step)};
    state_->lanes_px = 0;
    state_->choose_type(1);
    (void)state_->measured(entry, "stage");  // runs the lesson
    const session::Session* run = state_->figures.run();
    if (!note.at || !run || !run->trace()) return {};
    const Result<execution::PlacedStep> place =
        execution::find_place(*note.at, *run->trace(), run->run()->source);
    return place ? std::optional(*place) : std::nullopt;
}

}  // namespace lanescope::ui
