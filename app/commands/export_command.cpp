#include "commands/export_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "base/files.h"
#include "base/outputs.h"
#include "commands/options/command.h"
#include "commands/render_command.h"
#include "execution/run/block_list.h"
#include "image/encode.h"
#include "page/page.h"
#include "ui/window/headless_renderer.h"

namespace lanescope {
namespace {

constexpr std::size_t max_pictures = 1000;  // of an animation: a limit of patience, not of memory

struct Steps {  // from 0, as the session counts
    std::size_t first = 0, last = 0;
    std::string first_number() const { return std::to_string(first + 1); }
};

std::optional<std::size_t> number(std::string_view text) {
    std::size_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc() || end != text.data() + text.size()) return {};
    return value;
}

// Reads "12..40" or "12", counted from 1. Errors: any other text.
Result<Steps> parse_steps(const std::string& text) {
    const std::size_t dots = text.find("..");
    const std::optional<std::size_t> first = number(text.substr(0, dots));
    const std::optional<std::size_t> last = dots == std::string::npos ? first : number(text.substr(dots + 2));
    if (!first || !last || *last < *first)
        return error("--steps " + text + " is not a range of steps", "use --steps 12..40, or --steps 12");
    if (*first == 0)
        return error("--steps " + text + " begins before the first step",
                     "steps are counted from 1: use --steps 1" +
                         (*last > 0 ? ".." + std::to_string(*last) : std::string()));
    return Steps{*first - 1, *last - 1};
}

Result<Steps> steps_of(const session::Session& shown, const ExportOptions& options) {
    const std::size_t count = shown.playhead().steps().size();
    if (count == 0) return error("there are no steps: nothing was recorded");
    if (options.steps.empty()) return Steps{0, count - 1};
    const Result<Steps> steps = parse_steps(options.steps);
    if (!steps) return steps.diagnostics();
    if (steps->last >= count)
        return error("--steps " + options.steps + " does not exist",
                     "the run has steps 1 to " + std::to_string(count));
    return *steps;
}

Diagnostic no_pdf_of_a_run() {
    return error("a PDF holds the slides of a topic, not a run",
                 "use a name that ends in .png, .gif or .html");
}

Diagnostic no_pdf_of(const std::string& name) {
    std::error_code unknown;
    if (std::filesystem::exists(name, unknown)) return no_pdf_of_a_run();
    return error(name + ": neither a topic nor a file", "lanescope list shows the topics");
}

std::function<void(float)> teller(const ExportOptions& options) {
    if (options.progress.empty()) return {};
    return [file = options.progress](float share) { (void)write_file(file, std::to_string(share)); };
}

Result<void> write_picture(session::Session& shown, const ui::PictureRequest& picture,
                           const ExportOptions& options) {
    if (!options.steps.empty()) {
        const Result<Steps> steps = steps_of(shown, options);
        if (!steps) return steps.diagnostics();
        if (steps->first != steps->last)
            return error("a PNG holds one step",
                         "use --steps " + steps->first_number() + ", or write a .gif or .html");
        shown.apply(session::SeekStep{steps->first});
    }
    Result<ui::PictureOutcome> drawn = ui::draw_picture(shown, picture);
    if (!drawn) return drawn.diagnostics();
    return image::save_png(drawn->image, image::Content::drawing, options.output);
}

Result<void> write_gif(session::Session& shown, const ui::PictureRequest& picture,
                       const ExportOptions& options) {
    const Result<Steps> steps = steps_of(shown, options);
    if (!steps) return steps.diagnostics();
    if (steps->last - steps->first >= max_pictures)
        return error(
            "an animation has at most " + std::to_string(max_pictures) + " pictures, but these are " +
                std::to_string(steps->last - steps->first + 1) + " steps",
            "use --steps " + steps->first_number() + ".." + std::to_string(steps->first + max_pictures));
    return ui::write_animation(shown, picture,
                               {options.output, steps->first, steps->last, options.delay_ms, options.motion,
                                nullptr, teller(options)});
}

Result<void> write_page(const session::Session& shown, const ExportOptions& options,
                        const std::string& version) {
    page::PageOptions wanted;
    wanted.version = version;
    if (!options.steps.empty()) {
        const Result<Steps> steps = parse_steps(options.steps);
        if (!steps) return steps.diagnostics();
        wanted.first_step = steps->first, wanted.last_step = steps->last;
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

}  // namespace

void ExportOptions::add_to(CLI::App& app) {
    app.add_option("--steps", steps,
                   "the steps: 12..40, or one: 12 (default: all; for a PNG the lesson's own)");
    app.add_option("--delay", delay_ms, "GIF only: milliseconds per step")
        ->check(CLI::Range(20, 60000))
        ->capture_default_str();
    app.add_flag("--motion", motion, "GIF only: values travel along their arrows from step to step");
}

Result<void> write_export(session::Session& shown, const ui::PictureRequest& picture,
                          const ExportOptions& options, const std::string& version) {
    const FileKind kind = kind_of(options.output);
    if (!options.blocks.empty() && kind != FileKind::html)
        return error("--blocks is only for a page", "use a name that ends in .html, or leave out --blocks");
    if (kind == FileKind::png) return write_picture(shown, picture, options);
    if (kind == FileKind::gif) return write_gif(shown, picture, options);
    if (kind == FileKind::pdf) return no_pdf_of_a_run();
    return write_page(shown, options, version);
}

void add_export_to(CLI::App& app, RenderOptions& render, ExportOptions& options) {
    render.size.clear();
    render.run.add_to(app);
    options.add_to(app);
    app.add_option("--blocks", options.blocks, "page only: the blocks that it holds: 0,2-3");
    app.add_option("--view", render.view, "the view to draw in a picture or an animation")
        ->check(CLI::IsMember(view_names({"schedule", "compare"})))
        ->capture_default_str();
    app.add_option("--with", render.with, "view compare: the other file (default: FILE)")
        ->transform(or_shipped());
    app.add_option("--with-set", render.with_settings,
                   "view compare: set a parameter of the other run: n=1024")
        ->allow_extra_args(false);
    app.add_option("--size", render.size, "size in pixels (default: 1600x1000, a GIF 1280x800)");
    app.add_flag("--notes", options.notes, "slides only: with the lecturer's notes");
    app.add_option("--progress", options.progress)->group("");
    app.add_option("-o,--output", options.output, "the file to write")->required();
}

int export_command(RenderOptions render, const ExportOptions& options) {
    std::vector<std::filesystem::path> inputs = inputs_of(render.run);
    inputs.emplace_back(render.with);
    const std::vector<FileKind> kinds{FileKind::png, FileKind::gif, FileKind::html, FileKind::pdf};
    if (const Result<void> sound = check_outputs({{"-o", options.output, kinds}}, inputs); !sound)
        return fail(sound.diagnostics());
    const FileKind kind = kind_of(options.output);
    if (names_topic(render.run.file)) {
        if (kind != FileKind::html && kind != FileKind::pdf)
            return fail(
                error("a topic is written as a deck of slides", "use a name that ends in .html or .pdf"));
        return export_deck(render.run.file, options.output, {LANESCOPE_VERSION, options.notes});
    }
    if (options.notes)
        return fail(error("--notes is only for the slides of a topic",
                          "name a topic instead of a file: export scan --notes -o scan.pdf"));
    if (kind == FileKind::pdf) return fail(no_pdf_of(render.run.file));
    if (render.size.empty()) render.size = kind == FileKind::gif ? "1280x800" : "1600x1000";
    Result<ui::PictureRequest> picture = picture_of(render);
    if (!picture) return fail(picture.diagnostics());
    auto other = other_run(render);
    if (!other) return fail(other.diagnostics());
    picture->compared = {std::move(*other), render.share};
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
