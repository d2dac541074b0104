#include "lesson/proposal/host_launches.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "expression/parser.h"

namespace lanescope::lesson {

namespace {

using expression::Node;
using expression::SyntaxTree;
using Tokens = std::vector<CppToken>;

constexpr int most_steps = 16;  // from one variable to the next

std::vector<Tokens> split_tokens(const Tokens& tokens, std::size_t begin, std::size_t end) {
    std::vector<Tokens> parts;
    for (const auto& [from, to] : between_commas(tokens, begin, end))
        parts.emplace_back(tokens.begin() + static_cast<std::ptrdiff_t>(from),
                           tokens.begin() + static_cast<std::ptrdiff_t>(to));
    return parts;
}

// The index of the first of the three ">" that end a launch's configuration.
std::size_t end_of_configuration(const Tokens& tokens, std::size_t at) {
    for (; at + 2 < tokens.size() && !tokens[at].is(";"); ++at) {
        if (tokens[at].is("(") || tokens[at].is("{")) at = closing(tokens, at);
        if (at + 2 < tokens.size() && tokens[at].is(">") && tokens[at + 1].is(">") &&
            tokens[at + 2].is(">") && tokens[at].end == tokens[at + 1].begin &&
            tokens[at + 1].end == tokens[at + 2].begin)
            return at;
    }
    return tokens.size();
}

// The index of the "<" that the ">" at `close` closes.
std::size_t opening_angle(const Tokens& tokens, std::size_t close) {
    int depth = 0;
    for (std::size_t i = close + 1; i-- > 0;) {
        if (tokens[i].is(">")) ++depth;
        if (tokens[i].is("<") && --depth == 0) return i;
        if (tokens[i].is(";") || tokens[i].is("{")) break;
    }
    return tokens.size();
}

std::optional<HostLaunch> launch_at(const Tokens& tokens, std::size_t mark) {
    if (mark == 0) return std::nullopt;
    HostLaunch launch;
    std::size_t name = mark - 1;
    if (tokens[name].is(">")) {
        const std::size_t open = opening_angle(tokens, name);
        if (open == 0 || open >= tokens.size()) return std::nullopt;
        for (const auto& [from, to] : between_commas(tokens, open + 1, name, true))
            launch.template_arguments.push_back(joined(tokens, from, to));
        name = open - 1;
    }
    if (!tokens[name].is_identifier()) return std::nullopt;
    const std::size_t end = end_of_configuration(tokens, mark + 1);
    if (end + 3 >= tokens.size() || !tokens[end + 3].is("(")) return std::nullopt;
    const std::size_t close = closing(tokens, end + 3);
    if (close >= tokens.size()) return std::nullopt;
    launch.kernel = tokens[name].text;
    launch.configuration = split_tokens(tokens, mark + 1, end);
    launch.arguments = split_tokens(tokens, end + 4, close);
    launch.at = name;
    return launch;
}

}  // namespace

std::vector<HostLaunch> find_launches(const SourceModel& model) {
    std::vector<HostLaunch> launches;
    for (std::size_t text = 0; text < model.texts().size(); ++text) {
        const Tokens& tokens = model.texts()[text];
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (!tokens[i].is("<<<")) continue;
            std::optional<HostLaunch> launch = launch_at(tokens, i);
            if (!launch) continue;
            launch->text = text;
            launches.push_back(std::move(*launch));
        }
    }
    return launches;
}

LaunchScope::LaunchScope(const SourceModel& model, const HostLaunch& launch,
                         std::map<std::string, std::string> names)
    : model_(model), tokens_(model.texts()[launch.text]), at_(launch.at), names_(std::move(names)) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < at_; ++i) {
        if (tokens_[i].is("{")) open.push_back(i);
        if (tokens_[i].is("}") && !open.empty()) open.pop_back();
    }
    for (const std::size_t brace : open)
        if (brace > 0 && (tokens_[brace - 1].is(")") || tokens_[brace - 1].is("const"))) {
            function_ = brace;
            break;
        }
}

// "name = value" or "dim3 name(…)" at a token.
std::optional<LaunchScope::Value> LaunchScope::value_at(std::size_t token) const {
    const auto is = [&](std::size_t i, std::string_view what) {
        return i < tokens_.size() && tokens_[i].is(what);
    };
    const auto range = [&](std::size_t begin, std::size_t end) {
        return Tokens(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                      tokens_.begin() + static_cast<std::ptrdiff_t>(std::min(end, tokens_.size())));
    };
    if (token > 0 && (is(token - 1, ".") || is(token - 1, ">"))) return std::nullopt;
    const std::size_t next = token + 1;
    if (is(next, "(") || is(next, "{")) {
        const bool declared = token > 0 && tokens_[token - 1].is_identifier() && !is(token - 1, "return");
        if (!declared) return std::nullopt;
        return Value{range(next + 1, closing(tokens_, next)),
                     is(token - 1, "dim3") || is(token - 1, "uint3")};
    }
    if (!is(next, "=") || is(next + 1, "=")) return std::nullopt;
    std::size_t end = next + 1;
    for (; end < tokens_.size() && !is(end, ";") && !is(end, ",") && !is(end, ")"); ++end)
        if (is(end, "(") || is(end, "{")) end = closing(tokens_, end);
    if (is(next + 1, "dim3") && (is(next + 2, "(") || is(next + 2, "{")))
        return Value{range(next + 3, closing(tokens_, next + 2)), true};
    if (is(next + 1, "{")) return Value{range(next + 2, closing(tokens_, next + 1)), true};
    return Value{range(next + 1, end), false};
}

bool LaunchScope::is_parameter(const std::string& name) const {
    int depth = 0;
    for (std::size_t i = function_; i-- > 0;) {
        if (tokens_[i].is(")")) ++depth;
        if (tokens_[i].is("(") && --depth == 0) return false;
        if (depth > 0 && tokens_[i].is(name)) return true;
        if (tokens_[i].is(";") || tokens_[i].is("}")) return false;
    }
    return false;
}

// A parameter of the template that launches: what its first use in the text passes, else its default.
std::optional<std::string> LaunchScope::template_value(const std::string& name) const {
    int depth = 0;
    std::size_t open = function_;
    while (open > 0) {  // of the function's parameters
        --open;
        if (tokens_[open].is(")")) ++depth;
        if (tokens_[open].is("(") && --depth == 0) break;
        if (tokens_[open].is(";") || tokens_[open].is("}")) return std::nullopt;
    }
    if (open == 0) return std::nullopt;
    const std::string function(tokens_[open - 1].text);
    std::size_t begin = open - 1;
    while (begin > 0 && !tokens_[begin].is("template") && !tokens_[begin].is(";") &&
           !tokens_[begin].is("}") && !tokens_[begin].is("{"))
        --begin;
    if (!tokens_[begin].is("template") || !tokens_[begin + 1].is("<")) return std::nullopt;
    const auto closing_angle = [&](std::size_t from) {
        int angles = 0;
        for (std::size_t i = from; i < tokens_.size() && !tokens_[i].is(";"); ++i) {
            if (tokens_[i].is("(")) i = closing(tokens_, i);
            if (i < tokens_.size() && tokens_[i].is("<")) ++angles;
            if (i < tokens_.size() && tokens_[i].is(">") && --angles == 0) return i;
        }
        return tokens_.size();
    };
    const auto parameters = between_commas(tokens_, begin + 2, closing_angle(begin + 1), true);
    for (std::size_t number = 0; number < parameters.size(); ++number) {
        const auto [from, to] = parameters[number];
        std::size_t equals = from;
        while (equals < to && !tokens_[equals].is("="))
            ++equals;
        if (equals == from || !tokens_[equals - 1].is(name)) continue;
        for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
            if (!tokens_[i].is(function) || !tokens_[i + 1].is("<") || !model_.spend()) continue;
            const auto passed = between_commas(tokens_, i + 2, closing_angle(i + 1), true);
            if (number >= passed.size()) continue;
            if (const auto value =
                    model_.constant(joined(tokens_, passed[number].first, passed[number].second)))
                return std::to_string(*value);
        }
        if (equals < to)
            if (const auto value = model_.constant(joined(tokens_, equals + 1, to)))
                return std::to_string(*value);
    }
    return std::nullopt;
}

// The token of the name where its value stands.
std::optional<std::size_t> LaunchScope::definition_of(const std::string& name) const {
    for (std::size_t i = at_; i-- > function_;)
        if (tokens_[i].is(name) && value_at(i)) return i;
    if (is_parameter(name)) return std::nullopt;
    int depth = 0;
    for (std::size_t i = function_; i-- > 0;) {
        if (tokens_[i].is("}")) ++depth;
        if (tokens_[i].is("{")) --depth;
        if (depth <= 0 && tokens_[i].is(name) && value_at(i)) return i;
    }
    return std::nullopt;
}

std::optional<LaunchScope::Value> LaunchScope::value_of(const std::string& name) const {
    const std::optional<std::size_t> at = definition_of(name);
    return at ? value_at(*at) : std::nullopt;
}

std::set<std::string> LaunchScope::unknown_names(const Tokens& expression, int depth) const {
    std::set<std::string> unknown;
    for (std::size_t i = 0; i < expression.size() && depth <= most_steps && model_.spend(); ++i) {
        const CppToken& token = expression[i];
        const std::string name(token.text);
        const bool call = i + 1 < expression.size() && expression[i + 1].is("(");
        if (!token.is_identifier() || call || names_.contains(name) || model_.is_type(name)) continue;
        if (text({token})) continue;
        const std::optional<Value> value = value_of(name);
        std::set<std::string> inner;
        if (value) inner = unknown_names(value->tokens, depth + 1);
        // "x.size(0)" and "sizes[0]" stay what the host knows.
        const bool opaque =
            !value || std::any_of(value->tokens.begin(), value->tokens.end(), [](const auto& each) {
                return each.is(".") || each.is("[") || each.is("::");
            });
        if ((opaque && !(value && value->parts)) || inner.empty()) inner = {name};
        unknown.insert(inner.begin(), inner.end());
    }
    return unknown;
}

// Whether the expression names a variable that "for (int i = …" defines.
bool LaunchScope::is_loop_variable(const Tokens& expression) const {
    return std::any_of(expression.begin(), expression.end(), [&](const CppToken& token) {
        const auto at = token.is_identifier() ? definition_of(std::string(token.text)) : std::nullopt;
        if (!at) return false;
        std::size_t i = *at;
        while (i > 0 && !tokens_[i].is(";") && !tokens_[i].is("{") && !tokens_[i].is("}") &&
               !tokens_[i].is("("))
            --i;
        return i > 0 && tokens_[i].is("(") && tokens_[i - 1].is("for");
    });
}

std::optional<std::string> LaunchScope::text(const Tokens& expression) const {
    return text(expression, 0);
}

std::optional<std::string> LaunchScope::text(const Tokens& expression, int depth) const {
    if (depth > most_steps || expression.empty() || !model_.spend()) return std::nullopt;
    const Result<SyntaxTree> tree = expression::parse(model_.expression_text(expression));
    if (!tree) return std::nullopt;
    std::optional<std::string> made = text_of(*tree, tree->root, depth);
    if (!made || made->size() > 400) return std::nullopt;
    if (const std::optional<std::int64_t> constant = model_.constant(*made)) return std::to_string(*constant);
    const Tokens words = tokenize_cpp(*made);
    const bool wrapped = !words.empty() && words[0].is("(") && closing(words, 0) + 1 == words.size();
    return wrapped ? made->substr(1, made->size() - 2) : *made;
}

std::optional<std::string> LaunchScope::text_of_name(const std::string& name, int depth) const {
    if (const auto known = names_.find(name); known != names_.end()) return known->second;
    std::optional<std::string> made;
    if (auto known = template_value(name)) return known;
    if (const auto value = value_of(name); value && !value->parts)
        made = text(value->tokens, depth + 1);
    else if (const auto meaning = model_.meaning(name); meaning && *meaning != name)
        made = text(tokenize_cpp(*meaning), depth + 1);
    if (!made) return std::nullopt;
    return made->find(' ') == std::string::npos ? made : "(" + *made + ")";
}

// "cdiv(n, 128)": programs write this function themselves.
bool divides_up(const std::string& function) {
    std::string plain;
    for (const char c : function)
        if (c != '_') plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    constexpr std::array<std::string_view, 9> known{"ceildiv", "divceil",    "cdiv",       "divup",   "updiv",
                                                    "idivup",  "ceildivide", "divroundup", "divideup"};
    return std::find(known.begin(), known.end(), plain) != known.end();
}

std::optional<std::string> LaunchScope::text_of_call(const SyntaxTree& tree, const Node& node,
                                                     int depth) const {
    const bool two = node.parts.size() == 2;
    if (two && (node.text == "min" || node.text == "max")) {
        const auto a = text_of(tree, node.parts[0], depth), b = text_of(tree, node.parts[1], depth);
        return a && b ? std::optional(node.text + "(" + *a + ", " + *b + ")") : std::nullopt;
    }
    if (two && divides_up(node.text)) {
        const auto a = text_of(tree, node.parts[0], depth), b = text_of(tree, node.parts[1], depth);
        return a && b ? std::optional("ceil_div(" + *a + ", " + *b + ")") : std::nullopt;
    }
    const bool rounds_up = node.text == "ceil" || node.text == "ceilf";
    if (node.parts.size() != 1 || (!rounds_up && node.text != "floor")) return std::nullopt;
    const Node& inner = tree[node.parts[0]];
    if (inner.op != Node::Op::binary || inner.text != "/" || !rounds_up)
        return text_of(tree, node.parts[0], depth);
    const auto a = text_of(tree, inner.parts[0], depth), b = text_of(tree, inner.parts[1], depth);
    return a && b ? std::optional("ceil_div(" + *a + ", " + *b + ")") : std::nullopt;
}

std::optional<Polynomial> LaunchScope::polynomial_of(const SyntaxTree& tree, std::uint32_t at,
                                                     int depth) const {
    const Node& node = tree[at];
    if (node.op == Node::Op::binary && (node.text == "+" || node.text == "-" || node.text == "*")) {
        const auto a = polynomial_of(tree, node.parts[0], depth),
                   b = polynomial_of(tree, node.parts[1], depth);
        if (!a || !b) return std::nullopt;
        return node.text == "+"   ? Polynomial::sum(*a, *b)
               : node.text == "-" ? Polynomial::difference(*a, *b)
                                  : Polynomial::product(*a, *b);
    }
    const std::optional<std::string> text = text_of(tree, at, depth);
    if (!text) return std::nullopt;
    const std::optional<std::int64_t> constant = model_.constant(*text);
    return constant ? Polynomial(*constant) : Polynomial::of(*text);
}

// Sums and products in their simplest form, and (n + b - 1) / b as ceil_div(n, b).
std::optional<std::string> LaunchScope::text_of_binary(const SyntaxTree& tree, const Node& node,
                                                       int depth) const {
    const auto in_brackets = [](const std::string& text) {
        return text.find(' ') == std::string::npos ? text : "(" + text + ")";
    };
    if (node.text == "+" || node.text == "-" || node.text == "*") {
        const auto at = static_cast<std::uint32_t>(&node - &tree[0]);
        const auto made = polynomial_of(tree, at, depth);
        return made ? std::optional(in_brackets(made->text())) : std::nullopt;
    }
    const auto a = polynomial_of(tree, node.parts[0], depth), b = polynomial_of(tree, node.parts[1], depth);
    if (!a || !b) return std::nullopt;
    if (node.text == "/" && !(a->constant() && b->constant())) {
        const auto last = Polynomial::difference(*b, Polynomial(1));
        const auto rest = last ? Polynomial::difference(*a, *last) : std::nullopt;
        if (rest && rest->never_negative() && rest->terms().size() < a->terms().size() + 1 &&
            b->constant() != 1)
            return "ceil_div(" + rest->text() + ", " + b->text() + ")";
    }
    return "(" + in_brackets(a->text()) + " " + node.text + " " + in_brackets(b->text()) + ")";
}

std::optional<std::string> LaunchScope::text_of(const SyntaxTree& tree, std::uint32_t at, int depth) const {
    const Node& node = tree[at];
    const auto part = [&](std::size_t i) { return text_of(tree, node.parts[i], depth); };
    switch (node.op) {
        case Node::Op::number:
            if (!node.literal.is_real) return std::to_string(node.literal.whole);
            if (!(std::abs(node.literal.real) < 9e15) || node.literal.real != std::floor(node.literal.real))
                return std::nullopt;
            return std::to_string(static_cast<std::int64_t>(node.literal.real));
        case Node::Op::name:
            return text_of_name(node.text, depth);
        case Node::Op::member: {
            const Node& object = tree[node.parts[0]];
            constexpr std::string_view axes = "xyz";
            const std::size_t axis = node.text.size() == 1 ? axes.find(node.text[0]) : axes.npos;
            if (object.op != Node::Op::name || axis == axes.npos || depth > most_steps) return std::nullopt;
            const auto value = value_of(object.text);
            if (!value || !value->parts) return std::nullopt;
            const std::vector<Tokens> parts = split_tokens(value->tokens, 0, value->tokens.size());
            return axis < parts.size() ? text(parts[axis], depth + 1) : std::optional<std::string>("1");
        }
        case Node::Op::unary: {
            const auto operand = part(0);
            return operand && node.text != "~" ? std::optional(node.text + *operand) : std::nullopt;
        }
        case Node::Op::binary:
            return text_of_binary(tree, node, depth);
        case Node::Op::logical_and:
        case Node::Op::logical_or: {
            const auto a = part(0), b = part(1);
            const char* op = node.op == Node::Op::logical_and ? " && " : " || ";
            return a && b ? std::optional("(" + *a + op + *b + ")") : std::nullopt;
        }
        case Node::Op::conditional: {
            const auto condition = part(0), a = part(1), b = part(2);
            if (!condition || !a || !b) return std::nullopt;
            return "(" + *condition + " ? " + *a + " : " + *b + ")";
        }
        case Node::Op::call:
            return text_of_call(tree, node, depth);
        default:
            return std::nullopt;
    }
}

std::vector<std::optional<std::string>> LaunchScope::extents(const Tokens& expression) const {
    Tokens inner = expression;
    bool parts = false;
    const bool call = inner.size() > 2 && inner[0].is("dim3") && (inner[1].is("(") || inner[1].is("{"));
    if (call || (!inner.empty() && inner[0].is("{"))) {
        const std::size_t open = call ? 1 : 0, close = closing(inner, open);
        inner = Tokens(inner.begin() + static_cast<std::ptrdiff_t>(open) + 1,
                       inner.begin() + static_cast<std::ptrdiff_t>(std::min(close, inner.size())));
        parts = true;
    } else if (inner.size() == 1 && inner[0].is_identifier()) {
        if (const auto value = value_of(std::string(inner[0].text)); value && value->parts) {
            inner = value->tokens;
            parts = true;
        }
    }
    if (!parts) return {text(inner)};
    std::vector<std::optional<std::string>> made;
    for (const Tokens& part : split_tokens(inner, 0, inner.size()))
        made.push_back(text(part));
    return made;
}

std::optional<std::int64_t> LaunchScope::allocated_bytes(const Tokens& pointer) const {
    if (pointer.size() != 1 || !pointer[0].is_identifier()) return std::nullopt;
    for (std::size_t i = 0; i + 2 < tokens_.size(); ++i) {
        const bool allocation = tokens_[i].is("cudaMalloc") || tokens_[i].is("cudaMallocManaged");
        if (!allocation || !tokens_[i + 1].is("(")) continue;
        const std::vector<Tokens> arguments = split_tokens(tokens_, i + 2, closing(tokens_, i + 1));
        if (arguments.size() < 2 || arguments[0].empty() || arguments[0].back().text != pointer[0].text)
            continue;
        const auto bytes = text(arguments[1]);
        return bytes ? model_.constant(*bytes) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace lanescope::lesson
