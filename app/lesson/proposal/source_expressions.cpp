// Expressions of a program's text: casts and macros are taken out, and constants are computed.
#include <algorithm>

#include "expression/parser.h"
#include "lesson/proposal/source_model.h"

namespace lanescope::lesson {

namespace {

using Tokens = std::vector<CppToken>;

constexpr int most_depth = 24;

// The angle bracket that closes the one at `open`, or the number of tokens.
std::size_t closing_angle(const Tokens& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        if (tokens[i].is("<")) ++depth;
        if (tokens[i].is(">") && --depth == 0) return i;
        if (tokens[i].is(";")) break;
    }
    return tokens.size();
}

std::optional<std::int64_t> computed(const std::string& op, __int128 a, __int128 b) {
    const auto whole = [](__int128 value) -> std::optional<std::int64_t> {
        if (value > INT64_MAX || value < INT64_MIN) return std::nullopt;
        return static_cast<std::int64_t>(value);
    };
    if (op == "+") return whole(a + b);
    if (op == "-") return whole(a - b);
    if (op == "*") return whole(a * b);
    if (op == "/") return b == 0 ? std::nullopt : whole(a / b);
    if (op == "%") return b == 0 ? std::nullopt : whole(a % b);
    if (op == "<<")
        return b < 0 || b > 62 || a < 0 || a >= (__int128{1} << 62) ? std::nullopt : whole(a << int(b));
    if (op == ">>") return b < 0 || b > 62 ? std::nullopt : whole(a >> int(b));
    if (op == "&") return whole(a & b);
    if (op == "|") return whole(a | b);
    if (op == "^") return whole(a ^ b);
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<") return a < b;
    if (op == "<=") return a <= b;
    if (op == ">") return a > b;
    if (op == ">=") return a >= b;
    return std::nullopt;
}

}  // namespace

std::optional<std::string> SourceModel::meaning(const std::string& name) const {
    for (const auto* names : {&macros_, &constants_})
        if (const auto found = names->find(name); found != names->end() && !found->second.empty())
            return found->second;
    if (name == "warpSize") return "32";
    if (name == "true" || name == "false") return name == "true" ? "1" : "0";
    return std::nullopt;
}

// Expands the macro with arguments whose name is at `at`, and moves to its closing bracket.
std::string SourceModel::expanded(const Tokens& tokens, std::size_t& at, const TypeArguments& arguments,
                                  int depth) const {
    const FunctionMacro& macro = function_macros_.at(std::string(tokens[at].text));
    const std::size_t close = closing(tokens, at + 1);
    if (!spend()) {
        at = close;
        return "0";
    }
    std::map<std::string, std::string> given;
    std::size_t number = 0;
    for (const auto& [begin, end] : between_commas(tokens, at + 2, close)) {
        if (number >= macro.parameters.size()) break;
        const Tokens argument(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                              tokens.begin() + static_cast<std::ptrdiff_t>(end));
        given[macro.parameters[number++]] = expression_text(argument, arguments, depth + 1);
    }
    std::string body;
    const Tokens words = tokenize_cpp(macro.body);
    for (std::size_t i = 0; i < words.size() && body.size() <= 4096; ++i) {
        const auto argument = given.find(std::string(words[i].text));
        body += i == 0 ? "" : between(words[i - 1], words[i]);
        body += argument == given.end() ? std::string(words[i].text) : argument->second;
    }
    at = close;
    return "(" + expression_text(tokenize_cpp(body), arguments, depth + 1) + ")";
}

std::string SourceModel::expression_text(const Tokens& tokens, const TypeArguments& arguments,
                                         int depth) const {
    std::string text;
    std::size_t added = 0;  // 1 + the token that was added last, as it stands in the text
    const auto add = [&](std::string_view word) { text += (text.empty() ? "" : " ") + std::string(word); };
    for (std::size_t i = 0; i < tokens.size() && depth < most_depth; ++i) {
        const CppToken& token = tokens[i];
        const bool call = i + 1 < tokens.size() && tokens[i + 1].is("(");
        if (token.is("std") || token.is("::")) continue;
        if (token.is("static_cast") || token.is("reinterpret_cast") || token.is("const_cast")) {
            i = i + 1 < tokens.size() ? closing_angle(tokens, i + 1) : i;
            continue;
        }
        if (token.is("sizeof") && call) {
            const std::size_t close = closing(tokens, i + 1);
            std::string type_text;
            for (std::size_t j = i + 2; j < std::min(close, tokens.size()); ++j)
                type_text += " " + std::string(tokens[j].text);
            const TypeUse use = type(type_text, arguments);
            const std::optional<Layout> known =
                use.pointers > 0 ? Layout{8, 8, {}, {{0, {}, use}}} : layout(use.name);
            add(known ? std::to_string(known->bytes) : "sizeof_unknown");
            i = close;
            continue;
        }
        if (token.is_identifier() && call && function_macros_.contains(std::string(token.text))) {
            add(expanded(tokens, i, arguments, depth));
            continue;
        }
        const auto is_type_word = [&](const CppToken& word) {
            return word.is("*") || word.is("const") || word.is("std") || word.is("::") ||
                   (word.is_identifier() &&
                    (is_type(word.text) || arguments.contains(std::string(word.text))));
        };
        if (token.is("(")) {  // a cast
            const std::size_t close = closing(tokens, i);
            bool cast = close > i + 1 && close + 1 < tokens.size() && tokens[i + 1].is_identifier() &&
                        (tokens[close + 1].is_identifier() || tokens[close + 1].is("(") ||
                         tokens[close + 1].is("&") || tokens[close + 1].kind == CppToken::Kind::number);
            for (std::size_t j = i + 1; cast && j < close; ++j)
                cast = is_type_word(tokens[j]);
            if (cast) {
                i = close;
                continue;
            }
        }
        if (token.is_identifier() && call && is_type_word(token)) continue;  // "int(x)"
        if (added == i && i > 0)
            text += between(tokens[i - 1], token) + std::string(token.text);
        else
            add(token.text);
        added = i + 1;
    }
    return text;
}

std::optional<std::int64_t> SourceModel::constant(const std::string& text,
                                                  const std::map<std::string, std::string>& names,
                                                  int depth) const {
    if (depth > most_depth || text.empty() || !spend()) return std::nullopt;
    const Result<expression::SyntaxTree> tree =
        expression::parse(expression_text(tokenize_cpp(text), {}, depth));
    if (!tree) return std::nullopt;
    return value(*tree, tree->root, names, depth);
}

std::optional<std::int64_t> SourceModel::value(const expression::SyntaxTree& tree, std::uint32_t at,
                                               const std::map<std::string, std::string>& names,
                                               int depth) const {
    using Op = expression::Node::Op;
    const expression::Node& node = tree[at];
    const auto part = [&](std::size_t i) { return value(tree, node.parts[i], names, depth); };
    switch (node.op) {
        case Op::number:
            if (node.literal.is_real || node.literal.octal) return std::nullopt;
            return node.literal.whole > INT64_MAX
                       ? std::nullopt
                       : std::optional(static_cast<std::int64_t>(node.literal.whole));
        case Op::name: {
            if (const auto own = names.find(node.text); own != names.end())
                return constant(own->second, names, depth + 1);
            const std::optional<std::string> other = meaning(node.text);
            if (!other && node.text.starts_with("__")) return std::nullopt;
            return other && *other != node.text ? constant(*other, names, depth + 1) : std::nullopt;
        }
        case Op::unary: {
            const auto operand = part(0);
            if (!operand) return std::nullopt;
            if (node.text == "-") return computed("-", 0, *operand);
            if (node.text == "!") return *operand == 0;
            return node.text == "~" ? ~*operand : *operand;
        }
        case Op::binary: {
            const auto a = part(0), b = part(1);
            return a && b ? computed(node.text, *a, *b) : std::nullopt;
        }
        case Op::logical_and:
        case Op::logical_or: {
            const auto a = part(0), b = part(1);
            const bool both = node.op == Op::logical_and;
            if (a && (*a != 0) != both) return !both;
            if (!a || !b) return std::nullopt;
            return *b != 0;
        }
        case Op::conditional: {
            const auto condition = part(0);
            return condition ? part(*condition != 0 ? 1 : 2) : std::nullopt;
        }
        case Op::call: {
            const bool rounds_up = node.text == "ceil_div";
            if (node.parts.size() != 2 || (node.text != "min" && node.text != "max" && !rounds_up))
                return std::nullopt;
            const auto a = part(0), b = part(1);
            if (!a || !b) return std::nullopt;
            if (rounds_up)
                return *a < 0 || *b < 1 ? std::nullopt : std::optional(*a / *b + (*a % *b != 0 ? 1 : 0));
            return node.text == "min" ? std::min(*a, *b) : std::max(*a, *b);
        }
        default:
            return std::nullopt;
    }
}

}  // namespace lanescope::lesson
