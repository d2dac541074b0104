#include "commands/render_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>

#include "commands/command.h"
#include "commands/run_command.h"
#include "gpu/interop/live_gpu.h"
#include "image/encode.h"
#include "session/run/named_schedule.h"
#include "session/runner/device_source.h"
#include "session/session.h"
#include "trace/io.h"
#include "ui/window/picture.h"

namespace lanescope {

namespace {

// The picture's shaders read what the kernel wrote.
Result<void> run_for_picture(session::Session& shown, const RenderOptions& options,
                             session::DeviceSource& source) {
    Result<gpu::TraceDevice*> device = source.begin_run();
    if (!device) return device.diagnostics();
    Result<session::RunResult> result = result_of(options.run, *device);
    source.end_run(result ? &*result : nullptr);
    if (!result) return result.diagnostics();
    shown.set_run(std::move(*result));
    return go_to(shown, options);
}

int preview_picture(const RenderOptions& options, const ui::PictureRequest& picture) {
    PreviewPicture wanted = options.preview;
    wanted.image = options.run.file;
    wanted.output = options.output;
    wanted.width = picture.size.width;
    wanted.height = picture.size.height;
    wanted.mouse = picture.mouse;
    wanted.gpu = options.run.on_gpu();
    return render_preview(wanted);
}

int picture_command(const RenderOptions& options) {
    Result<ui::PictureRequest> picture = picture_of(options);
    if (!picture) return fail(picture.diagnostics());
    if (options.view == "preview") return preview_picture(options, *picture);
    auto other = other_run(options);
    if (!other) return fail(other.diagnostics());
    picture->compared = {std::move(*other), options.share};
    std::optional<session::Exploration> explored;
    RunOptions run = options.run;
    if (run.schedule == "all" && run.engine != "gpu") {
        Result<session::Exploration> found = exploration_of(run);
        if (!found) return fail(found.diagnostics());
        explored = std::move(*found);
        run.schedule = "rr";
    }
    session::Session shown(kernels_folder());
    if (run.on_gpu()) {
        const Result<std::unique_ptr<gpu::LiveGpu>> there = open_gpu();
        if (!there) return fail(there.diagnostics(), no_engine);
        picture->prepare = [&](session::DeviceSource& source) {
            return run_for_picture(shown, options, source);
        };
    } else {
        Result<session::RunResult> result = result_of(run);
        if (!result) return fail(result.diagnostics());
        // It ran with that schedule, which is therefore one.
        if (!trace::is_trace_name(run.file))
            shown.apply(
                session::SetSchedule{*session::find_schedule(run.schedule, run.file, kernels_folder())});
        shown.set_run(std::move(*result));
        if (explored) shown.set_exploration(std::move(*explored));
        if (const Result<void> moved = go_to(shown, options); !moved) return fail(moved.diagnostics());
    }
    if (options.shown.tab == "timings") {
        shown.apply(session::FindGpu{});
        shown.wait();
    }
    const Result<ui::PictureOutcome> drawn = ui::draw_picture(shown, *picture);
    if (!drawn) return fail(drawn.diagnostics());
    if (!drawn->note.empty()) std::cerr << drawn->note << '\n';
    if (const Result<void> written = image::save_png(drawn->image, image::Content::drawing, options.output);
        !written)
        return fail(written.diagnostics());
    return fine;
}

}  // namespace

void RenderOptions::add_to(CLI::App& app) {
    run.add_to(app);
    CLI::Option* at_step = app.add_option("--step", step, "which step, from 0")->check(from(0));
    CLI::Option* at_phase = app.add_option("--phase", phase, "the first step after this many barriers");
    at_phase->check(from(0))->excludes(at_step);
    app.add_option("--share", share, "of the view compare: both at this share of their run, 0 to 1")
        ->check(CLI::Range(0.0, 1.0))
        ->excludes(at_step)
        ->excludes(at_phase);
    app.add_option("--with", with, "of the view compare: the other file");
    app.add_option("--with-set", with_settings, "and its parameters, as --set; without --with of this file")
        ->allow_extra_args(false);
    animation.add_to(app);
    app.add_option("--view", view, "which view")
        ->check(CLI::IsMember({"explore", "lecture", "threads", "schedule", "compare", "preview"}))
        ->capture_default_str();
    app.add_option("--colour", colour,
                   "of the view threads: state, line, or a variable of which the value is the colour")
        ->capture_default_str();
    shown.add_to(app);
    app.add_option("--mask", preview.mask, "of the view preview, of which FILE is an image: see 'preview'")
        ->capture_default_str();
    app.add_option("--border", preview.border, "of the view preview")->capture_default_str();
    app.add_option("--kernel", preview.kernel, "of the view preview: a .cu file");
    app.add_flag("--edit", preview.edit, "of the view preview: the kernel's source beside the picture");
    app.add_flag("--reuse", preview.reuse, "of the view preview: how often the block reads each pixel");
    app.add_flag("--difference", preview.difference, "of the view preview: on the right half");
    app.add_option("--theme", theme, "its colours")
        ->check(CLI::IsMember({"dark", "light"}))
        ->capture_default_str();
    app.add_option("--dialog", dialog, "what lies over the panels")
        ->check(CLI::IsMember({"form", "menu", "find", "export"}));
    app.add_option("--size", size, "size in pixels")->capture_default_str();
    app.add_option("--mouse", mouse, "where the mouse rests, in pixels: what it points at is explained");
    app.add_option("--over", over, "what lies over the panels")
        ->check(CLI::IsMember({"keys", "glossary", "pointer", "spotlight", "tour:0", "tour:1", "tour:2",
                               "tour:3", "tour:4", "tour:5", "tour:6", "tour:7"}));
    app.add_flag("--hide-results", hide_results, "what the step writes is not told: predict it");
    app.add_option("-o,--output", output, "the PNG, or with --steps the GIF, to write")->required();
}

Result<ui::PictureRequest> picture_of(const RenderOptions& options) {
    ui::PictureRequest picture;
    picture.lecture = options.view == "lecture";
    if (options.view == "threads") picture.stage_tab = ui::StageTab::threads;
    if (options.view == "schedule") picture.timeline_rows = ui::TimelineRows::multiprocessors;
    picture.map_colour = options.colour;
    ui::set_theme(options.theme == "light" ? ui::Brightness::light : ui::Brightness::dark);
    const std::pair<const char*, ui::Dialog> dialogs[] = {
        {"form", ui::Dialog::form}, {"menu", ui::Dialog::menu}, {"find", ui::Dialog::palette}};
    for (const auto& [name, dialog] : dialogs)
        if (options.dialog == name) picture.dialog = dialog;
    picture.exporting = options.dialog == "export";
    if (options.colour != "state" && options.view != "threads")
        return error("--colour belongs to --view threads");
    if (const Result<void> possible = options.shown.apply_to(picture); !possible)
        return possible.diagnostics();
    if (!options.mouse.empty()) {
        float x = 0, y = 0;
        if (std::sscanf(options.mouse.c_str(), "%f,%f", &x, &y) != 2)
            return error("--mouse '" + options.mouse + "' is no place", "--mouse 400,300");
        picture.mouse = std::pair(x, y);
    }
    picture.pointer = options.over == "pointer";
    picture.spotlight = options.over == "spotlight";
    picture.help = options.over == "keys" || options.over == "glossary";
    if (options.over == "glossary") picture.help_page = ui::HelpPage::glossary;
    if (options.over.starts_with("tour:")) picture.tour_stop = std::atoi(options.over.c_str() + 5);
    render::Extent& size = picture.size;
    int consumed = 0;
    if (std::sscanf(options.size.c_str(), "%dx%d%n", &size.width, &size.height, &consumed) != 2 ||
        consumed != static_cast<int>(options.size.size()) || size.width < 320 || size.height < 240 ||
        size.width > 8192 || size.height > 8192)
        return error("--size " + options.size + " is not a size", "WIDTHxHEIGHT, from 320x240 to 8192x8192");
    return picture;
}

Result<void> go_to(session::Session& shown, const RenderOptions& options) {
    if (shown.playhead().steps().empty()) return {};  // a run without a turn has nothing to go to
    std::size_t step = 0;
    if (options.phase >= 0) {
        const auto at = std::find_if(
            shown.playhead().steps().begin(), shown.playhead().steps().end(),
            [&](const trace::Step& each) { return each.phase == static_cast<std::uint32_t>(options.phase); });
        if (at == shown.playhead().steps().end())
            return error("--phase " + std::to_string(options.phase) + " does not exist",
                         "phases 0 to " + std::to_string(shown.playhead().steps().back().phase));
        step = static_cast<std::size_t>(at - shown.playhead().steps().begin());
    } else if (options.step >= 0) {
        step = static_cast<std::size_t>(options.step);
        if (step >= shown.playhead().steps().size())
            return error("--step " + std::to_string(options.step) + " does not exist",
                         "steps 0 to " + std::to_string(shown.playhead().steps().size() - 1));
    } else if (shown.lesson() && shown.lesson()->look_step >= 0) {
        step = std::min(static_cast<std::size_t>(shown.lesson()->look_step),
                        shown.playhead().steps().size() - 1);
    }
    shown.apply(session::HideResults{options.hide_results});
    shown.apply(session::SeekStep{step});
    return options.shown.apply_to(shown);
}

Result<std::shared_ptr<const session::RunResult>> other_run(const RenderOptions& options) {
    const bool asked = !options.with.empty() || !options.with_settings.empty();
    if (options.view != "compare") {
        if (asked || options.share >= 0)
            return error("--with, --with-set and --share belong to --view compare");
        return std::shared_ptr<const session::RunResult>();
    }
    if (!asked) return error("--view compare needs another run", "--with FILE, or --with-set n=…, or both");
    if (options.run.engine == "gpu") return error("--view compare shows runs of the CPU engine");
    RunOptions other = options.run;
    if (!options.with.empty()) {
        other.file = options.with;
        other.settings.clear();
    }
    other.settings.insert(other.settings.end(), options.with_settings.begin(), options.with_settings.end());
    Result<session::RunResult> result = result_of(other);
    if (!result) return result.diagnostics();
    return std::make_shared<const session::RunResult>(std::move(*result));
}

int render_command(const RenderOptions& options) {
    if (std::string_view(options.output).ends_with(".gif")) {
        ExportOptions wanted = options.animation;
        wanted.output = options.output;
        return export_command(options, wanted);
    }
    if (!options.animation.steps.empty())
        return fail(error("--steps belongs to an animation: -o NAME.gif", "--step N draws one step"));
    return picture_command(options);
}

}  // namespace lanescope
