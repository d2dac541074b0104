#include "commands/dap_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/descriptor.h"
#include "base/file_kind.h"
#include "commands/options/command.h"
#include "commands/options/run_options.h"
#include "commands/program_command.h"
#include "commands/render_command.h"
#include "dap/server.h"
#include "execution/run/opened_trace.h"
#include "image/encode.h"
#include "session/runner/device_source.h"
#include "ui/window/picture.h"

namespace lanescope {

namespace {

// Reads the words as `lanescope run` does.
Result<RunOptions> options_of(const std::vector<std::string>& words) {
    RunOptions options;
    CLI::App app;
    options.add_to(app);
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    try {
        app.parse(std::move(reversed));
    } catch (const CLI::ParseError& problem) {
        return error(problem.what(), "lanescope run --help lists the options");
    }
    return options;
}

Result<execution::RunResult> run_words(const std::vector<std::string>& words, const std::atomic<bool>* cancel,
                                       const execution::RunProgress& progress) {
    const Result<RunOptions> options = options_of(words);
    if (!options) return options.diagnostics();
    if (const Result<void> sound = check_gpu_option(*options); !sound) return sound.diagnostics();
    if (kind_of(options->file) == FileKind::trace) return result_of(*options);
    const Result<std::unique_ptr<gpu::ServedDevice>> device = open_device(*options);
    if (!device) return device.diagnostics();
    if (*device) return result_of(*options, device->get(), progress);
    const Result<execution::RunRequest> request = request_of(*options);
    if (!request) return request.diagnostics();
    return execution::execute(*request, cancel, progress);
}

Result<session::ProgramRequest> program_of(const std::vector<std::string>& words) {
    const Result<RunOptions> options = options_of(words);
    if (!options) return options.diagnostics();
    RunOptions run = *options;
    run.compiling = {};
    run.engine = "cpu";
    if (says_how_to_run(run))
        return error("a program with main() runs as its host code says",
                     "leave out \"set\", \"code\", \"schedule\" and the options of kernels");
    session::ProgramRequest request;
    request.file = whole_path(options->file);
    request.compiling = options->compiling.for_nvcc();
    if (const Result<void> engine = choose_engine(request, options->engine); !engine)
        return engine.diagnostics();
    return request;
}

Result<std::string> draw(session::Session& shown, const dap::Services::Picture& wanted) {
    const std::vector<std::string> views{"explore", "lecture",  "flow", "layout",
                                         "threads", "schedule", "clock"};
    if (std::find(views.begin(), views.end(), wanted.view) == views.end())
        return error("there is no view '" + wanted.view + "'",
                     "use explore, lecture, flow, layout, threads or clock");
    RenderOptions options;
    options.view = wanted.view;
    options.theme = wanted.theme == "light" ? "light" : "dark";
    options.alone = wanted.alone;
    options.size = std::to_string(wanted.width) + "x" + std::to_string(wanted.height);
    options.output = wanted.vector ? "step.svg" : "step.png";
    const Result<ui::PictureRequest> request = picture_of(options);
    if (!request) return request.diagnostics();
    const Result<ui::PictureOutcome> drawn = ui::draw_picture(shown, *request);
    if (!drawn) return drawn.diagnostics();
    if (wanted.vector) return ui::svg_file(drawn->shapes);
    return image::encode_png(drawn->image, image::Content::drawing);
}

}  // namespace

void DapCommand::add_to(CLI::App& app) {
    app.add_flag("--no-host-code", no_host_code,
                 "propose a launch of a kernel, do not run the host code of a file with main()");
}

int dap_command(const DapCommand& command) {
    // Only messages go to the client: what other code or a child process prints goes to standard error.
    std::cout.flush();
    const Descriptor out(::dup(STDOUT_FILENO));
    if (!out || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return fail(error("standard output cannot be used"));
    dap::Services services;
    services.is_program = [&command](const std::string& file, bool asked) {
        ProgramOptions program;
        program.no_host_code = command.no_host_code;
        program.whole = asked;
        return runs_as_program(file, program);
    };
    services.run = run_words;
    services.program = program_of;
    services.draw = draw;
    const Result<void> served = dap::serve(STDIN_FILENO, out.number(), std::move(services), lessons());
    return served ? fine : fail(served.diagnostics());
}

}  // namespace lanescope
