#include "commands/options/shown_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "commands/options/command.h"
#include "execution/run/step_place.h"
#include "session/session.h"
#include "ui/state/stage_modes.h"

namespace lanescope {

std::vector<std::string> view_names(std::vector<std::string> more) {
    std::vector<std::string> names = {"explore", "lecture"};
    for (const ui::StageMode& mode : ui::stage_modes)
        if (*mode.view) names.emplace_back(mode.view);
    names.insert(names.end(), more.begin(), more.end());
    return names;
}

void ShownOptions::add_to(CLI::App& app, NeedsFile needs_file) {
    run.add_to(app, needs_file);
    CLI::Option* at_step =
        app.add_option(
               "--step", step,
               "the step, from 1; 0: the start, before the first step (default: the lesson's own, else 1)")
            ->check(from(0));
    CLI::Option* at_phase = app.add_option("--phase", phase, "the first step after this many barriers");
    at_phase->check(from(0))->excludes(at_step);
    app.add_option("--share", share, "view compare: both runs at this share of their steps, 0 to 1")
        ->check(CLI::Range(0.0, 1.0))
        ->excludes(at_step)
        ->excludes(at_phase);
    app.add_option("--with", with, "view compare: the other file (default: FILE)")->transform(or_shipped());
    app.add_option("--with-set", with_settings, "view compare: set a parameter of the other run: n=1024")
        ->allow_extra_args(false);
    app.add_flag("--flows", flows, "view compare: both flows of values instead of the stages");
    app.add_option("--view", view, "the view to show")
        ->check(CLI::IsMember(view_names({"schedule", "clock", "compare", "preview"})))
        ->each([this](const std::string&) { view_given = true; })
        ->capture_default_str();
    app.add_flag("--page", page, "show the lesson's page at the left");
    app.add_option("--page-down", page_down, "with --page: move the page down by so many screens")
        ->check(from(0));
    app.add_flag("--lecture", lecture,
                 "views flow, layout, threads, clock and compare: large, as in a lecture");
    app.add_option("--below", below,
                   "in a lecture: what stands below the picture (default: as the lesson says)")
        ->check(CLI::IsMember({"source", "lanes", "details"}));
    app.add_option("--colour", colour,
                   "view threads: state, line, or a variable whose value becomes the colour")
        ->capture_default_str();
    shown.add_to(app);
    app.add_option("--mask", preview.mask, "view preview, where FILE is an image: the mask, as for 'preview'")
        ->capture_default_str();
    app.add_option("--border", preview.border, "view preview: the border, as for 'preview'")
        ->capture_default_str();
    // --kernel of a run names a kernel; with --view preview the same option names the kernel's file.
    app.get_option("--kernel")
        ->transform(or_shipped())
        ->description("the kernel to launch, for a file without front matter; view preview: the .cu file");
    app.parse_complete_callback([this] {
        if (view == "preview") preview.kernel = std::exchange(run.compiling.kernel, {});
    });
    app.add_flag("--edit", preview.edit, "view preview: show the kernel's source beside the picture");
    app.add_flag("--reuse", preview.reuse, "view preview: show how often the block reads each pixel");
    app.add_flag("--difference", preview.difference,
                 "view preview: show the difference from the original on the right half");
    app.add_option("--theme", theme, "the colours")->check(CLI::IsMember({"dark", "light"}));
    CLI::Option* hide = app.add_flag("--hide-results", hide_results, "show \"?\" for what the step writes");
    app.add_flag("--before", before, "show the state before the step instead of after it")->excludes(hide);
}

Result<ui::PictureRequest> ShownOptions::request() const {
    ui::PictureRequest picture;
    picture.lecture = view == "lecture" || lecture;
    if (!below.empty() && !picture.lecture) return error("--below needs --view lecture");
    if (!below.empty() || (picture.lecture && !shown.tab.empty()))
        picture.band = below == "source"  ? ui::LectureBand::source
                       : below == "lanes" ? ui::LectureBand::lanes
                                          : ui::LectureBand::tabs;
    for (const ui::StageMode& mode : ui::stage_modes)
        if (view == mode.view) picture.stage_tab = mode.tab;
    if (flows && view != "compare") return error("--flows needs --view compare");
    if (flows) picture.stage_tab = ui::StageTab::flow;
    if (view == "schedule") picture.timeline_rows = ui::TimelineRows::multiprocessors;
    if (view == "clock") picture.timeline_rows = ui::TimelineRows::cycles;
    if (view == "clock" && below.empty()) picture.band = ui::LectureBand::source;  // and the timeline
    picture.page = page;
    picture.page_down = page_down;
    picture.map_colour = colour;
    if (!theme.empty()) ui::set_theme(theme == "light" ? ui::Brightness::light : ui::Brightness::dark);
    picture.alone = alone;
    if (alone && (page || view == "compare" || view == "preview" || view == "schedule"))
        return error("--alone needs --view explore, lecture, flow, layout, threads or clock, without --page");
    if ((!shown.array.empty() || shown.layout != "automatic") && view != "layout")
        return error("--array and --layout need --view layout");
    if (lecture && view != "flow" && view != "layout" && view != "threads" && view != "lecture" &&
        view != "compare" && view != "clock")
        return error("--lecture needs --view flow, layout, threads, clock or compare");
    if (page_down > 0 && !page) return error("--page-down needs --page");
    if (page && (lecture || view == "lecture" || view == "compare" || view == "preview"))
        return error(
            "--page needs --view explore, flow, layout, threads, schedule or clock without --lecture");
    if (colour != "state" && view != "threads") return error("--colour needs --view threads");
    if (const Result<void> possible = shown.apply_to(picture); !possible) return possible.diagnostics();
    return picture;
}

Result<void> go_to(session::Session& shown, const ShownOptions& options) {
    if (shown.playhead().steps().empty()) return {};  // a run without turns has no steps
    std::size_t step = 0;                             // from 0, as the session counts
    if (options.phase >= 0) {
        const auto at = std::find_if(
            shown.playhead().steps().begin(), shown.playhead().steps().end(),
            [&](const trace::Step& each) { return each.phase == static_cast<std::uint32_t>(options.phase); });
        if (at == shown.playhead().steps().end())
            return error("--phase " + std::to_string(options.phase) + " does not exist",
                         "the run has phases 0 to " + std::to_string(shown.playhead().steps().back().phase));
        step = static_cast<std::size_t>(at - shown.playhead().steps().begin());
    } else if (options.step >= 0) {
        if (options.step == 0 && options.view == "compare")
            return error("--step 0 is the start of one run", "with --view compare, steps are counted from 1");
        const auto number = static_cast<std::size_t>(options.step);
        if (number > shown.playhead().steps().size())
            return error("--step " + std::to_string(options.step) + " does not exist",
                         "the run has steps 1 to " + std::to_string(shown.playhead().steps().size()));
        step = number == 0 ? 0 : number - 1;
    } else if (const auto look =
                   shown.lesson() && shown.trace()
                       ? execution::place_to_look(*shown.lesson(), *shown.trace(), shown.run()->source)
                       : std::nullopt) {
        shown.apply(session::FocusBlock{look->block});
        step = std::min(look->step, shown.playhead().steps().size() - 1);
    }
    shown.apply(session::HideResults{options.hide_results});
    if (options.before) shown.apply(session::ShowBefore{true});
    if (options.step == 0)
        shown.apply(session::SeekStart{});
    else
        shown.apply(session::SeekStep{step});
    return options.shown.apply_to(shown);
}

Result<std::shared_ptr<const execution::RunResult>> other_run(const ShownOptions& options) {
    const bool asked = !options.with.empty() || !options.with_settings.empty();
    if (options.view != "compare") {
        if (asked || options.share >= 0) return error("--with, --with-set and --share need --view compare");
        return std::shared_ptr<const execution::RunResult>();
    }
    if (!asked)
        return error("--view compare needs another run", "add --with FILE, or --with-set n=…, or both");
    if (options.run.engine == "gpu")
        return error("--view compare shows only runs of the CPU engine", "leave out --engine gpu");
    RunOptions other = options.run;
    if (!options.with.empty()) {
        other.file = options.with;
        other.settings.clear();
    }
    other.settings.insert(other.settings.end(), options.with_settings.begin(), options.with_settings.end());
    Result<execution::RunResult> result = result_of(other);
    if (!result) return result.diagnostics();
    return std::make_shared<const execution::RunResult>(std::move(*result));
}

}  // namespace lanescope
