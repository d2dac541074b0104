#include "commands/command_line.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "base/language.h"
#include "commands/options/command.h"
#include "commands/options/compile_options.h"

namespace lanescope {

namespace {

// A name that begins with - looks like an option.
void tell_of_names(int argc, char** argv) {
    std::error_code ignored;
    for (int i = 1; i < argc; ++i)
        if (argv[i][0] == '-' && std::filesystem::exists(argv[i], ignored))
            std::cerr << to_text(error(std::string(argv[i]) + " is read as an option",
                                       std::string("if it is the name of a file, write ./") + argv[i]))
                      << '\n';
}

bool prints_json(const CLI::App* command) {
    const CLI::Option* json = command->get_option_no_throw("--json");
    return json != nullptr && json->count() != 0;
}

}  // namespace

CommandLine::CommandLine()
    : app_("Lanescope: step through CUDA kernels, forwards and backwards, and see what every lane does",
           "lanescope") {
    app_.set_version_flag("--version", LANESCOPE_VERSION);
    app_.footer(
        "Without a subcommand lanescope opens its window with FILE, else with the last file or the first "
        "lesson.\n"
        "Exit: 0 fine; 1 an expectation failed or a problem was found; 2 bad input; 3 engine not available.");
    window_.add_to(app_);
    run_.add_to(*app_.add_subcommand("run", "run a file, print what was counted, check the results"));
    render_.add_to(*app_.add_subcommand(
        "render", "draw one step of a file as a picture or a figure, or several as an animation"));
    add_export_to(
        *app_.add_subcommand(
            "export",
            "write a run as a figure (.svg), an animation (.gif, .mp4), slides (.pdf) or a page (.html),\n"
            "or a topic as a deck of slides (.html, .pdf): export scan -o scan.pdf"),
        exported_, export_);
    check_.add_to(*app_.add_subcommand("check", "judge solutions of exercises, with points and reasons"));
    lesson_.add_to(*app_.add_subcommand("lesson", "make a lesson of your own, or check lessons"));
    record_.add_record_to(*app_.add_subcommand(
        "record",
        "run a CUDA program on the CPU machine, list its launches, record some: record -- ./program"));
    app_.add_subcommand("build", "build a CUDA program for the CPU machine: build -- make")
        ->add_option("words", build_, "behind --: the command that builds it")
        ->type_name("COMMAND")
        ->required();
    list_.add_to(*app_.add_subcommand("list", "list the lessons"));
    time_.add_to(*app_.add_subcommand("time", "time files on a GPU, beside NVIDIA's libraries"));
    preview_.add_to(*app_.add_subcommand("preview", "filter an image with a kernel"));
    dap_.add_to(*app_.add_subcommand(
        "dap", "serve an editor's debugger: the Debug Adapter Protocol over standard streams"));
    web_.add_to(*app_.add_subcommand(
        "web",
        "write Lanescope for browsers, with your own files, as a folder for any server or as one file"));
    serve_.add_to(
        *app_.add_subcommand("serve", "serve Lanescope in a browser to a class, and compile what it edits"));
    doctor_.add_to(*app_.add_subcommand("doctor", "test what works on this machine: GPU, compiler, OpenGL"));
    app_.require_subcommand(0, 1);
    std::vector<CLI::App*> all = app_.get_subcommands([](const CLI::App*) { return true; });
    all.push_back(&app_);
    for (CLI::App* each : all)
        each->add_option(
            "--language", language_,
            "language of what is shown: en, fr (default: LANESCOPE_LANGUAGE, else the locale's)");
}

int CommandLine::run(int argc, char** argv) {
    try {
        std::vector<std::string> arguments = with_long_options(argc, argv);
        std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
        app_.parse(std::move(arguments));
    } catch (const CLI::ParseError& problem) {
        if (app_.exit(problem) == 0) return fine;
        tell_of_names(argc, argv);
        return bad_input;
    }
    const std::vector<CLI::App*> subcommands = app_.get_subcommands();
    if (!subcommands.empty())
        for (const CLI::Option* option : app_.get_options())
            if (option->count() != 0)
                return fail(error(option->get_name() + " must stand after the subcommand",
                                  "use lanescope " + subcommands.front()->get_name() + " FILE …"));
    // JSON follows no locale, so that programs read the same everywhere.
    const bool for_programs =
        language_.empty() && std::any_of(subcommands.begin(), subcommands.end(), prints_json);
    const Result<std::string> chosen = chosen_language(for_programs ? "en" : language_);
    if (!chosen) return fail(chosen.diagnostics());
    set_language(*chosen);
    const auto asked = [&](const char* name) { return app_.got_subcommand(name); };
    if (asked("run")) return run_command(run_);
    if (asked("export")) return export_command(exported_, export_);
    if (asked("render")) return render_command(render_);
    if (asked("check")) return check_command(check_);
    if (asked("lesson")) return lesson_command(lesson_);
    if (asked("record")) return record_command(record_);
    if (asked("build")) return build_command(build_);
    if (asked("list")) return list_command(list_);
    if (asked("time")) return time_command(time_);
    if (asked("preview")) return preview_command(preview_);
    if (asked("dap")) return dap_command(dap_);
    if (asked("web")) return web_command(web_);
    if (asked("serve")) return serve_command(serve_);
    if (asked("doctor")) return doctor_command(doctor_);
    return window_command(window_);
}

}  // namespace lanescope
