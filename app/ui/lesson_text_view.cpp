#include "ui/lesson_text_view.h"

#include <algorithm>

#include "ui/widgets.h"

namespace lanescope::ui {
namespace {

std::string questions_of(const lesson::LessonEntry& entry) {
    std::string text = entry.look;
    for (const std::string& question : entry.questions)
        text += "\n\n- " + question;
    return text;
}

std::string explanation_of(const lesson::LessonEntry& entry) {
    std::string text = "**" + entry.title + "**\n\n" + entry.text;
    if (!entry.sources.empty()) text += "\n\n**Sources**";
    for (const std::string& source : entry.sources)
        text += "\n\n- " + source;
    return text;
}

// A bar at the right edge that says how much of the text is in sight.
void draw_scroll_mark(const Rect& inside, float scroll, float height, const Shared& shared) {
    if (height <= inside.height) return;
    const float width = shared.px(3), x = inside.right() - width - shared.px(2);
    const float top = inside.y + inside.height * scroll / height,
                length = inside.height * inside.height / height;
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x, top), ImVec2(x + width, top + length), theme().line,
                                              width / 2);
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
    const lesson::LessonEntry* entry = session.lesson();
    const std::string key =
        entry ? entry->path.string() + (part_ == Part::questions ? "?" : "!") : std::string();
    if (key == prepared_for_) return;
    prepared_for_ = key;
    paragraphs_.clear();
    if (entry)
        paragraphs_ =
            parse_markdown(part_ == Part::questions ? questions_of(*entry) : explanation_of(*entry));
}

float LessonTextView::wanted_height(const session::Session& session, const Shared& shared,
                                    float width) const {
    prepare(session);
    if (paragraphs_.empty()) return 0;
    const float text =
        lay_out_markdown(nullptr, paragraphs_, {0, 0}, width - shared.px(2 * theme().padding), shared);
    return text + shared.px(theme().heading_height + 22);
}

void LessonTextView::tools(Heading& heading, const session::Session&, Shared&, session::Commands&) {
    if (heading.word("Try", part_ == Part::questions)) part_ = Part::questions, scroll_ = 0;
    if (heading.word("About", part_ == Part::explanation)) part_ = Part::explanation, scroll_ = 0;
}

void LessonTextView::content(const Rect& inside, const session::Session& session, Shared& shared,
                             session::Commands& commands) {
    prepare(session);
    const float padding = shared.px(theme().padding), width = inside.width - 2 * padding;
    const float height = lay_out_markdown(nullptr, paragraphs_, {0, 0}, width, shared) + shared.px(22);
    if (hovered(inside, shared)) scroll_ -= ImGui::GetIO().MouseWheel * shared.px(40);
    scroll_ = std::clamp(scroll_, 0.0f, std::max(height - inside.height, 0.0f));
    draw_scroll_mark(inside, scroll_, height, shared);
    std::string clicked;
    lay_out_markdown(ImGui::GetWindowDrawList(), paragraphs_,
                     {inside.x + padding, inside.y + shared.px(9) - scroll_}, width, shared, &clicked);
    if (clicked.empty()) return;
    if (const lesson::LessonEntry* entry = find_target(session, clicked))
        commands.push_back(session::OpenFile{entry->path});
}

}  // namespace lanescope::ui
