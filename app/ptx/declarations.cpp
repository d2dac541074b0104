#include "ptx/declarations.h"

#include <bit>
#include <limits>

namespace lanescope::ptx {
namespace {

constexpr unsigned deepest_initialiser = 16;
constexpr std::size_t max_dimensions = 16;

std::optional<Space> space_of(const Token& token) {
    if (token.kind != Token::Kind::dotted) return std::nullopt;
    return find_space(token.text.substr(1));
}

std::uint32_t vector_length_of(std::string_view word) {
    if (word == ".v2") return 2;
    if (word == ".v4") return 4;
    return word == ".v8" ? 8 : 0;
}

std::uint32_t parse_alignment(Input& input) {
    const Token where = input.peek();
    const std::uint64_t value = input.expect_whole("an alignment in bytes");
    if (!input.failed() && (!std::has_single_bit(value) || value > (1u << 30)))
        input.fail(where, "expected an alignment that is a power of two, found " + shown(where));
    return static_cast<std::uint32_t>(value);
}

// ".ptr .global .align 4" of a pointer parameter.
std::string parse_pointer(Input& input) {
    const Token first = input.take();
    if (space_of(input.peek())) input.take();
    if (input.accept(".align")) parse_alignment(input);
    return std::string(input.since(first));
}

std::string parse_attribute(Input& input) {
    const Token first = input.take();
    input.expect('(', "after .attribute");
    unsigned open = 1;
    while (open > 0 && !input.at_end()) {
        const Token token = input.take();
        open += token.is('(') ? 1u : 0u;
        open -= token.is(')') ? 1u : 0u;
    }
    if (open > 0) input.fail_expected("')' at the end of .attribute");
    return std::string(input.since(first));
}

// Parses everything between the space and the name.
void parse_qualifiers(Input& input, Variable& variable) {
    bool typed = false;
    while (input.peek().kind == Token::Kind::dotted) {
        const std::string_view word = input.peek().text;
        if (word == ".align") {
            input.take();
            variable.alignment = parse_alignment(input);
        } else if (word == ".ptr") {
            variable.attributes.push_back(parse_pointer(input));
        } else if (word == ".attribute") {
            variable.attributes.push_back(parse_attribute(input));
        } else if (const std::uint32_t length = vector_length_of(word)) {
            variable.vector_length = length;
            input.take();
        } else if (const auto type = find_type(word.substr(1)); type && !typed) {
            variable.type = *type;
            typed = true;
            input.take();
        } else {
            input.fail_expected(typed ? "a name" : "a type");
        }
    }
    if (!typed) input.fail_expected("a type");
}

void parse_extents(Input& input, Variable& variable) {
    while (input.accept('[')) {
        variable.is_array = true;
        std::uint64_t extent = 0;
        if (!input.at(']'))
            extent = input.accept("WARP_SZ") ? 32 : input.expect_whole("an array extent or ']'");
        input.expect(']', "after the array extent");
        if (variable.extents.size() == max_dimensions) input.fail_expected("at most 16 dimensions");
        variable.extents.push_back(extent);
    }
}

std::uint64_t bits_for(Type type, const Number& number, bool minus) {
    if (!number.real) return minus ? 0 - number.bits : number.bits;
    if (number.real_is_double) {
        const double value = std::bit_cast<double>(number.bits) * (minus ? -1 : 1);
        if (type == Type::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
        return std::bit_cast<std::uint64_t>(value);
    }
    const auto bits = static_cast<std::uint32_t>(number.bits) ^ (minus ? 0x80000000u : 0u);
    if (type == Type::f64)
        return std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(bits)));
    return bits;
}

// Reads nested lists flat, because ptxas does not pad short rows.
class InitialiserParser {
  public:
    InitialiserParser(Input& input, Declared& declared)
        : input_(input), declared_(declared), variable_(declared.variable) {}

    void parse(unsigned depth = 0) {
        if (!input_.at('{')) {
            variable_.initial.push_back(parse_value());
            return;
        }
        if (depth == deepest_initialiser) return input_.fail_expected("at most 16 nested initialisers");
        input_.take();
        while (!input_.at('}') && !input_.failed()) {
            parse(depth + 1);
            if (!input_.accept(',')) break;
        }
        input_.expect('}', "after the initial values");
    }

  private:
    Initialiser parse_value() {
        const Token first = input_.peek();
        Initialiser value;
        bool minus = false;
        while (input_.at('-') || input_.at('+'))
            minus ^= input_.take().is('-');
        if (input_.peek().kind == Token::Kind::number) {
            parse_number(value, minus);
        } else {
            if (minus) input_.fail_expected("a number");
            parse_symbol(value);
        }
        value.text = input_.since(first);
        return value;
    }

    void parse_number(Initialiser& value, bool minus) {
        const Token token = input_.take();
        const Number number = read_number(token.text);
        if (!number.valid)
            return input_.fail(token, "expected a number that fits 64 bits, found " + shown(token));
        if (!number.real && !minus && input_.at('(')) {  // 0xFF00(symbol)
            input_.take();
            value.byte_mask = number.bits;
            parse_symbol(value);
            input_.expect(')', "after the masked symbol");
            return;
        }
        value.bits = bits_for(variable_.type, number, minus);
    }

    void parse_symbol(Initialiser& value) {
        if (input_.peek().is("generic") && input_.next_is('(')) {
            input_.take();
            input_.take();
            value.generic = true;
            parse_symbol_name(value);
            input_.expect(')', "after generic(symbol");
        } else {
            parse_symbol_name(value);
        }
        if (input_.at('+') || input_.at('-')) value.offset += input_.expect_offset("an offset");
    }

    void parse_symbol_name(Initialiser& value) {
        declared_.initial_symbols.push_back(input_.peek());
        value.symbol = input_.expect_name("a number or a symbol");
        if (input_.at('+') || input_.at('-')) value.offset = input_.expect_offset("an offset");
    }

    Input& input_;
    Declared& declared_;
    Variable& variable_;
};

}  // namespace

Linkage accept_linkage(Input& input) {
    if (input.accept(".extern")) return Linkage::external;
    if (input.accept(".visible")) return Linkage::visible;
    if (input.accept(".weak")) return Linkage::weak;
    if (input.accept(".common")) return Linkage::common;
    return Linkage::none;
}

bool at_variable_space(const Input& input) {
    const std::optional<Space> space = space_of(input.peek());
    return space && *space != Space::reg;
}

Space take_space(Input& input) {
    return space_of(input.take()).value_or(Space::generic);
}

DataType parse_data_type(Input& input) {
    Variable variable;
    parse_qualifiers(input, variable);
    return {variable.type, variable.vector_length};
}

std::vector<Declared> parse_variables(Input& input, Linkage linkage, Space space) {
    std::vector<Declared> declared;
    Variable shared_part;
    shared_part.linkage = linkage;
    shared_part.space = space;
    parse_qualifiers(input, shared_part);
    do {
        Declared& made = declared.emplace_back(Declared{shared_part, input.peek(), {}});
        Variable& variable = made.variable;
        variable.name = input.expect_name("a variable's name");
        parse_extents(input, variable);
        if (input.accept('=')) InitialiserParser(input, made).parse();
    } while (input.accept(','));
    input.expect(';', "after the variable");
    return declared;
}

std::vector<Variable> parse_parameters(Input& input) {
    std::vector<Variable> parameters;
    input.expect('(', "before the parameters");
    while (!input.at(')') && !input.failed()) {
        Variable& parameter = parameters.emplace_back();
        const std::optional<Space> space = space_of(input.peek());
        if (space != Space::param && space != Space::reg) input.fail_expected(".param or .reg");
        parameter.space = take_space(input);
        parse_qualifiers(input, parameter);
        parameter.name = input.expect_name("a parameter's name");
        parse_extents(input, parameter);
        if (!input.accept(',')) break;
    }
    input.expect(')', "after the parameters");
    return parameters;
}

}  // namespace lanescope::ptx
