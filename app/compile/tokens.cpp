#include "compile/tokens.h"

#include <algorithm>
#include <cctype>

namespace lanescope::compile {

namespace {

bool starts_name(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80);
}
bool continues_name(char c) {
    return starts_name(c) || std::isdigit(static_cast<unsigned char>(c));
}

class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    std::vector<Token> run() {
        while (at_ < text_.size())
            step();
        return std::move(tokens_);
    }

  private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    bool starts_with(std::string_view what) const { return text_.substr(at_).starts_with(what); }

    void emit(Token::Kind kind, std::size_t begin) {
        tokens_.push_back({kind, begin, at_, text_.substr(begin, at_ - begin)});
        line_start_ = false;
    }

    void step() {
        const char c = peek();
        if (c == '\n') {
            line_start_ = true;
            ++at_;
        } else if (std::isspace(static_cast<unsigned char>(c)) || c == '\\') {
            ++at_;
            if (c == '\\') skip_newline();
        } else if (starts_with("//")) {
            skip_line();
        } else if (starts_with("/*")) {
            skip_block_comment();
        } else if (c == '#' && line_start_) {
            directive();
        } else if (std::isdigit(static_cast<unsigned char>(c)) ||
                   (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1))))) {
            number();
        } else if (starts_name(c)) {
            name();
        } else if (c == '"') {
            quoted('"', at_);
        } else if (c == '\'') {
            quoted('\'', at_);
        } else {
            punctuation();
        }
    }

    void skip_newline() {
        if (peek() == '\r') ++at_;
        if (peek() == '\n') ++at_;
    }

    // To the end of the logical line: a backslash before the newline continues it.
    void skip_line() {
        while (at_ < text_.size() && peek() != '\n') {
            const bool continues = peek() == '\\';
            ++at_;
            if (continues) skip_newline();
        }
    }

    void skip_block_comment() {
        const std::size_t close = text_.find("*/", at_ + 2);
        at_ = close == std::string_view::npos ? text_.size() : close + 2;
    }

    void directive() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && peek() != '\n') {
            if (starts_with("/*")) {
                skip_block_comment();
            } else if (starts_with("//")) {
                skip_line();
            } else {
                const bool continues = peek() == '\\';
                ++at_;
                if (continues) skip_newline();
            }
        }
        emit(Token::Kind::directive, begin);
    }

    void number() {
        const std::size_t begin = at_;
        while (at_ < text_.size()) {
            const char c = peek();
            const char before = at_ > begin ? text_[at_ - 1] : '\0';
            const bool exponent_sign =
                (c == '+' || c == '-') && std::string_view("eEpP").find(before) != std::string_view::npos;
            const bool separator = c == '\'' && continues_name(peek(1));
            if (!continues_name(c) && c != '.' && !separator && !(exponent_sign && before)) break;
            ++at_;
        }
        emit(Token::Kind::number, begin);
    }

    void name() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && continues_name(peek()))
            ++at_;
        const std::string_view word = text_.substr(begin, at_ - begin);
        const bool prefix = word == "L" || word == "u" || word == "U" || word == "u8";
        const bool raw = word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
        if (raw && peek() == '"')
            raw_string(begin);
        else if (prefix && (peek() == '"' || peek() == '\''))
            quoted(peek(), begin);
        else
            emit(Token::Kind::identifier, begin);
    }

    void quoted(char quote, std::size_t begin) {
        ++at_;
        while (at_ < text_.size() && peek() != quote && peek() != '\n')
            at_ += peek() == '\\' ? 2 : 1;
        at_ = std::min(at_, text_.size());
        if (peek() == quote) ++at_;
        emit(quote == '"' ? Token::Kind::string : Token::Kind::character, begin);
    }

    void raw_string(std::size_t begin) {
        const std::size_t open = text_.find('(', at_);
        std::size_t close = std::string_view::npos;
        std::string ending;
        if (open != std::string_view::npos && open - at_ <= 17) {  // a delimiter has at most 16 characters
            ending = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
            close = text_.find(ending, open);
        }
        at_ = close == std::string_view::npos ? text_.size() : close + ending.size();
        emit(Token::Kind::string, begin);
    }

    void punctuation() {
        const std::size_t begin = at_;
        at_ += starts_with("<<<") ? 3 : starts_with("::") ? 2 : 1;
        emit(Token::Kind::punctuation, begin);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool line_start_ = true;
    std::vector<Token> tokens_;
};

// Comments and line continuations become single spaces.
std::string without_comments(std::string_view line) {
    std::string out;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line.substr(i).starts_with("//")) break;
        if (line.substr(i).starts_with("/*")) {
            const std::size_t close = line.find("*/", i + 2);
            if (close == std::string_view::npos) break;
            i = close + 1;
            out += ' ';
        } else if (line[i] == '\\' && i + 1 < line.size() && (line[i + 1] == '\n' || line[i + 1] == '\r')) {
            i += line[i + 1] == '\r' && i + 2 < line.size() && line[i + 2] == '\n' ? 2 : 1;
            out += ' ';
        } else if (line[i] != '\r') {
            out += line[i];
        }
    }
    return out;
}

}  // namespace

std::vector<Token> tokenize(std::string_view text) {
    return Scanner(text).run();
}

std::string_view directive_name(const Token& directive, std::string* rest) {
    std::size_t at = 1;  // after '#'
    const std::string_view text = directive.text;
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
        ++at;
    std::size_t end = at;
    while (end < text.size() && continues_name(text[end]))
        ++end;
    if (rest) *rest = without_comments(text.substr(end));
    return text.substr(at, end - at);
}

}  // namespace lanescope::compile
