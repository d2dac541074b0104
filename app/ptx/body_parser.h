// Parses one function body: statements, scopes, names, labels.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/module.h"
#include "ptx/names.h"
#include "ptx/parser_input.h"

namespace lanescope::ptx {

// The registers that one module may still declare with ranges, whose number its text does not bound.
struct Budget {
    std::uint64_t registers = 1u << 21;
};

// A name that the function does not declare: a module-scope variable or a function.
struct OuterUse {
    std::string_view name;
    Token where;
};

class BodyParser {
  public:
    BodyParser(Input& input, Function& function, Budget& budget, std::vector<OuterUse>& outer_uses)
        : input_(input), function_(function), budget_(budget), outer_uses_(outer_uses) {}

    // Parses from '{' to its '}'.
    void parse();

  private:
    // Labels are visible in their own scope and in inner scopes.
    struct LabelMeaning {
        enum class Kind : std::uint8_t { label, targets, prototype } kind;
        std::uint32_t index;
    };
    struct LabelUse {
        enum class Wanted : std::uint8_t { branch, table_entry, targets, prototype } wanted;
        std::uint32_t index;    // the instruction; of a table entry, the table
        std::uint32_t operand;  // the operand; of a table entry, the entry
        std::string_view name;
        Token where;
    };
    struct Scope {
        std::unordered_map<std::string_view, LabelMeaning> labels;
        std::size_t first_use = 0;
    };

    // body_parser.cpp
    void declare_signature();
    void statement();
    void directive();
    void open_scope();
    void close_scope();
    void resolve_labels(const Scope& scope);
    void bind(const LabelUse& use, LabelMeaning meaning);
    void reject_unresolved();
    void label_statement();
    void declare_label(const Token& token, LabelMeaning meaning);
    void prototype(const Token& label);
    void targets(const Token& label, bool calls);
    void row();
    void registers();
    void declare_register(const Token& name, Type type, std::uint32_t vector_length);
    bool reserve_registers(const Token& name, std::uint64_t count);
    void variables();
    void pragma();
    void add_item(Item::Kind kind, std::size_t index);

    // instruction_parser.cpp
    void instruction();
    void guard(Instruction& instruction);
    void mnemonic(Instruction& instruction);
    void suffixes(Instruction& instruction, const std::vector<Token>& words, unsigned used);
    void operands(Instruction& instruction);
    void call_operands(Instruction& instruction);
    void check_kind(Op op, char pattern, const Token& where, const Operand& operand);
    Operand operand(unsigned depth);
    Operand single(unsigned depth);
    Operand number(bool minus);
    Operand negated();
    Operand named();
    Operand component(const Token& base, NameScopes::Meaning meaning);
    Operand vector(char close, Operand::Kind kind, unsigned depth);
    Operand address(unsigned depth);
    Operand label_operand(LabelUse::Wanted wanted, std::uint32_t position);
    Operand pair(Operand first, const Token& where, unsigned depth);
    void refer(Operand& operand, const Token& name);
    Operand register_operand(const NameScopes::Meaning& meaning) const;

    Input& input_;
    Function& function_;
    Budget& budget_;
    std::vector<OuterUse>& outer_uses_;
    NameScopes names_;
    std::vector<Scope> scopes_;
    std::vector<LabelUse> label_uses_;
    std::vector<Token> words_;  // scratch of mnemonic()
    std::uint32_t current_row_ = no_index;
};

}  // namespace lanescope::ptx
