// A source text with blanked parts and inserted words. Every line keeps its number, and every position of the
// altered text maps back to the original.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

class EditedText {
  public:
    explicit EditedText(std::string original) : original_(std::move(original)), blanked_(original_) {}

    const std::string& original() const { return original_; }

    // Replaces the bytes of [begin, end) with spaces, except newlines and ranges that keep() named before.
    void blank(std::size_t begin, std::size_t end);
    void keep(std::size_t begin,
              std::size_t end);  // for preprocessor lines, whose #if and #endif must stay paired
    void insert(std::size_t at, std::string words);  // without newlines

    std::string text() const;

    // Returns the column in the original of a position in text(); for a position inside an insertion, the
    // place of the insertion. Lines and columns (bytes) count from 1.
    int original_column(int line, int column) const;
    std::size_t original_offset(int line, int column) const;  // the text's size if the line does not exist

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
