// What a window begins with and what it keeps for the next time, on the desktop and in a browser.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "session/session.h"
#include "ui/window/app.h"
#include "ui/window/picture.h"
#include "ui/window/settings.h"

namespace lanescope::ui {

struct WindowStart {
    bool tour = true;                // show the guided tour if the user has not seen it
    bool page = false;               // open the lesson's page
    std::filesystem::path image;     // open in the preview; empty: the panels are shown
    std::filesystem::path describe;  // file for each frame as text, see App::description(); empty: none
    bool on_gpu = false;             // the GPU runs the file
    std::string gpu;                 // where it is, as --gpu says it; empty: this machine
    // Called after the first run to go to a step; then `shown` is applied. Used only if there is `shown`.
    std::function<Result<void>(session::Session&)> go_to;
    std::optional<PictureRequest> shown;
    std::function<Result<void>(PreviewPage&)> preview;  // opens the preview instead of `image`
};

void take_over(const Settings& settings, App& app, session::Session& session);
// The settings as they are now; the size is that of the window.
Settings settings_of(App& app, const session::Session& session, render::Extent size, bool tour_seen);
// Opens the image, the preview and the engine that are wanted. Errors: those of the preview.
Result<void> begin(const WindowStart& wanted, App& app, session::Session& session);
// Shows what is wanted of the first run, as soon as there is one.
Result<void> show_start(const WindowStart& wanted, App& app, session::Session& session);
// "modulo.cu (edited) – Lanescope"
std::string title_of(const session::Session& session);

}  // namespace lanescope::ui
