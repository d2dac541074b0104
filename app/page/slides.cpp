#include "page/slides.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/files.h"
#include "base/language.h"
#include "lesson/course/figure.h"
#include "lesson/course/markdown_text.h"
#include "scene/source/source_document.h"

namespace lanescope::page {

namespace {

using lesson::LessonEntry;
using lesson::Paragraph;
using lesson::ParagraphKind;

constexpr std::size_t most_rows = 21;       // of code, on one slide
constexpr std::size_t most_head_lines = 3;  // of a function

std::vector<lesson::Span> plain(const std::string& text) {
    return {{lesson::SpanStyle::plain, text, {}, {}}};
}

Paragraph sentence(const std::string& markdown) {
    Paragraph paragraph;
    paragraph.spans = lesson::parse_spans(markdown);
    return paragraph;
}

void add_items(std::vector<Paragraph>& text, const std::vector<std::string>& items) {
    for (const std::string& item : items) {
        Paragraph paragraph = sentence(item);
        paragraph.bullet = true;
        paragraph.level = 1;
        text.push_back(std::move(paragraph));
    }
}

void add_goals(std::vector<Paragraph>& text, const std::vector<std::string>& goals) {
    if (goals.empty()) return;
    text.push_back(sentence(tr("Afterwards you can:")));
    add_items(text, goals);
}

std::string minutes_of(int minutes) {
    if (minutes == 0) return {};
    return minutes == 1 ? std::string(tr("1 minute")) : tr("{1} minutes", {std::to_string(minutes)});
}

std::string label_of(const LessonEntry& entry) {
    std::string label = minutes_of(entry.minutes);
    if (entry.advanced) label += label.empty() ? "advanced" : ", advanced";
    return label;
}

bool same_place(const lesson::StepPlace& a, const lesson::StepPlace& b) {
    return a.line.number == b.line.number && a.line.code == b.line.code && a.visit == b.visit &&
           a.block == b.block;
}

// --- Code --------------------------------------------------------------------------------------------------

using scene::SourceDocument;

bool begins_function(std::string_view line) {
    return !line.empty() && std::string_view(" \t\r}#/").find(line.front()) == std::string_view::npos;
}

struct LineRange {
    std::size_t first = 1, last = 0;
    std::size_t count() const { return last + 1 - first; }
};

LineRange code_lines(const SourceDocument& document) {
    LineRange lines{document.front_last() + 1, document.line_count()};
    const auto blank = [&](std::size_t number) {
        return document.line(number).find_first_not_of(" \t\r") == std::string_view::npos;
    };
    while (lines.first < lines.last && blank(lines.first))
        ++lines.first;
    while (lines.last > lines.first && blank(lines.last))
        --lines.last;
    return lines;
}

LineRange function_around(const SourceDocument& document, const LineRange& within, std::size_t line) {
    LineRange function{line, line};
    while (function.first > within.first && !begins_function(document.line(function.first)))
        --function.first;
    while (function.last < within.last && !document.line(function.last).starts_with('}'))
        ++function.last;
    return function;
}

// The lines of a function that is too long: its head, and lines around the marked one.
std::vector<LineRange> parts_of(const SourceDocument& document, const LineRange& function,
                                std::size_t marked) {
    LineRange head{function.first, function.first};
    while (head.count() < most_head_lines && document.line(head.last).find('{') == std::string_view::npos)
        ++head.last;
    const std::size_t room = most_rows - head.count() - 2;
    LineRange around;
    around.first = std::max(head.last + 1, marked > room / 2 ? marked - room / 2 : 1);
    around.last = std::min(function.last, around.first + room - 1);
    around.first = std::max(head.last + 1, around.last + 1 > room ? around.last + 1 - room : 1);
    return {head, around};
}

class Excerpt {
  public:
    Excerpt(const SourceDocument& document, std::size_t marked) : document_(document), marked_(marked) {}
    // The lines between two ranges are left out.
    void add(const LineRange& lines) {
        if (last_ != 0 && lines.first > last_ + 1) rows_.emplace_back();
        for (std::size_t number = lines.first; number <= lines.last; ++number)
            rows_.push_back(
                {number, std::string(document_.line(number)), document_.tokens(number), number == marked_});
        last_ = lines.last;
    }
    std::vector<CodeRow> take() { return std::move(rows_); }

  private:
    const SourceDocument& document_;
    std::size_t marked_ = 0, last_ = 0;
    std::vector<CodeRow> rows_;
};

// --- Slides ------------------------------------------------------------------------------------------------

class SlideMaker {
  public:
    explicit SlideMaker(const lesson::Topic& topic) : topic_(topic) {}

    Result<std::vector<Slide>> make() {
        add_topic();
        for (const LessonEntry& entry : topic_.lessons)
            if (const Result<void> added = add_lesson(entry); !added) return added.diagnostics();
        add_sources();
        return std::move(slides_);
    }

  private:
    Slide& add(SlideKind kind, const LessonEntry* entry, std::vector<lesson::Span> heading) {
        Slide& slide = slides_.emplace_back();
        slide.kind = kind;
        slide.entry = entry;
        const std::string& owner = entry ? entry->title : topic_.title;
        if (heading.size() != 1 || heading.front().text != owner)
            slide.part = owner;
        else if (entry)
            slide.part = topic_.title;
        slide.heading = std::move(heading);
        return slide;
    }
    Slide& add(SlideKind kind, const LessonEntry* entry, const std::string& heading) {
        return add(kind, entry, plain(heading));
    }

    void add_topic() {
        Slide& slide = add(SlideKind::topic, nullptr, topic_.title);
        int minutes = 0;
        for (const LessonEntry& entry : topic_.lessons)
            minutes += entry.minutes;
        slide.label =
            (topic_.lessons.size() == 1 ? std::string(tr("1 lesson"))
                                        : tr("{1} lessons", {std::to_string(topic_.lessons.size())})) +
            (minutes > 0 ? ", " + minutes_of(minutes) : "");
        for (std::size_t i = 0; i < topic_.needs.size(); ++i)
            slide.label += (i == 0 ? tr("; know before: ") : ", ") + topic_.needs[i];
        add_goals(slide.text, topic_.goals);
        add_text(topic_.text, nullptr, topic_.title);
        if (topic_.lessons.size() > 1) add_contents();
    }

    void add_contents() {
        Paragraph table;
        table.kind = ParagraphKind::table;
        table.sides = {lesson::ColumnSide::left, lesson::ColumnSide::left};
        table.rows = {{plain(tr("Lesson")), plain(tr("Time to read and try"))}};
        for (const LessonEntry& entry : topic_.lessons)
            table.rows.push_back({plain(entry.title), plain(label_of(entry))});
        add(SlideKind::text, nullptr, tr("Lessons")).text = {std::move(table)};
    }

    Result<void> add_lesson(const LessonEntry& entry) {
        const Result<std::string> source = read_text_file(entry.path);
        if (!source) return source.diagnostics();
        notes_.clear();
        for (const lesson::StepNote& note : entry.notes)
            notes_.push_back(&note);
        Slide& title = add(SlideKind::lesson, &entry, entry.title);
        title.label = label_of(entry);
        add_goals(title.text, entry.goals);
        look_is_shown_ = false;
        add_text(entry.text, &entry, entry.title);
        add_code(entry, *source);
        add_look(entry);
        if (!entry.timing.empty()) add_text(entry.timing, &entry, tr("Times on a GPU"));
        add_questions(entry);
        add_exercises(entry);
        if (!entry.seen.empty()) add_text(entry.seen, &entry, tr("You have seen"));
        return {};
    }

    // A heading begins a slide.
    void add_text(const std::string& markdown, const LessonEntry* entry, const std::string& title) {
        std::vector<lesson::Span> heading = plain(title);
        bool fresh = true;
        for (Paragraph& paragraph : lesson::parse_markdown(markdown)) {
            if (paragraph.kind == ParagraphKind::heading) {
                heading = std::move(paragraph.spans);
                fresh = true;
                continue;
            }
            const bool figure = paragraph.kind == ParagraphKind::figure;
            if (figure && entry == nullptr) continue;  // a topic has no run
            if (std::exchange(fresh, false)) add(SlideKind::text, entry, heading);
            if (figure) find_notes(slides_.back(), paragraph.target);
            slides_.back().text.push_back(std::move(paragraph));
        }
    }

    // The lesson's notes about the step that a figure shows.
    void find_notes(Slide& slide, const std::string& target) {
        const Result<lesson::Figure> figure = lesson::parse_figure(target);
        if (!figure || figure->kind != lesson::Figure::Kind::stage) return;
        const std::optional<lesson::StepPlace>& look = slide.entry->look_at;
        look_is_shown_ |= !figure->at || (look && same_place(*figure->at, *look));
        const std::optional<lesson::StepPlace>& at = figure->at ? figure->at : look;
        if (!at) return;
        std::erase_if(notes_, [&](const lesson::StepNote* note) {
            const bool here = note->at && same_place(*note->at, *at);
            if (here) slide.notes.push_back({note, target});
            return here;
        });
    }

    void add_code(const LessonEntry& entry, const std::string& source) {
        Slide& slide = add(SlideKind::code, &entry, tr("The code"));
        std::size_t marked = 0;
        if (entry.look_at)
            if (const Result<int> line = lesson::line_in(source, entry.look_at->line); line)
                marked = std::size_t(*line);
        slide.code = code_excerpt(source, marked);
        slide.label = entry.path.filename().string();
        if (marked != 0) slide.label += ", " + tr("line {1}", {std::to_string(marked)});
    }

    // The picture of the step, unless a figure of the text shows it. The notes that belong to no figure are
    // here or, where the lesson names no step, with the code.
    void add_look(const LessonEntry& entry) {
        if (!entry.look.empty()) add_text(entry.look, &entry, tr("What to look at"));
        if ((entry.look_at || entry.look_step >= 0) && !look_is_shown_) {
            if (entry.look.empty()) add(SlideKind::text, &entry, tr("What to look at"));
            slides_.back().picture = "stage";
            find_notes(slides_.back(), "stage");
        }
        for (const lesson::StepNote* note : notes_)
            slides_.back().notes.push_back({note, {}});
    }

    // Each answer has a slide of its own. Questions without an answer are for the time after the lecture.
    void add_questions(const LessonEntry& entry) {
        std::vector<std::string> open;
        for (const lesson::Question& question : entry.questions) {
            if (question.answer.empty()) {
                open.push_back(question.ask);
                continue;
            }
            add(SlideKind::question, &entry, tr("Question")).text = lesson::parse_markdown(question.ask);
            Slide& answer = add(SlideKind::answer, &entry, tr("Answer"));
            answer.asked = lesson::parse_markdown(question.ask);
            answer.text = lesson::parse_markdown(question.answer);
        }
        if (!open.empty()) add_items(add(SlideKind::text, &entry, tr("To think about")).text, open);
    }

    void add_exercises(const LessonEntry& entry) {
        if (entry.exercises.empty()) return;
        std::vector<std::string> items;
        for (const lesson::Exercise& exercise : entry.exercises)
            items.push_back(exercise.title + tr(", level {1}: ", {std::to_string(exercise.level)}) + "`" +
                            exercise.topic + "/" + exercise.name + "`");
        add_items(add(SlideKind::text, &entry, tr("Exercises")).text, items);
    }

    void add_sources() {
        std::vector<std::string> sources;
        std::set<std::string> seen;
        for (const LessonEntry& entry : topic_.lessons)
            for (const std::string& source : entry.sources)
                if (seen.insert(source).second) sources.push_back(source);
        if (!sources.empty()) add_items(add(SlideKind::text, nullptr, tr("Sources")).text, sources);
    }

    const lesson::Topic& topic_;
    std::vector<Slide> slides_;
    std::vector<const lesson::StepNote*> notes_;  // of the lesson; no slide has them yet
    bool look_is_shown_ = false;                  // by a figure of the lesson's text
};

}  // namespace

std::vector<CodeRow> code_excerpt(const std::string& source, std::size_t marked) {
    SourceDocument document;
    document.set_text(source);
    const LineRange all = code_lines(document);
    Excerpt excerpt(document, marked);
    if (all.count() <= most_rows || marked < all.first || marked > all.last) {
        excerpt.add(all);
        return excerpt.take();
    }
    const LineRange function = function_around(document, all, marked);
    if (function.count() <= most_rows) {
        excerpt.add(function);
        return excerpt.take();
    }
    for (const LineRange& part : parts_of(document, function, marked))
        excerpt.add(part);
    std::vector<CodeRow> rows = excerpt.take();
    if (rows.back().line < function.last) rows.emplace_back();
    return rows;
}

std::string place_of(const lesson::StepNote& note) {
    if (note.at) {
        const int visit = note.at->visit;
        return "At " +
               (note.at->line.code.empty() ? "line " + std::to_string(note.at->line.number)
                                           : note.at->line.code) +
               (visit == -1  ? ", last visit"
                : visit < -1 ? ", visit " + std::to_string(-visit) + " from the end"
                             : ", visit " + std::to_string(visit));
    }
    if (note.step >= 0) return "At step " + std::to_string(note.step + 1);
    return "At phase " + std::to_string(note.phase);
}

Result<std::vector<Slide>> slides_of(const lesson::Topic& topic) {
    return SlideMaker(topic).make();
}

}  // namespace lanescope::page
