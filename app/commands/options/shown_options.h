// The options that the window, `render` and `export` share: which run, and what to show of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "commands/options/preview_picture.h"
#include "commands/options/run_options.h"
#include "commands/options/view_options.h"
#include "ui/window/picture.h"

namespace CLI {
class App;
}

namespace lanescope {

// The names of --view: the modes of the stage, and `more`.
std::vector<std::string> view_names(std::vector<std::string> more);

struct ShownOptions {
    RunOptions run;
    std::int64_t step = -1;
    std::int64_t phase = -1;
    double share = -1;
    std::string with;  // of the view compare
    std::vector<std::string> with_settings;
    std::string view = "explore";
    bool view_given = false;  // on the command line
    bool alone = false;       // the view without its heading and the other panels
    std::string colour = "state";
    std::string below;  // in a lecture: "source", "lanes", "details"; empty: as the lesson says
    ViewOptions shown;
    std::string theme;  // empty: dark, or what the window had the last time
    bool hide_results = false, before = false, lecture = false, flows = false;
    bool page = false;
    int page_down = 0;
    PreviewPicture preview;  // of the view preview

    void add_to(CLI::App& app, NeedsFile needs_file);
    // Returns the mode, tabs and colours, and sets the theme. Errors: options that do not fit together.
    Result<ui::PictureRequest> request() const;
};

// Moves to the step or phase that the options name, else to the lesson's step. Errors: a step or phase that
// does not exist, and those of ViewOptions.
Result<void> go_to(session::Session& shown, const ShownOptions& options);

// Returns the other run of the view compare: another file, or the same one with other parameters. Null for
// every other view.
Result<std::shared_ptr<const execution::RunResult>> other_run(const ShownOptions& options);

}  // namespace lanescope
