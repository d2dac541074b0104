// C++ source text as tokens, for everything that looks at source without compiling it: host code, kernels'
// signatures, colours, expressions. Source: ISO C++20, [lex]. Modelled: comments, line continuations
// everywhere but in raw strings, string and character literals with their prefixes, raw strings with
// delimiters of at most 16 characters, numbers with digit separators, preprocessor lines. Inaccuracies: no
// trigraphs, digraphs or suffixes of literals (`"a"s` is two tokens); `0xe+1` is three tokens, not one
// malformed number.
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
    int line = 1, column = 1;        // of the beginning; the column counts code points of UTF-8
    std::string_view text;  // into the source, which must outlive the token; with its line continuations

    bool is(std::string_view what) const { return kind != Kind::string && text == what; }
    bool is_identifier() const { return kind == Kind::identifier; }
};

// Reads token after token, in time linear in the text; between two tokens stand only white space and line
// continuations. It never fails, as compilers go on after such errors: a literal without an end stops before
// the end of its line; a comment or a raw string without an end goes on to the end of the text; a raw string
// with a bad delimiter is an ordinary string.
// "::" and "<<<" are one token each, every other punctuation mark is a token of one byte. A directive is one
// token, from its '#' to the last token of its line.
class CppLexer {
  public:
    explicit CppLexer(std::string_view source) : source_(source) {}
    // The tokens of a directive that stand behind its name.
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
    std::size_t at_ = 0, base_ = 0;  // base_: where `source_` begins in the text that offsets count in
    int line_ = 1, column_ = 1;
    bool line_start_ = true;  // nothing but white space and comments since the line began
};

// All tokens but comments.
std::vector<CppToken> tokenize_cpp(std::string_view source);
// "define" of "#  define X 1"; the end of "# define" as an offset in the directive's text.
std::string_view directive_name(const CppToken& directive);
std::size_t directive_name_end(const CppToken& directive);
// The tokens behind the name, but comments.
std::vector<CppToken> directive_tokens(const CppToken& directive);

}  // namespace lanescope
