#include "ui/lesson_text_view.h"

#include <algorithm>

#include "ui/widgets.h"

namespace lanescope::ui {
namespace {

std::vector<Paragraph> text_of(const lesson::LessonEntry& entry) {
    std::string text = entry.look;
    for (const std::string& question : entry.questions)
        text += "\n\n" + question;
    if (text.empty()) text = entry.text;
    return parse_markdown(text);
}

// A link's target is a lesson's name, alone or behind its topic's: "sequential", "reduction/sequential".
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
    const std::string key = session.lesson() ? session.lesson()->path.string() : std::string();
    if (key == prepared_for_) return;
    prepared_for_ = key;
    paragraphs_ = session.lesson() ? text_of(*session.lesson()) : std::vector<Paragraph>();
}

float LessonTextView::wanted_height(const session::Session& session, const Shared& shared,
                                    float width) const {
    prepare(session);
    if (paragraphs_.empty()) return 0;
    const float text =
        lay_out_markdown(nullptr, paragraphs_, {0, 0}, width - shared.px(2 * theme().padding), shared);
    return text + shared.px(theme().heading_height + 22);
}

std::string LessonTextView::title(const session::Session&) const {
    return "Try";
}

void LessonTextView::content(const Rect& inside, const session::Session& session, Shared& shared,
                             session::Commands& commands) {
    prepare(session);
    const float padding = shared.px(theme().padding), width = inside.width - 2 * padding;
    const float height = lay_out_markdown(nullptr, paragraphs_, {0, 0}, width, shared) + shared.px(22);
    if (hovered(inside, shared)) scroll_ -= ImGui::GetIO().MouseWheel * shared.px(40);
    scroll_ = std::clamp(scroll_, 0.0f, std::max(height - inside.height, 0.0f));
    std::string clicked;
    lay_out_markdown(ImGui::GetWindowDrawList(), paragraphs_,
                     {inside.x + padding, inside.y + shared.px(9) - scroll_}, width, shared, &clicked);
    if (clicked.empty()) return;
    if (const lesson::LessonEntry* entry = find_target(session, clicked))
        commands.push_back(session::OpenFile{entry->path});
}

}  // namespace lanescope::ui
