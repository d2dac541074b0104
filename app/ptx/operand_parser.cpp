#include "ptx/body_parser.h"

namespace lanescope::ptx {
namespace {

constexpr unsigned deepest_operand = 3;
constexpr std::size_t max_elements = 4096;

}  // namespace

Operand BodyParser::operand(unsigned depth) {
    const Token where = input_.peek();
    Operand first = single(depth);
    return input_.at('|') ? pair(std::move(first), where, depth) : first;
}

Operand BodyParser::pair(Operand first, const Token& where, unsigned depth) {
    using Kind = Operand::Kind;
    const auto can_be_written = [](const Operand& operand) {
        return operand.kind == Kind::discard || (operand.kind == Kind::reg && !operand.negated);
    };
    input_.take();
    const Token second_token = input_.peek();
    Operand made;
    made.kind = Kind::pair;
    made.elements.reserve(2);
    made.elements.push_back(std::move(first));
    made.elements.push_back(single(depth));
    if (!can_be_written(made.elements[0]) && made.elements[0].kind != Kind::vector)
        input_.fail(where, "expected a register before '|', found " + shown(where));
    if (!can_be_written(made.elements[1]))
        input_.fail(second_token, "expected a register after '|', found " + shown(second_token));
    return made;
}

Operand BodyParser::single(unsigned depth) {
    const Token& token = input_.peek();
    switch (token.kind) {
        case Token::Kind::word:
            return named();
        case Token::Kind::number:
            return number(false);
        case Token::Kind::punctuation:
            if (token.is('[')) return address(depth);
            if (token.is('{')) return vector('}', Operand::Kind::vector, depth);
            if (token.is('!')) return negated();
            if (token.is('-') || token.is('+')) return number(input_.take().is('-'));
            break;
        default:
            break;
    }
    input_.fail_expected("an operand");
    return {};
}

Operand BodyParser::number(bool minus) {
    const Token token = input_.peek();
    const Number value = token.kind == Token::Kind::number ? read_number(token.text) : Number{};
    if (!value.valid) {
        input_.fail_expected("a number that fits 64 bits");
        return {};
    }
    input_.take();
    Operand made;
    made.kind = value.real ? Operand::Kind::real : Operand::Kind::integer;
    made.real_is_double = value.real_is_double;
    made.bits = value.bits;
    if (minus && value.real)
        made.bits ^= std::uint64_t{1} << (value.real_is_double ? 63 : 31);
    else if (minus)
        made.bits = 0 - value.bits;
    made.negated = minus && !value.real;
    return made;
}

Operand BodyParser::negated() {
    input_.take();
    const Token where = input_.peek();
    Operand made = named();
    if (made.kind != Operand::Kind::reg || function_.registers[made.reg].type != Type::pred)
        input_.fail(where, "expected a register of type .pred after '!', found " + shown(where));
    made.negated = true;
    return made;
}

Operand BodyParser::register_operand(const NameScopes::Meaning& meaning) const {
    Operand made;
    if (meaning.count == 1) {
        made.kind = Operand::Kind::reg;
        made.reg = meaning.first;
        return made;
    }
    made.kind = Operand::Kind::vector;
    made.elements.resize(meaning.count);
    for (std::uint32_t i = 0; i < meaning.count; ++i) {
        made.elements[i].kind = Operand::Kind::reg;
        made.elements[i].reg = meaning.first + i;
    }
    return made;
}

// Parses a register, a special register, '_' or a symbol with an offset.
Operand BodyParser::named() {
    if (!input_.peek().is_word()) {
        input_.fail_expected("a register or a name");
        return {};
    }
    const Token token = input_.take();
    if (token.text == "_") return {};
    const Token& after = input_.peek();
    const bool dotted = after.kind == Token::Kind::dotted && touches(token, after);
    const std::optional<NameScopes::Meaning> meaning = names_.find(token.text);
    if (meaning && meaning->first != no_index)
        return dotted ? component(token, *meaning) : register_operand(*meaning);
    Operand made;
    const std::size_t length = token.text.size() + (dotted ? after.text.size() : 0);
    if (const auto special = find_special({token.text.data(), length}); special && !meaning) {
        if (dotted) input_.take();
        made.kind = Operand::Kind::special;
        made.special = *special;
        return made;
    }
    made.kind = Operand::Kind::symbol;
    refer(made, token);
    if (input_.at('+') || input_.at('-')) {
        made.has_offset = true;
        made.offset = input_.expect_offset("an offset");
    }
    return made;
}

// Parses "v.y", an element of a vector register.
Operand BodyParser::component(const Token& base, NameScopes::Meaning meaning) {
    const std::string_view word = input_.peek().text;
    constexpr std::string_view position = "xyzw", colour = "rgba";
    const std::size_t element =
        word.size() == 2 ? std::min(position.find(word[1]), colour.find(word[1])) : word.size();
    if (meaning.count == 1 || element >= meaning.count) {
        input_.fail(base, "'" + std::string(base.text) + "' has no element " + shown(input_.peek()));
        return {};
    }
    input_.take();
    meaning.first += static_cast<std::uint32_t>(element);
    meaning.count = 1;
    return register_operand(meaning);
}

void BodyParser::refer(Operand& operand, const Token& name) {
    operand.name = name.text;
    const std::optional<NameScopes::Meaning> meaning = names_.find(name.text);
    if (meaning) {
        operand.refers = meaning->variable;
    } else if (name.text[0] == '%') {
        input_.fail(name, "no register '" + std::string(name.text) + "' is declared here");
    } else {
        outer_uses_.push_back({name.text, name});
    }
}

Operand BodyParser::vector(char close, Operand::Kind kind, unsigned depth) {
    Operand made;
    made.kind = kind;
    if (depth >= deepest_operand) input_.fail_expected("an operand without more brackets");
    input_.take();
    while (!input_.at(close) && !input_.failed()) {
        if (made.elements.size() == max_elements) input_.fail_expected("at most 4096 elements");
        const Token where = input_.peek();
        made.elements.push_back(single(depth + 1));
        const Operand::Kind element = made.elements.back().kind;
        if (element == Operand::Kind::address || element == Operand::Kind::vector)
            input_.fail(where, "expected a register, a number or a name, found " + shown(where));
        if (!input_.accept(',')) break;
    }
    input_.expect(close, "after the elements");
    return made;
}

// [%rd1+8]  [symbol]  [64]  [texture, {%f1, %f2}]
Operand BodyParser::address(unsigned depth) {
    Operand made;
    made.kind = Operand::Kind::address;
    if (depth >= deepest_operand) input_.fail_expected("an operand without more brackets");
    input_.take();
    const Token base = input_.peek();
    if (base.is_word()) {
        Operand inner = named();
        if (inner.kind != Operand::Kind::reg && inner.kind != Operand::Kind::symbol)
            input_.fail(base, "expected a register, a name or a number in the address, found " + shown(base));
        inner.kind = Operand::Kind::address;
        made = std::move(inner);
        if (input_.at('+') || input_.at('-')) {
            made.has_offset = true;
            made.offset = input_.expect_offset("an offset");
        }
    } else {
        made.offset = input_.expect_offset("a register, a name or a number in the address");
    }
    while (input_.accept(','))
        made.elements.push_back(operand(depth + 1));
    input_.expect(']', "after the address");
    return made;
}

}  // namespace lanescope::ptx
