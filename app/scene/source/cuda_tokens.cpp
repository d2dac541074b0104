#include "scene/source/cuda_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <type_traits>

#include "base/cpp_lexer.h"

namespace lanescope::scene {
namespace {

constexpr std::array<std::string_view, 46> keywords = {"alignas",       "alignof",     "asm",
                                                       "auto",          "break",       "case",
                                                       "class",         "const",       "const_cast",
                                                       "constexpr",     "continue",    "decltype",
                                                       "default",       "delete",      "do",
                                                       "else",          "enum",        "explicit",
                                                       "extern",        "false",       "for",
                                                       "friend",        "goto",        "if",
                                                       "inline",        "namespace",   "new",
                                                       "nullptr",       "operator",    "private",
                                                       "public",        "register",    "reinterpret_cast",
                                                       "return",        "sizeof",      "static",
                                                       "static_assert", "static_cast", "struct",
                                                       "switch",        "template",    "this",
                                                       "true",          "typename",    "using",
                                                       "while"};

constexpr std::array<std::string_view, 34> type_names = {
    "bool",     "char",  "cudaError_t", "dim3",    "double",   "float",   "float2",  "float3",   "float4",
    "half",     "int",   "int16_t",     "int2",    "int3",     "int32_t", "int4",    "int64_t",  "int8_t",
    "long",     "short", "signed",      "size_t",  "typedef",  "uchar4",  "uint",    "uint16_t", "uint2",
    "uint32_t", "uint4", "uint64_t",    "uint8_t", "unsigned", "void",    "volatile"};

static_assert(std::is_sorted(keywords.begin(), keywords.end()));
static_assert(std::is_sorted(type_names.begin(), type_names.end()));

// __global__, __syncthreads, __shfl_down_sync, atomicAdd, …
bool cuda_name(std::string_view word) {
    constexpr std::string_view atomic = "atomic";
    return word.starts_with("__") || (word.starts_with(atomic) && word.size() > atomic.size() &&
                                      std::isupper(static_cast<unsigned char>(word[atomic.size()])));
}

TokenKind kind_of(std::string_view word) {
    if (std::binary_search(keywords.begin(), keywords.end(), word)) return TokenKind::keyword;
    if (std::binary_search(type_names.begin(), type_names.end(), word)) return TokenKind::type_name;
    return cuda_name(word) ? TokenKind::builtin : TokenKind::plain;
}

// Cuts coloured parts of a text, which come in ascending order, at the ends of its lines.
class LinesOfTokens {
  public:
    explicit LinesOfTokens(std::string_view text) : text_(text) { open_line(0); }

    void add(std::size_t begin, std::size_t end, TokenKind kind) {
        if (kind == TokenKind::plain) return;
        while (begin < end) {
            while (begin > line_end_)
                open_line(line_end_ + 1);
            const std::size_t part = std::min(end, visible_end());
            if (begin < part)
                lines_.back().push_back(
                    {std::uint32_t(begin - line_begin_), std::uint32_t(part - begin), kind});
            begin = line_end_ + 1;
        }
    }

    std::vector<std::vector<Token>> finish() {
        while (line_end_ < text_.size())
            open_line(line_end_ + 1);
        return std::move(lines_);
    }

  private:
    void open_line(std::size_t begin) {
        line_begin_ = begin;
        line_end_ = std::min(text_.find('\n', begin), text_.size());
        lines_.emplace_back();
    }
    std::size_t visible_end() const {
        return line_end_ > line_begin_ && text_[line_end_ - 1] == '\r' ? line_end_ - 1 : line_end_;
    }

    std::string_view text_;
    std::size_t line_begin_ = 0, line_end_ = 0;
    std::vector<std::vector<Token>> lines_;
};

TokenKind kind_of(const CppToken& token) {
    switch (token.kind) {
        case CppToken::Kind::identifier:
            return kind_of(token.text);
        case CppToken::Kind::number:
            return TokenKind::number;
        case CppToken::Kind::string:
        case CppToken::Kind::character:
            return TokenKind::string;
        case CppToken::Kind::comment:
            return TokenKind::comment;
        case CppToken::Kind::punctuation:
        case CppToken::Kind::directive:
            break;
    }
    return TokenKind::plain;
}

// #include <x> as a string, other directives by their name.
void add_directive(const CppToken& directive, LinesOfTokens& lines) {
    lines.add(directive.begin, directive.begin + directive_name_end(directive), TokenKind::builtin);
    const bool include = directive_name(directive).starts_with("include");
    std::size_t header_end = 0;
    CppLexer lexer(directive);
    while (const auto token = lexer.next()) {
        if (token->begin < header_end) continue;
        if (include && header_end == 0 && token->is("<")) {
            const std::size_t at = token->begin - directive.begin;
            const std::size_t close = directive.text.find_first_of(">\n", at);
            header_end = directive.begin + (close == directive.text.npos   ? directive.text.size()
                                            : directive.text[close] == '>' ? close + 1
                                                                           : close);
            lines.add(token->begin, header_end, TokenKind::string);
        } else {
            lines.add(token->begin, token->end, kind_of(*token));
        }
    }
}

// Where a string that begins at a quotation mark ends.
std::size_t python_string_end(std::string_view text, std::size_t begin) {
    const std::string_view three = text.substr(begin, 3);
    const bool is_long = three == "\"\"\"" || three == "'''";
    if (is_long) {
        const std::size_t end = text.find(three, begin + 3);
        return end == text.npos ? text.size() : end + 3;
    }
    std::size_t at = begin + 1;
    while (at < text.size() && text[at] != text[begin] && text[at] != '\n')
        at += text[at] == '\\' ? 2 : 1;
    return std::min(at + 1, text.size());
}

TokenKind python_kind_of(std::string_view word) {
    constexpr std::array<std::string_view, 32> words = {
        "False", "None",  "True",     "and",   "as",     "assert", "async", "await",
        "break", "class", "continue", "def",   "del",    "elif",   "else",  "except",
        "for",   "from",  "global",   "if",    "import", "in",     "is",    "lambda",
        "not",   "or",    "pass",     "raise", "return", "try",    "while", "with"};
    static_assert(std::is_sorted(words.begin(), words.end()));
    return std::binary_search(words.begin(), words.end(), word) ? TokenKind::keyword : TokenKind::plain;
}

void add_python(std::string_view text, LinesOfTokens& lines) {
    const auto in_word = [&](std::size_t at) {
        return at < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at++;
        const char c = text[begin];
        TokenKind kind = TokenKind::plain;
        if (c == '#') {
            at = std::min(text.find('\n', begin), text.size());
            kind = TokenKind::comment;
        } else if (c == '"' || c == '\'') {
            at = python_string_end(text, begin);
            kind = TokenKind::string;
        } else if (in_word(begin) || c == '@') {
            const bool number = std::isdigit(static_cast<unsigned char>(c)) != 0;
            while (in_word(at) || (at < text.size() && text[at] == '.' && (number || c == '@')))
                ++at;
            kind = number     ? TokenKind::number
                   : c == '@' ? TokenKind::builtin
                              : python_kind_of(text.substr(begin, at - begin));
        }
        lines.add(begin, at, kind);
    }
}

}  // namespace

std::vector<std::vector<Token>> tokens_of_lines(std::string_view text, Language language) {
    LinesOfTokens lines(text);
    if (language == Language::python) {
        add_python(text, lines);
        return lines.finish();
    }
    CppLexer lexer(text);
    while (const auto token = lexer.next()) {
        if (token->kind == CppToken::Kind::directive)
            add_directive(*token, lines);
        else
            lines.add(token->begin, token->end, kind_of(*token));
    }
    return lines.finish();
}

}  // namespace lanescope::scene
