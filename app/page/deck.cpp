#include "page/deck.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/files.h"
#include "base/folders.h"
#include "base/language.h"
#include "lesson/course/figure.h"
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
    constexpr std::array names = {"topic", "lesson", "text", "code", "question", "answer"};
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

class DeckWriter {
  public:
    DeckWriter(const lesson::Topic& topic, const DrawFigure& draw) : topic_(topic), draw_(draw) {}

    Result<std::string> write() {
        const Result<std::vector<Slide>> slides = slides_of(topic_);
        if (!slides) return slides.diagnostics();
        for (const Slide& slide : *slides)
            write_slide(slide);
        if (!problems_.empty()) return problems_;
        return std::move(html_);
    }

  private:
    void write_slide(const Slide& slide) {
        const std::string kind = std::string("slide ") + name_of(slide.kind);
        const std::string heading = heading_of(slide.kind);
        std::string head;
        if (!slide.part.empty()) head += wrapped("p", "part", escaped(slide.part));
        head += "<" + heading + ">" + html_of(slide.heading) + "</" + heading + ">";
        if (!slide.label.empty()) head += wrapped("p", "label", escaped(slide.label));
        html_ += "<section class=\"" + kind + "\"><div class=\"sheet\"><header>" + head +
                 "</header>\n<div class=\"body\">" + body_of(slide) + "</div></div>\n" + notes_of(slide, {}) +
                 "</section>\n";
    }

    std::string body_of(const Slide& slide) {
        const auto draw = [&](const Paragraph& figure) {
            return slide.entry ? figure_html(slide, figure) : std::string();
        };
        std::string html;
        if (!slide.asked.empty()) html += wrapped("div", "asked", html_of(slide.asked, draw)) + "\n";
        if (!slide.code.empty()) html += code_html(slide.code);
        html += html_of(slide.text, draw);
        if (slide.picture.empty()) return html;
        Paragraph picture;
        picture.target = slide.picture;
        const Result<FigureImage> image = draw_(*slide.entry, slide.picture);
        if (image) return html + image_html(slide, picture, *image);
        if (!image.diagnostics().front().file.empty()) fail(*slide.entry, image.diagnostics());
        return html + notes_of(slide, slide.picture);
    }

    std::string notes_of(const Slide& slide, const std::string& figure) const {
        std::string notes;
        for (const SlideNote& each : slide.notes)
            if (each.figure == figure)
                notes += "<p><strong>" + escaped(place_of(*each.note)) + ":</strong></p>" +
                         html_of(lesson::parse_markdown(each.note->text),
                                 [](const Paragraph&) { return std::string(); });
        return notes.empty() ? notes : wrapped("aside", "notes", notes) + "\n";
    }

    std::string figure_html(const Slide& slide, const Paragraph& paragraph) {
        const Result<lesson::Figure> figure = lesson::parse_figure(paragraph.target);
        if (!figure) return fail(*slide.entry, figure.diagnostics());
        const Result<FigureImage> image = draw_(*slide.entry, paragraph.target);
        return image ? image_html(slide, paragraph, *image) : fail(*slide.entry, image.diagnostics());
    }

    std::string image_html(const Slide& slide, const Paragraph& paragraph, const FigureImage& image) const {
        const std::string caption = html_of(paragraph.spans);
        return "<figure data-least=\"" + std::to_string(image.least_height) + "\"><img alt=\"" +
               escaped(text_of(paragraph.spans)) + "\" width=\"" + std::to_string(image.width) +
               "\" height=\"" + std::to_string(image.height) + "\" src=\"data:image/png;base64," +
               base64(image.png) + "\">" +
               (caption.empty() ? "" : "<figcaption>" + caption + "</figcaption>") +
               notes_of(slide, paragraph.target) + "</figure>\n";
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
    const DrawFigure& draw_;
    std::string html_;
    Diagnostics problems_;
};

Result<std::string> deck_of(const std::string& title, const std::string& slides, const std::string& fonts,
                            const DeckOptions& options) {
    const std::filesystem::path folder = resource_folder() / "assets" / "html";
    Result<std::string> page = read_text_file(folder / "deck.html");
    if (!page) return page.diagnostics();
    const Result<std::string> style = read_text_file(folder / "deck.css");
    if (!style) return style.diagnostics();
    const Result<std::string> program = read_text_file(folder / "deck.js");
    if (!program) return program.diagnostics();
    replace_mark(*page, "{{title}}", escaped(title));
    replace_mark(*page, "{{language}}", language());
    replace_mark(*page, "{{continued}}", escaped(tr("continued")));
    replace_mark(*page, "{{keys}}", escaped(tr("← → slides · N notes · Home, End")));
    replace_mark(*page, "{{version}}", escaped(options.version));
    replace_mark(*page, "{{mode}}", options.notes ? "with-notes" : "");
    replace_mark(*page, "/*{{style}}*/", *style + fonts);
    replace_mark(*page, "/*{{program}}*/", *program);
    replace_mark(*page, "{{slides}}", slides);
    return page;
}

}  // namespace

Result<std::string> make_deck(const lesson::Topic& topic, const DrawFigure& draw,
                              const DeckOptions& options) {
    const Result<std::string> slides = DeckWriter(topic, draw).write();
    if (!slides) return slides.diagnostics();
    return deck_of(topic.title, *slides, {}, options);
}

Result<std::string> make_step_deck(const std::string& title, const std::vector<StepSlide>& slides,
                                   const std::string& fonts, const DeckOptions& options) {
    std::string html;
    for (const StepSlide& slide : slides)
        html += "<section class=\"slide step\"><div class=\"sheet\"><header>" +
                wrapped("p", "part", escaped(title)) + "<h3>" + escaped(slide.heading) +
                "</h3></header>\n<div class=\"body\"><figure>" + slide.svg +
                (slide.caption.empty() ? "" : "<figcaption>" + escaped(slide.caption) + "</figcaption>") +
                "</figure></div></div></section>\n";
    return deck_of(title, html, fonts, options);
}

std::string figure_page(const std::string& svg, int width, int height, const std::string& fonts) {
    return "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><style>@page{size:" + std::to_string(width) +
           "px " + std::to_string(height) +
           "px;margin:0}html{print-color-adjust:exact;-webkit-print-color-adjust:exact}body{margin:0}"
           "svg{display:block}" +
           fonts + "</style></head><body>" + svg + "</body></html>";
}

}  // namespace lanescope::page
