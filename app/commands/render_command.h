// `lanescope render`: one step of a file as a picture; and what `export` draws in the same way.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "commands/export_command.h"
#include "commands/preview_command.h"
#include "commands/run_options.h"
#include "commands/view_options.h"

namespace lanescope {

struct RenderOptions {
    RunOptions run;
    std::int64_t step = -1;
    std::int64_t phase = -1;
    double share = -1;
    std::string with;  // of the view compare
    std::vector<std::string> with_settings;
    std::string view = "explore";
    std::string colour = "state";
    ViewOptions shown;
    std::string theme = "dark";
    std::string dialog;
    std::string size = "1600x1000";
    std::string mouse, over;
    bool hide_results = false;
    std::string output;
    PreviewPicture preview;   // of --view preview
    ExportOptions animation;  // when the output is one

    void add_to(CLI::App& app);
};

// Size, theme, dialogs and what lies over the panels. Errors: options that do not fit together.
Result<ui::PictureRequest> picture_of(const RenderOptions& options);

// Moves to the step or phase that was asked for; else to the one that the lesson names. Errors: it does not
// exist, and those of ViewOptions.
Result<void> go_to(session::Session& shown, const RenderOptions& options);

// The other run of the view compare: another file, or the same one with other parameters. Null for every
// other view.
Result<std::shared_ptr<const session::RunResult>> other_run(const RenderOptions& options);

// The exit code, as of every subcommand.
int render_command(const RenderOptions& options);

}  // namespace lanescope
