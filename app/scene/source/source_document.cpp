#include "scene/source/source_document.h"

#include <algorithm>

namespace lanescope::scene {

void SourceDocument::set_text(const std::string& text) {
    if (text == text_) return;
    text_ = text;
    split();
    find_front_matter();
    folded_ = folded_ && front_last_ > front_first_;
}

void SourceDocument::split() {
    lines_.clear();
    longest_ = 0;
    const std::string_view whole = text_;
    std::vector<std::vector<Token>> tokens = tokens_of_lines(whole);
    for (std::size_t begin = 0; begin <= whole.size();) {
        const std::size_t end = std::min(whole.find('\n', begin), whole.size());
        std::string_view line = whole.substr(begin, end - begin);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        lines_.push_back({begin, line.size(), std::move(tokens[lines_.size()])});
        longest_ = std::max(longest_, line.size());
        begin = end + 1;
    }
}

void SourceDocument::find_front_matter() {
    front_first_ = front_last_ = 0;
    const std::size_t begin = text_.find_first_not_of(" \t\r\n");
    constexpr std::string_view opening = "/*--- lanescope";
    if (begin == text_.npos || std::string_view(text_).substr(begin, opening.size()) != opening) return;
    const std::size_t end = text_.find("---*/", begin);
    if (end == text_.npos) return;
    front_first_ = line_at(begin);
    front_last_ = line_at(end);
}

std::string_view SourceDocument::line(std::size_t number) const {
    if (number == 0 || number > lines_.size()) return {};
    return std::string_view(text_).substr(lines_[number - 1].begin, lines_[number - 1].length);
}

std::size_t SourceDocument::row_of(std::size_t line) const {
    if (line == 0) return 0;
    if (folded_ && line > front_first_) line = std::max(line - hidden(), front_first_);
    return std::min(line, row_count()) - 1;
}

std::size_t SourceDocument::line_of(std::size_t row) const {
    const std::size_t line = row + 1;
    return folded_ && line > front_first_ ? line + hidden() : line;
}

std::size_t SourceDocument::line_at(std::size_t byte) const {
    const auto after =
        std::upper_bound(lines_.begin(), lines_.end(), byte,
                         [](std::size_t wanted, const Line& line) { return wanted < line.begin; });
    return std::size_t(std::max<std::ptrdiff_t>(after - lines_.begin(), 1));
}

}  // namespace lanescope::scene
