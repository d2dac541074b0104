#include <algorithm>
#include <filesystem>

#include "base/file_kind.h"
#include "base/files.h"
#include "commands/export_command.h"
#include "image/encode.h"
#include "page/deck.h"
#include "page/facts.h"
#include "page/print.h"
#include "scene/stage/step_sentence.h"
#include "scene/words/block_words.h"
#include "ui/lecture/notes.h"
#include "ui/window/headless_renderer.h"

namespace lanescope {

namespace {

namespace fs = std::filesystem;

struct DrawnStep {
    std::size_t step = 0;  // from 0
    std::string heading, caption;
    ui::VectorFrame shapes;
    image::Image picture;  // of a folder
};

std::string caption_of(const session::Session& shown, const std::vector<ui::PlacedNote>& notes,
                       std::size_t step) {
    const auto note = std::find_if(notes.begin(), notes.end(),
                                   [&](const ui::PlacedNote& each) { return each.step == step; });
    return note == notes.end() ? scene::step_sentence(shown) : note->text;
}

Result<std::vector<DrawnStep>> draw_steps(session::Session& shown, ui::PictureRequest request,
                                          const std::vector<std::size_t>& steps,
                                          const ExportOptions& options) {
    request.as_shapes = true;
    Result<ui::HeadlessRenderer> studio = ui::HeadlessRenderer::open(shown, request);
    if (!studio) return studio.diagnostics();
    const std::vector<ui::PlacedNote> notes = ui::place_notes(shown, {}, ui::lesson_places(shown));
    std::vector<DrawnStep> drawn;
    for (const std::size_t step : steps) {
        if (!options.progress.empty())
            (void)write_file(options.progress, std::to_string(float(drawn.size()) / float(steps.size())));
        if (Result<void> moved = studio->show_step(shown, step); !moved) return moved.diagnostics();
        DrawnStep each{step, scene::step_heading(shown), caption_of(shown, notes, step), {}, {}};
        Result<ui::VectorFrame> shapes = studio->vector_frame();
        if (!shapes) return shapes.diagnostics();
        each.shapes = std::move(*shapes);
        drawn.push_back(std::move(each));
    }
    return drawn;
}

// Frames without smooth edges make good shapes, but no good pictures: these are drawn anew.
Result<void> draw_pictures(session::Session& shown, const ui::PictureRequest& request,
                           std::vector<DrawnStep>& drawn) {
    Result<ui::HeadlessRenderer> studio = ui::HeadlessRenderer::open(shown, request);
    if (!studio) return studio.diagnostics();
    for (DrawnStep& each : drawn) {
        if (Result<void> moved = studio->show_step(shown, each.step); !moved) return moved;
        Result<image::Image> picture = studio->picture();
        if (!picture) return picture.diagnostics();
        each.picture = std::move(*picture);
    }
    return {};
}

Result<void> write_folder(const std::vector<DrawnStep>& drawn, const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) return error_at(folder.string(), 0, 0, "the folder cannot be made: " + failed.message());
    std::string captions;
    for (const DrawnStep& each : drawn) {
        std::string name = std::to_string(each.step + 1);
        name.insert(0, 4 - std::min<std::size_t>(name.size(), 4), '0');
        name.insert(0, "step_");
        Result<void> written =
            image::save_png(each.picture, image::Content::drawing, folder / (name + ".png"));
        if (!written) return written;
        const Result<std::string> svg = ui::svg_file(each.shapes);
        if (!svg) return svg.diagnostics();
        if (written = write_file(folder / (name + ".svg"), *svg); !written) return written;
        captions += name + ": " + each.heading + "\n" + each.caption + "\n\n";
    }
    return write_file(folder / "captions.txt", captions);
}

Result<std::string> deck_of(const session::Session& shown, const std::vector<DrawnStep>& drawn,
                            const std::string& link, const std::string& version) {
    std::vector<page::StepSlide> slides;
    std::vector<ui::VectorFrame> frames;
    for (const DrawnStep& each : drawn) {
        Result<std::string> svg = ui::svg_of(each.shapes, "s" + std::to_string(slides.size()) + "_");
        if (!svg) return svg.diagnostics();
        slides.push_back({each.heading, each.caption,
                          link.empty() ? link : link + "&step=" + std::to_string(each.step + 1),
                          std::move(*svg)});
        frames.push_back(each.shapes);
    }
    const Result<std::string> fonts = ui::font_rules(frames);
    if (!fonts) return fonts.diagnostics();
    const std::string title = shown.lesson() ? shown.lesson()->title : page::public_name(shown.run()->file);
    return page::make_step_deck(title, slides, *fonts, {version});
}

}  // namespace

Result<void> check_printer(const std::string& output) {
    if (kind_of(output) != FileKind::pdf) return {};
    const Result<fs::path> browser = page::find_browser();
    return browser ? Result<void>() : Result<void>(browser.diagnostics());
}

Result<void> write_figure(const ui::VectorFrame& frame, const std::string& output) {
    if (kind_of(output) == FileKind::pdf) {
        const Result<fs::path> browser = page::find_browser();
        if (!browser) return browser.diagnostics();
        const Result<std::string> svg = ui::svg_of(frame, "p"), fonts = ui::font_rules({frame});
        if (!svg) return svg.diagnostics();
        if (!fonts) return fonts.diagnostics();
        return page::print_pdf(*browser, page::figure_page(*svg, frame.size.width, frame.size.height, *fonts),
                               output);
    }
    const Result<std::string> text =
        kind_of(output) == FileKind::tikz ? ui::tikz_of(frame) : ui::svg_file(frame);
    if (!text) return text.diagnostics();
    return write_file(output, *text);
}

Result<void> write_slides(session::Session& shown, const ui::PictureRequest& picture,
                          const std::vector<std::size_t>& steps, const ExportOptions& options,
                          const std::string& version) {
    const FileKind kind = kind_of(options.output);
    ui::PictureRequest request = picture;
    const bool pages = kind == FileKind::pdf || kind == FileKind::html;
    if (pages) request.size = {page::slide_figure_width, page::step_figure_height};
    Result<std::vector<DrawnStep>> drawn = draw_steps(shown, request, steps, options);
    if (!drawn) return drawn.diagnostics();
    if (!pages) {
        if (Result<void> done = draw_pictures(shown, request, *drawn); !done) return done;
        return write_folder(*drawn, options.output);
    }
    const Result<std::string> deck = deck_of(shown, *drawn, options.link, version);
    if (!deck) return deck.diagnostics();
    if (kind == FileKind::html) return write_file(options.output, *deck);
    const Result<fs::path> browser = page::find_browser();
    if (!browser) return browser.diagnostics();
    return page::print_pdf(*browser, *deck, options.output);
}

}  // namespace lanescope
