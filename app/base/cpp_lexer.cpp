#include "base/cpp_lexer.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"

namespace lanescope {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Bytes of UTF-8 beyond ASCII count as letters, as in compilers.
bool starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (c & 0x80) != 0;
}

bool continues_name(char c) {
    return starts_name(c) || is_digit(c);
}

}  // namespace

CppLexer::CppLexer(const CppToken& directive)
    : source_(directive.text),
      base_(directive.begin),
      line_(directive.line),
      column_(directive.column),
      line_start_(false) {
    move_to(directive_name_end(directive));
}

bool CppLexer::ends_line(std::size_t at) const {
    return at >= source_.size() || source_[at] == '\n' || (source_[at] == '\r' && character(at + 1) == '\n');
}

std::size_t CppLexer::past_continuations(std::size_t at) const {
    while (at + 1 < source_.size() && source_[at] == '\\' && ends_line(at + 1))
        at += source_[at + 1] == '\r' ? 3 : 2;
    return at;
}

bool CppLexer::is_blank(std::size_t at) const {
    return at < source_.size() && std::string_view(" \t\r\n\f\v").find(source_[at]) != std::string_view::npos;
}

void CppLexer::move_to(std::size_t end) {
    for (; at_ < end; ++at_) {
        if (source_[at_] == '\n') {
            ++line_;
            column_ = 1;
        } else if ((source_[at_] & 0xc0) != 0x80) {  // UTF-8: continuation bytes take no column
            ++column_;
        }
    }
}

void CppLexer::skip_blank() {
    for (;;) {
        move_to(past_continuations(at_));
        if (!is_blank(at_)) return;
        line_start_ = line_start_ || source_[at_] == '\n';
        move_to(at_ + 1);
    }
}

std::optional<CppToken> CppLexer::next() {
    skip_blank();
    if (at_ >= source_.size()) return std::nullopt;
    const Extent found = line_start_ && source_[at_] == '#'
                             ? Extent{CppToken::Kind::directive, end_of_directive(at_)}
                             : extent(at_);
    CppToken token{found.kind, base_ + at_, base_ + found.end,
                   line_,      column_,     source_.substr(at_, found.end - at_)};
    move_to(found.end);
    // [cpp.pre]: a comment is one space, even with newlines in it, so it neither begins nor ends a line.
    if (found.kind != CppToken::Kind::comment) line_start_ = false;
    return token;
}

CppLexer::Extent CppLexer::extent(std::size_t at) const {
    using Kind = CppToken::Kind;
    const char c = source_[at];
    const char second = character_after(at);
    if (c == '/' && second == '/') return {Kind::comment, end_of_line_comment(at)};
    if (c == '/' && second == '*') return {Kind::comment, end_of_block_comment(at)};
    if (is_digit(c) || (c == '.' && is_digit(second))) return {Kind::number, end_of_number(at)};
    if (c == '"') return {Kind::string, end_of_quoted(at)};
    if (c == '\'') return {Kind::character, end_of_quoted(at)};
    if (!starts_name(c)) {
        const std::string_view rest = source_.substr(at, 3);
        return {Kind::punctuation, at + (rest == "<<<" ? 3 : rest.starts_with("::") ? 2 : 1)};
    }
    const std::size_t end = end_of_name(at);
    const std::string_view name = source_.substr(at, end - at);
    const char quote = character(end);
    if (quote == '"' && one_of(name, {"R", "LR", "uR", "UR", "u8R"}))
        return {Kind::string, end_of_raw_string(end)};
    if ((quote == '"' || quote == '\'') && one_of(name, {"L", "u", "U", "u8"}))
        return {quote == '"' ? Kind::string : Kind::character, end_of_quoted(end)};
    return {Kind::identifier, end};
}

std::size_t CppLexer::end_of_directive(std::size_t at) const {
    std::size_t end = at + 1;
    for (at = after(at); !ends_line(at);) {
        if (is_blank(at)) {
            at = after(at);
        } else {
            end = extent(at).end;
            at = past_continuations(end);
        }
    }
    return end;
}

std::size_t CppLexer::end_of_line_comment(std::size_t at) const {
    while (!ends_line(at))
        at = after(at);
    return std::min(at, source_.size());
}

std::size_t CppLexer::end_of_block_comment(std::size_t at) const {
    for (at = after(after(at)); at < source_.size(); at = after(at))
        if (source_[at] == '*' && character_after(at) == '/') return after(at) + 1;
    return source_.size();
}

std::size_t CppLexer::end_of_number(std::size_t at) const {
    const char kind = character_after(at);
    const std::string_view exponents = source_[at] == '0' && (kind == 'x' || kind == 'X') ? "pP" : "eE";
    for (;;) {
        const char before = source_[at];
        const std::size_t end = at + 1;
        at = after(at);
        const char c = character(at);
        const bool sign = (c == '+' || c == '-') && exponents.find(before) != std::string_view::npos;
        const bool separator = c == '\'' && continues_name(character_after(at));
        if (!continues_name(c) && c != '.' && !sign && !separator) return end;
    }
}

std::size_t CppLexer::end_of_name(std::size_t at) const {
    for (;;) {
        const std::size_t end = at + 1;
        at = after(at);
        if (!continues_name(character(at))) return end;
    }
}

std::size_t CppLexer::end_of_quoted(std::size_t quote) const {
    std::size_t at = after(quote);
    for (; !ends_line(at); at = after(at)) {
        if (source_[at] == source_[quote]) return at + 1;
        if (source_[at] == '\\' && ends_line(after(at))) return std::min(after(at), source_.size());
        if (source_[at] == '\\') at = after(at);
    }
    return std::min(at, source_.size());
}

// R"delimiter( … )delimiter"; line continuations stay in the text, [lex.phases] 2.
std::size_t CppLexer::end_of_raw_string(std::size_t quote) const {
    constexpr std::size_t max_delimiter = 16;  // [lex.string] 1
    const std::size_t begin = quote + 1;
    const std::string_view head = source_.substr(begin, max_delimiter + 1);
    const std::size_t open = head.find_first_of("() \\\t\v\f\r\n");
    if (open == std::string_view::npos || head[open] != '(') return end_of_quoted(quote);
    const std::string ending = ")" + std::string(head.substr(0, open)) + "\"";
    const std::size_t close = source_.find(ending, begin + open + 1);
    return close == std::string_view::npos ? source_.size() : close + ending.size();
}

namespace {

std::vector<CppToken> without_comments(CppLexer lexer) {
    std::vector<CppToken> tokens;
    while (const auto token = lexer.next())
        if (token->kind != CppToken::Kind::comment) tokens.push_back(*token);
    return tokens;
}

}  // namespace

std::vector<CppToken> tokenize_cpp(std::string_view source) {
    return without_comments(CppLexer(source));
}

std::size_t directive_name_end(const CppToken& directive) {
    std::size_t end = directive.text.find_first_not_of(" \t", 1);
    if (end == std::string_view::npos) return directive.text.size();
    if (!continues_name(directive.text[end])) return 1;
    while (end < directive.text.size() && continues_name(directive.text[end]))
        ++end;
    return end;
}

std::string_view directive_name(const CppToken& directive) {
    const std::string_view head = directive.text.substr(0, directive_name_end(directive));
    return head.substr(std::min(head.find_first_not_of("# \t"), head.size()));
}

std::vector<CppToken> directive_tokens(const CppToken& directive) {
    return without_comments(CppLexer(directive));
}

}  // namespace lanescope
