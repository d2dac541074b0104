#include "expression/parser.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/cpp_lexer.h"

namespace lanescope::expression {

namespace {

using Op = Node::Op;

// Binary operators from the loosest to the tightest. Within a level, a longer operator stands before its
// prefix.
const std::vector<std::vector<std::string_view>>& levels() {
    static const std::vector<std::vector<std::string_view>> all = {
        {"||"},       {"&&"},     {"|"},          {"^", "xor"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"},
        {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
    return all;
}

constexpr std::size_t max_length = 4096;
constexpr int max_depth = 200;   // of nesting; far beyond what a person types
constexpr int max_height = 500;  // of the tree; a long sum is deep, and evaluators are recursive

// Reads a literal of C++20, [lex.icon] and [lex.fcon], without binary numbers and hexadecimal fractions.
// Returns nothing if the spelling is not a number.
std::optional<Literal> literal_of(std::string_view spelling, bool& too_large) {
    std::string digits;
    std::copy_if(spelling.begin(), spelling.end(), std::back_inserter(digits),
                 [](char c) { return c != '\''; });
    Literal literal;
    literal.hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    const char* const end = digits.data() + digits.size();
    const char* const first = digits.data() + (literal.hexadecimal ? 2 : 0);
    std::from_chars_result read = std::from_chars(first, end, literal.whole, literal.hexadecimal ? 16 : 10);
    literal.octal = read.ptr - first > 1 && *first == '0' && !literal.hexadecimal;
    literal.is_real = !literal.hexadecimal && digits.find_first_of(".eE") != std::string::npos;
    literal.octal = literal.octal && !literal.is_real;
    if (literal.is_real) read = std::from_chars(first, end, literal.real);
    too_large = read.ec == std::errc::result_out_of_range;
    if (read.ec != std::errc{}) return std::nullopt;
    std::string suffix(read.ptr, end);
    std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    literal.has_f = suffix == "f";
    literal.has_u = suffix.starts_with("u") || suffix.ends_with("u");
    literal.has_l = suffix.find('l') != std::string::npos;
    constexpr std::string_view whole_suffixes[] = {"", "u", "l", "ul", "lu", "ll", "ull", "llu"};
    const bool known = literal.is_real ? suffix.empty() || suffix == "f" || suffix == "l"
                                       : std::find(std::begin(whole_suffixes), std::end(whole_suffixes),
                                                   suffix) != std::end(whole_suffixes);
    if (!known) return std::nullopt;
    return literal;
}

class Parser {
  public:
    Parser(std::string_view text, Caret caret) : text_(text), caret_(caret) {
        if (text.size() <= max_length) tokens_ = tokenize_cpp(text);
    }

    Result<SyntaxTree> parse() {
        if (text_.size() > max_length)
            return error_at({}, 0, 1, "the expression is longer than 4096 characters");
        tree_.root = conditional();
        if (!failed_ && next_ < tokens_.size()) unexpected("an operator or the end is expected here");
        if (failed_) return problem_;
        return std::move(tree_);
    }

  private:
    // --- Tokens
    // ---------------------------------------------------------------------------------------------

    std::size_t at() const { return next_ < tokens_.size() ? tokens_[next_].begin : text_.size(); }
    int column() const { return static_cast<int>(at()) + 1; }

    // An operator of several characters consists of tokens of one character each, which must touch.
    bool stands_here(std::string_view word) const {
        if (next_ < tokens_.size() && tokens_[next_].is_identifier()) return tokens_[next_].text == word;
        const std::size_t end = at() + word.size();
        std::size_t token = next_;
        while (token < tokens_.size() && tokens_[token].kind == CppToken::Kind::punctuation &&
               tokens_[token].end <= end)
            ++token;
        return token > next_ && tokens_[token - 1].end == end && text_.substr(at()).starts_with(word);
    }
    bool take(std::string_view word) {
        if (!stands_here(word)) return false;
        const std::size_t end = at() + word.size();
        while (next_ < tokens_.size() && tokens_[next_].begin < end)
            ++next_;
        return true;
    }
    bool expect(std::string_view word) {
        return take(word) || unexpected("'" + std::string(word) + "' is expected here");
    }

    // --- Errors and nodes
    // -----------------------------------------------------------------------------------

    bool fail(int where, std::string message) {
        if (!failed_) problem_ = error_at({}, 0, where, std::move(message));
        failed_ = true;
        next_ = tokens_.size();
        return false;
    }
    bool unexpected(std::string message) {
        return fail(column(), stands_here("=") && !stands_here("==")
                                  ? "an expression cannot assign; use '==' to compare"
                                  : std::move(message));
    }
    std::uint32_t nothing(int where, std::string message) {
        fail(where, std::move(message));
        return 0;
    }

    std::uint32_t add(Op op, std::string_view text, std::vector<std::uint32_t> parts, int where) {
        int height = 0;
        for (const std::uint32_t part : parts)
            if (part < heights_.size()) height = std::max(height, heights_[part] + 1);
        if (height > max_height) return nothing(where, "the expression is nested too deeply");
        heights_.push_back(height);
        Node node;
        node.op = op;
        node.text = text;
        node.parts = std::move(parts);
        node.column = where;
        tree_.nodes.push_back(std::move(node));
        return static_cast<std::uint32_t>(tree_.nodes.size() - 1);
    }

    // --- Grammar
    // --------------------------------------------------------------------------------------------

    std::uint32_t conditional() {
        if (++depth_ > max_depth) return nothing(column(), "the expression is nested too deeply");
        std::uint32_t made = binary(0);
        const int where = column();
        if (!failed_ && take("?")) {
            const std::uint32_t yes = conditional();
            if (!failed_ && expect(":")) {
                const std::uint32_t no = conditional();
                made = add(Op::conditional, "?", {made, yes, no}, where);
            }
        }
        --depth_;
        return made;
    }

    // Returns the operator of this level that stands here. "&" does not match the beginning of "&&", nor "<"
    // that of "<<".
    std::string_view operator_here(const std::vector<std::string_view>& level) const {
        for (const std::string_view each : level) {
            if (!stands_here(each)) continue;
            const std::string_view rest = text_.substr(at() + each.size());
            const bool longer = each.size() == 1 && rest.starts_with(each) &&
                                std::string_view("&|<>").find(each[0]) != std::string_view::npos;
            if (!longer) return each;
        }
        return {};
    }

    std::uint32_t binary(std::size_t level) {
        if (level == levels().size()) return unary();
        std::uint32_t left = binary(level + 1);
        while (!failed_) {
            const std::string_view operation = operator_here(levels()[level]);
            if (operation.empty()) break;
            const int where = column();
            take(operation);
            const std::uint32_t right = binary(level + 1);
            if (failed_) break;
            const Op op = operation == "&&"   ? Op::logical_and
                          : operation == "||" ? Op::logical_or
                                              : Op::binary;
            left = add(op, operation == "xor" ? "^" : operation, {left, right}, where);
        }
        return left;
    }

    std::uint32_t unary() {
        const int where = column();
        const char c = at() < text_.size() ? text_[at()] : '\0';
        if (c == '\0' || std::string_view("-+!~*").find(c) == std::string_view::npos) return power();
        if (++depth_ > max_depth) return nothing(where, "the expression is nested too deeply");
        take(std::string_view(&c, 1));
        const std::uint32_t operand = unary();
        --depth_;
        return failed_
                   ? 0
                   : add(c == '*' ? Op::dereference : Op::unary, std::string_view(&c, 1), {operand}, where);
    }

    std::uint32_t power() {
        const std::uint32_t base = postfix();
        const int where = column();
        if (failed_ || caret_ != Caret::power || !take("^")) return base;
        if (++depth_ > max_depth) return nothing(where, "the expression is nested too deeply");
        const std::uint32_t exponent = unary();  // 2^3^2 is 2^(3^2)
        --depth_;
        return failed_ ? 0 : add(Op::call, "pow", {base, exponent}, where);
    }

    std::uint32_t postfix() {
        std::uint32_t value = primary();
        while (!failed_) {
            const int where = column();
            if (take("[")) {
                const std::uint32_t index = conditional();
                if (!failed_ && expect("]")) value = add(Op::index, "[", {value, index}, where);
            } else if (take("->")) {
                value = add(Op::arrow, word(), {value}, where);
            } else if (take(".")) {
                value = add(Op::member, word(), {value}, where);
            } else {
                break;
            }
        }
        return value;
    }

    std::string_view word() {
        if (next_ < tokens_.size() && tokens_[next_].is_identifier()) return tokens_[next_++].text;
        unexpected("a name is expected here");
        return {};
    }

    std::uint32_t primary() {
        if (tokens_.empty()) return nothing(1, "an expression is expected");
        const int where = column();
        if (take("(")) {
            const std::uint32_t inner = conditional();
            return !failed_ && expect(")") ? inner : 0;
        }
        if (next_ < tokens_.size() && tokens_[next_].kind == CppToken::Kind::number) return number();
        if (next_ >= tokens_.size() || !tokens_[next_].is_identifier()) {
            unexpected("a value is expected here");
            return 0;
        }
        const std::string_view name = word();
        return take("(") ? call(name, where) : add(Op::name, name, {}, where);
    }

    std::uint32_t call(std::string_view function, int where) {
        std::vector<std::uint32_t> arguments;
        if (!take(")")) {
            do
                arguments.push_back(conditional());
            while (!failed_ && take(","));
            if (!failed_) expect(")");
        }
        return failed_ ? 0 : add(Op::call, function, std::move(arguments), where);
    }

    std::uint32_t number() {
        const int where = column();
        const std::string_view spelling = tokens_[next_++].text;
        bool too_large = false;
        const std::optional<Literal> literal = literal_of(spelling, too_large);
        if (!literal)
            return nothing(where, too_large ? "the number does not fit into 64 bits"
                                            : "'" + std::string(spelling) + "' is not a number");
        if (caret_ == Caret::exclusive_or && literal->octal)
            return nothing(where,
                           "'" + std::string(spelling) + "' is octal in C++: leave out the leading zero");
        const std::uint32_t made = add(Op::number, spelling, {}, where);
        tree_.nodes[made].literal = *literal;
        return made;
    }

    std::string_view text_;
    Caret caret_;
    std::vector<CppToken> tokens_;
    std::size_t next_ = 0;
    int depth_ = 0;
    bool failed_ = false;
    Diagnostic problem_;
    SyntaxTree tree_;
    std::vector<int> heights_;  // of the nodes
};

}  // namespace

std::string SyntaxTree::dotted_name(const Node& node) const {
    if (node.op != Op::member || nodes[node.parts[0]].op != Op::name) return {};
    return nodes[node.parts[0]].text + "." + node.text;
}

Result<SyntaxTree> parse(std::string_view text, Caret caret) {
    return Parser(text, caret).parse();
}

}  // namespace lanescope::expression
