// Splits C++ source text into tokens for all code that reads source without compiling it: host code, kernels'
// signatures, colours, expressions. Source: ISO C++20, [lex]. Modelled: comments, line continuations except
// in raw strings, string and character literals with their prefixes, raw strings with delimiters of at most
// 16 characters, numbers with digit separators, preprocessor lines. Inaccuracies: no trigraphs, digraphs or
// suffixes of literals (`"a"s` is two tokens); `0xe+1` is three tokens, not one malformed number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lanescope {

struct CppToken {
    enum class Kind : std::uint8_t { identifier, number, string, character, punctuation, directive, comment };
    Kind kind = Kind::punctuation;
    std::size_t begin = 0, end = 0;  // byte offsets [begin, end) in the source
    int line = 1, column = 1;        // position of `begin`; the column counts code points of UTF-8
    std::string_view text;           // includes line continuations; the source must outlive the token

    bool is(std::string_view what) const { return kind != Kind::string && text == what; }
    bool is_identifier() const { return kind == Kind::identifier; }
};

// Reads token after token, in time linear in the text. Only white space and line continuations separate two
// tokens. Like a compiler, the lexer goes on after an error: an unterminated literal stops before the end of
// its line; an unterminated comment or raw string extends to the end of the text; a raw string with a bad
// delimiter is an ordinary string. "::" and "<<<" are one token each; every other punctuation mark is a token
// of one byte. A directive is one token from its '#' to the last token of its line.
class CppLexer {
  public:
    explicit CppLexer(std::string_view source) : source_(source) {}
    // Reads the tokens that follow the directive's name.
    explicit CppLexer(const CppToken& directive);

    std::optional<CppToken> next();

  private:
    struct Extent {
        CppToken::Kind kind;
        std::size_t end;
    };

    bool ends_line(std::size_t at) const;
    std::size_t past_continuations(std::size_t at) const;
    char character(std::size_t at) const { return at < source_.size() ? source_[at] : '\0'; }
    std::size_t after(std::size_t at) const { return past_continuations(at + 1); }
    char character_after(std::size_t at) const { return character(after(at)); }
    bool is_blank(std::size_t at) const;

    void skip_blank();
    void move_to(std::size_t end);
    Extent extent(std::size_t at) const;
    std::size_t end_of_directive(std::size_t at) const;
    std::size_t end_of_line_comment(std::size_t at) const;
    std::size_t end_of_block_comment(std::size_t at) const;
    std::size_t end_of_number(std::size_t at) const;
    std::size_t end_of_name(std::size_t at) const;
    std::size_t end_of_quoted(std::size_t quote) const;
    std::size_t end_of_raw_string(std::size_t quote) const;

    std::string_view source_;
    std::size_t at_ = 0, base_ = 0;  // base_: offset of `source_` in the text that tokens' offsets refer to
    int line_ = 1, column_ = 1;
    bool line_start_ = true;  // only white space and comments since the line began
};

// All tokens except comments.
std::vector<CppToken> tokenize_cpp(std::string_view source);
// "define" of "#  define X 1"; the end of "# define" as an offset in the directive's text.
std::string_view directive_name(const CppToken& directive);
std::size_t directive_name_end(const CppToken& directive);
// The tokens that follow the name, except comments.
std::vector<CppToken> directive_tokens(const CppToken& directive);

}  // namespace lanescope
