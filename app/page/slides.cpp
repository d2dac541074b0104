#include "page/slides.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "base/files.h"
#include "base/language.h"
#include "lesson/course/figure.h"
#include "lesson/course/markdown_text.h"
#include "page/deck_words.h"
#include "scene/source/source_document.h"

namespace lanescope::page {

namespace {

using lesson::LessonEntry;
using lesson::Paragraph;
using lesson::ParagraphKind;

constexpr std::size_t most_rows = 21;        // of code, on one slide
constexpr std::size_t most_head_lines = 3;   // of a function
constexpr std::size_t most_title_rows = 12;  // of code that stands below the goals
constexpr std::size_t most_short_lines = 4;  // of code that belongs to the words around it
constexpr std::size_t most_lead_items = 6;   // of a list
constexpr std::size_t most_listed = 4;       // lessons below the goals of a topic

std::vector<lesson::Span> plain(const std::string& text) {
    return {{lesson::SpanStyle::plain, text, {}, {}}};
}

Paragraph sentence(const std::string& markdown) {
    Paragraph paragraph;
    paragraph.spans = lesson::parse_spans(markdown);
    return paragraph;
}

Paragraph item(const std::string& markdown) {
    Paragraph paragraph = sentence(markdown);
    paragraph.bullet = true;
    paragraph.level = 1;
    return paragraph;
}

std::string minutes_of(int minutes) {
    if (minutes == 0) return {};
    return minutes == 1 ? std::string(tr("1 minute")) : tr("{1} minutes", {std::to_string(minutes)});
}

void append(std::vector<Paragraph>& text, std::vector<Paragraph> more) {
    std::move(more.begin(), more.end(), std::back_inserter(text));
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

// --- Ideas -------------------------------------------------------------------------------------------------

bool is_item(const Paragraph& paragraph) {
    return paragraph.bullet || !paragraph.number.empty();
}

bool is_idea(const Paragraph& paragraph, bool figures) {
    if (paragraph.kind == ParagraphKind::code) return paragraph.lines.size() > most_short_lines;
    return paragraph.kind == ParagraphKind::table || (figures && paragraph.kind == ParagraphKind::figure);
}

// A heading, or a paragraph that begins with one in bold type.
bool begins_part(const Paragraph& paragraph) {
    if (paragraph.kind == ParagraphKind::heading) return true;
    return paragraph.kind == ParagraphKind::text && !is_item(paragraph) && paragraph.level == 0 &&
           !paragraph.spans.empty() && paragraph.spans.front().style == lesson::SpanStyle::bold;
}

bool introduces(const Paragraph& paragraph) {
    return paragraph.kind == ParagraphKind::text && !paragraph.spans.empty() &&
           paragraph.spans.back().text.ends_with(':');
}

// The words that lead to blocks[at]: the paragraph before it, a whole list, short code; with what introduces
// them. Returns the first of these blocks, at least `begin`.
std::size_t lead_of(const std::vector<Paragraph>& blocks, std::size_t begin, std::size_t at) {
    const auto text = [&](std::size_t i) { return blocks[i].kind == ParagraphKind::text; };
    const auto listed = [&](std::size_t i) { return text(i) && (is_item(blocks[i]) || blocks[i].level > 0); };
    std::size_t first = at;
    if (first > begin && blocks[first - 1].kind == ParagraphKind::code) --first;
    std::size_t list = first;
    while (list > begin && listed(list - 1))
        --list;
    if (first - list <= most_lead_items) first = list;  // a long list leads nowhere
    if (first > begin && text(first - 1) && (first == at || introduces(blocks[first - 1]))) --first;
    return first;
}

// What a part is about: its heading, or the bold words at its beginning, without the full stop.
std::vector<lesson::Span> heading_of(const Paragraph& part) {
    if (part.kind == ParagraphKind::heading) return part.spans;
    std::string words = part.spans.front().text;
    if (words.ends_with('.')) words.pop_back();
    return plain(words);
}

// The paragraph without the bold words at its beginning.
Paragraph without_heading(Paragraph part) {
    part.spans.erase(part.spans.begin());
    if (!part.spans.empty()) {
        std::string& text = part.spans.front().text;
        text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
    }
    return part;
}

// --- Slides ------------------------------------------------------------------------------------------------

// "Line 26: c[i] = a[i] + b[i];", without a comment behind the code.
std::vector<lesson::Span> line_heading(const CodeRow& row) {
    const std::string code = row.text.substr(0, row.text.find("//"));
    const std::size_t begin = code.find_first_not_of(" \t"), end = code.find_last_not_of(" \t\r");
    std::vector<lesson::Span> heading =
        plain(std::string(tr(words::line_head)) + " " + std::to_string(row.line) + ": ");
    if (begin != std::string::npos)
        heading.push_back({lesson::SpanStyle::code, code.substr(begin, end + 1 - begin), {}, {}});
    return heading;
}

class SlideMaker {
  public:
    explicit SlideMaker(const lesson::Topic& topic) : topic_(topic) {}

    Result<std::vector<Slide>> make() {
        add_topic();
        for (const LessonEntry& entry : topic_.lessons)
            if (const Result<void> added = add_lesson(entry); !added) return added.diagnostics();
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
        slide.label = label_of(topic_);
        slide.text = goal_list(topic_.goals);
        const std::size_t count = topic_.lessons.size();
        if (count > 1 && count <= most_listed) slide.text.push_back(contents());
        add_ideas(topic_.text, nullptr, topic_.goals.empty());
        if (count > most_listed) add(SlideKind::text, nullptr, tr(words::lessons)).text = {contents()};
    }

    Paragraph contents() const {
        Paragraph table;
        table.kind = ParagraphKind::table;
        table.sides = {lesson::ColumnSide::left, lesson::ColumnSide::left};
        table.rows = {{plain(tr(words::lessons)), plain(tr(words::time))}};
        for (const LessonEntry& entry : topic_.lessons)
            table.rows.push_back({plain(entry.title), plain(label_of(entry))});
        return table;
    }

    Result<void> add_lesson(const LessonEntry& entry) {
        Result<std::vector<CodeRow>> code = code_of(entry);
        if (!code) return code.diagnostics();
        notes_.clear();
        for (const lesson::StepNote& note : entry.notes)
            notes_.push_back(&note);
        const std::size_t title = slides_.size();
        const bool short_code = code->size() <= most_title_rows;
        add(SlideKind::lesson, &entry, entry.title).label = label_of(entry);
        slides_[title].text = goal_list(entry.goals);
        if (short_code) show_code(title, std::move(*code));
        look_is_shown_ = false;
        add_ideas(entry.text, &entry, !short_code);
        if (!short_code) {
            add(SlideKind::code, &entry, tr(words::code));
            show_code(slides_.size() - 1, std::move(*code));
        }
        const std::size_t with_code = short_code ? title : slides_.size() - 1;
        add_look(entry, slides_[with_code].code);
        slides_[with_code].others = std::move(notes_);
        add_questions(entry);
        add_end(entry);
        return {};
    }

    // The title's notes have what stands before the first idea, those of an idea what follows it. The
    // title says the first paragraph where it has room, unless an idea says it.
    void add_ideas(const std::string& markdown, const LessonEntry* entry, bool room) {
        const std::vector<Paragraph> blocks = lesson::parse_markdown(markdown);
        std::size_t done = 0, owner = slides_.size() - 1, first_lead = blocks.size();
        const std::size_t title = owner;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            if (!is_idea(blocks[i], entry != nullptr)) continue;
            const std::size_t lead = lead_of(blocks, done, i);
            if (done == 0) first_lead = lead;
            std::size_t part = done == 0 ? lead : done;
            std::optional<std::size_t> named;
            for (std::size_t j = done; j < i; ++j)
                if (begins_part(blocks[j])) part = *(named = j);
            part = std::min(part, lead);
            tell(owner, blocks, done, part);
            owner = add_idea(entry, blocks, lead, i, named);
            tell(owner, blocks, part, i);
            done = i + 1;
        }
        tell(owner, blocks, done, blocks.size());
        if (room && first_lead > 0 && !blocks.empty() && blocks.front().kind == ParagraphKind::text)
            slides_[title].text.insert(slides_[title].text.begin(), blocks.front());
    }

    void tell(std::size_t slide, const std::vector<Paragraph>& blocks, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (blocks[i].kind != ParagraphKind::figure) slides_[slide].told.push_back(blocks[i]);
    }

    std::size_t add_idea(const LessonEntry* entry, const std::vector<Paragraph>& blocks, std::size_t lead,
                         std::size_t at, const std::optional<std::size_t>& named) {
        const Paragraph& idea = blocks[at];
        const bool figure = idea.kind == ParagraphKind::figure;
        const bool captioned = figure && !idea.spans.empty();
        Slide& slide = add(SlideKind::idea, entry,
                           captioned ? idea.spans
                           : named   ? heading_of(blocks[*named])
                                     : plain(entry ? entry->title : topic_.title));
        slide.idea = {idea};
        if (figure) find_notes(slide, idea.target);
        if (figure && shows_look(*entry, idea.target) && !entry->look.empty()) {
            look_is_shown_ = true;
            say_look(slide);
            return slides_.size() - 1;
        }
        std::size_t end = at;
        if (lead == at && at + 1 < blocks.size() && blocks[at + 1].kind == ParagraphKind::text &&
            !begins_part(blocks[at + 1]) && !introduces(blocks[at + 1]))
            lead = at + 1, end = at + 2;  // a figure that no words lead to is explained behind it
        for (std::size_t i = lead; i < end; ++i)
            if (blocks[i].kind != ParagraphKind::heading)
                slide.text.push_back(i == named && !captioned ? without_heading(blocks[i]) : blocks[i]);
        return slides_.size() - 1;
    }

    // The first paragraph says what the picture shows, further ones what other views of the window show.
    static void say_look(Slide& slide) {
        std::vector<Paragraph> look = lesson::parse_markdown(slide.entry->look);
        if (look.empty()) return;
        slide.text = {look.front()};
        slide.told.assign(look.begin() + 1, look.end());
    }

    // The lesson's notes about the step that a figure shows.
    void find_notes(Slide& slide, const std::string& target) {
        const Result<lesson::Figure> figure = lesson::parse_figure(target);
        if (!figure || figure->kind != lesson::Figure::Kind::stage) return;
        const std::optional<lesson::StepPlace>& at = figure->at ? figure->at : slide.entry->look_at;
        if (!at) return;
        std::erase_if(notes_, [&](const lesson::StepNote* note) {
            const bool here = note->at && same_place(*note->at, *at);
            if (here) slide.here.push_back(note);
            return here;
        });
    }

    void show_code(std::size_t at, std::vector<CodeRow> rows) {
        Slide& slide = slides_[at];
        const auto marked =
            std::find_if(rows.begin(), rows.end(), [](const CodeRow& row) { return row.marked; });
        slide.label += (slide.label.empty() ? "" : " · ") + slide.entry->path.filename().string();
        if (marked != rows.end())
            slide.label += ", " + std::string(tr(words::line)) + " " + std::to_string(marked->line);
        slide.code = std::move(rows);
    }

    // The picture of the step, unless a figure of the text shows it.
    void add_look(const LessonEntry& entry, const std::vector<CodeRow>& code) {
        if ((!entry.look_at && entry.look_step < 0) || look_is_shown_) return;
        std::vector<lesson::Span> heading = plain(tr(words::look));
        for (const CodeRow& row : code)
            if (row.marked) heading = line_heading(row);
        Slide& slide = add(SlideKind::idea, &entry, std::move(heading));
        say_look(slide);
        slide.idea.emplace_back().kind = ParagraphKind::figure;
        slide.idea.back().target = "stage";
        slide.look = true;
        find_notes(slide, "stage");
    }

    void add_questions(const LessonEntry& entry) {
        if (entry.questions.empty()) return;
        Slide& slide = add(SlideKind::questions, &entry, tr(words::questions));
        for (const lesson::Question& question : entry.questions)
            slide.questions.push_back(&question);
    }

    // What was seen, and the exercises for the time after the lecture.
    void add_end(const LessonEntry& entry) {
        if (entry.seen.empty() && entry.exercises.empty()) return;
        Slide& slide =
            add(SlideKind::end, &entry, entry.seen.empty() ? tr(words::exercises) : tr(words::seen));
        slide.text = lesson::parse_markdown(entry.seen);
        if (!entry.seen.empty() && !entry.exercises.empty())
            slide.text.push_back(sentence("**" + std::string(tr(words::exercises)) + "**"));
        append(slide.text, entry.exercises.empty() ? goal_list(entry.goals, tr(words::reached))
                                                   : exercise_list(entry.exercises));
        if (!entry.timing.empty()) {
            slide.told.push_back(sentence("**" + std::string(tr(words::times)) + "**"));
            append(slide.told, lesson::parse_markdown(entry.timing));
        }
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

Result<std::vector<CodeRow>> code_of(const LessonEntry& entry) {
    const Result<std::string> source = read_text_file(entry.path);
    if (!source) return source.diagnostics();
    std::size_t marked = 0;
    if (entry.look_at)
        if (const Result<int> line = lesson::line_in(*source, entry.look_at->line); line)
            marked = std::size_t(*line);
    return code_excerpt(*source, marked);
}

bool shows_look(const LessonEntry& entry, const std::string& target) {
    const Result<lesson::Figure> figure = lesson::parse_figure(target);
    if (!figure || figure->kind != lesson::Figure::Kind::stage) return false;
    return !figure->at || (entry.look_at && same_place(*figure->at, *entry.look_at));
}

std::vector<Paragraph> goal_list(const std::vector<std::string>& goals, const char* head) {
    std::vector<Paragraph> text;
    if (!goals.empty()) text.push_back(sentence(head));
    std::transform(goals.begin(), goals.end(), std::back_inserter(text), item);
    return text;
}

std::vector<Paragraph> exercise_list(const std::vector<lesson::Exercise>& exercises) {
    std::vector<Paragraph> text;
    for (const lesson::Exercise& exercise : exercises)
        text.push_back(item("**" + exercise.title + "**, " + tr(words::level) + " " +
                            std::to_string(exercise.level) + " (`" + exercise.id() + "`). " + exercise.text));
    return text;
}

std::string label_of(const LessonEntry& entry) {
    std::string label = minutes_of(entry.minutes);
    if (entry.advanced) label += (label.empty() ? "" : ", ") + std::string(tr(words::advanced));
    return label;
}

std::string label_of(const lesson::Topic& topic) {
    int minutes = 0;
    for (const LessonEntry& entry : topic.lessons)
        minutes += entry.minutes;
    std::string label = topic.lessons.size() == 1 ? std::string(tr("1 lesson"))
                                                  : tr("{1} lessons", {std::to_string(topic.lessons.size())});
    if (minutes > 0) label += ", " + minutes_of(minutes);
    for (std::size_t i = 0; i < topic.needs.size(); ++i)
        label += (i == 0 ? "; " + std::string(tr(words::know_before)) + ": " : ", ") + topic.needs[i];
    return label;
}

std::vector<std::string> sources_of(const lesson::Topic& topic) {
    std::vector<std::string> sources;
    std::set<std::string> seen;
    for (const LessonEntry& entry : topic.lessons)
        for (const std::string& source : entry.sources)
            if (seen.insert(source).second) sources.push_back(source);
    return sources;
}

Result<lesson::Topic> with_lessons(const lesson::Topic& topic, const std::vector<std::string>& wanted) {
    std::string known;
    for (const LessonEntry& entry : topic.lessons)
        known += (known.empty() ? "" : ", ") + entry.name;
    for (const std::string& name : wanted)
        if (std::none_of(topic.lessons.begin(), topic.lessons.end(),
                         [&](const LessonEntry& entry) { return entry.name == name; }))
            return error("the topic '" + topic.name + "' has no lesson '" + name + "'",
                         "its lessons are " + known);
    lesson::Topic chosen = topic;
    std::erase_if(chosen.lessons, [&](const LessonEntry& entry) {
        return std::find(wanted.begin(), wanted.end(), entry.name) == wanted.end();
    });
    return chosen;
}

Result<lesson::Topic> core_of(const lesson::Topic& topic) {
    lesson::Topic core = topic;
    std::erase_if(core.lessons, [](const LessonEntry& entry) { return entry.advanced; });
    if (core.lessons.empty())
        return error("all lessons of the topic '" + topic.name + "' are advanced", "leave out --core");
    return core;
}

Result<std::vector<Slide>> slides_of(const lesson::Topic& topic) {
    return SlideMaker(topic).make();
}

}  // namespace lanescope::page
