#include "page/deck.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/folders.h"
#include "base/language.h"
#include "lesson/course/figure.h"
#include "lesson/course/link.h"
#include "page/deck_words.h"
#include "page/html.h"
#include "page/slides.h"

namespace lanescope::page {

namespace {

using lesson::Paragraph;

constexpr std::size_t letters_of_a_row = 84;  // of code, in the usual size

std::string wrapped(const char* element, const char* kind, const std::string& inner) {
    return std::string("<") + element + " class=\"" + kind + "\">" + inner + "</" + element + ">";
}

const char* name_of(SlideKind kind) {
    constexpr std::array names = {"topic", "lesson", "idea", "text", "code", "questions", "end"};
    return names[std::size_t(kind)];
}

// The outline of a PDF follows the levels of the headings.
const char* heading_of(SlideKind kind) {
    return kind == SlideKind::topic ? "h1" : kind == SlideKind::lesson ? "h2" : "h3";
}

const char* name_of(scene::TokenKind kind) {
    constexpr std::array names = {"plain", "keyword", "type", "builtin", "number", "string", "comment"};
    return names[std::size_t(kind)];
}

std::string coloured(const CodeRow& row) {
    const std::string_view text = row.text;
    std::string html;
    std::size_t at = 0;
    for (const scene::Token& token : row.tokens) {
        if (token.kind == scene::TokenKind::plain || token.begin < at) continue;
        html += escaped(text.substr(at, token.begin - at)) +
                wrapped("span", name_of(token.kind), escaped(text.substr(token.begin, token.length)));
        at = token.begin + token.length;
    }
    return html + escaped(text.substr(std::min(at, text.size())));
}

std::string code_html(const std::vector<CodeRow>& rows) {
    std::string html;
    std::size_t longest = 0;
    for (const CodeRow& row : rows) {
        longest = std::max(longest, row.text.size());
        const std::string number = row.line == 0 ? "⋮" : std::to_string(row.line);
        html += wrapped("div", row.marked ? "row marked" : "row",
                        wrapped("span", "at", number) + wrapped("code", "line", coloured(row)));
    }
    return wrapped("div", longest > letters_of_a_row ? "rows narrow" : "rows", html) + "\n";
}

std::string text_of(const std::vector<lesson::Span>& spans) {
    std::string text;
    for (const lesson::Span& span : spans)
        text += span.text;
    return text;
}

// `shown`: the words of the link.
std::string link_html(const std::string& link, const std::string& shown) {
    return link.empty() ? link
                        : "<p class=\"open\"><a target=\"_blank\" rel=\"noopener\" href=\"" + escaped(link) +
                              "\">" + escaped(shown) + "</a></p>";
}

std::string no_figure(const Paragraph&) {
    return {};
}

std::string heading_html(const char* element, const std::string& text) {
    return text.empty() ? text : std::string("<") + element + ">" + escaped(text) + "</" + element + ">\n";
}

// What slides and handouts write alike.
class Writer {
  public:
    Writer(const lesson::Topic& topic, const DeckSource& source, const DeckOptions& options)
        : topic_(topic), source_(source), options_(options) {}

  protected:
    // Without `caption` the words of the figure stand elsewhere.
    std::string figure_html(const lesson::LessonEntry& entry, const Paragraph& paragraph, bool lanes,
                            bool caption) {
        const Result<lesson::Figure> figure = lesson::parse_figure(paragraph.target);
        if (!figure) return fail(entry, figure.diagnostics());
        const Result<FigureImage> image = source_.draw(entry, paragraph.target, lanes);
        if (!image) return fail(entry, image.diagnostics());
        return "<figure data-least=\"" + std::to_string(image->least_height) + "\"><img alt=\"" +
               escaped(text_of(paragraph.spans)) + "\" width=\"" + std::to_string(image->width) +
               "\" height=\"" + std::to_string(image->height) + "\" src=\"data:image/png;base64," +
               base64(image->png) + "\">" +
               (caption && !paragraph.spans.empty()
                    ? "<figcaption>" + html_of(paragraph.spans) + "</figcaption>"
                    : "") +
               "</figure>\n";
    }

    std::string question_html(const lesson::Question& with_numbers) const {
        const Result<lesson::Question> asked = lesson::asked(with_numbers);
        const lesson::Question& question = asked ? *asked : with_numbers;
        std::string html = wrapped("div", "ask", html_of(lesson::parse_markdown(question.ask), no_figure));
        if (options_.answers != Answers::off && !question.answer.empty())
            html += wrapped("div", options_.answers == Answers::on ? "answer told" : "answer",
                            html_of(lesson::parse_markdown(question.answer), no_figure));
        return wrapped("li", "question", html) + "\n";
    }

    std::string questions_html(const std::vector<const lesson::Question*>& questions) const {
        std::string html;
        for (const lesson::Question* question : questions)
            html += question_html(*question);
        return html.empty() ? html : wrapped("ol", "asked", html) + "\n";
    }

    std::string link_of(const lesson::LessonEntry& entry) const {
        return options_.web.empty() ? "" : options_.web + "?" + lesson::link_query(entry.path);
    }

    std::string fail(const lesson::LessonEntry& entry, const Diagnostics& why) {
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
        return {};
    }

    const lesson::Topic& topic_;
    const DeckSource& source_;
    const DeckOptions& options_;
    Diagnostics problems_;
};

class DeckWriter : Writer {
  public:
    using Writer::Writer;

    Result<std::string> write() {
        const Result<std::vector<Slide>> slides = slides_of(topic_);
        if (!slides) return slides.diagnostics();
        std::string html;
        for (const Slide& slide : *slides)
            html += slide_html(slide);
        if (!problems_.empty()) return problems_;
        return html;
    }

  private:
    std::string slide_html(const Slide& slide) {
        std::string kind = std::string("slide ") + name_of(slide.kind);
        if (slide.kind == SlideKind::lesson && !slide.code.empty()) kind += " with-code";
        const std::string heading = heading_of(slide.kind);
        std::string head;
        if (!slide.part.empty()) head += wrapped("p", "part", escaped(slide.part));
        head += "<" + heading + ">" + html_of(slide.heading) + "</" + heading + ">";
        if (!slide.label.empty()) head += wrapped("p", "label", escaped(slide.label));
        if (slide.entry != nullptr && (slide.kind == SlideKind::lesson || slide.look))
            head += link_html(link_of(*slide.entry), tr(words::open));
        return "<section class=\"" + kind + "\"><div class=\"sheet\"><header>" + head +
               "</header>\n<div class=\"body\">" + body_of(slide) + "</div></div>\n" + notes_of(slide) +
               "</section>\n";
    }

    std::string body_of(const Slide& slide) {
        std::string html = html_of(slide.text, no_figure);
        if (slide.kind == SlideKind::idea && !html.empty()) html = wrapped("div", "lead", html) + "\n";
        html += html_of(slide.idea, [&](const Paragraph& figure) {
            return figure_html(*slide.entry, figure, slide.look, false);
        });
        if (!slide.code.empty()) html += code_html(slide.code);
        return html + questions_html(slide.questions);
    }

    std::string notes_of(const Slide& slide) const {
        std::string notes;
        for (const lesson::StepNote* note : slide.here)
            notes += html_of(lesson::parse_markdown(note->text), no_figure);
        notes += html_of(slide.told, no_figure) + steps_of(slide);
        return notes.empty() ? notes : wrapped("aside", "notes", notes) + "\n";
    }

    // Notes for those who show the run itself, in its order.
    std::string steps_of(const Slide& slide) const {
        std::vector<std::pair<execution::PlacedStep, const lesson::StepNote*>> placed;
        for (const lesson::StepNote* note : slide.others)
            if (const auto place = source_.place(*slide.entry, *note)) placed.emplace_back(*place, note);
        std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) {
            return std::pair(a.first.block, a.first.step) < std::pair(b.first.block, b.first.step);
        });
        std::string html;
        for (const auto& [place, note] : placed)
            html += "<p><strong>" + std::string(tr(words::step)) + " " + std::to_string(place.step + 1) +
                    (place.block == 0
                         ? ""
                         : " " + std::string(tr(words::of_block)) + " " + std::to_string(place.block)) +
                    ":</strong> " + html_of(lesson::parse_spans(note->text)) + "</p>\n";
        return html.empty() ? html
                            : "<p><strong>" + std::string(tr(words::in_the_run)) + "</strong></p>\n" + html;
    }
};

class HandoutWriter : Writer {
  public:
    using Writer::Writer;

    Result<std::string> write() {
        std::string html = heading_html("h1", topic_.title) +
                           wrapped("p", "label", escaped(label_of(topic_))) +
                           html_of(goal_list(topic_.goals), no_figure) +
                           html_of(lesson::parse_markdown(topic_.text), no_figure);
        for (const lesson::LessonEntry& entry : topic_.lessons) {
            const Result<std::vector<CodeRow>> code = code_of(entry);
            if (!code) return code.diagnostics();
            html += wrapped("section", "lesson", lesson_html(entry, *code));
        }
        std::string sources;
        for (const std::string& source : sources_of(topic_))
            sources += "<li>" + html_of(lesson::parse_spans(source)) + "</li>\n";
        if (!sources.empty())
            html += heading_html("h2", tr(words::sources)) + wrapped("ul", "sources", sources);
        if (!problems_.empty()) return problems_;
        return html;
    }

  private:
    std::string lesson_html(const lesson::LessonEntry& entry, const std::vector<CodeRow>& code) {
        bool shown = !entry.look_at && entry.look_step < 0;
        const auto draw = [&](const Paragraph& figure) {
            shown |= shows_look(entry, figure.target);
            return figure_html(entry, figure, false, true);
        };
        std::string html = heading_html("h2", entry.title) + wrapped("p", "label", escaped(label_of(entry))) +
                           link_html(link_of(entry), link_of(entry)) +
                           html_of(goal_list(entry.goals), no_figure) +
                           html_of(lesson::parse_markdown(entry.text), draw) +
                           heading_html("h3", tr(words::code)) + code_html(code);
        Paragraph stage;
        stage.target = "stage";
        if (!entry.look.empty() || !shown) html += heading_html("h3", tr(words::look));
        html += html_of(lesson::parse_markdown(entry.look), no_figure);
        if (!shown) html += figure_html(entry, stage, true, false);
        if (!entry.timing.empty())
            html += heading_html("h3", tr(words::times)) +
                    html_of(lesson::parse_markdown(entry.timing), no_figure);
        std::vector<const lesson::Question*> questions;
        for (const lesson::Question& question : entry.questions)
            questions.push_back(&question);
        if (!questions.empty()) html += heading_html("h3", tr(words::questions)) + questions_html(questions);
        if (!entry.exercises.empty())
            html +=
                heading_html("h3", tr(words::exercises)) + html_of(exercise_list(entry.exercises), no_figure);
        if (!entry.seen.empty())
            html +=
                heading_html("h3", tr(words::seen)) + html_of(lesson::parse_markdown(entry.seen), no_figure);
        return html;
    }
};

Result<std::string> deck_of(const std::string& title, const std::string& slides, const std::string& fonts,
                            const std::string& mode, const DeckOptions& options) {
    const std::filesystem::path folder = resource_folder() / "assets" / "html";
    Result<std::string> page = read_text_file(folder / "deck.html");
    if (!page) return page.diagnostics();
    const Result<std::string> style = read_text_file(folder / "deck.css");
    if (!style) return style.diagnostics();
    const Result<std::string> program = read_text_file(folder / "deck.js");
    if (!program) return program.diagnostics();
    replace_mark(*page, "{{title}}", escaped(title));
    replace_mark(*page, "{{language}}", language());
    for (const char* words :
         {tr_later("continued"), tr_later("The last slide"), tr_later("The browser blocks the second window"),
          tr_later("since the start; a click begins again"),
          tr_later("← → slides · P presenter · N notes · Home, End")})
        replace_mark(*page, "{{" + std::string(words) + "}}", escaped(tr(words)));
    replace_mark(*page, "{{version}}", escaped(options.version));
    replace_mark(*page, "{{mode}}", mode);
    replace_mark(*page, "/*{{style}}*/", *style + fonts);
    replace_mark(*page, "/*{{program}}*/", *program);
    replace_mark(*page, "{{slides}}", slides);
    return page;
}

}  // namespace

Result<std::string> make_deck(const lesson::Topic& topic, const DeckSource& source,
                              const DeckOptions& options) {
    const Result<std::string> slides = DeckWriter(topic, source, options).write();
    if (!slides) return slides.diagnostics();
    return deck_of(topic.title, *slides, {}, options.notes ? "with-notes" : "", options);
}

Result<std::string> make_handout(const lesson::Topic& topic, const DeckSource& source,
                                 const DeckOptions& options) {
    const Result<std::string> text = HandoutWriter(topic, source, options).write();
    if (!text) return text.diagnostics();
    return deck_of(topic.title, *text, {}, "handout", options);
}

Result<std::string> make_step_deck(const std::string& title, const std::vector<StepSlide>& slides,
                                   const std::string& fonts, const DeckOptions& options) {
    std::string html;
    for (const StepSlide& slide : slides)
        html += "<section class=\"slide step\"><div class=\"sheet\"><header>" +
                wrapped("p", "part", escaped(title)) + "<h3>" + escaped(slide.heading) + "</h3>" +
                link_html(slide.link, tr(words::open)) + "</header>\n<div class=\"body\"><figure>" +
                slide.svg +
                (slide.caption.empty() ? "" : "<figcaption>" + escaped(slide.caption) + "</figcaption>") +
                "</figure></div></div></section>\n";
    return deck_of(title, html, fonts, {}, options);
}

std::string figure_page(const std::string& svg, int width, int height, const std::string& fonts) {
    return "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><style>@page{size:" + std::to_string(width) +
           "px " + std::to_string(height) +
           "px;margin:0}html{print-color-adjust:exact;-webkit-print-color-adjust:exact}body{margin:0}"
           "svg{display:block}" +
           fonts + "</style></head><body>" + svg + "</body></html>";
}

}  // namespace lanescope::page
