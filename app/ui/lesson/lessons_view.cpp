#include "ui/lesson/lessons_view.h"

#include "base/language.h"
#include "lesson/course/markdown_text.h"
#include "ui/kit/text_block.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

constexpr float topic_row = 28, lesson_row = 24, margin = 6, scroll_room = 16;
constexpr std::size_t max_own_files = 8;

// A topic of the user may have the same name as a topic of the course.
std::string id_of(const lesson::Topic& topic) {
    return topic.own ? "own:" + topic.lessons.front().path.parent_path().string() : topic.name;
}

// What the mouse explains on a row.
std::string goals_text(const std::string& facts, const std::vector<std::string>& goals) {
    std::string text = facts;
    for (const std::string& goal : goals)
        text += (text.empty() ? "" : "\n") + std::string("• ") + lesson::plain_text(goal);
    return text;
}

constexpr float text_indent = 26, purpose_gap = 6;

// The first goal says what the lesson is for.
std::string purpose_of(const lesson::LessonEntry& entry) {
    return entry.goals.empty() ? std::string() : lesson::plain_text(entry.goals.front());
}

// A row has the lesson's title, and below it what the lesson is for. `width` is that of the list, in pixels.
float row_height(const lesson::LessonEntry& entry, const WindowState& window, float width) {
    const std::string purpose = purpose_of(entry);
    if (purpose.empty()) return window.px(lesson_row);
    return window.px(lesson_row + purpose_gap) +
           text_block_height(fonts().small, purpose, width - window.px(text_indent + scroll_room));
}

}  // namespace

float LessonsView::wanted_height(const session::Session& session, const WindowState& window,
                                 float width) const {
    float rows = theme().heading_height + 2 * margin;
    rows += topic_row * float(session.registry().topics.size());
    rows += lesson_row * float(session.registry().own_problems.size());
    if (!own_.empty()) rows += topic_row + lesson_row * float(own_.size());
    float height = window.px(rows);
    for (const lesson::Topic& topic : session.registry().topics)
        if (open_.contains(id_of(topic)))
            for (const lesson::LessonEntry& entry : topic.lessons)
                height += row_height(entry, window, width);
    return height;
}

void LessonsView::tools(Heading& heading, const ViewContext& view) {
    if (heading.word_right(tr("Page"))) view.requests.act("page.toggle");
}

// The place of the next row; draws rows and handles the mouse on them.
struct LessonsView::Cursor {
    ImDrawList* draw;
    const WindowState& window;
    float x, y, width;

    bool row(const std::string& id, float height) {
        const bool clicked = click_area(id.c_str(), {x, y, width, height});
        if (!window.still && ImGui::IsItemHovered())
            draw->AddRectFilled(ImVec2(x, y), ImVec2(x + width, y + height), theme().panel_raised);
        return clicked;
    }
    void label(const std::string& text, float indent, float height, ImU32 colour, float right = 0) {
        const float left = x + window.px(indent);
        const bool cut =
            draw_text_within(draw, fonts().text, ImVec2(left, centre_line(fonts().text, y, height)), colour,
                             text, x + width - window.px(8) - right - left);
        if (cut && hovered({x, y, width, height}, window)) tooltip(text, window);
    }
    // Explains the last row while the mouse is on it.
    void explain(const std::string& title, const std::string& text) const {
        if (!text.empty() && !window.still && ImGui::IsItemHovered()) tooltip(title, text, window);
    }
    // Marks a lesson that a first course can skip, at the right edge. Returns the width that it takes.
    float advanced(float right, float height) const {
        const float size = text_width(fonts().small, tr("advanced"));
        draw_text(draw, fonts().small,
                  {x + width - window.px(8) - right - size, centre_line(fonts().small, y, height)},
                  theme().text_faint, tr("advanced"));
        return size + window.px(10);
    }
    // "✓" or "3 of 5" at the right edge. Returns the width that it takes.
    float score(const session::LessonScore& score, bool seen, float height) {
        const bool done = score.all > 0 ? score.done == score.all : seen;
        const std::string text =
            done             ? "✓"
            : score.done > 0 ? tr("{1} of {2}", {std::to_string(score.done), std::to_string(score.all)})
            : seen           ? "·"
                             : "";
        if (text.empty()) return 0;
        const float size = text_width(fonts().small, text);
        draw_text(draw, fonts().small,
                  {x + width - window.px(scroll_room) - size, centre_line(fonts().small, y, height)},
                  done && score.all > 0 ? theme().good : theme().text_faint, text);
        if (hovered({x + width - window.px(scroll_room + 8) - size, y, size + window.px(16), height}, window))
            tooltip(score.all > 0 ? tr("{1} of {2} questions and exercises done",
                                       {std::to_string(score.done), std::to_string(score.all)})
                                  : std::string(tr("read")),
                    window);
        return size + window.px(scroll_room);
    }
    void arrow(bool open, float height) {
        draw_triangle(draw, open ? Triangle::down : Triangle::right,
                      ImVec2(x + window.px(15), y + height / 2), window.px(7), theme().text);
    }
    void mark_chosen(float height) {
        draw->AddRectFilled(ImVec2(x, y), ImVec2(x + width, y + height), theme().selected);
        draw->AddRectFilled(ImVec2(x, y), ImVec2(x + window.px(2), y + height), theme().accent);
    }
};

void LessonsView::follow(const session::Session& session) {
    const std::string path = session.document().path().string();
    if (path == followed_) return;
    own_ = own_files(session);
    followed_ = path;
    if (session.topic()) open_.insert(id_of(*session.topic()));
    scroll_to_current_ = true;
}

void LessonsView::topic_rows(Cursor& cursor, const lesson::Topic& topic, const session::Session& session,
                             Requests& requests) {
    const float height = cursor.window.px(topic_row), lesson_height = cursor.window.px(lesson_row);
    const bool open = open_.contains(id_of(topic));
    if (cursor.row(id_of(topic), height)) {
        if (open)
            open_.erase(id_of(topic));
        else
            open_.insert(id_of(topic));
    }
    cursor.explain(topic.title, goals_text({}, topic.goals));
    cursor.arrow(open, height);
    cursor.label(topic.title, 22, height, theme().text_strong);
    cursor.y += height;
    if (!open) return;
    for (const lesson::LessonEntry& entry : topic.lessons) {
        const bool current = session.lesson() == &entry;
        const float whole_height = row_height(entry, cursor.window, cursor.width);
        if (cursor.row(id_of(topic) + "/" + entry.name, whole_height) && !current)
            requests.commands.push_back(session::OpenFile{entry.path});
        cursor.explain(entry.title,
                       goals_text(entry.minutes > 0 ? tr("{1} minutes", {std::to_string(entry.minutes)}) : "",
                                  entry.goals));
        if (current) cursor.mark_chosen(whole_height);
        if (current && scroll_to_current_) {
            ImGui::SetScrollHereY(0.5f);
            scroll_to_current_ = false;
        }
        const session::Progress& progress = session.learner().progress();
        float score =
            cursor.score(session::score_of(progress, entry), progress.seen(entry) && !current, lesson_height);
        if (entry.advanced) score += cursor.advanced(score, lesson_height);
        cursor.label(entry.title, text_indent, lesson_height,
                     current ? theme().text_strong : theme().text_quiet, score);
        draw_text_block(
            cursor.draw, fonts().small,
            {cursor.x + cursor.window.px(text_indent), cursor.y + lesson_height - cursor.window.px(2)},
            theme().text_faint, purpose_of(entry),
            cursor.width - cursor.window.px(text_indent + scroll_room));
        cursor.y += whole_height;
    }
}

// Lists the mistakes in the user's own lessons, below these; the tooltip has the whole message.
void LessonsView::problem_rows(Cursor& cursor, const session::Session& session) {
    const float height = cursor.window.px(lesson_row);
    for (const Diagnostic& problem : session.registry().own_problems) {
        const std::string text = to_text(problem);
        const Rect row{cursor.x, cursor.y, cursor.width, height};
        if (!cursor.window.still && hovered(row, cursor.window)) tooltip(text, cursor.window);
        const std::string place = std::filesystem::path(problem.file).filename().string() + ":" +
                                  std::to_string(problem.line) + ": " + problem.message;
        draw_text_within(cursor.draw, fonts().text,
                         ImVec2(cursor.x + cursor.window.px(26), centre_line(fonts().text, cursor.y, height)),
                         theme().conflict, "✗ " + place, cursor.width - cursor.window.px(34));
        cursor.y += height;
    }
}

// Returns the recent files that do not belong to the course, newest first.
std::vector<std::filesystem::path> LessonsView::own_files(const session::Session& session) {
    std::vector<std::filesystem::path> files;
    for (const session::FileMemory& file : session.memory().recent)
        if (!session.registry().find(file.path) && files.size() < max_own_files) files.push_back(file.path);
    return files;
}

void LessonsView::own_file_rows(Cursor& cursor, const session::Session& session, Requests& requests) {
    if (own_.empty()) return;
    const float height = cursor.window.px(topic_row), file_height = cursor.window.px(lesson_row);
    cursor.arrow(true, height);
    cursor.label(tr("Your files"), 22, height, theme().text_strong);
    cursor.y += height;
    for (const std::filesystem::path& file : own_) {
        const bool current = file == session.document().path();
        if (cursor.row("own/" + file.string(), file_height) && !current)
            requests.commands.push_back(session::OpenFile{file});
        if (!cursor.window.still && ImGui::IsItemHovered()) tooltip(file.string(), cursor.window);
        if (current) cursor.mark_chosen(file_height);
        cursor.label(file.filename().string(), 26, file_height,
                     current ? theme().text_strong : theme().text_quiet);
        cursor.y += file_height;
    }
}

void LessonsView::content(const Rect& inside, const ViewContext& view) {
    follow(view.session);
    ImGui::SetCursorScreenPos(inside.min());
    ImGui::BeginChild("list", ImVec2(inside.width, inside.height));
    const float scroll = ImGui::GetScrollY();
    Cursor cursor{ImGui::GetWindowDrawList(), view.window, inside.x, inside.y + view.px(margin) - scroll,
                  ImGui::GetContentRegionAvail().x};  // without the scroll bar
    for (const lesson::Topic& topic : view.session.registry().topics)
        topic_rows(cursor, topic, view.session, view.requests);
    problem_rows(cursor, view.session);
    own_file_rows(cursor, view.session, view.requests);
    ImGui::SetCursorScreenPos(ImVec2(inside.x, cursor.y));
    ImGui::Dummy(ImVec2(1, view.px(margin)));
    ImGui::EndChild();
}

}  // namespace lanescope::ui
