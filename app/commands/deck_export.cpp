#include <algorithm>
#include <filesystem>

#include "base/file_kind.h"
#include "base/files.h"
#include "commands/export_command.h"
#include "commands/options/command.h"
#include "image/encode.h"
#include "page/print.h"
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

constexpr float least_type_px = 20;  // that can be read from the last row
constexpr float least_share = 0.7f;  // to which a figure is made smaller, so that a text has room above it

// Draws a figure of a lesson as the lesson's page does.
Result<page::FigureImage> draw_figure(ui::FigurePictures& pictures, const lesson::LessonEntry& entry,
                                      const std::string& target) {
    const Result<ui::FigurePicture> drawn = pictures.draw(entry, target);
    if (!drawn) return drawn.diagnostics();
    Result<std::string> png = image::encode_png(drawn->image, image::Content::drawing);
    if (!png) return png.diagnostics();
    const float share = std::clamp(least_type_px / drawn->type_px, least_share, 1.0f);
    return page::FigureImage{std::move(*png), drawn->width, drawn->height, int(share * float(drawn->height))};
}

}  // namespace

bool names_topic(const std::string& name) {
    return kind_of(name) == FileKind::other && topic_in(registry_for(name), name) != nullptr;
}

Result<std::string> make_deck(const std::string& topic, const page::DeckOptions& options) {
    const auto registry = std::make_shared<const lesson::Registry>(registry_for(topic));
    const lesson::Topic* found = topic_in(*registry, topic);
    if (found == nullptr) return error("there is no topic '" + topic + "'");
    if (const Diagnostics problems = problems_of(*registry, *found); !problems.empty()) return problems;
    ui::set_theme(ui::Brightness::light);  // slides are white
    Result<ui::FigurePictures> pictures =
        ui::FigurePictures::open(registry, {page::slide_figure_width, page::slide_figure_height});
    if (!pictures) return pictures.diagnostics();
    return page::make_deck(
        *found,
        [&](const lesson::LessonEntry& entry, const std::string& target) {
            return draw_figure(*pictures, entry, target);
        },
        options);
}

int export_deck(const std::string& topic, const std::string& output, const page::DeckOptions& options) {
    const bool pdf = kind_of(output) == FileKind::pdf;
    std::filesystem::path browser;
    if (pdf) {
        Result<std::filesystem::path> found = page::find_browser();
        if (!found) return fail(found.diagnostics(), no_engine);
        browser = std::move(*found);
    }
    const Result<std::string> deck = make_deck(topic, options);
    if (!deck) return fail(deck.diagnostics());
    const Result<void> written = pdf ? page::print_pdf(browser, *deck, output) : write_file(output, *deck);
    return written ? fine : fail(written.diagnostics());
}

}  // namespace lanescope
