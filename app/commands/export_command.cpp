#include "commands/export_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <optional>

#include "base/files.h"
#include "base/outputs.h"
#include "commands/options/command.h"
#include "commands/render_command.h"
#include "execution/run/block_list.h"
#include "image/encode.h"
#include "lesson/course/link.h"
#include "page/page.h"
#include "page/trace_events.h"
#include "ui/lecture/notes.h"
#include "ui/window/headless_renderer.h"

namespace lanescope {
namespace {

constexpr std::size_t max_pictures = 1000;  // of an animation: a limit of patience, not of memory

std::optional<std::size_t> number(std::string_view text) {
    std::size_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc() || end != text.data() + text.size()) return {};
    return value;
}

// Reads "4,9,12..40", counted from 1; the result counts from 0, as the session does. Errors: any other text,
// more steps than a run can have.
Result<std::vector<std::size_t>> parse_steps(const std::string& text) {
    constexpr std::size_t most = 1 << 24;
    std::vector<std::size_t> steps;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string part = text.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t dots = part.find("..");
        const std::optional<std::size_t> first = number(part.substr(0, dots));
        const std::optional<std::size_t> last =
            dots == std::string::npos ? first : number(part.substr(dots + 2));
        if (!first || !last || *last < *first || *last - *first > most)
            return error("--steps " + text + " is not a range of steps",
                         "use --steps 12..40, --steps 12, or a list: --steps 4,9,12..14");
        if (*first == 0)
            return error("--steps " + text + " begins before the first step",
                         "steps are counted from 1: use --steps 1" +
                             (*last > 0 ? ".." + std::to_string(*last) : std::string()));
        for (std::size_t step = *first; step <= *last; ++step)
            steps.push_back(step - 1);
    }
    return steps;
}

std::vector<std::size_t> first_steps_of_phases(const session::Session& shown) {
    const std::vector<trace::Step>& all = shown.playhead().steps();
    std::vector<std::size_t> steps;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (i == 0 || all[i].phase != all[i - 1].phase || all[i].launch != all[i - 1].launch)
            steps.push_back(i);
    return steps;
}

std::vector<std::size_t> captioned_steps(const session::Session& shown) {
    std::vector<std::size_t> steps;
    for (const ui::PlacedNote& note : ui::place_notes(shown, {}, ui::lesson_places(shown)))
        steps.push_back(note.step);
    return steps;
}

Result<std::vector<std::size_t>> steps_of(const session::Session& shown, const ExportOptions& options) {
    const std::size_t count = shown.playhead().steps().size();
    if (count == 0) return error("there are no steps: nothing was recorded");
    if (options.phases) return first_steps_of_phases(shown);
    if (options.steps.empty()) {
        if (options.as_slides(options.output)) {
            std::vector<std::size_t> captioned = captioned_steps(shown);
            return captioned.empty() ? first_steps_of_phases(shown) : captioned;
        }
        std::vector<std::size_t> all(count);
        std::iota(all.begin(), all.end(), std::size_t(0));
        return all;
    }
    Result<std::vector<std::size_t>> steps = parse_steps(options.steps);
    if (!steps) return steps;
    if (*std::max_element(steps->begin(), steps->end()) >= count)
        return error("--steps " + options.steps + " does not exist",
                     "the run has steps 1 to " + std::to_string(count));
    return steps;
}

// The link to the run in the version for browsers, which opens kernel files.
std::string link_to(const RunOptions& run, const std::string& web) {
    if (web.empty() || kind_of(run.file) != FileKind::cuda) return {};
    lesson::LinkWords words;
    if (run.code == "optimized") words.emplace_back("code", run.code);
    if (!run.schedule.empty()) words.emplace_back("schedule", run.schedule);
    for (const std::string& setting : run.settings)
        if (const std::size_t equals = setting.find('='); equals != std::string::npos)
            words.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
    return web + "?" + lesson::link_query(run.file, words);
}

Diagnostic no_file_named(const std::string& name) {
    return error(name + ": neither a topic nor a file", "lanescope list shows the topics");
}

std::function<void(float)> teller(const ExportOptions& options) {
    if (options.progress.empty()) return {};
    return [file = options.progress](float share) { (void)write_file(file, std::to_string(share)); };
}

Result<void> write_picture(session::Session& shown, const ui::PictureRequest& picture,
                           const ExportOptions& options) {
    if (!options.steps.empty() || options.phases) {
        const Result<std::vector<std::size_t>> steps = steps_of(shown, options);
        if (!steps) return steps.diagnostics();
        if (steps->size() != 1)
            return error("a picture holds one step",
                         "use --steps " + std::to_string(steps->front() + 1) +
                             ", write a .gif, or a folder of pictures: -o FOLDER/");
        shown.apply(session::SeekStep{steps->front()});
    }
    Result<ui::PictureOutcome> drawn = ui::draw_picture(shown, picture);
    if (!drawn) return drawn.diagnostics();
    return picture.as_shapes ? write_figure(drawn->shapes, options.output)
                             : image::save_png(drawn->image, image::Content::drawing, options.output);
}

Result<std::vector<std::size_t>> few_steps_of(const session::Session& shown, const ExportOptions& options) {
    Result<std::vector<std::size_t>> steps = steps_of(shown, options);
    if (!steps || steps->size() <= max_pictures) return steps;
    const std::string first = std::to_string(steps->front() + 1);
    return error("an animation or a set of slides has at most " + std::to_string(max_pictures) +
                     " pictures, but these are " + std::to_string(steps->size()) + " steps",
                 "use --steps " + first + ".." + std::to_string(steps->front() + max_pictures));
}

Result<void> write_moving(session::Session& shown, const ui::PictureRequest& picture,
                          const ExportOptions& options) {
    Result<std::vector<std::size_t>> steps = few_steps_of(shown, options);
    if (!steps) return steps.diagnostics();
    return ui::write_animation(
        shown, picture,
        {options.output, std::move(*steps), options.delay_ms, options.motion, nullptr, teller(options)});
}

Result<void> write_page(const session::Session& shown, const ExportOptions& options,
                        const std::string& version) {
    page::PageOptions wanted;
    wanted.version = version;
    wanted.link = options.link;
    wanted.clock = options.clock;
    if (!options.steps.empty()) {
        const Result<std::vector<std::size_t>> steps = parse_steps(options.steps);
        if (!steps) return steps.diagnostics();
        if (steps->back() - steps->front() + 1 != steps->size())
            return error("a page holds one range of steps", "use --steps 12..40, or add --slides");
        wanted.first_step = steps->front(), wanted.last_step = steps->back();
    }
    if (!options.blocks.empty()) {
        Result<std::vector<std::uint32_t>> blocks = execution::parse_block_list(options.blocks);
        if (!blocks) return blocks.diagnostics();
        wanted.blocks = std::move(*blocks);
    }
    const Result<std::string> page = page::make_page(*shown.run(), wanted, nullptr, teller(options));
    if (!page) return page.diagnostics();
    return write_file(options.output, *page);
}

Result<void> write_trace_events(const session::Session& shown, const ExportOptions& options,
                                const std::string& version) {
    if (!options.steps.empty() || options.phases)
        return error("a trace for Perfetto holds all steps", "leave out --steps and --phases");
    page::TraceEventOptions wanted;
    wanted.version = version;
    wanted.clock = options.clock;
    if (shown.launches().program() != nullptr) wanted.program = &shown.launches().program()->run;
    if (!options.blocks.empty()) {
        if (options.clock)
            return error("--blocks and --clock do not go together in a trace for Perfetto",
                         "leave out one of them");
        Result<std::vector<std::uint32_t>> blocks = execution::parse_block_list(options.blocks);
        if (!blocks) return blocks.diagnostics();
        wanted.blocks = std::move(*blocks);
    }
    const Result<page::TraceEvents> made = page::make_trace_events(*shown.run(), wanted);
    if (!made) return made.diagnostics();
    if (!made->left_out.empty())
        std::fprintf(stderr, "%s: note: %s\n", options.output.c_str(), made->left_out.c_str());
    return write_file(options.output, made->json);
}

}  // namespace

static bool names_folder(const std::filesystem::path& path) {
    std::error_code unknown;
    return !path.empty() && (!path.has_extension() || std::filesystem::is_directory(path, unknown));
}

void ExportOptions::add_to(CLI::App& app) {
    app.add_option(
        "--steps", steps,
        "the steps: 12..40, or 4,9,12 (default: all; for a picture the lesson's own; for slides those "
        "with a caption)");
    app.add_option("--delay", delay_ms, "animations: milliseconds per step")
        ->check(CLI::Range(20, 60000))
        ->capture_default_str();
    app.add_flag("--motion", motion, "animations: values travel along their arrows from step to step");
}

bool ExportOptions::as_slides(const std::string& file) const {
    const FileKind kind = kind_of(file);
    if (kind == FileKind::pdf || names_folder(file)) return true;
    return kind == FileKind::html && (slides || phases || steps.find(',') != std::string::npos);
}

bool is_vector(const std::string& output) {
    const FileKind kind = kind_of(output);
    return kind == FileKind::svg || kind == FileKind::tikz || kind == FileKind::pdf;
}

Result<void> write_export(session::Session& shown, const ui::PictureRequest& picture,
                          const ExportOptions& options, const std::string& version) {
    const FileKind kind = kind_of(options.output);
    const bool slides = options.as_slides(options.output);
    const bool whole_run = !slides && (kind == FileKind::html || kind == FileKind::json);
    if (options.clock && !whole_run)
        return error("--clock is only for a page or a trace for Perfetto",
                     "use a name that ends in .html or .json, or leave out --clock");
    if (!options.blocks.empty() && !whole_run)
        return error("--blocks is only for a page or a trace for Perfetto",
                     "use a name that ends in .html or .json, or leave out --blocks");
    if (slides) {
        const Result<std::vector<std::size_t>> steps = few_steps_of(shown, options);
        if (!steps) return steps.diagnostics();
        return write_slides(shown, picture, *steps, options, version);
    }
    if (kind == FileKind::gif || kind == FileKind::film) return write_moving(shown, picture, options);
    if (kind == FileKind::html) return write_page(shown, options, version);
    if (kind == FileKind::json) return write_trace_events(shown, options, version);
    return write_picture(shown, picture, options);
}

void add_export_to(CLI::App& app, RenderOptions& render, ExportOptions& options) {
    render.size.clear();
    render.run.add_to(app);
    render.program.add_launches_to(app);
    options.add_to(app);
    app.add_option("--blocks", options.blocks, "page, .json: the blocks that it holds: 0,2-3");
    app.add_flag("--clock", options.clock,
                 "page: with estimates of the time on an H200, and of each line's share; .json: estimated "
                 "time instead of steps");
    app.add_flag("--phases", options.phases, "the first step behind each barrier instead of --steps");
    app.add_flag("--slides", options.slides,
                 "with a .html: a slide for each step, instead of a page that steps through the run");
    app.add_option("--view", render.view,
                   "the view to draw (default: the stage alone, for a .png with the other panels)")
        ->check(CLI::IsMember(view_names({"schedule", "clock", "compare"})))
        ->each([&render](const std::string&) { render.view_given = true; });
    app.add_option("--theme", render.theme, "the colours (default: light on paper and slides, else dark)")
        ->check(CLI::IsMember({"dark", "light"}));
    app.add_option("--with", render.with, "view compare: the other file (default: FILE)")
        ->transform(or_shipped());
    app.add_option("--with-set", render.with_settings,
                   "view compare: set a parameter of the other run: n=1024")
        ->allow_extra_args(false);
    app.add_option("--size", render.size, "size in pixels (default: a .png 1600x1000, else 1280x720)");
    app.add_option("--web", options.web,
                   "pages, slides: where the version for browsers is, to which they link")
        ->envname("LANESCOPE_WEB")
        ->type_name("URL");
    options.topic.add_to(app);
    app.add_option("--progress", options.progress)->group("");
    app.add_option("-o,--output", options.output, "the file to write")->required();
}

int export_command(RenderOptions render, ExportOptions options) {
    while (options.output.size() > 1 && options.output.ends_with('/'))
        options.output.pop_back();
    std::vector<std::filesystem::path> inputs = inputs_of(render.run);
    inputs.emplace_back(render.with);
    const std::vector<FileKind> kinds{FileKind::png,  FileKind::svg,  FileKind::tikz, FileKind::gif,
                                      FileKind::film, FileKind::html, FileKind::pdf,  FileKind::json};
    if (const Result<void> sound = check_outputs({{.name = "-o",
                                                   .file = options.output,
                                                   .kinds = kinds,
                                                   .makes_folders = false,
                                                   .also_folder = names_folder(options.output)}},
                                                 inputs);
        !sound)
        return fail(sound.diagnostics());
    if (const Result<void> sound = lesson::check_web_address(options.web); !options.web.empty() && !sound)
        return fail(sound.diagnostics());
    const FileKind kind = kind_of(options.output);
    if (names_topic(render.run.file)) {
        if (kind != FileKind::html && kind != FileKind::pdf)
            return fail(
                error("a topic is written as a deck of slides", "use a name that ends in .html or .pdf"));
        return export_topic(render.run.file, options.output, options.topic, options.web);
    }
    if (const std::string used = options.topic.first(); !used.empty())
        return fail(error(used + " is only for topics",
                          "name a topic instead of a file: export scan " + used + " … -o scan.pdf"));
    if (options.phases && !options.steps.empty())
        return fail(error("--phases and --steps both choose the steps", "leave out one of them"));
    if (options.slides && !options.as_slides(options.output))
        return fail(error("slides are written as a page, a PDF or a folder",
                          "use -o slides.html, slides.pdf or slides/"));
    if (std::error_code unknown; kind == FileKind::pdf && !std::filesystem::exists(render.run.file, unknown))
        return fail(no_file_named(render.run.file));
    if (const Result<void> there = check_printer(options.output); !there)
        return fail(there.diagnostics(), no_engine);
    options.link = link_to(render.run, options.web);
    render.animation = options;
    render.output = options.output;
    choose_alone(render, kind);
    Result<ui::PictureRequest> picture = picture_of(render);
    if (!picture) return fail(picture.diagnostics());
    auto other = other_run(render);
    if (!other) return fail(other.diagnostics());
    picture->compared = {std::move(*other), render.share};
    // A timeline shows what the whole program did.
    if (kind == FileKind::json ? runs_as_program(render.run.file, render.program) : wants_program(render)) {
        session::Session shown(lessons());
        if (const Result<void> opened = open_program(shown, render); !opened)
            return fail(opened.diagnostics());
        if (!shown.run()) return fail(error("the program launches no kernel: there is nothing to export"));
        const Result<void> written = write_export(shown, *picture, options, LANESCOPE_VERSION);
        return written ? fine : fail(written.diagnostics());
    }
    if (wants_program(render)) return fail(not_a_program(render.run.file));
    if (const Result<void> sound = check_gpu_option(render.run); !sound) return fail(sound.diagnostics());
    const Result<std::unique_ptr<gpu::ServedDevice>> device = open_device(render.run);
    if (!device) return fail(device.diagnostics(), no_engine);
    Result<execution::RunResult> result = run_on(render.run, device->get());
    if (!result) return fail(result.diagnostics());
    session::Session shown(lessons());
    shown.set_run(std::move(*result));
    if (const Result<void> moved = go_to(shown, render); !moved) return fail(moved.diagnostics());
    const Result<void> written = write_export(shown, *picture, options, LANESCOPE_VERSION);
    return written ? fine : fail(written.diagnostics());
}

}  // namespace lanescope
