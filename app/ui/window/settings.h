// What a person set in the window, kept from one run to the next.
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
    float steps_per_second = 2;
    trace::Granularity granularity = trace::Granularity::line;
    bool tour_seen = false;
    Brightness brightness = Brightness::dark;
    std::vector<session::FileMemory>
        recent;                  // newest first: the first one is open when the program starts without a name
    session::MarksByFile marks;  // breakpoints and watches
};

// Missing, damaged or absurd entries are their defaults: a bad file is never an error.
Settings load_settings(const std::filesystem::path& file);
Result<void> save_settings(const Settings& settings, const std::filesystem::path& file);

// window.json in the person's configuration folder. Error: there is no such folder and none can be made.
Result<std::filesystem::path> settings_file();

}  // namespace lanescope::ui
