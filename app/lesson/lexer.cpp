#include "lesson/lexer.h"

#include <algorithm>
#include <string>

namespace lanescope::lesson {

namespace {

bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

void Lexer::move(std::size_t characters) {
    for (std::size_t end = std::min(position_ + characters, source_.size()); position_ < end; ++position_) {
        if (source_[position_] == '\n') {
            ++line_;
            column_ = 1;
            line_start_ = true;
        } else if ((source_[position_] & 0xc0) != 0x80) {  // UTF-8: continuation bytes take no column
            ++column_;
        }
    }
}

void Lexer::skip_blank() {
    while (position_ < source_.size()) {
        const char c = source_[position_];
        if (c == '#' && line_start_) {
            std::size_t end = position_;
            while (end < source_.size() && (source_[end] != '\n' || source_[end - 1] == '\\' ||
                                            (source_[end - 1] == '\r' && source_[end - 2] == '\\')))
                ++end;
            move(end - position_);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v') {
            move(1);
        } else {
            return;
        }
    }
}

std::size_t Lexer::length_of_comment() const {
    const std::string_view rest = source_.substr(position_);
    if (rest.starts_with("//")) return std::min(rest.find('\n'), rest.size());
    if (!rest.starts_with("/*")) return 0;
    const std::size_t end = rest.find("*/", 2);
    return end == std::string_view::npos ? rest.size() : end + 2;
}

std::size_t Lexer::length_of_text(char quote, std::size_t from) const {
    std::size_t end = from + 1;
    while (end < source_.size() && source_[end] != quote && source_[end] != '\n')
        end += source_[end] == '\\' ? 2 : 1;
    return std::min(end + 1, source_.size()) - from;
}

// R"mark( … )mark"
std::size_t Lexer::length_of_raw_text(std::size_t from) const {
    const std::size_t open = source_.find('(', from);
    if (open == std::string_view::npos || open - from > 20) return length_of_text('"', from);
    const std::string mark = ")" + std::string(source_.substr(from + 1, open - from - 1)) + "\"";
    const std::size_t end = source_.find(mark, open);
    return (end == std::string_view::npos ? source_.size() : end + mark.size()) - from;
}

std::optional<Token> Lexer::next() {
    skip_blank();
    if (position_ >= source_.size()) return std::nullopt;
    Token token;
    token.offset = position_;
    token.line = line_;
    token.column = column_;
    const char c = source_[position_];
    std::size_t length = length_of_comment();
    if (length > 0) {
        token.kind = Token::Kind::comment;
    } else if (is_digit(c)) {
        token.kind = Token::Kind::number;
        // 1'000 holds a digit separator, which must not look like a character literal
        while (position_ + length < source_.size() &&
               (is_name(source_[position_ + length]) || source_[position_ + length] == '.' ||
                (source_[position_ + length] == '\'' && position_ + length + 1 < source_.size() &&
                 is_name(source_[position_ + length + 1]))))
            ++length;
    } else if (is_name(c)) {
        token.kind = Token::Kind::identifier;
        while (position_ + length < source_.size() && is_name(source_[position_ + length]))
            ++length;
        if (position_ + length < source_.size() && source_[position_ + length] == '"' &&
            source_[position_ + length - 1] == 'R' && length <= 3) {
            token.kind = Token::Kind::text;
            length += length_of_raw_text(position_ + length);
        }
    } else if (c == '"' || c == '\'') {
        token.kind = Token::Kind::text;
        length = length_of_text(c, position_);
    } else {
        length = source_.substr(position_, 2) == "::" ? 2 : 1;
    }
    token.spelling = source_.substr(position_, length);
    move(length);
    if (token.kind != Token::Kind::comment) line_start_ = false;
    return token;
}

}  // namespace lanescope::lesson
