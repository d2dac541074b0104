#include "ui/lesson/lesson_text_view.h"

#include <algorithm>

#include "base/folders.h"
#include "session/timing/lesson_comparison.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

constexpr const char* step_link = "step:";

// A lesson's step numbers are valid only for the unchanged file with its default parameters and settings.
bool as_the_lesson_says(const session::Session& session) {
    const session::RunResult* run = session.run();
    if (!run || session.document().edited() || run->code != compile::Code::debug || run->by_thread ||
        session.playhead().granularity() != trace::Granularity::line || session.playhead().block() != 0 ||
        session.document().settings().schedule.kind != simt::Schedule::Kind::round_robin)
        return false;
    const std::vector<lesson::Parameter>& parameters = run->instance.front.parameters;
    return std::all_of(parameters.begin(), parameters.end(), [&](const lesson::Parameter& parameter) {
        const auto value = session.parameters().find(parameter.name);
        return value == session.parameters().end() || value->second == parameter.default_value;
    });
}

std::string questions_of(const lesson::LessonEntry& entry, const std::optional<session::PlacedStep>& look) {
    std::string text = entry.look;
    if (look)
        text = "[Go to step " + std::to_string(look->step + 1) + "](" + step_link +
               std::to_string(look->step) + ")\n\n" + text;
    return text;
}

// Returns the comparison with the recorded counts, or the problem with their file. The file comes with the
// program, so it is read only once.
std::string measured(const session::Session& session, const lesson::LessonEntry& entry) {
    static const Result<session::CourseCounts> counts =
        session::read_counts(resource_folder() / "assets" / "counts.json");
    if (!counts) return to_text(counts.diagnostics().front());
    if (!session.topic()) return "";
    return session::lesson_comparison_text(*session.topic(), entry, *counts, session.timings().shown().get());
}

std::string explanation_of(const session::Session& session, const lesson::LessonEntry& entry) {
    std::string text = "**" + entry.title + "**\n\n" + entry.text + "\n\n" + measured(session, entry);
    if (!entry.sources.empty()) text += "\n\n**Sources**";
    for (const std::string& source : entry.sources)
        text += "\n\n- " + source;
    return text;
}

// The target of a link is a lesson's name, with or without its topic: "sequential", "reduction/sequential".
const lesson::LessonEntry* find_target(const session::Session& session, const std::string& target) {
    const lesson::LessonEntry* elsewhere = nullptr;
    for (const lesson::Topic& topic : session.registry().topics)
        for (const lesson::LessonEntry& entry : topic.lessons) {
            if (topic.name + "/" + entry.name == target) return &entry;
            if (entry.name != target) continue;
            if (session.topic() && session.topic()->name == topic.name) return &entry;
            elsewhere = &entry;
        }
    return elsewhere;
}

}  // namespace

void LessonTextView::prepare(const session::Session& session) const {
    const lesson::LessonEntry* entry = session.lesson();
    if (const std::string path = session.document().path().string(); path != looked_up_) {
        looked_up_ = path;
        exercise_ = entry ? nullptr : open_exercise(session);
        make_boxes(entry);
    }
    if (session.run() != looked_in_) {
        looked_in_ = session.run();
        place_to_look_ = entry && looked_in_ && looked_in_->trace
                             ? session::place_to_look(*entry, *looked_in_->trace, looked_in_->source)
                             : std::nullopt;
    }
    look_ = entry && as_the_lesson_says(session) ? place_to_look_ : std::nullopt;
    const std::string key = entry
                                ? entry->path.string() + (part_ == Part::questions ? look_ ? "?s" : "?" : "!")
                            : exercise_ ? exercise_->id() + (part_ == Part::questions ? "?" : "!")
                                        : std::string();
    const session::Timings* timings = session.timings().shown().get();  // the explanation quotes them
    if (key == prepared_for_ && timings == prepared_timings_) return;
    prepared_for_ = key;
    prepared_timings_ = timings;
    paragraphs_.clear();
    if (entry)
        paragraphs_ = parse_markdown(part_ == Part::questions ? questions_of(*entry, look_)
                                                              : explanation_of(session, *entry));
    mark_terms(paragraphs_, glossary());
}

void LessonTextView::make_boxes(const lesson::LessonEntry* entry) const {
    questions_.clear();
    exercises_.clear();
    if (exercise_) exercises_.emplace_back(*exercise_);
    if (!entry) return;
    for (std::size_t i = 0; i < entry->questions.size(); ++i)
        questions_.emplace_back(*entry, i);
    for (const lesson::Exercise& exercise : entry->exercises)
        exercises_.emplace_back(exercise);
}

float LessonTextView::lay_out(ImDrawList* draw, ImVec2 at, float width, const session::Session& session,
                              const WindowState& window, Requests& requests, std::string* clicked) const {
    float y = at.y + lay_out_markdown(draw, paragraphs_, at, width, window, clicked);
    if (part_ == Part::explanation) return y - at.y;
    const float gap = window.px(18);
    for (QuestionBox& box : questions_)
        y += gap + box.lay_out(draw, {at.x, y + gap}, width, session, window, requests, clicked);
    for (ExerciseBox& box : exercises_)
        y += gap + box.lay_out(draw, {at.x, y + gap}, width, session, window, requests, clicked);
    return y - at.y;
}

float LessonTextView::wanted_height(const session::Session& session, const WindowState& window,
                                    float width) const {
    prepare(session);
    if (paragraphs_.empty() && questions_.empty() && exercises_.empty()) return 0;
    Requests unheard;
    const float text =
        lay_out(nullptr, {0, 0}, width - window.px(2 * theme().padding), session, window, unheard, nullptr);
    return text + window.px(theme().heading_height + 22);
}

void LessonTextView::tools(Heading& heading, const session::Session&, const WindowState&, Requests&) {
    if (heading.word("Try", part_ == Part::questions)) part_ = Part::questions, scroll_ = 0;
    if (!exercise_ && heading.word("About", part_ == Part::explanation))
        part_ = Part::explanation, scroll_ = 0;
}

void LessonTextView::content(const Rect& inside, const session::Session& session, const WindowState& window,
                             Requests& requests) {
    prepare(session);
    const float padding = window.px(theme().padding), width = inside.width - 2 * padding;
    const float height = lay_out(nullptr, {0, 0}, width, session, window, requests, nullptr) + window.px(22);
    if (hovered(inside, window)) scroll_ -= ImGui::GetIO().MouseWheel * window.px(40);
    scroll_ = std::clamp(scroll_, 0.0f, std::max(height - inside.height, 0.0f));
    draw_scroll_mark(inside, scroll_, height, window);
    std::string clicked;
    lay_out(ImGui::GetWindowDrawList(), {inside.x + padding, inside.y + window.px(9) - scroll_}, width,
            session, window, requests, &clicked);
    if (clicked.empty()) return;
    if (clicked.starts_with(step_link)) {
        if (!look_) return;
        requests.commands.push_back(session::FocusBlock{look_->block});
        requests.commands.push_back(session::SeekStep{look_->step});
        return;
    }
    if (const lesson::LessonEntry* entry = find_target(session, clicked))
        requests.commands.push_back(session::OpenFile{entry->path});
}

}  // namespace lanescope::ui
