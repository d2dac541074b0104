#include "ui/app.h"

#include <utility>

#include "ui/help.h"
#include "ui/inspector_view.h"
#include "ui/lesson_text_view.h"
#include "ui/lessons_view.h"
#include "ui/parameters_view.h"
#include "ui/source_view.h"
#include "ui/stage_view.h"
#include "ui/threads_view.h"
#include "ui/timeline_view.h"
#include "ui/top_bar.h"
#include "ui/transport.h"
#include "ui/warps_view.h"

namespace lanescope::ui {

App::App(session::Session& session, GLFWwindow* window) : session_(session), imgui_(window) {
    const auto add = [&](Panel panel, std::unique_ptr<View> view) {
        views_[static_cast<std::size_t>(panel)] = std::move(view);
    };
    session_.set_device_source(&gpu_);
    add(Panel::top_bar, std::make_unique<TopBar>());
    add(Panel::lessons, std::make_unique<LessonsView>());
    add(Panel::parameters, std::make_unique<ParametersView>());
    add(Panel::lesson_text, std::make_unique<LessonTextView>());
    add(Panel::stage, std::make_unique<StageView>());
    threads_ = std::make_unique<ThreadsView>();
    add(Panel::warps, std::make_unique<WarpsView>());
    add(Panel::inspector, std::make_unique<InspectorView>());
    add(Panel::source, std::make_unique<SourceView>());
    add(Panel::transport, std::make_unique<Transport>());
    add(Panel::timeline, std::make_unique<TimelineView>());
}

App::~App() {
    session_.set_device_source(nullptr);
}

FrameOutput App::frame(const FrameInput& input) {
    FrameOutput output;
    begin(input);
    output.toggle_fullscreen = handle_keys(input.keys, session_, shared_, commands_);
    for (const session::Command& command : std::exchange(commands_, {}))
        session_.apply(command);
    output.wants_next = session_.update(input.now_s) || session_.playing() || session_.busy() ||
                        session_.exploring() || session_.measuring();

    const Layout layout = arrange_panels(input);
    for (std::size_t i = 0; i < panel_count; ++i)
        if (View* view = view_in(Panel(i))) view->draw(layout.panels[i], session_, shared_, commands_);
    drag_splits(layout, shared_, splits_);
    if (!session_.busy()) idle_at_s_ = input.now_s;
    draw_progress(session_, input.now_s - idle_at_s_, shared_, commands_);
    draw_help(shared_);
    imgui_.end(theme().panel, surfaces(layout));
    return output;
}

View* App::view_in(Panel panel) const {
    if (panel == Panel::stage && shared_.stage_tab == StageTab::threads) return threads_.get();
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
    shared_.now_s = input.now_s;
    shared_.scale = fitting_scale(width, height, input.content_scale, shared_.zoom, shared_.lecture);
    shared_.note = imgui_.set_scale(shared_.scale);
    imgui_.begin(input.pixels, input.now_s - std::exchange(last_frame_s_, input.now_s));
}

Layout App::arrange_panels(const FrameInput& input) const {
    const float left = shared_.px(splits_.left);
    const auto wish = [&](Panel panel) {
        return views_[static_cast<std::size_t>(panel)]->wanted_height(session_, shared_, left);
    };
    return arrange(float(input.pixels.width), float(input.pixels.height), shared_, splits_,
                   {wish(Panel::lessons), wish(Panel::parameters), wish(Panel::lesson_text)});
}

}  // namespace lanescope::ui
