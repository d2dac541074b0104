// C++ source text in tokens, as far as front matter and kernel signatures need it. Comments and string
// contents never look like code.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace lanescope::lesson {

struct Token {
    enum class Kind { identifier, number, text, punctuation, comment };
    Kind kind = Kind::punctuation;
    std::string_view spelling;  // into the source
    std::size_t offset = 0;
    int line = 1, column = 1;
};

// Reads token after token; preprocessor lines are left out.
class Lexer {
  public:
    explicit Lexer(std::string_view source) : source_(source) {}
    std::optional<Token> next();

  private:
    void move(std::size_t characters);
    void skip_blank();
    std::size_t length_of_comment() const;
    std::size_t length_of_text(char quote, std::size_t from) const;
    std::size_t length_of_raw_text(std::size_t from) const;

    std::string_view source_;
    std::size_t position_ = 0;
    int line_ = 1, column_ = 1;
    bool line_start_ = true;  // nothing but white space and comments since the line began
};

}  // namespace lanescope::lesson
