// `lanescope render`: draws one step of a file as a picture; `export` draws with the same options.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/file_kind.h"
#include "commands/export_command.h"
#include "commands/options/shown_options.h"
#include "commands/program_command.h"

namespace lanescope {

struct RenderOptions : ShownOptions {
    std::string dialog;
    std::string size;  // empty: as the picture needs
    std::string mouse, over;
    std::string output;
    bool inspect = false;     // also look at the frame in all sizes, for tests
    ExportOptions animation;  // of a GIF
    ProgramOptions program;

    void add_to(CLI::App& app);
};

// The view alone is what a figure, a film and slides show, unless another view than the flow is asked for.
void choose_alone(RenderOptions& options, FileKind kind);

// Returns the size, the view, dialogs and what lies over the panels, and sets the theme. Errors: options that
// do not fit together.
Result<ui::PictureRequest> picture_of(const RenderOptions& options);

// Whether a file of this name gets a description instead of a picture: "step.txt".
bool is_text(const std::string& output);
// Writes the picture, its shapes or its description. Returns the exit code.
int finish_picture(const ui::PictureOutcome& drawn, const std::string& output);

// Whether the options ask for what only a whole program has.
bool wants_program(const RenderOptions& options);
// Runs the program of the file without a terminal and opens it in the session. Errors: the file is no
// program, options that its host code decides, those of session::open_program().
Result<void> open_program(session::Session& shown, const RenderOptions& options);

// Returns the exit code.
int render_command(RenderOptions options);

}  // namespace lanescope
