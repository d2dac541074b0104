// The user's settings of the window, kept between runs of the program.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "session/session.h"
#include "ui/kit/layout.h"

namespace lanescope::ui {

struct Settings {
    int width = 1600, height = 1000;  // of the window, screen coordinates
    float zoom = 1;
    Splits splits;
    HiddenPanels hidden;
    bool page = false;  // the lesson's page is open
    float steps_per_second = 2;
    trace::Granularity granularity = trace::Granularity::line;
    bool tour_seen = false;
    MotionWish motion = MotionWish::system;
    Brightness brightness = Brightness::dark;
    std::string gpu_place;  // as WindowState has it
    bool on_gpu = false;    // the engine
    bool time_runs = true;  // on this machine's GPU, see session::FileTimes
    // Newest first. The first file is opened when the program starts without a file name.
    std::vector<session::FileMemory> recent;
    session::MarksByFile marks;  // breakpoints and watches
};

// Missing or damaged entries get their defaults, and numbers out of range are clamped. A bad file is never an
// error.
Settings load_settings(const std::filesystem::path& file);
// A damaged file is copied before it is replaced. Errors: the file cannot be copied or written.
Result<void> save_settings(const Settings& settings, const std::filesystem::path& file);

// Returns the path of window.json in the user's configuration folder. Error: the folder does not exist and
// cannot be made.
Result<std::filesystem::path> settings_file();

}  // namespace lanescope::ui
