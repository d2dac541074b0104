#include "scene/cuda_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

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

bool word_start(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool word_part(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

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

class Scanner {
  public:
    Scanner(std::string_view line, TokenState& state) : line_(line), state_(state) {}

    std::vector<Token> scan() {
        if (state_.inside == TokenState::Inside::comment) finish_comment(0);
        if (state_.inside == TokenState::Inside::raw_string) finish_raw_string(0);
        preprocessor_line();
        while (at_ < line_.size())
            next();
        return std::move(tokens_);
    }

  private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < line_.size() ? line_[at_ + ahead] : '\0'; }

    void add(std::size_t begin, std::size_t end, TokenKind kind) {
        at_ = std::min(end, line_.size());
        if (kind == TokenKind::plain || at_ <= begin) return;
        tokens_.push_back({std::uint32_t(begin), std::uint32_t(at_ - begin), kind});
    }

    void next() {
        const char c = peek();
        if (c == '/' && peek(1) == '/') return add(at_, line_.size(), TokenKind::comment);
        if (c == '/' && peek(1) == '*') return finish_comment(at_, 2);
        if (c == '"' || c == '\'') return quoted(c);
        if (std::isdigit(static_cast<unsigned char>(c)) ||
            (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1)))))
            return number();
        if (word_start(c)) return word();
        ++at_;
    }

    void finish_comment(std::size_t begin, std::size_t marks = 0) {
        const std::size_t end = line_.find("*/", begin + marks);
        state_.inside = end == line_.npos ? TokenState::Inside::comment : TokenState::Inside::code;
        add(begin, end == line_.npos ? line_.size() : end + 2, TokenKind::comment);
    }

    void finish_raw_string(std::size_t begin) {
        const std::size_t end = line_.find(state_.raw_end, at_);
        state_.inside = end == line_.npos ? TokenState::Inside::raw_string : TokenState::Inside::code;
        add(begin, end == line_.npos ? line_.size() : end + state_.raw_end.size(), TokenKind::string);
    }

    // R"x(…)x": `at_` is at the quote.
    bool raw_string(std::size_t begin) {
        constexpr std::size_t longest_delimiter = 16;
        const std::size_t open = line_.find('(', at_ + 1);
        if (open == line_.npos || open - at_ - 1 > longest_delimiter) return false;
        state_.raw_end = ")" + std::string(line_.substr(at_ + 1, open - at_ - 1)) + "\"";
        at_ = open;
        finish_raw_string(begin);
        return true;
    }

    void quoted(char quote) {
        std::size_t end = at_ + 1;
        while (end < line_.size() && line_[end] != quote)
            end += line_[end] == '\\' ? 2 : 1;
        add(at_, end + 1, TokenKind::string);
    }

    void number() {
        std::size_t end = at_ + 1;
        while (end < line_.size()) {
            const char c = line_[end], before = line_[end - 1];
            const bool exponent_sign =
                (c == '+' || c == '-') && (before == 'e' || before == 'E') && peek(1) != 'x';
            if (!word_part(c) && c != '.' && c != '\'' && !exponent_sign) break;
            ++end;
        }
        add(at_, end, TokenKind::number);
    }

    void word() {
        std::size_t end = at_;
        while (end < line_.size() && word_part(line_[end]))
            ++end;
        const std::string_view text = line_.substr(at_, end - at_);
        const std::size_t begin = at_;
        if (text == "R" && end < line_.size() && line_[end] == '"') {
            at_ = end;
            if (raw_string(begin)) return;
            at_ = begin;
        }
        add(begin, end, kind_of(text));
    }

    // #include <x> as a string, other directives by their name.
    void preprocessor_line() {
        const std::size_t first = line_.find_first_not_of(" \t", at_);
        if (state_.inside != TokenState::Inside::code || at_ != 0 || first == line_.npos ||
            line_[first] != '#')
            return;
        std::size_t end = line_.find_first_not_of(" \t", first + 1);
        while (end < line_.size() && word_part(line_[end]))
            ++end;
        const bool include =
            end != line_.npos && line_.substr(first, end - first).find("include") != line_.npos;
        add(first, std::min(end, line_.size()), TokenKind::builtin);
        const std::size_t open = include ? line_.find('<', at_) : line_.npos;
        if (open == line_.npos) return;
        const std::size_t close = line_.find('>', open);
        add(open, close == line_.npos ? line_.size() : close + 1, TokenKind::string);
    }

    std::string_view line_;
    TokenState& state_;
    std::size_t at_ = 0;
    std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenise_line(std::string_view line, TokenState& state) {
    return Scanner(line, state).scan();
}

}  // namespace lanescope::scene
