#include "page/deck.h"

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/folders.h"
#include "lesson/front_matter.h"
#include "page/html.h"

namespace lanescope::page {

namespace {

using lesson::Paragraph;
using lesson::ParagraphKind;

// What fits on a slide, in letters of running text.
constexpr std::size_t slide_letters = 1050;
constexpr std::size_t row_letters = 75;      // that a row of a table or a line of code takes the place of
constexpr std::size_t figure_letters = 600;  // and a figure

std::size_t weight_of(const Paragraph& paragraph) {
    switch (paragraph.kind) {
        case ParagraphKind::code:
            return paragraph.lines.size() * row_letters;
        case ParagraphKind::table:
            return paragraph.rows.size() * row_letters;
        case ParagraphKind::figure:
            return figure_letters;
        default:
            break;
    }
    std::size_t letters = row_letters;
    for (const lesson::Span& span : paragraph.spans)
        letters += span.text.size();
    return letters;
}

// Cuts a text into slides: at headings, and where a slide is full.
std::vector<std::vector<Paragraph>> slides_of(const std::string& text) {
    std::vector<std::vector<Paragraph>> slides;
    std::size_t weight = 0;
    for (Paragraph& paragraph : lesson::parse_markdown(text)) {
        const std::size_t more = weight_of(paragraph);
        const bool after_heading =
            !slides.empty() && !slides.back().empty() && slides.back().back().kind == ParagraphKind::heading;
        const bool full = weight > 0 && weight + more > slide_letters && !after_heading;
        if (slides.empty() || paragraph.kind == ParagraphKind::heading || full) {
            slides.emplace_back();
            weight = 0;
        }
        weight += more;
        slides.back().push_back(std::move(paragraph));
    }
    return slides;
}

std::string list_of(const std::vector<std::string>& items) {
    std::string html;
    for (const std::string& item : items)
        html += "<li>" + html_of(lesson::parse_spans(item)) + "</li>";
    return html.empty() ? "" : "<ul>" + html + "</ul>\n";
}

std::string place_of(const lesson::StepNote& note) {
    if (note.at)
        return "At " +
               (note.at->line.code.empty() ? "line " + std::to_string(note.at->line.number)
                                           : note.at->line.code) +
               ", visit " + std::to_string(note.at->visit);
    if (note.step >= 0) return "At step " + std::to_string(note.step + 1);
    return "At phase " + std::to_string(note.phase);
}

class DeckWriter {
  public:
    DeckWriter(const lesson::Topic& topic, const DrawFigure& draw) : topic_(topic), draw_(draw) {}

    Result<std::string> write() {
        write_title();
        for (const lesson::LessonEntry& entry : topic_.lessons)
            if (const Result<void> written = write_lesson(entry); !written) return written.diagnostics();
        if (!problems_.empty()) return problems_;
        return std::move(html_);
    }

  private:
    void add_slide(const std::string& heading, const std::string& inner, const std::string& notes = {},
                   const std::string& kind = "text") {
        html_ += "<section class=\"slide " + kind + "\"><div class=\"sheet\"><h2>" + escaped(heading) +
                 "</h2>\n<div class=\"body\">" + inner + "</div></div>";
        if (!notes.empty()) html_ += "\n<aside class=\"notes\">" + notes + "</aside>";
        html_ += "</section>\n";
    }

    std::string markdown(const std::vector<Paragraph>& paragraphs, const lesson::LessonEntry* entry) {
        return html_of(paragraphs, [&](const Paragraph& figure) { return figure_html(figure, entry); });
    }
    std::string markdown(const std::string& text, const lesson::LessonEntry* entry) {
        return markdown(lesson::parse_markdown(text), entry);
    }

    std::string figure_html(const Paragraph& paragraph, const lesson::LessonEntry* entry) {
        const std::string caption = "<figcaption>" + html_of(paragraph.spans) + "</figcaption>";
        if (entry == nullptr) return "<figure>" + caption + "</figure>\n";  // a topic has no run
        const Result<lesson::Figure> figure = lesson::parse_figure(paragraph.target);
        if (!figure) {
            fail(*entry, figure.diagnostics());
            return "";
        }
        return image_html(*entry, *figure, caption);
    }

    std::string image_html(const lesson::LessonEntry& entry, const lesson::Figure& figure,
                           const std::string& caption) {
        const Result<std::string> png = draw_(entry, figure);
        if (!png) {
            fail(entry, png.diagnostics());
            return "";
        }
        return "<figure><img alt=\"\" src=\"data:image/png;base64," + base64(*png) + "\">" + caption +
               "</figure>\n";
    }

    void fail(const lesson::LessonEntry& entry, const Diagnostics& why) {
        const Diagnostic& first = why.front();
        const std::string toml = (entry.path.parent_path() / "lesson.toml").string();
        const Diagnostic problem =
            first.file.empty()
                ? error_at(toml, entry.line, 0, "'" + entry.name + "': " + first.message, first.hint)
                : first;
        // A file that does not run spoils each of its figures.
        if (std::none_of(problems_.begin(), problems_.end(),
                         [&](const Diagnostic& known) { return to_text(known) == to_text(problem); }))
            problems_.push_back(problem);
    }

    void write_title() {
        std::string inner;
        if (!topic_.goals.empty())
            inner += "<p class=\"label\">Afterwards you can</p>" + list_of(topic_.goals);
        if (!topic_.needs.empty()) {
            std::string names;
            for (const std::string& need : topic_.needs)
                names += (names.empty() ? "" : ", ") + need;
            inner += "<p class=\"label\">Know before: " + escaped(names) + "</p>";
        }
        add_slide(topic_.title, inner, {}, "title");
        for (const std::vector<Paragraph>& slide : slides_of(topic_.text))
            add_slide(topic_.title, markdown(slide, nullptr));
    }

    Result<void> write_lesson(const lesson::LessonEntry& entry) {
        const Result<std::string> source = read_text_file(entry.path);
        if (!source) return source.diagnostics();
        std::string facts = entry.minutes > 0 ? std::to_string(entry.minutes) + " minutes" : "";
        if (entry.advanced) facts += facts.empty() ? "advanced" : ", advanced";
        const std::string line = facts.empty() ? "" : "<p class=\"label\">" + facts + "</p>";
        add_slide(entry.title, line + list_of(entry.goals), {}, "lesson");
        for (const std::vector<Paragraph>& slide : slides_of(entry.text))
            add_slide(entry.title, markdown(slide, &entry));
        write_code(entry, *source);
        write_look(entry);
        for (const lesson::Question& question : entry.questions) {
            const std::string answer = question.answer.empty()
                                           ? ""
                                           : "<details class=\"answer\"><summary>Answer</summary>" +
                                                 markdown(question.answer, &entry) + "</details>";
            add_slide(entry.title, "<div class=\"ask\">" + markdown(question.ask, &entry) + "</div>" + answer,
                      {}, "question");
        }
        return {};
    }

    void write_code(const lesson::LessonEntry& entry, const std::string& source) {
        const std::size_t end = source.find("---*/");
        std::string code = end == source.npos ? source : source.substr(end + 5);
        code.erase(0, std::min(code.find_first_not_of("\r\n"), code.size()));
        const auto lines = std::count(code.begin(), code.end(), '\n');
        add_slide(entry.title, "<pre>" + escaped(code) + "</pre>", {},
                  lines > 34   ? "code tiny"
                  : lines > 22 ? "code small"
                               : "code");
    }

    void write_look(const lesson::LessonEntry& entry) {
        std::string notes;
        for (const lesson::StepNote& note : entry.notes)
            notes += "<p><strong>" + escaped(place_of(note)) + ":</strong></p>" + markdown(note.text, &entry);
        if (entry.look.empty() && notes.empty()) return;
        lesson::Figure stage;
        stage.kind = lesson::Figure::Kind::stage;
        add_slide(entry.title, image_html(entry, stage, "") + markdown(entry.look, &entry), notes, "look");
    }

    const lesson::Topic& topic_;
    const DrawFigure& draw_;
    std::string html_;
    Diagnostics problems_;
};

}  // namespace

Result<std::string> make_deck(const lesson::Topic& topic, const DrawFigure& draw,
                              const std::string& version) {
    const std::filesystem::path folder = resource_folder() / "assets" / "html";
    Result<std::string> page = read_text_file(folder / "deck.html");
    if (!page) return page.diagnostics();
    const Result<std::string> style = read_text_file(folder / "deck.css");
    if (!style) return style.diagnostics();
    const Result<std::string> program = read_text_file(folder / "deck.js");
    if (!program) return program.diagnostics();
    const Result<std::string> slides = DeckWriter(topic, draw).write();
    if (!slides) return slides.diagnostics();
    replace_mark(*page, "{{title}}", escaped(topic.title));
    replace_mark(*page, "{{version}}", escaped(version));
    replace_mark(*page, "/*{{style}}*/", *style);
    replace_mark(*page, "/*{{program}}*/", *program);
    replace_mark(*page, "{{slides}}", *slides);
    return page;
}

}  // namespace lanescope::page
