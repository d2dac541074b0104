// `lanescope export`: a run as a picture, an animation, or a page for any browser.
#pragma once

#include <string>

#include "base/result.h"
#include "session/session.h"
#include "ui/window/picture.h"

namespace CLI {
class App;
}

namespace lanescope {

struct ExportOptions {
    std::string output;
    std::string steps;     // "A..B" or "A"; empty: all
    std::string blocks;    // of a page; empty: the first one that is recorded
    int delay_ms = 500;    // of an animation
    std::string progress;  // a file that gets the share that is done, for the window that started this

    void add_to(CLI::App& app);
};

enum class ExportKind { png, gif, html };
// By the ending. Errors: another one.
Result<ExportKind> kind_of(const std::string& output);

// Writes what `shown` holds. A picture is that of the step that `shown` is at, or of --steps. Errors: options
// that do not fit the kind of file, steps or blocks that do not exist, those of page::make_page() and
// ui::write_animation().
Result<void> write_export(session::Session& shown, const ui::PictureRequest& picture,
                          const ExportOptions& options, const std::string& version);

struct RenderOptions;

void add_export_to(CLI::App& app, RenderOptions& render, ExportOptions& options);

// The exit code, as of every subcommand.
int export_command(RenderOptions render, const ExportOptions& options);

}  // namespace lanescope
