#include "judge/check_lessons.h"

#include <algorithm>

#include "base/files.h"
#include "judge/check_texts.h"
#include "judge/mark.h"
#include "lesson/course/figure.h"
#include "lesson/course/markdown_text.h"
#include "lesson/suggest.h"

namespace lanescope::judge {

namespace {

constexpr double seconds_of_an_exercise = 120;

std::string toml_of(const lesson::Topic& topic) {
    return topic.lessons.empty() ? std::string()
                                 : (topic.lessons.front().path.parent_path() / "lesson.toml").string();
}

// The names that a link or `needs` in this topic may use.
std::vector<std::string> lesson_names(const lesson::Topic& here, const lesson::Registry& registry) {
    std::vector<std::string> names;
    for (const lesson::Topic& topic : registry.topics)
        for (const lesson::LessonEntry& entry : topic.lessons) {
            names.push_back(topic.name + "/" + entry.name);
            if (topic.name == here.name) names.push_back(entry.name);
        }
    return names;
}

class LinkCheck {
  public:
    LinkCheck(const lesson::Topic& topic, const lesson::Registry& registry)
        : file_(toml_of(topic)), lessons_(lesson_names(topic, registry)) {
        for (const lesson::Topic& each : registry.topics)
            topics_.push_back(each.name);
    }

    void check_text(const std::string& text, int line) {
        for (const lesson::Paragraph& paragraph : lesson::parse_markdown(text)) {
            check_spans(paragraph.spans, line);
            for (const lesson::TableRow& row : paragraph.rows)
                for (const std::vector<lesson::Span>& cell : row)
                    check_spans(cell, line);
        }
    }

    void check_topics(const std::vector<std::string>& needs, int line) {
        for (const std::string& need : needs)
            if (std::find(topics_.begin(), topics_.end(), need) == topics_.end())
                fail(line, "'needs' names the topic '" + need + "', which does not exist",
                     lesson_hint(need, topics_));
    }

    void check_lessons(const std::vector<std::string>& needs, int line) {
        for (const std::string& need : needs)
            if (!is_lesson(need))
                fail(line, "'needs' names the lesson '" + need + "', which does not exist",
                     lesson_hint(need, lessons_));
    }

    void fail(int line, const std::string& message, const std::string& hint = {}) {
        problems_.push_back(error_at(file_, line, 0, message, hint));
    }
    Diagnostics take() { return std::move(problems_); }

  private:
    bool is_lesson(const std::string& name) const {
        return std::find(lessons_.begin(), lessons_.end(), name) != lessons_.end();
    }

    // A link may leave out the topic of a lesson, and name a topic.
    bool is_elsewhere(const std::string& name) const {
        if (name.empty() || name.find('/') != name.npos) return false;
        return std::find(topics_.begin(), topics_.end(), name) != topics_.end() ||
               std::any_of(lessons_.begin(), lessons_.end(),
                           [&](const std::string& each) { return each.ends_with("/" + name); });
    }

    void check_spans(const std::vector<lesson::Span>& spans, int line) {
        for (const lesson::Span& span : spans) {
            if (span.style != lesson::SpanStyle::link) continue;
            const std::string& target = span.target;
            if (target.starts_with("https://") || target.starts_with("http://") || is_lesson(target) ||
                is_elsewhere(target))
                continue;
            if (lesson::parse_figure(target)) {
                fail(line, "the figure '" + target + "' stands inside a text",
                     "a figure is a paragraph of its own, with an empty line before and behind it");
                continue;
            }
            fail(line, "the link '" + target + "' leads to no lesson", lesson_hint(target, lessons_));
        }
    }

    std::string file_;
    std::vector<std::string> lessons_, topics_;
    Diagnostics problems_;
};

void append(Diagnostics& all, Diagnostics more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
}

std::string points_of(const Verdict& verdict) {
    if (!verdict.error.empty()) return "is not judged: " + verdict.error;
    std::string text =
        "gets " + std::to_string(verdict.points) + " of " + std::to_string(verdict.max_points) + " points";
    for (const GoalVerdict& goal : verdict.goals)
        if (!goal.ok) return text + "; " + goal.goal + ": " + goal.reason;
    return text;
}

}  // namespace

std::string lesson_hint(const std::string& name, const std::vector<std::string>& known) {
    const std::string near = lesson::nearest(name, known);
    return near.empty() ? "lanescope list shows all lessons" : "did you mean '" + near + "'?";
}

Diagnostics check_lesson(const lesson::LessonEntry& entry, const lesson::Topic& topic,
                         const lesson::Registry& registry) {
    LinkCheck links(topic, registry);
    links.check_lessons(entry.needs, entry.line);
    for (const std::string& text : {entry.text, entry.look, entry.timing, entry.seen})
        links.check_text(text, entry.line);
    for (const lesson::StepNote& note : entry.notes)
        links.check_text(note.text, note.line);
    for (const lesson::Question& question : entry.questions) {
        const int line = question.toml_line > 0 ? question.toml_line : entry.line;
        if (question.answer.empty())
            links.fail(line, "'" + entry.name + "': the question \"" + question.ask + "\" has no answer",
                       "write it as [[lesson.question]] with ask = \"…\" and answer = \"…\"");
        links.check_text(question.ask, line);
        links.check_text(question.answer, line);
    }
    Diagnostics problems = links.take();
    append(problems, entry.untranslated);
    append(problems, check_texts(entry, toml_of(topic)));
    return problems;
}

Diagnostics check_topic(const lesson::Topic& topic, const lesson::Registry& registry) {
    LinkCheck links(topic, registry);
    links.check_topics(topic.needs, 1);
    links.check_text(topic.text, 1);
    for (const lesson::Paragraph& paragraph : lesson::parse_markdown(topic.text))
        if (paragraph.kind == lesson::ParagraphKind::figure)
            links.fail(1,
                       "the topic's text has the figure '" + paragraph.target + "', but a topic has no run",
                       "move the figure into the text of a lesson");
    Diagnostics problems = links.take();
    append(problems, topic.untranslated);
    return problems;
}

Diagnostics check_exercises(const std::vector<const lesson::Exercise*>& exercises, unsigned jobs) {
    Diagnostics problems;
    std::vector<Marked> files;
    for (const lesson::Exercise* exercise : exercises) {
        if (const auto prepared = lesson::prepare(*exercise); !prepared) {
            append(problems, prepared.diagnostics());
            continue;
        }
        const Result<std::string> solution = read_text_file(exercise->solution),
                                  starter = read_text_file(exercise->starter);
        if (!solution || !starter) {
            append(problems, solution ? starter.diagnostics() : solution.diagnostics());
            continue;
        }
        files.push_back({{exercise->solution.string(), *solution}, exercise});
        files.push_back({{exercise->starter.string(), *starter}, exercise});
    }
    const Result<std::vector<Verdict>> verdicts = mark(files, {jobs, seconds_of_an_exercise});
    if (!verdicts) {
        append(problems, verdicts.diagnostics());
        return problems;
    }
    for (std::size_t i = 0; i + 1 < verdicts->size(); i += 2) {
        const lesson::Exercise& exercise = *files[i].exercise;
        const auto fail = [&](const std::string& message) {
            problems.push_back(
                error_at(exercise.file.string(), exercise.line, 0, "'" + exercise.name + "': " + message));
        };
        if (!(*verdicts)[i].full()) fail("the solution " + points_of((*verdicts)[i]));
        if ((*verdicts)[i + 1].full()) fail("the starter file already has all points");
    }
    return problems;
}

}  // namespace lanescope::judge
