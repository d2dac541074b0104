// Syntax of lane expressions.
#include "session/lanes/lane_expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace lanescope::session {

namespace {

using Node = LaneExpression::Node;
using Op = Node::Op;

// Binary operators from the loosest to the tightest.
struct Level {
    std::vector<std::string_view> operators;
};
const std::vector<Level>& levels() {
    static const std::vector<Level> all = {{{"||"}},
                                           {{"&&"}},
                                           {{"|"}},
                                           {{"^"}},
                                           {{"&"}},
                                           {{"==", "!="}},
                                           {{"<=", ">=", "<", ">"}},
                                           {{"<<", ">>"}},
                                           {{"+", "-"}},
                                           {{"*", "/", "%"}}};
    return all;
}

constexpr std::array<std::string_view, 5> one_argument = {"abs", "sqrt", "popc", "__popc", "bool"};
constexpr std::array<std::string_view, 7> conversions = {"int",   "unsigned", "long", "ulong",
                                                         "float", "double",   "char"};

bool starts_word(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool in_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::size_t arguments_of(std::string_view function) {
    if (function == "min" || function == "max") return 2;
    const auto named = [&](std::string_view name) { return name == function; };
    return std::any_of(one_argument.begin(), one_argument.end(), named) ||
                   std::any_of(conversions.begin(), conversions.end(), named)
               ? 1
               : 0;
}

constexpr std::size_t deepest = 200;  // nesting; far beyond what a person types
constexpr std::size_t longest = 1000;

}  // namespace

class LaneParser {
  public:
    explicit LaneParser(std::string_view text) : text_(text) { made_.text_ = text; }

    Result<LaneExpression> parse() {
        if (text_.size() > longest) return error("an expression has at most 1000 characters");
        const std::uint32_t root = choice();
        skip_blanks();
        if (!failed_ && at_ < text_.size()) fail("an operator or the end is expected here");
        if (failed_) return problem_;
        made_.root_ = root;
        return std::move(made_);
    }

  private:
    void skip_blanks() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])))
            ++at_;
    }
    int column() const { return static_cast<int>(at_) + 1; }

    std::uint32_t fail(const std::string& message) {
        if (!failed_) problem_ = error_at({}, 0, column(), message);
        failed_ = true;
        return 0;
    }

    std::uint32_t add(Op op, std::string text, std::vector<std::uint32_t> parts, int where) {
        Node node;
        node.op = op;
        node.text = std::move(text);
        node.parts = std::move(parts);
        node.column = where;
        made_.nodes_.push_back(std::move(node));
        return static_cast<std::uint32_t>(made_.nodes_.size() - 1);
    }

    bool take(std::string_view word) {
        skip_blanks();
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }
    bool expect(std::string_view word) {
        if (take(word)) return true;
        fail("'" + std::string(word) + "' is expected here");
        return false;
    }

    std::uint32_t choice() {
        if (++depth_ > deepest) return fail("the expression is nested too deeply");
        const std::uint32_t condition = binary(0);
        skip_blanks();
        const int where = column();
        std::uint32_t made = condition;
        if (!failed_ && take("?")) {
            const std::uint32_t yes = choice();
            if (expect(":")) made = add(Op::choice, "?", {condition, yes, choice()}, where);
        }
        --depth_;
        return made;
    }

    // The operator of this level that stands here; "&" is no "&&", "<" no "<<".
    std::string_view operator_here(const Level& level) {
        skip_blanks();
        const std::string_view rest = text_.substr(at_);
        for (const std::string_view each : level.operators) {
            if (!rest.starts_with(each)) continue;
            const char next = rest.size() > each.size() ? rest[each.size()] : ' ';
            const bool longer =
                each.size() == 1 &&
                ((next == each[0] && std::string_view("&|<>").find(next) != std::string_view::npos));
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
            at_ += operation.size();
            const std::uint32_t right = binary(level + 1);
            const Op op = operation == "&&" ? Op::both : operation == "||" ? Op::either : Op::binary;
            left = add(op, std::string(operation), {left, right}, where);
        }
        if (!failed_ && at_ < text_.size() && text_[at_] == '=' && !text_.substr(at_).starts_with("=="))
            return fail("an expression changes nothing: '==' compares");
        return left;
    }

    std::uint32_t unary() {
        skip_blanks();
        if (at_ >= text_.size())
            return fail(at_ == 0 ? "an expression is expected" : "a value is expected here");
        const char c = text_[at_];
        const int where = column();
        if (std::string_view("-+!~*").find(c) == std::string_view::npos) return postfix();
        if (++depth_ > deepest) return fail("the expression is nested too deeply");
        ++at_;
        const std::uint32_t operand = unary();
        --depth_;
        return add(c == '*' ? Op::dereference : Op::unary, std::string(1, c), {operand}, where);
    }

    std::uint32_t postfix() {
        std::uint32_t value = primary();
        while (!failed_) {
            skip_blanks();
            const int where = column();
            if (take("[")) {
                const std::uint32_t index = choice();
                if (!expect("]")) return 0;
                value = add(Op::index, "[", {value, index}, where);
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

    std::string word() {
        skip_blanks();
        const std::size_t first = at_;
        if (at_ < text_.size() && starts_word(text_[at_]))
            while (at_ < text_.size() && in_word(text_[at_]))
                ++at_;
        if (at_ == first) fail("a name is expected here");
        return std::string(text_.substr(first, at_ - first));
    }

    std::uint32_t primary() {
        skip_blanks();
        const char c = at_ < text_.size() ? text_[at_] : '\0';
        if (take("(")) {
            const std::uint32_t inner = choice();
            return expect(")") ? inner : 0;
        }
        if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
        if (!starts_word(c)) return fail("a value is expected here");
        const int where = column();
        std::string name = word();
        if (take("(")) return call(name, where);
        if (is_thread_name(name + ".x") && take(".")) name += "." + word();
        if (name == "true" || name == "false") {
            const std::uint32_t made = add(Op::number, name, {}, where);
            made_.nodes_[made].number = truth_value(name == "true");
            return made;
        }
        return add(Op::name, name, {}, where);
    }

    std::uint32_t call(const std::string& function, int where) {
        const std::size_t wanted = arguments_of(function);
        if (wanted == 0) {
            at_ = static_cast<std::size_t>(where - 1);
            return fail("there is no function '" + function + "' here");
        }
        std::vector<std::uint32_t> arguments;
        do
            arguments.push_back(choice());
        while (!failed_ && take(","));
        if (!failed_ && arguments.size() != wanted)
            return fail(function + " takes " + (wanted == 1 ? "one value" : "two values"));
        return expect(")") ? add(Op::call, function, arguments, where) : 0;
    }

    std::uint32_t number() {
        const int where = column();
        const std::string_view rest = text_.substr(at_);
        std::size_t length = 0;
        Number value;
        const bool hex = rest.starts_with("0x") || rest.starts_with("0X");
        std::uint64_t whole = 0;
        const char* end = rest.data() + rest.size();
        const auto read = std::from_chars(rest.data() + (hex ? 2 : 0), end, whole, hex ? 16 : 10);
        const auto after = static_cast<std::size_t>(read.ptr - rest.data());
        const bool real =
            !hex && (rest[0] == '.' || (after < rest.size() && (rest[after] == '.' || rest[after] == 'e')));
        if (real) {
            double number = 0;
            const auto parsed = std::from_chars(rest.data(), end, number);
            if (parsed.ec != std::errc()) return fail("this number cannot be read");
            length = static_cast<std::size_t>(parsed.ptr - rest.data());
            const bool single = length < rest.size() && (rest[length] == 'f' || rest[length] == 'F');
            length += single ? 1 : 0;
            value = real_number(single ? Number::Kind::f32 : Number::Kind::f64, number);
        } else {
            if (read.ec != std::errc()) return fail("this number cannot be read");
            length = after;
            bool is_unsigned = false, wide = whole > 0xffffffffull;
            for (; length < rest.size() &&
                   std::string_view("uUlL").find(rest[length]) != std::string_view::npos;
                 ++length)
                (rest[length] == 'u' || rest[length] == 'U' ? is_unsigned : wide) = true;
            if (!wide && whole > 0x7fffffffull) (hex ? is_unsigned : wide) = true;
            value = whole_number(wide ? (is_unsigned || whole >> 63 ? Number::Kind::u64 : Number::Kind::i64)
                                      : (is_unsigned ? Number::Kind::u32 : Number::Kind::i32),
                                 whole);
        }
        if (length < rest.size() && in_word(rest[length])) {
            at_ += length;
            return fail("a number ends here");
        }
        at_ += length;
        const std::uint32_t made = add(Op::number, {}, {}, where);
        made_.nodes_[made].number = value;
        return made;
    }

    std::string_view text_;
    std::size_t at_ = 0, depth_ = 0;
    bool failed_ = false;
    Diagnostic problem_;
    LaneExpression made_;
};

Result<LaneExpression> LaneExpression::parse(std::string_view text) {
    return LaneParser(text).parse();
}

bool LaneExpression::names(std::string_view beginning) const {
    return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& node) {
        return node.op == Op::name && std::string_view(node.text).starts_with(beginning);
    });
}

bool is_thread_name(std::string_view name) {
    static constexpr std::array<std::string_view, 4> triples = {"threadIdx", "blockIdx", "blockDim",
                                                                "gridDim"};
    if (name == "lane" || name == "warp" || name == "warpSize") return true;
    const std::size_t dot = name.find('.');
    if (dot == std::string_view::npos || dot + 2 != name.size()) return false;
    const char part = name.back();
    return part >= 'x' && part <= 'z' &&
           std::find(triples.begin(), triples.end(), name.substr(0, dot)) != triples.end();
}

Result<void> LaneExpression::check_names(const trace::Trace& trace) const {
    const auto known = [&](const std::string& name) {
        if (is_thread_name(name)) return true;
        for (const trace::Function& function : trace.program.functions)
            for (const trace::Variable& variable : function.variables)
                if (variable.name == name) return true;
        const auto named = [&](const trace::Symbol& symbol) { return symbol.name == name; };
        if (std::any_of(trace.symbols.begin(), trace.symbols.end(), named)) return true;
        return std::any_of(trace.launches.begin(), trace.launches.end(), [&](const trace::Launch& launch) {
            return std::any_of(launch.shared.begin(), launch.shared.end(), named);
        });
    };
    for (const Node& node : nodes_)
        if (node.op == Op::name && !known(node.text))
            return error_at({}, 0, node.column, "nothing is called '" + node.text + "' in this program");
    return {};
}

}  // namespace lanescope::session
