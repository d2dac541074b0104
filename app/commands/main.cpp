// The command line: its subcommands, and the function that each of them calls.
// Exit: 0 fine; 1 an expectation failed or a problem was found; 2 bad input or usage; 3 engine not available.

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

#include "commands/command.h"
#include "commands/export_command.h"
#include "commands/info_commands.h"
#include "commands/preview_command.h"
#include "commands/render_command.h"
#include "commands/run_command.h"
#include "commands/time_command.h"
#include "commands/window_command.h"
#include "compile/compiler.h"
#include "gpu/driver/context.h"
#include "session/timing/time_files.h"

namespace {

using namespace lanescope;

int command_line(int argc, char** argv) {
    CLI::App app{"Lanescope: step through CUDA kernels, forwards and backwards, and see what every lane does",
                 "lanescope"};
    app.set_version_flag("--version", LANESCOPE_VERSION);
    app.footer(
        "Without a subcommand lanescope opens its window with FILE, else with the last file or the first "
        "lesson.\n"
        "Exit: 0 fine; 1 an expectation failed or a problem was found; 2 bad input; 3 engine not available.");
    WindowCommand window;
    window.add_to(app);

    CLI::App* run = app.add_subcommand("run", "run a file, print what was counted, check the results");
    RunCommand run_options;
    run_options.add_to(*run);

    CLI::App* render = app.add_subcommand("render", "draw one step of a file as a PNG, or several as a GIF");
    RenderOptions render_options;
    render_options.add_to(*render);

    CLI::App* exporting = app.add_subcommand(
        "export", "write a run as a picture (.png), an animation (.gif) or a page for any browser (.html)");
    RenderOptions exported;
    ExportOptions export_options;
    add_export_to(*exporting, exported, export_options);

    CLI::App* list = app.add_subcommand("list", "list the lessons");
    bool list_json = false;
    list->add_flag("--json", list_json, "print JSON");

    CLI::App* time = app.add_subcommand("time", "time files on a GPU, beside NVIDIA's libraries");
    TimeOptions time_options;
    time_options.add_to(*time);

    CLI::App* preview = app.add_subcommand("preview", "filter an image with a kernel");
    PreviewOptions preview_options;
    preview_options.add_to(*preview);

    CLI::App* doctor = app.add_subcommand("doctor", "test what works on this machine: GPU, compiler, OpenGL");
    bool doctor_json = false;
    doctor->add_flag("--json", doctor_json, "print JSON");
    app.require_subcommand(0, 1);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        return app.exit(problem) == 0 ? fine : bad_input;
    }
    if (!app.get_subcommands().empty())
        for (const CLI::Option* option : app.get_options())
            if (option->count() != 0)
                return fail(error(option->get_name() + " must stand after the subcommand",
                                  "use lanescope " + app.get_subcommands().front()->get_name() + " FILE …"));
    if (*run) return run_command(run_options);
    if (*exporting) return export_command(exported, export_options);
    if (*render) return render_command(render_options);
    if (*list) return list_command(list_json);
    if (*time) return time_command(time_options);
    if (*preview) return preview_command(preview_options);
    if (*doctor) return doctor_command(doctor_json);
    return window_command(window);
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view worker = argc > 1 ? argv[1] : "";
    if (worker == "__compile") return gpu::end_process(compile::compile_worker_main());
    if (worker == "__time") return gpu::end_process(session::time_worker_main());
    return gpu::end_process(command_line(argc, argv));
}
