#include "ui/window/window_start.h"

#include "lesson/course/link.h"
#include "ui/window/system_motion.h"

namespace lanescope::ui {

void take_over(const Settings& settings, App& app, session::Session& session) {
    app.window().zoom = settings.zoom;
    app.splits() = settings.splits;
    app.window().motion.wish = settings.motion;
    app.window().motion.system_moves = system_wants_motion();
    app.window().hidden = settings.hidden;
    app.window().page = settings.page;
    app.window().gpu.place = settings.gpu_place;
    session.apply(session::TimeRuns{settings.time_runs});
    session.apply(session::SetSpeed{settings.steps_per_second});
    session.apply(session::SetGranularity{settings.granularity});
}

Settings settings_of(App& app, const session::Session& session, render::Extent size, bool tour_seen) {
    return {size.width,
            size.height,
            app.window().zoom,
            app.splits(),
            app.window().hidden,
            app.window().page,
            session.playback().steps_per_second(),
            session.playhead().granularity(),
            tour_seen,
            app.window().motion.wish,
            brightness(),
            app.window().gpu.place,
            session.runner().on_device(),
            session.file_times().on(),
            session.memory().recent,
            session.memory().marks};
}

// "modulo.cu (edited) – Lanescope"
std::string title_of(const session::Session& session) {
    if (session.document().path().empty()) return "Lanescope";
    return session.document().path().filename().string() + (session.document().edited() ? " (edited)" : "") +
           " – Lanescope";
}

Result<void> begin(const WindowStart& wanted, App& app, session::Session& session) {
    if (const std::string web = lesson::web_address(); lesson::check_web_address(web))
        app.window().web_address = web;
    if (wanted.on_gpu) app.window().gpu.place = wanted.gpu == "local" ? std::string() : wanted.gpu;
    app.gpu().use_place(app.window().gpu.place);
    app.preview().use_gpu_place(app.window().gpu.place);
    if (wanted.preview) {
        if (const Result<void> opened = wanted.preview(app.preview()); !opened) return opened;
    } else if (!wanted.image.empty()) {
        app.preview().take_file(wanted.image);
        if (wanted.on_gpu) app.preview().carry_out(PreviewCommand::engine);
    }
    if (wanted.on_gpu && wanted.image.empty()) session.apply(session::UseGpu{true});
    session.apply(session::FindGpu{});  // whose name the engine's chip then shows
    return {};
}

Result<void> show_start(const WindowStart& wanted, App& app, session::Session& session) {
    if (const Result<void> gone = wanted.go_to(session); !gone) return gone;
    set_up(app, *wanted.shown);
    app.window().still = false;
    return {};
}

}  // namespace lanescope::ui
