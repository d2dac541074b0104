#include <algorithm>

#include "ptx/body_parser.h"

namespace lanescope::ptx {
namespace {

constexpr unsigned max_words = 24;  // of a mnemonic with its suffixes

std::string joined(const std::vector<Token>& words, unsigned count) {
    std::string text;
    for (unsigned i = 0; i < count; ++i)
        text += words[i].text;
    return text;
}

bool contiguous(const std::vector<Token>& words, unsigned count) {
    for (unsigned i = 1; i < count; ++i)
        if (!touches(words[i - 1], words[i])) return false;
    return true;
}

// Reads the operand pattern of an opcode letter by letter.
class Pattern {
  public:
    explicit Pattern(std::string_view text) : rest_(text) {}

    bool done() const { return rest_.empty(); }
    char take() {
        const char letter = rest_[0];
        rest_.remove_prefix(1);
        if (rest_.starts_with('?')) rest_.remove_prefix(1);
        if (rest_.starts_with(',')) rest_.remove_prefix(1);
        return letter;
    }
    bool rest_is_optional() const { return rest_.empty() || (rest_.size() > 1 && rest_[1] == '?'); }

  private:
    std::string_view rest_;
};

// Returns "3 operands" or "2 to 3 operands" for messages.
std::string operand_count(std::string_view pattern) {
    unsigned least = 0, most = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == ',' || pattern[i] == '?') continue;
        ++most;
        if (i + 1 == pattern.size() || pattern[i + 1] != '?') ++least;
    }
    const std::string range =
        least == most ? std::to_string(most) : std::to_string(least) + " to " + std::to_string(most);
    return range + (most == 1 ? " operand" : " operands");
}

}  // namespace

void BodyParser::instruction() {
    Instruction made;
    made.text_line = input_.peek().line;
    made.row = current_row_;
    const std::size_t index = function_.instructions.size();
    function_.instructions.emplace_back();
    if (input_.at('@')) guard(made);
    mnemonic(made);
    if (input_.failed()) return;
    if (made.op == Op::call)
        call_operands(made);
    else
        operands(made);
    function_.instructions[index] = std::move(made);
    add_item(Item::Kind::instruction, index);
}

void BodyParser::guard(Instruction& instruction) {
    input_.take();
    instruction.guard_negated = input_.accept('!');
    const Token where = input_.peek();
    const std::string_view name = input_.expect_name("a predicate register");
    const auto meaning = names_.find(name);
    if (input_.failed()) return;
    if (!meaning || meaning->first == no_index || function_.registers[meaning->first].type != Type::pred)
        return input_.fail(where, "expected a register of type .pred, found " + shown(where));
    instruction.guard = meaning->first;
}

void BodyParser::mnemonic(Instruction& instruction) {
    if (!input_.peek().is_word()) return input_.fail_expected("an instruction");
    words_.assign(1, input_.take());
    while (input_.peek().kind == Token::Kind::dotted) {
        if (words_.size() == max_words) return input_.fail_expected("at most 24 words in one instruction");
        words_.push_back(input_.take());
    }
    const unsigned longest = mnemonic_words(words_[0].text);
    for (unsigned count = std::min<unsigned>(longest, words_.size()); count > 0; --count) {
        const Token& last = words_[count - 1];
        const char* const begin = words_[0].text.data();
        const std::optional<Op> op =
            contiguous(words_, count)
                ? find_op({begin, static_cast<std::size_t>(last.text.data() + last.text.size() - begin)})
                : find_op(joined(words_, count));
        if (!op) continue;
        instruction.op = *op;
        return suffixes(instruction, words_, count);
    }
    input_.fail(words_[0], "unknown instruction '" + joined(words_, words_.size()) + "'");
}

void BodyParser::suffixes(Instruction& instruction, const std::vector<Token>& words, unsigned used) {
    instruction.suffixes.reserve(words.size() - used);
    for (unsigned i = used; i < words.size(); ++i) {
        const std::optional<Suffix> suffix = find_suffix(words[i].text.substr(1));
        if (!suffix)
            return input_.fail(words[i], "unknown modifier " + shown(words[i]) + " of '" +
                                             std::string(text(instruction.op)) + "'");
        instruction.suffixes.push_back(*suffix);
    }
}

void BodyParser::operands(Instruction& instruction) {
    const std::string_view pattern_text = info(instruction.op).operands;
    Pattern pattern(pattern_text);
    if (!input_.at(';')) instruction.operands.reserve(4);
    while (!input_.at(';') && !input_.failed()) {
        if (pattern.done())
            return input_.fail_expected("';': '" + std::string(text(instruction.op)) + "' has " +
                                        operand_count(pattern_text));
        const char letter = pattern.take();
        const Token where = input_.peek();
        const auto position = static_cast<std::uint32_t>(instruction.operands.size());
        if (letter == 't')
            instruction.operands.push_back(label_operand(LabelUse::Wanted::branch, position));
        else if (letter == 'n')
            instruction.operands.push_back(label_operand(LabelUse::Wanted::targets, position));
        else
            instruction.operands.push_back(operand(0));
        check_kind(instruction.op, letter, where, instruction.operands.back());
        if (!input_.accept(',')) break;
    }
    if (!input_.failed() && input_.at(';') && !pattern.rest_is_optional())
        return input_.fail_expected(operand_count(pattern_text) + " of '" +
                                    std::string(text(instruction.op)) + "'");
    input_.expect(';', "after the operands");
}

void BodyParser::check_kind(Op op, char pattern, const Token& where, const Operand& operand) {
    using Kind = Operand::Kind;
    const bool destination = is_destination(pattern);
    if (input_.failed() || pattern == 'x' || pattern == 't' || pattern == 'n') return;
    const auto expected = [&](const char* what) {
        input_.fail(where, "expected " + std::string(what) + " of '" + std::string(text(op)) + "', found " +
                               shown(where));
    };
    switch (operand.kind) {
        case Kind::address:
            if (pattern != 'm') expected(destination ? "a destination register" : "a value");
            return;
        case Kind::list:
            return expected("an operand without parentheses");
        case Kind::reg:
            if (pattern == 'm' || (destination && operand.negated))
                expected(pattern == 'm' ? "an address in brackets" : "a destination register");
            return;
        case Kind::vector:
        case Kind::pair:
        case Kind::discard:
            if (pattern == 'm') expected("an address in brackets");
            return;
        default:
            break;
    }
    if (pattern == 'm') return expected("an address in brackets");
    if (destination) expected("a destination register");
}

// call (results), callee, (arguments), prototype;
void BodyParser::call_operands(Instruction& instruction) {
    if (input_.at('(')) {
        instruction.operands.push_back(vector(')', Operand::Kind::list, 1));
        input_.expect(',', "after the results");
    }
    const Token where = input_.peek();
    if (!where.is_word()) return input_.fail_expected("a function's name or a register");
    instruction.operands.push_back(operand(0));
    const Operand::Kind kind = instruction.operands.back().kind;
    if (kind != Operand::Kind::reg && kind != Operand::Kind::symbol)
        return input_.fail(where, "expected a function's name or a register, found " + shown(where));
    if (input_.accept(',')) {
        if (input_.at('(')) {
            instruction.operands.push_back(vector(')', Operand::Kind::list, 1));
            if (!input_.at(';')) input_.expect(',', "after the arguments");
        }
        if (!input_.at(';'))
            instruction.operands.push_back(label_operand(
                LabelUse::Wanted::prototype, static_cast<std::uint32_t>(instruction.operands.size())));
    }
    input_.expect(';', "after the call");
}

Operand BodyParser::label_operand(LabelUse::Wanted wanted, std::uint32_t position) {
    Operand made;
    const Token where = input_.peek();
    made.kind = wanted == LabelUse::Wanted::branch ? Operand::Kind::label : Operand::Kind::symbol;
    made.name = input_.expect_name("a label");
    label_uses_.push_back(
        {wanted, static_cast<std::uint32_t>(function_.instructions.size() - 1), position, where.text, where});
    return made;
}

}  // namespace lanescope::ptx
