#include "commands/render_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>

#include "base/file_kind.h"
#include "base/files.h"
#include "base/outputs.h"
#include "commands/options/command.h"
#include "commands/preview_command.h"
#include "commands/run_command.h"
#include "execution/run/named_schedule.h"
#include "gpu/traced/trace_device.h"
#include "image/encode.h"
#include "session/runner/device_source.h"
#include "session/session.h"
#include "ui/window/picture.h"

namespace lanescope {

namespace {

// Runs while the picture is prepared, because the picture's shaders read what the kernel wrote.
Result<void> run_for_picture(session::Session& shown, const RenderOptions& options,
                             session::DeviceSource& source, gpu::TraceDevice& device) {
    Result<execution::RunResult> result = result_of(options.run, &device);
    source.end_run(result ? &*result : nullptr);
    if (!result) return result.diagnostics();
    shown.set_run(std::move(*result));
    return go_to(shown, options);
}

int preview_picture(const RenderOptions& options, const ui::PictureRequest& picture) {
    if (picture.as_shapes)
        return fail(
            error("a filtered image has pixels, and no shapes for a figure", "use a name that ends in .png"));
    if (const Result<void> sound = check_gpu_option(options.run); !sound) return fail(sound.diagnostics());
    PreviewPicture wanted = options.preview;
    wanted.image = options.run.file;
    wanted.output = options.output;
    wanted.width = picture.size.width;
    wanted.height = picture.size.height;
    wanted.mouse = picture.mouse;
    wanted.inspect = picture.inspect;
    wanted.gpu = options.run.on_gpu();
    wanted.place = options.run.gpu;
    return render_preview(wanted);
}

Result<void> check_picture_output(const RenderOptions& options) {
    std::vector<std::filesystem::path> inputs = inputs_of(options.run);
    for (const std::string& each : {options.with, options.preview.mask, options.preview.kernel})
        inputs.emplace_back(each);
    return check_outputs({{"-o",
                           options.output,
                           {FileKind::png, FileKind::svg, FileKind::pdf, FileKind::tikz, FileKind::gif,
                            FileKind::film, FileKind::text}}},
                         inputs);
}

int program_picture(const RenderOptions& options, const ui::PictureRequest& picture) {
    if (options.run.on_gpu())
        if (const Result<int> there = gpu_capability(); !there) return fail(there.diagnostics(), no_engine);
    session::Session shown(lessons());
    if (const Result<void> opened = open_program(shown, options); !opened) return fail(opened.diagnostics());
    const Result<ui::PictureOutcome> drawn = ui::draw_picture(shown, picture);
    if (!drawn) return fail(drawn.diagnostics());
    if (!drawn->note.empty()) std::cerr << drawn->note << '\n';
    return finish_picture(*drawn, options.output);
}

int picture_command(const RenderOptions& options) {
    Result<ui::PictureRequest> picture = picture_of(options);
    if (!picture) return fail(picture.diagnostics());
    if (options.view == "preview") return preview_picture(options, *picture);
    if (wants_program(options)) return program_picture(options, *picture);
    if (const Result<void> sound = check_gpu_option(options.run); !sound) return fail(sound.diagnostics());
    auto other = other_run(options);
    if (!other) return fail(other.diagnostics());
    picture->compared = {std::move(*other), options.share};
    std::optional<execution::Exploration> explored;
    RunOptions run = options.run;
    if (run.schedule == "all" && run.engine != "gpu") {
        Result<execution::Exploration> found = exploration_of(run);
        if (!found) return fail(found.diagnostics());
        explored = std::move(*found);
        run.schedule = "rr";
    }
    session::Session shown(lessons());
    bool no_device = false;
    if (run.on_gpu() && run.gpu.empty()) {
        picture->prepare = [&](session::DeviceSource& source) -> Result<void> {
            const Result<gpu::TraceDevice*> device = source.begin_run();
            if (!device) return device.diagnostics();
            const Result<void> opened = (*device)->open(nullptr);
            no_device = !opened;
            if (!opened) return no_gpu(opened.diagnostics());
            return run_for_picture(shown, options, source, **device);
        };
    } else {
        const Result<std::unique_ptr<gpu::ServedDevice>> device = open_device(run);
        if (!device) return fail(device.diagnostics(), no_engine);
        Result<execution::RunResult> result = run_on(run, device->get());
        if (!result) return fail(result.diagnostics());
        // The file ran with this schedule, so it can be found.
        if (kind_of(run.file) != FileKind::trace)
            shown.apply(session::SetSchedule{*execution::find_schedule(run.schedule, run.file)});
        shown.set_run(std::move(*result));
        if (explored) shown.set_exploration(std::move(*explored));
        if (const Result<void> moved = go_to(shown, options); !moved) return fail(moved.diagnostics());
    }
    if (options.shown.tab == "timings" || options.shown.tab == "roofline") {
        shown.apply(session::FindGpu{});
        shown.wait();
    }
    const Result<ui::PictureOutcome> drawn = ui::draw_picture(shown, *picture);
    if (!drawn) return no_device ? fail(drawn.diagnostics(), no_engine) : fail(drawn.diagnostics());
    if (!drawn->note.empty()) std::cerr << drawn->note << '\n';
    return finish_picture(*drawn, options.output);
}

}  // namespace

int finish_picture(const ui::PictureOutcome& drawn, const std::string& output) {
    const Result<void> written = is_text(output) ? write_file(output, drawn.text)
                                 : is_vector(output)
                                     ? write_figure(drawn.shapes, output)
                                     : image::save_png(drawn.image, image::Content::drawing, output);
    if (!written) return fail(written.diagnostics());
    for (const std::string& problem : drawn.problems)
        std::cout << problem << '\n';
    return drawn.problems.empty() ? fine : check_failed;
}

void choose_alone(RenderOptions& options, FileKind kind) {
    const bool figure = kind == FileKind::svg || kind == FileKind::tikz || kind == FileKind::pdf;
    const bool shown_alone = figure || kind == FileKind::gif || kind == FileKind::film ||
                             options.animation.as_slides(options.output);
    if (shown_alone &&
        (!options.view_given || options.view == "flow" || options.view == "layout" ||
         options.view == "clock") &&
        !options.page)
        options.alone = true;
    if (options.theme.empty() && (figure || options.animation.as_slides(options.output)))
        options.theme = "light";  // paper and slides are white
    if (options.size.empty())
        options.size = options.alone || kind == FileKind::gif ? "1280x720" : "1600x1000";
}

bool is_text(const std::string& output) {
    return kind_of(output) == FileKind::text;
}

void RenderOptions::add_to(CLI::App& app) {
    ShownOptions::add_to(app, NeedsFile::yes);
    animation.add_to(app);
    program.add_launches_to(app);
    app.add_option("--dialog", dialog, "open a dialog")
        ->check(CLI::IsMember({"form", "menu", "find", "export", "program", "engine"}));
    app.add_flag(
        "--alone", alone,
        "nothing but the view itself, in a lecture's type; figures and animations are so by themselves");
    app.add_option("--size", size,
                   "size in pixels, from 320x240 to 8192x8192 (default: 1600x1000, a view alone 1280x720)");
    app.add_option("--mouse", mouse,
                   "where the mouse rests, as X,Y in pixels: the picture explains what lies there");
    app.add_option("--over", over, "what to draw over the panels")
        ->check(CLI::IsMember({"keys", "glossary", "pointer", "spotlight", "tour:0", "tour:1", "tour:2",
                               "tour:3", "tour:4", "tour:5", "tour:6", "tour:7"}));
    app.add_option("-o,--output", output,
                   "the file to write: a .png; a figure for papers: .svg, .pdf, .tikz; with --steps an "
                   "animation: .gif, .mp4, .webm; or a .txt that describes the picture")
        ->required();
    app.add_flag("--inspect", inspect)->group("");
}

Result<ui::PictureRequest> picture_of(const RenderOptions& options) {
    Result<ui::PictureRequest> made = options.request();
    if (!made) return made.diagnostics();
    ui::PictureRequest& picture = *made;
    const std::pair<const char*, ui::Dialog> dialogs[] = {{"form", ui::Dialog::form},
                                                          {"menu", ui::Dialog::menu},
                                                          {"find", ui::Dialog::palette},
                                                          {"program", ui::Dialog::run_program},
                                                          {"engine", ui::Dialog::engine}};
    for (const auto& [name, dialog] : dialogs)
        if (options.dialog == name) picture.dialog = dialog;
    picture.exporting = options.dialog == "export";
    if (!options.mouse.empty()) {
        float x = 0, y = 0;
        if (std::sscanf(options.mouse.c_str(), "%f,%f", &x, &y) != 2)
            return error("--mouse must be X,Y in pixels, not '" + options.mouse + "'", "use --mouse 400,300");
        picture.mouse = std::pair(x, y);
    }
    picture.pointer = options.over == "pointer";
    picture.spotlight = options.over == "spotlight";
    picture.help = options.over == "keys" || options.over == "glossary";
    if (options.over == "glossary") picture.help_page = ui::HelpPage::glossary;
    if (options.over.starts_with("tour:")) picture.tour_stop = std::atoi(options.over.c_str() + 5);
    picture.as_text = is_text(options.output);
    picture.as_shapes = is_vector(options.output);
    picture.inspect = options.inspect;
    render::Extent& size = picture.size;
    int consumed = 0;
    if (std::sscanf(options.size.c_str(), "%dx%d%n", &size.width, &size.height, &consumed) != 2 ||
        consumed != static_cast<int>(options.size.size()) || size.width < 320 || size.height < 240 ||
        size.width > 8192 || size.height > 8192)
        return error("--size must be WIDTHxHEIGHT, from 320x240 to 8192x8192, not '" + options.size + "'");
    return made;
}

int render_command(RenderOptions options) {
    if (const Result<void> sound = check_picture_output(options); !sound) return fail(sound.diagnostics());
    const FileKind kind = kind_of(options.output);
    if (const Result<void> there = check_printer(options.output); !there)
        return fail(there.diagnostics(), no_engine);
    choose_alone(options, kind);
    if (kind == FileKind::gif || kind == FileKind::film) {
        ExportOptions wanted = options.animation;
        wanted.output = options.output;
        return export_command(options, wanted);
    }
    if (!options.animation.steps.empty())
        return fail(
            error("--steps draws an animation", "use -o NAME.gif or NAME.mp4, or --step N for one step"));
    return picture_command(options);
}

// The views of a program show what the whole program did, so that it runs for them; else a file with main()
// is one of kernels alone.
bool wants_program(const RenderOptions& options) {
    return options.shown.tab == "launches" || options.shown.tab == "host" || options.program.whole ||
           options.program.check || !options.program.words.empty() || !options.program.launches.empty();
}

// Runs the program without a terminal and opens it in the session.
Result<void> open_program(session::Session& shown, const RenderOptions& options) {
    const std::string& file = options.run.file;
    if (options.program.no_host_code)
        return error("--no-host-code forbids what --tab launches, --tab host, --launch, --check and -- need",
                     "leave out one of them");
    if (!session::has_program(file)) return not_a_program(file);
    if (options.program.leaks)
        return error("--leaks is for run and record, which exit with 1 then",
                     "leave it out; leaks are drawn");
    RunOptions run = options.run;
    run.compiling = {};
    run.compiling.launch = options.run.compiling.launch;
    run.engine = "cpu";
    if (says_how_to_run(run))
        return error("a program runs as its host code says",
                     "leave out --set, --grid, --block, --code, --schedule and the limits");
    session::ProgramRequest wanted{whole_path(file), options.run.compiling.for_nvcc(), options.program.words,
                                   options.program.launches, options.program.check};
    if (const Result<void> engine = choose_engine(wanted, options.run.engine); !engine)
        return engine.diagnostics();
    const session::Unattended unattended;
    Result<session::OpenedProgram> opened = session::open_program(wanted, &unattended);
    if (!opened) return opened.diagnostics();
    shown.set_program(std::move(*opened), wanted);
    shown.apply(session::OpenFile{wanted.file});
    if (!shown.wait()) return shown.diagnostics();
    return shown.run() ? go_to(shown, options) : Result<void>();
}

}  // namespace lanescope
