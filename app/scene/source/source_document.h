// A source text ready to be drawn: lines, their colours, and the front matter that is folded away.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scene/source/cuda_tokens.h"

namespace lanescope::scene {

class SourceDocument {
  public:
    // Does nothing when it holds this text already.
    void set_text(const std::string& text, Language language = Language::cuda);

    const std::string& text() const { return text_; }
    std::size_t line_count() const { return lines_.size(); }
    std::string_view line(std::size_t number) const;  // from 1
    const std::vector<Token>& tokens(std::size_t number) const { return lines_[number - 1].tokens; }
    std::size_t max_line_length() const { return longest_; }  // bytes

    // Lines of the leading front matter, 0 and 0 when there is none.
    std::size_t front_first() const { return front_first_; }
    std::size_t front_last() const { return front_last_; }

    // What is shown, row by row: every line, or the front matter as one row. Lines of more bytes than
    // `columns` take several rows. 0 columns: no limit.
    void fold(bool folded);
    bool folded() const { return folded_; }
    void wrap(std::size_t columns);
    std::size_t wrapped_at() const { return columns_; }
    struct Row {
        std::size_t line = 0;               // from 1; of the folded front matter the first one
        std::size_t begin = 0, length = 0;  // bytes of the line
        std::size_t indent = 0;             // columns before them, of the rows after the first
        bool last = true;                   // of its line
    };
    const Row& row(std::size_t index) const { return rows_[index]; }
    std::size_t row_count() const { return rows_.size(); }
    std::size_t row_of(std::size_t line) const;  // row, from 0, that shows the line's beginning
    std::size_t line_of(std::size_t row) const;  // its line
    // The line that holds this byte of the text.
    std::size_t line_at(std::size_t byte) const;
    std::size_t line_begin(std::size_t number) const { return lines_[number - 1].begin; }

  private:
    struct Line {
        std::size_t begin = 0, length = 0;
        std::vector<Token> tokens;
    };
    void split(Language language);
    void find_front_matter();
    void make_rows();
    void add_rows(std::size_t line);

    std::string text_;
    std::vector<Line> lines_{1};
    std::size_t longest_ = 0, front_first_ = 0, front_last_ = 0;
    std::size_t columns_ = 0;
    std::vector<Row> rows_{{1, 0, 0, 0, true}};
    bool folded_ = false;
};

}  // namespace lanescope::scene
