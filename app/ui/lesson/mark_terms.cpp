#include <set>

#include "ui/lesson/markdown.h"

namespace lanescope::ui {
namespace {

void mark(std::vector<Span>& spans, const Glossary& glossary, std::set<std::size_t>& known) {
    for (Span& span : spans) {
        if (span.style == SpanStyle::code || span.style == SpanStyle::link) continue;
        for (const TermSpan& term : glossary.spans(span.text))
            if (!term.ambiguous && known.insert(term.term).second) span.terms.push_back(term);
    }
}

}  // namespace

void mark_terms(std::vector<Paragraph>& paragraphs, const Glossary& glossary) {
    std::set<std::size_t> known;
    for (Paragraph& paragraph : paragraphs) {
        if (paragraph.kind == ParagraphKind::heading) continue;
        mark(paragraph.spans, glossary, known);
        for (TableRow& row : paragraph.rows)
            for (std::vector<Span>& cell : row)
                mark(cell, glossary, known);
    }
}

}  // namespace lanescope::ui
