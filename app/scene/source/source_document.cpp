#include "scene/source/source_document.h"

#include <algorithm>
#include <utility>

namespace lanescope::scene {

void SourceDocument::set_text(const std::string& text, Language language) {
    if (text == text_) return;
    text_ = text;
    split(language);
    find_front_matter();
    folded_ = folded_ && front_last_ > front_first_;
    make_rows();
}

void SourceDocument::fold(bool folded) {
    folded = folded && front_last_ > front_first_;
    if (std::exchange(folded_, folded) != folded) make_rows();
}

void SourceDocument::wrap(std::size_t columns) {
    if (columns == columns_) return;
    columns_ = columns;
    make_rows();
}

void SourceDocument::make_rows() {
    rows_.clear();
    for (std::size_t line = 1; line <= lines_.size(); ++line) {
        if (folded_ && line == front_first_) {
            rows_.push_back({line, 0, 0, 0, true});
            line = front_last_;
        } else {
            add_rows(line);
        }
    }
}

// Breaks a line at spaces; a word that is longer than a row is cut.
void SourceDocument::add_rows(std::size_t number) {
    constexpr std::size_t fewest_columns = 16, continued = 4;
    const std::string_view text = line(number);
    const std::size_t spaces = std::min(text.find_first_not_of(' '), text.size());
    std::size_t begin = 0, indent = 0;
    while (columns_ >= fewest_columns) {
        const std::size_t room = columns_ - indent, left = text.size() - begin;
        if (left <= room) break;
        const std::size_t most = room;
        std::size_t end = text.rfind(' ', begin + most);
        if (end == text.npos || end <= begin + (begin == 0 ? spaces : 0)) {
            end = begin + most;
            while (end > begin + 1 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
                --end;
        }
        rows_.push_back({number, begin, end - begin, indent, false});
        begin = std::min(text.find_first_not_of(' ', end), text.size());
        indent = std::min(spaces + continued, columns_ / 2);
    }
    rows_.push_back({number, begin, text.size() - begin, indent, true});
}

void SourceDocument::split(Language language) {
    lines_.clear();
    longest_ = 0;
    const std::string_view whole = text_;
    std::vector<std::vector<Token>> tokens = tokens_of_lines(whole, language);
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
    const auto after = std::upper_bound(rows_.begin(), rows_.end(), line,
                                        [](std::size_t wanted, const Row& row) { return wanted < row.line; });
    std::size_t row = std::size_t(std::max<std::ptrdiff_t>(after - rows_.begin(), 1)) - 1;
    while (row > 0 && rows_[row - 1].line == rows_[row].line)
        --row;
    return row;
}

std::size_t SourceDocument::line_of(std::size_t row) const {
    return rows_[std::min(row, rows_.size() - 1)].line;
}

std::size_t SourceDocument::line_at(std::size_t byte) const {
    const auto after =
        std::upper_bound(lines_.begin(), lines_.end(), byte,
                         [](std::size_t wanted, const Line& line) { return wanted < line.begin; });
    return std::size_t(std::max<std::ptrdiff_t>(after - lines_.begin(), 1));
}

}  // namespace lanescope::scene
