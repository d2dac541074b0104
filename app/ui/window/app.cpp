#include "ui/window/app.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "render/framebuffer.h"
#include "render/gl.h"
#include "ui/actions/table.h"
#include "ui/flow/flow_view.h"
#include "ui/inputs/parameters_view.h"
#include "ui/inspector/inspector_view.h"
#include "ui/layout/layout_view.h"
#include "ui/lesson/lesson_page.h"
#include "ui/lesson/lessons_view.h"
#include "ui/source/ptx_view.h"
#include "ui/source/source_view.h"
#include "ui/stage/stage_view.h"
#include "ui/threads/threads_view.h"
#include "ui/timeline/timeline_view.h"
#include "ui/warps/warps_view.h"
#include "ui/window/notices.h"
#include "ui/window/top_bar.h"
#include "ui/window/transport.h"

namespace lanescope::ui {

constexpr float transport_px = 44;  // beside the audience's picture

App::App(session::Session& session, GLFWwindow* window, Role role)
    : session_(session), imgui_(window), role_(role) {
    const auto add = [&](Panel panel, std::unique_ptr<View> view) {
        views_[static_cast<std::size_t>(panel)] = std::move(view);
    };
    if (role_ == Role::leads) session_.set_device_source(&gpu_);
    add(Panel::top_bar, std::make_unique<TopBar>());
    add(Panel::lessons, std::make_unique<LessonsView>());
    add(Panel::parameters, std::make_unique<ParametersView>());
    add(Panel::page, std::make_unique<LessonPage>());
    add(Panel::stage, std::make_unique<StageView>());
    modes_[static_cast<std::size_t>(StageTab::threads)] = std::make_unique<ThreadsView>();
    modes_[static_cast<std::size_t>(StageTab::flow)] = std::make_unique<FlowView>();
    modes_[static_cast<std::size_t>(StageTab::layout)] = std::make_unique<LayoutView>();
    add(Panel::warps, std::make_unique<WarpsView>());
    add(Panel::inspector, std::make_unique<InspectorView>());
    add(Panel::ptx, std::make_unique<PtxView>());
    add(Panel::source, std::make_unique<SourceView>());
    add(Panel::transport, std::make_unique<Transport>());
    add(Panel::timeline, std::make_unique<TimelineView>());
}

App::~App() {
    if (role_ == Role::leads) session_.set_device_source(nullptr);
}

FrameOutput App::frame(const FrameInput& input) {
    FrameOutput output;
    begin(input);
    hear_keys(input, output);
    tour_.follow(session_, window_, commands_);
    window_.signals.flush_typing = !after_typing_.empty();
    notes_.take_undo(commands_, session_, requests_);
    if (window_.comparing) compare().take(commands_);
    gpu_.use_place(window_.gpu.place);
    preview_.use_gpu_place(window_.gpu.place);
    for (const session::Command& command : std::exchange(commands_, {}))
        session_.apply(command);
    output.wants_next =
        (role_ == Role::leads && session_.update(input.now_s)) || session_.playback().playing() ||
        session_.runner().busy() || session_.search().searching() || session_.explorer().busy() ||
        session_.timings().measuring() || session_.learner().busy() || session_.runner().counting() ||
        session_.host_code().running() || session_.clock().working();
    if (!session_.runner().busy() && !session_.runner().counting() && !session_.host_code().running())
        idle_at_s_ = input.now_s;
    window_.busy_s = input.now_s - idle_at_s_;
    output.wants_next |= preview_.update(input.now_s, session_);
    if (session_.lesson() && window_.tour_stop < 0 && !session_.learner().progress().seen(*session_.lesson()))
        session_.apply(session::SeeLesson{session_.lesson()});
    const bool preview = preview_.open();  // the answer holds for the whole frame

    notes_.update(session_, window_);
    lecture_time_ =  // which has no top bar
        window_.lecture ? shown_run_time({session_, window_, requests_}).text : std::string();
    Layout layout = arrange_panels(input);
    const Layout places = layout;
    if (preview) {
        preview_.draw(float(input.pixels.width), float(input.pixels.height), {session_, window_, requests_});
        layout = {};
    } else if (window_.comparing) {
        output.wants_next |= draw_comparison(input);
        layout = {};
    } else if (presents()) {
        const float height = window_.px(transport_px);
        const Rect transport{0, float(input.pixels.height) - height, float(input.pixels.width), height};
        presenter_.draw({0, 0, transport.width, transport.y}, audience_, notes_,
                        {session_, window_, requests_});
        draw_panel(Panel::transport, transport);
        layout = {};
    } else {
        for (std::size_t i = 0; i < panel_count; ++i)
            draw_panel(Panel(i), layout.panels[i]);
        if (window_.lecture) notes_.draw_caption(layout.caption, window_, lecture_time_);
        drag_splits(layout, window_, splits_);
    }
    output.wants_next |= draw_over(places);
    const FrameSignals seen = std::exchange(window_.signals, {});
    output.wants_next |= seen != FrameSignals{};  // what they moved is drawn in the next frame
    if (seen.flush_typing) {  // the editor has requested the typed text; later commands follow
        requests_.commands.insert(requests_.commands.end(), after_typing_.begin(), after_typing_.end());
        after_typing_.clear();
    }
    carry_out(std::exchange(requests_, {}), output);
    output.wants_next |= export_.busy() || compiler_.busy() || export_.wants_picture() ||
                         !commands_.empty() || keyboard_.waits() || keyboard_.takes_for_typing(input.now_s);
    const bool out_of_sight = export_.wants_picture() && std::exchange(capture_next_, true);
    if (skip_drawing_)
        ImGui::Render();
    else
        imgui_.end(theme().panel, preview ? preview_.surfaces() : surfaces(layout));
    if (out_of_sight) capture(input.pixels);
    return output;
}

Place App::place() const {
    return {session_, window_, layer_of(window_, ImGui::GetIO().WantTextInput)};
}

// Takes the keys one by one, because each may change what the next one means.
void App::hear_keys(const FrameInput& input, FrameOutput& output) {
    window_.preview = preview_.state();
    const auto hear = [&](std::span<const KeyPress> presses) {
        Requests asked;
        keyboard_.take(presses, place(), list_is_open(), asked);
        carry_out(std::move(asked), output);
    };
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    const ImGuiIO& io = ImGui::GetIO();
    const bool clicked =
        std::any_of(std::begin(io.MouseDown), std::end(io.MouseDown), [](bool down) { return down; });
    if (!input.keys.empty()) window_.mouse_rests = true;
    if (moved.x != 0 || moved.y != 0 || clicked || io.MouseWheel != 0) window_.mouse_rests = false;
    for (const KeyPress& press : input.keys)
        hear({&press, 1});
    hear({});
}

// The only function that changes the window's state on a user's request.
void App::carry_out(Requests asked, FrameOutput& output) {
    const Brightness before = window_.brightness;
    const auto change = [&] {
        for (const WindowChange& each : std::exchange(asked.changes, {}))
            each(window_);
    };
    output.wants_next |= !asked.changes.empty() || !asked.actions.empty() || !asked.preview.empty();
    change();
    for (const std::string& id : std::exchange(asked.actions, {})) {
        if (const Action* action = find_action(id)) perform(*action, place(), asked);
        change();
    }
    for (const PreviewCommand each : asked.preview)
        preview_.carry_out(each);
    for (const std::filesystem::path& file : asked.files)
        if (!preview_.take_file(file)) commands_.push_back(session::OpenFile{file});
    if (std::exchange(window_.signals.reset_layout, false)) splits_ = {};
    if (window_.inspector.tab != InspectorTab::automatic) window_.hidden.inspector = false;
    if (window_.source.editing || window_.source.ptx) window_.hidden.source = false;
    if (window_.signals.focus_parameters) window_.hidden.left = window_.page = false;
    if (window_.tour_stop >= 0) window_.hidden = {};
    window_.preview = preview_.state();
    if (window_.brightness != before) set_theme(window_.brightness);
    if (window_.comparing && !window_.signals.compare_with.empty())
        compare().open(std::exchange(window_.signals.compare_with, {}));
    if (const std::string& told = session_.learner().notice(); told != told_progress_) {
        told_progress_ = told;
        window_.notice = {told, window_.now_s + 3 * notice_s};
    }
    commands_.insert(commands_.end(), asked.commands.begin(), asked.commands.end());
    after_typing_.insert(after_typing_.end(), asked.after_typing.begin(), asked.after_typing.end());
    output.wants_next |= asked.next_frame || !after_typing_.empty();
    if (!asked.copied.empty()) ImGui::SetClipboardText(asked.copied.c_str());
    if (!asked.problem.empty()) problem_ = asked.problem;
    output.toggle_fullscreen |= asked.fullscreen;
    output.quit |= asked.quit;
}

// Passes the frame that was just drawn to the export dialogue.
void App::capture(const render::Extent& pixels) {
    capture_next_ = false;
    // The alpha channel of a window is undefined.
    export_.take(image::with_channels(render::read_pixels(pixels.width, pixels.height), 3));
}

CompareMode& App::compare() {
    if (!compare_) compare_ = std::make_unique<CompareMode>(session_);
    return *compare_;
}

// Whether this is the lecturer's window, beside the audience's.
bool App::presents() const {
    return role_ == Role::leads && window_.lecture && window_.talk.audience;
}

void App::follow(const WindowState& lecturer) {
    const LaneColumns lanes = window_.lanes;  // fit this window
    const float scale = window_.scale;
    window_ = lecturer;
    window_.lanes = lanes;
    window_.scale = scale;
    window_.signals = {};
    window_.dialog = Dialog::none;
    window_.help.shown = window_.exporting = window_.notes.editing = window_.page = false;
    window_.source.editing = window_.source.typing = false;
    window_.comparing = false;
    window_.lecture = true;
}

// Draws the top bar, and the comparison in the area below it.
bool App::draw_comparison(const FrameInput& input) {
    const bool lecture = std::exchange(window_.lecture, false);  // a lecture has no top bar
    const Rect bar = arrange_panels(input)[Panel::top_bar];
    window_.lecture = lecture;
    view_in(Panel::top_bar)->draw(bar, {session_, window_, requests_});
    return compare().frame(
        {0, bar.bottom(), float(input.pixels.width), float(input.pixels.height) - bar.bottom()}, window_,
        requests_, input.now_s);
}

// In a lecture the small texts of the panels of the talk are as large as the others.
void App::draw_panel(Panel panel, const Rect& rect) {
    View* view = view_in(panel);
    if (view == nullptr) return;
    const bool large = window_.lecture && panel != Panel::transport && panel != Panel::top_bar;
    const LargeType type(large);
    view->draw(rect, {session_, window_, requests_});
}

bool App::draw_over(const Layout& layout) {
    const bool covered =
        window_.dialog != Dialog::none || window_.help.shown || window_.exporting || window_.notes.editing;
    if (!window_.comparing && !covered) draw_last_good(layout, session_, window_);
    draw_progress(session_, window_, requests_);
    notes_.draw_editor({session_, window_, requests_});
    draw_question({session_, window_, requests_});
    draw_file_problem(session_, window_);
    command_list_.draw(place(), requests_);
    path_prompt_.draw({session_, window_, requests_});
    form_.draw({session_, window_, requests_});
    draw_help(window_, requests_);
    export_.draw(session_, window_.comparing && compare_ ? &compare_->other() : nullptr, window_, requests_);
    compiler_.draw({session_, window_, requests_});
    program_.draw({session_, window_, requests_});
    engine_.draw(session_, window_, gpu_.name(), requests_);
    Tour::draw(layout, window_, requests_);
    draw_notice(window_);
    bool wants_next = term_hover_.draw(window_);
    if (window_.talk.black && window_.lecture && !presents())
        ImGui::GetForegroundDrawList()->AddRectFilled({0, 0}, ImGui::GetIO().DisplaySize, IM_COL32_BLACK);
    if (presents()) return wants_next;  // the audience's picture has the pen and the pointer
    const float right = std::max(layout[Panel::stage].right(), layout[Panel::timeline].right());
    pen_.draw({0, 0, right, layout[Panel::source].bottom()}, window_);
    wants_next |= pointer_.draw(window_);
    return wants_next;
}

std::string App::description() const {
    const session::Playhead& playhead = session_.playhead();
    const char* page = preview_.open()     ? "preview"
                       : window_.comparing ? "compare"
                       : window_.lecture   ? "lecture"
                                           : "explore";
    const std::string step = playhead.step_state() ? std::to_string(playhead.step_state()->index + 1) : "0";
    return "state size=" + std::to_string(pixels_.width) + "x" + std::to_string(pixels_.height) +
           " page=" + page + " file=" + session_.document().path().filename().string() + " step=" + step +
           "/" + std::to_string(playhead.steps().size()) + "\n" + imgui_.description();
}

Result<VectorFrame> App::vector_frame() const {
    Result<std::vector<Shape>> shapes = shapes_of(read_frame(*ImGui::GetDrawData()));
    if (!shapes) return shapes.diagnostics();
    return VectorFrame{pixels_, theme().panel, imgui_.surfaces(), std::move(*shapes)};
}

View* App::view_in(Panel panel) const {
    if (const auto& mode = modes_[static_cast<std::size_t>(window_.stage_tab)]; panel == Panel::stage && mode)
        return mode.get();
    return views_[static_cast<std::size_t>(panel)].get();
}

std::vector<Surface> App::surfaces(const Layout& layout) const {
    std::vector<Surface> surfaces;
    for (std::size_t i = 0; i < panel_count; ++i)
        if (views_[i] && !layout.panels[i].empty() && views_[i]->surface() != theme().panel)
            surfaces.push_back({layout.panels[i], views_[i]->surface()});
    return surfaces;
}

void App::begin(const FrameInput& input) {
    const float width = float(input.pixels.width), height = float(input.pixels.height);
    window_.now_s = input.now_s;
    pixels_ = input.pixels;
    window_.brightness = brightness();
    const bool large = window_.lecture && !presents();
    // A view alone has the type of a whole screen.
    const float whole = window_.talk.alone ? width * 9 / 16 : height;
    window_.scale = fitting_scale(width, whole, input.content_scale, window_.zoom, large);
    window_.note = imgui_.set_scale(window_.scale);
    imgui_.begin(input.pixels, input.now_s - std::exchange(last_frame_s_, input.now_s), input.hand);
}

Layout App::arrange_panels(const FrameInput& input) const {
    const float left = window_.px(splits_.left);
    const auto wish = [&](Panel panel) {
        return views_[static_cast<std::size_t>(panel)]->wanted_height(session_, window_, left);
    };
    const float aside = lecture_time_.empty() ? 0 : text_width(fonts().text, lecture_time_) + window_.px(24);
    // The tour's stops of the left column are those behind the page.
    const bool page = window_.page && window_.tour_stop < 0 && wish(Panel::page) > 0;
    return arrange(float(input.pixels.width), float(input.pixels.height), window_, splits_,
                   {wish(Panel::lessons), wish(Panel::parameters), page,
                    window_.lecture ? notes_.caption_height(window_, float(input.pixels.width) - aside) : 0,
                    wish(Panel::timeline) > 0, lecture_band(window_, session_)});
}

}  // namespace lanescope::ui
