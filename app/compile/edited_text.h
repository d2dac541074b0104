// A source text with parts blanked and words inserted so that every line keeps its number and every byte of
// the altered text can be traced back to the original.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

class EditedText {
  public:
    explicit EditedText(std::string original) : original_(std::move(original)), blanked_(original_) {}

    const std::string& original() const { return original_; }

    // Bytes of [begin, end) become spaces; newlines stay, and so do the ranges that keep() named before.
    void blank(std::size_t begin, std::size_t end);
    void keep(std::size_t begin,
              std::size_t end);  // preprocessor lines: their #if and #endif must stay paired
    void insert(std::size_t at, std::string words);  // must hold no newline

    std::string text() const;

    // Lines and columns (bytes) from 1. The column in the original of a position in text(); a position inside
    // an insertion gives the place where it was inserted.
    int original_column(int line, int column) const;
    std::size_t original_offset(int line, int column) const;  // size of the text when there is no such line

  private:
    struct Insertion {
        std::size_t at;
        std::string words;
    };
    const std::vector<std::size_t>& line_starts() const;

    std::string original_;
    std::string blanked_;
    std::vector<std::pair<std::size_t, std::size_t>> kept_;  // ascending
    std::vector<Insertion> insertions_;                      // ascending
    mutable std::vector<std::size_t> line_starts_;
};

}  // namespace lanescope::compile
