#include "commands/deck_export.h"

#include <filesystem>
#include <map>

#include "base/files.h"
#include "commands/command.h"
#include "commands/run_options.h"
#include "image/encode.h"
#include "page/deck.h"
#include "session/run/step_place.h"
#include "ui/kit/theme.h"
#include "ui/window/picture.h"

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

// Draws the figures of a topic; the run of a lesson is made once.
class FigureDrawer {
  public:
    explicit FigureDrawer(std::shared_ptr<const lesson::Registry> registry)
        : registry_(std::move(registry)) {}

    Result<std::string> draw(const lesson::LessonEntry& entry, const lesson::Figure& figure) {
        if (const Result<void> ready = open(entry); !ready) return ready.diagnostics();
        if (const Result<void> moved = go_to(entry, figure); !moved) return moved.diagnostics();
        ui::PictureRequest request;
        request.size = {1360, 765};
        request.lecture = true;
        if (figure.kind == lesson::Figure::Kind::flow) request.stage_tab = ui::StageTab::flow;
        const Result<ui::PictureOutcome> drawn = ui::draw_picture(*shown_, request);
        if (!drawn) return drawn.diagnostics();
        return image::encode_png(drawn->image, image::Content::drawing);
    }

  private:
    Result<void> open(const lesson::LessonEntry& entry) {
        if (shown_ && entry_ == &entry) return {};
        RunOptions options;
        options.file = entry.path.string();
        Result<session::RunResult> run = result_of(options);
        if (!run) return run.diagnostics();
        shown_ = std::make_unique<session::Session>(registry_);
        shown_->set_run(std::move(*run));
        entry_ = &entry;
        return {};
    }

    Result<void> go_to(const lesson::LessonEntry& entry, const lesson::Figure& figure) {
        std::optional<session::PlacedStep> step;
        if (figure.at) {
            const Result<session::PlacedStep> found =
                session::find_place(*figure.at, *shown_->trace(), shown_->run()->source);
            if (!found) return found.diagnostics();
            step = *found;
        } else {
            step = session::place_to_look(entry, *shown_->trace(), shown_->run()->source);
        }
        if (!step) return {};
        shown_->apply(session::FocusBlock{step->block});
        shown_->apply(session::SeekStep{step->step});
        return {};
    }

    std::shared_ptr<const lesson::Registry> registry_;
    std::unique_ptr<session::Session> shown_;
    const lesson::LessonEntry* entry_ = nullptr;
};

}  // namespace

bool names_topic(const std::string& name) {
    return !fs::path(name).has_extension() && topic_in(registry_for(name), name) != nullptr;
}

Result<void> export_deck(const std::string& topic, const std::string& output, const std::string& version) {
    const auto registry = std::make_shared<const lesson::Registry>(registry_for(topic));
    const lesson::Topic* found = topic_in(*registry, topic);
    if (found == nullptr) return error("there is no topic '" + topic + "'");
    ui::set_theme(ui::Brightness::light);  // slides are white
    FigureDrawer drawer(registry);
    const Result<std::string> deck = page::make_deck(
        *found,
        [&](const lesson::LessonEntry& entry, const lesson::Figure& figure) {
            return drawer.draw(entry, figure);
        },
        version);
    if (!deck) return deck.diagnostics();
    return write_file(output, *deck);
}

}  // namespace lanescope
