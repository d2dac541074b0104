#include "commands/window_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <optional>
#include <utility>
#include <vector>

#include "base/file_kind.h"
#include "commands/options/command.h"
#include "commands/window_start.h"
#include "ui/window/main_window.h"

namespace lanescope {

namespace {

// Says what can be done without a window. Nothing is run and no file is written.
int explain(const Diagnostics& why, const std::string& file, bool image) {
    const std::string name = file.empty() ? "FILE" : file;
    std::vector<std::pair<std::string, std::string>> ways;
    if (image) {
        ways.emplace_back("lanescope preview " + name + " -o out.png", "filter the image");
    } else {
        ways.emplace_back("lanescope run " + name, "print what a run counts and finds");
        ways.emplace_back("lanescope render " + name + " --step 1 -o out.png", "draw the window at a step");
    }
    ways.emplace_back("lanescope doctor", "check what works on this machine");
    std::size_t width = 0;
    for (const auto& [command, what] : ways)
        width = std::max(width, command.size());
    std::cerr << to_text(why.front()) << "\nThe window needs a display with OpenGL 4.5. Without one:\n";
    for (const auto& [command, what] : ways)
        std::cerr << "  " << command << std::string(width - command.size() + 3, ' ') << what << '\n';
    return no_engine;
}

}  // namespace

void WindowCommand::add_to(CLI::App& app) {
    ShownOptions::add_to(app, NeedsFile::no);
    program.add_launches_to(app);
    app.add_flag("--no-tour", no_tour, "do not offer the tour of the window");
    app.add_option("--describe", describe, "write what the window shows to this file as text, for tests")
        ->group("");
}

int window_command(const WindowCommand& command) {
    const RunOptions& run = command.run;
    std::optional<session::OpenedProgram> opened;
    session::ProgramRequest how;  // the program ran
    if (!run.file.empty() && runs_as_program(run.file, command.program)) {
        ProgramOptions program = command.program;
        program.compiling = run.compiling.for_nvcc();
        how.compiling = program.compiling;
        how.arguments = program.words;
        how.check = program.check;
        program.engine = run.engine;
        if (const Result<void> engine = choose_engine(how, run.engine); !engine)
            return fail(engine.diagnostics(), run.engine == "gpu" && !how.check ? no_engine : bad_input);
        Result<session::OpenedProgram> recorded = record_first_choice(run.file, program);
        if (!recorded) return fail(recorded.diagnostics());
        opened = std::move(*recorded);
        opened->file = whole_path(run.file);
    } else if (command.program.whole || !command.program.words.empty() || !command.program.launches.empty()) {
        return fail(not_a_program(run.file));
    }
    Result<PreparedWindow> window =
        prepare_window(command, std::move(opened), how, command.program.no_host_code);
    if (!window) return fail(window.diagnostics());
    window->start.tour = !command.no_tour;
    window->start.describe = command.describe;
    const Result<ui::WindowEnd> ended = ui::run_window(*window->session, window->start);
    if (!ended) return explain(ended.diagnostics(), run.file, is_image(kind_of(run.file)));
    return ended->problem.empty() ? fine : fail(ended->problem);
}

}  // namespace lanescope
