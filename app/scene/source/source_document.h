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
    void set_text(const std::string& text);

    const std::string& text() const { return text_; }
    std::size_t line_count() const { return lines_.size(); }
    std::string_view line(std::size_t number) const;  // from 1
    const std::vector<Token>& tokens(std::size_t number) const { return lines_[number - 1].tokens; }
    std::size_t max_line_length() const { return longest_; }  // bytes

    // Lines of the leading front matter, 0 and 0 when there is none.
    std::size_t front_first() const { return front_first_; }
    std::size_t front_last() const { return front_last_; }

    // What is shown, row by row: every line, or the front matter as one row.
    void fold(bool folded) { folded_ = folded && front_last_ > front_first_; }
    bool folded() const { return folded_; }
    std::size_t row_count() const { return lines_.size() - hidden(); }
    std::size_t row_of(std::size_t line) const;  // row, from 0, that shows the line
    std::size_t line_of(std::size_t row) const;  // its first line
    // The line that holds this byte of the text.
    std::size_t line_at(std::size_t byte) const;
    std::size_t line_begin(std::size_t number) const { return lines_[number - 1].begin; }

  private:
    struct Line {
        std::size_t begin = 0, length = 0;
        std::vector<Token> tokens;
    };
    void split();
    void find_front_matter();
    std::size_t hidden() const { return folded_ ? front_last_ - front_first_ : 0; }

    std::string text_;
    std::vector<Line> lines_{1};
    std::size_t longest_ = 0, front_first_ = 0, front_last_ = 0;
    bool folded_ = false;
};

}  // namespace lanescope::scene
