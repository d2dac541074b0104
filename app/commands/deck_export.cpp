#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "base/file_kind.h"
#include "base/files.h"
#include "commands/export_command.h"
#include "commands/options/command.h"
#include "image/encode.h"
#include "page/print.h"
#include "page/slides.h"
#include "ui/kit/theme.h"
#include "ui/window/figure_pictures.h"

namespace lanescope {

namespace {

namespace fs = std::filesystem;

const lesson::Topic* topic_in(const lesson::Registry& registry, const std::string& name) {
    std::error_code ignored;
    const bool folder = fs::is_directory(name, ignored);
    for (const lesson::Topic& topic : registry.topics) {
        const bool it = folder ? fs::equivalent(topic.lessons.front().path.parent_path(), name, ignored)
                               : topic.name == name;
        if (it) return &topic;
    }
    return nullptr;
}

// The course, the person's own topics and, for a folder elsewhere, the one in it.
lesson::Registry registry_for(const std::string& name) {
    lesson::Registry registry = lesson::load_lessons();
    std::error_code ignored;
    if (!fs::is_directory(name, ignored) || topic_in(registry, name) != nullptr) return registry;
    lesson::Registry beside = lesson::load_topic(name);
    std::move(beside.topics.begin(), beside.topics.end(), std::back_inserter(registry.topics));
    registry.own_problems.insert(registry.own_problems.end(), beside.own_problems.begin(),
                                 beside.own_problems.end());
    return registry;
}

// A damaged topic has its files, but not its texts.
Diagnostics problems_of(const lesson::Registry& registry, const lesson::Topic& topic) {
    const fs::path folder = topic.lessons.front().path.parent_path();
    Diagnostics problems;
    for (const Diagnostics* each : {&registry.problems, &registry.own_problems})
        std::copy_if(
            each->begin(), each->end(), std::back_inserter(problems), [&](const Diagnostic& problem) {
                return problem.severity == Severity::error && fs::path(problem.file).parent_path() == folder;
            });
    return problems;
}

constexpr float least_type_px = 16;  // of a lecture: 24 pixels on a screen of 1920×1080
constexpr float least_share = 0.7f;  // to which a figure is made smaller, so that a text has room above it

// Draws a figure of a lesson as the lesson's page does, in the type of a lecture.
Result<page::FigureImage> draw_figure(ui::FigurePictures& pictures, const lesson::LessonEntry& entry,
                                      const std::string& target, bool lanes) {
    const Result<ui::FigurePicture> drawn = pictures.draw(entry, target, lanes);
    if (!drawn) return drawn.diagnostics();
    Result<std::string> png = image::encode_png(drawn->image, image::Content::drawing);
    if (!png) return png.diagnostics();
    const float share = std::clamp(least_type_px / drawn->type_px, least_share, 1.0f);
    return page::FigureImage{std::move(*png), drawn->width, drawn->height, int(share * float(drawn->height))};
}

// The lessons that the options choose; without options all of them.
Result<lesson::Topic> chosen_lessons(const lesson::Topic& topic, const TopicOptions& options) {
    if (options.core) return page::core_of(topic);
    return options.lessons.empty() ? topic : page::with_lessons(topic, options.lessons);
}

// A sheet of paper has no click.
Result<page::Answers> answers_of(const TopicOptions& options, bool paper) {
    if (options.answers == "on") return page::Answers::on;
    if (options.answers == "off" || (paper && options.answers.empty())) return page::Answers::off;
    if (paper)
        return error("--answers click is only for slides in a .html", "use --answers on, or leave it out");
    return page::Answers::click;
}

Result<std::string> make_pages(const std::string& name, const TopicOptions& options,
                               const page::DeckOptions& wanted) {
    const auto registry = std::make_shared<const lesson::Registry>(registry_for(name));
    const lesson::Topic* found = topic_in(*registry, name);
    if (found == nullptr) return error("there is no topic '" + name + "'");
    if (const Diagnostics problems = problems_of(*registry, *found); !problems.empty()) return problems;
    const Result<lesson::Topic> topic = chosen_lessons(*found, options);
    if (!topic) return topic.diagnostics();
    ui::set_theme(ui::Brightness::light);  // slides are white
    Result<ui::FigurePictures> pictures =
        ui::FigurePictures::open(registry, {page::slide_figure_width, page::slide_figure_height});
    if (!pictures) return pictures.diagnostics();
    const page::DeckSource source{[&](const lesson::LessonEntry& entry, const std::string& target,
                                      bool lanes) { return draw_figure(*pictures, entry, target, lanes); },
                                  [&](const lesson::LessonEntry& entry, const lesson::StepNote& note) {
                                      return pictures->place(entry, note);
                                  }};
    return options.handout ? page::make_handout(*topic, source, wanted)
                           : page::make_deck(*topic, source, wanted);
}

}  // namespace

bool names_topic(const std::string& name) {
    return kind_of(name) == FileKind::other && topic_in(registry_for(name), name) != nullptr;
}

void TopicOptions::add_to(CLI::App& app) {
    CLI::Option* chosen = app.add_flag("--core", core, "topics only: without the advanced lessons");
    app.add_option("--lessons", lessons, "topics only: these lessons: modulo,sequential (default: all)")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->excludes(chosen);
    app.add_option(
           "--answers", answers,
           "topics only: answers to the questions after a click, always, or not in the file (default: "
           "click in a .html, off in a .pdf and a handout)")
        ->check(CLI::IsMember({"click", "on", "off"}));
    CLI::Option* with_notes = app.add_flag("--notes", notes, "topics only: with the lecturer's notes");
    app.add_flag("--handout", handout, "topics only: a text to print instead of slides, without notes")
        ->excludes(with_notes);
}

std::string TopicOptions::first() const {
    return core               ? "--core"
           : !lessons.empty() ? "--lessons"
           : !answers.empty() ? "--answers"
           : notes            ? "--notes"
           : handout          ? "--handout"
                              : "";
}

int export_topic(const std::string& topic, const std::string& output, const TopicOptions& options,
                 const std::string& web) {
    const bool pdf = kind_of(output) == FileKind::pdf;
    const Result<page::Answers> answers = answers_of(options, pdf || options.handout);
    if (!answers) return fail(answers.diagnostics());
    std::filesystem::path browser;
    if (pdf) {
        Result<std::filesystem::path> found = page::find_browser();
        if (!found) return fail(found.diagnostics(), no_engine);
        browser = std::move(*found);
    }
    const Result<std::string> pages =
        make_pages(topic, options, {LANESCOPE_VERSION, options.notes, *answers, web});
    if (!pages) return fail(pages.diagnostics());
    const Result<void> written = pdf ? page::print_pdf(browser, *pages, output) : write_file(output, *pages);
    return written ? fine : fail(written.diagnostics());
}

}  // namespace lanescope
