// A PTX module as data. The parser makes it, the printer prints it, the SIMT machine decodes it. PTX ISA 9.0.
// Everything keeps its order in the text, because debug information refers to positions by labels.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "ptx/opcodes.h"

namespace lanescope::ptx {

constexpr std::uint32_t no_index = std::numeric_limits<std::uint32_t>::max();

// The meaning of a name in an operand. The same name in two scopes of a body means two variables.
struct Reference {
    enum class Kind : std::uint8_t {
        none,
        parameter,  // index into Function::parameters
        result,     // index into Function::results
        local,      // index into Function::variables
        variable,   // index into Module::variables; prefers a definition to a declaration
        function,   // index into Module::functions; prefers a definition to a declaration
        prototype,  // index into Function::prototypes (last operand of an indirect call)
        targets,    // index into Function::branch_targets (brx.idx, or call targets)
    };
    Kind kind = Kind::none;
    std::uint32_t index = no_index;
    bool operator==(const Reference&) const = default;
};

struct Operand {
    enum class Kind : std::uint8_t {
        reg,      // %r1, or !%p1 with `negated`
        special,  // %tid.x; `special`
        integer,  // immediate; `bits` in two's complement
        real,     // 0f3F800000 or 0d…; `bits` is the spelled value, `real_is_double`
        symbol,   // name of a variable, function or parameter as a value (mov.u64 %rd1, sdyn), + offset
        label,    // a branch target
        address,  // [base + offset]; base is a register, a symbol or nothing (an absolute address: `offset`).
                  // "[tex, {x, y}]" has what follows the comma in `elements`
        vector,   // {a, b, c, d}; `elements`
        pair,     // %r1|%p1; two `elements`
        list,     // (a, b): results or arguments of a call; `elements`
        discard,  // _
    };
    Kind kind = Kind::discard;
    bool negated = false;  // !%p; of a number: it has a minus, which `bits` includes
    bool real_is_double = false;
    bool has_offset = false;  // keeps a written "+ 0"
    Special special{};
    std::uint32_t reg = no_index;  // index into Function::registers
    std::int64_t offset = 0;       // of address and symbol
    std::uint64_t bits = 0;
    std::string name;                // symbol or label
    Reference refers;                // meaning of `name`
    std::uint32_t label = no_index;  // index into Function::labels, resolved
    std::vector<Operand> elements;
    bool operator==(const Operand&) const = default;
};

struct Instruction {
    Op op{};
    std::uint32_t guard = no_index;  // predicate register of "@%p" or "@!%p"
    bool guard_negated = false;
    std::vector<Suffix> suffixes;
    std::vector<Operand>
        operands;  // in text order; a call's: [results list] callee [arguments list] [prototype]
    std::uint32_t text_line = 0;   // line in the PTX text, from 1
    std::uint32_t row = no_index;  // index into Function::rows: the .loc in force in text order

    bool has(Mod mod) const;
    // Returns the n-th type suffix; Type::none if there are fewer.
    Type type(unsigned n = 0) const;
    // Returns the n-th space ("cp.async.ca.shared.global" has two); generic if there are fewer.
    Space space(unsigned n = 0) const;
    unsigned vector_length() const;  // 1, 2, 4 or 8
    // Equal instructions may be on different lines of the text.
    bool operator==(const Instruction& other) const;
};

// An initial value: integers and reals as bits, or the address of a symbol.
struct Initialiser {
    std::uint64_t bits = 0;
    std::string symbol;  // empty for a number
    std::int64_t offset = 0;
    bool generic = false;         // generic(symbol)
    std::uint64_t byte_mask = 0;  // 0xFF(symbol), 0xFF00(symbol) …: one byte of the address; 0: all
    std::string text;             // its spelling, for printing
    bool operator==(const Initialiser&) const = default;
};

enum class Linkage : std::uint8_t { none, external, visible, weak, common };

struct Variable {
    std::string name;
    Space space{};
    Type type{};
    std::uint32_t vector_length = 1;
    std::uint32_t alignment = 0;  // as written; 0 if absent
    Linkage linkage = Linkage::none;
    bool is_array = false;
    std::vector<std::uint64_t> extents;     // 0 for an empty [] (extern shared arrays)
    std::vector<Initialiser> initial;       // flat; missing elements are zeros
    std::vector<std::string> attributes;    // .ptr .global .align 4 …, .attribute(…), as written
    std::uint64_t size_bytes() const;       // saturates; 0 for an array without extent
    std::uint32_t alignment_bytes() const;  // the natural alignment if none is written
    bool operator==(const Variable&) const = default;
};

struct Register {
    std::string name;  // "%r5"
    Type type{};
    bool operator==(const Register&) const = default;
};

// ".reg .b32 %r<42>;" or ".reg .pred p, q;"
struct RegisterDeclaration {
    Type type{};
    std::string name;                 // the prefix or the single name
    std::uint32_t count = 0;          // 0: a single register with exactly that name
    std::uint32_t vector_length = 1;  // ".reg .v4 .f32 v": four registers v.x v.y v.z v.w
    std::uint32_t first = 0;          // index into Function::registers
    bool operator==(const RegisterDeclaration&) const = default;
};

// ".loc file line column" with optional function_name and inlined_at. An inlined_at gives the position of an
// earlier .loc, which may itself be inlined.
struct Row {
    std::uint32_t file = 0;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string function_name;  // label in .debug_str, empty if not inlined
    std::int64_t function_name_offset = 0;
    std::uint32_t inlined_file = 0;  // 0 if not inlined
    std::uint32_t inlined_line = 0;
    std::uint32_t inlined_column = 0;
    bool operator==(const Row&) const = default;
};

struct Label {
    std::string name;
    std::uint32_t instruction = 0;  // the first instruction after it; may equal instructions.size()
    std::uint32_t item = 0;         // its index in Function::items
    bool operator==(const Label&) const = default;
};

struct CallPrototype {
    std::string label;
    std::vector<Variable> results;
    std::vector<Variable> parameters;
    bool noreturn = false;
    bool operator==(const CallPrototype&) const = default;
};

struct BranchTargets {  // label: .branchtargets a, b, c;   or  label: .calltargets f, g;
    std::string label;
    bool calls = false;
    std::vector<std::string> targets;
    std::vector<std::uint32_t> labels;  // of branch targets: indices into Function::labels
    bool operator==(const BranchTargets&) const = default;
};

// One element of a body, in text order.
struct Item {
    enum class Kind : std::uint8_t {
        instruction,
        label,
        row,
        registers,
        variable,
        scope_begin,
        scope_end,
        prototype,
        targets,
        directive
    };
    Kind kind{};
    std::uint32_t index = 0;  // index into Function's vector of that kind (unused for scopes)
    bool operator==(const Item&) const = default;
};

struct Function {
    enum class Kind : std::uint8_t { entry, func };
    Kind kind = Kind::func;
    Linkage linkage = Linkage::none;
    bool has_body = false;  // false for a declaration
    bool noreturn = false;
    std::string name;  // mangled
    std::vector<Variable> results;
    std::vector<Variable> parameters;
    std::vector<std::string> directives;  // ".maxntid 256, 1, 1" …, between the signature and the body

    std::vector<Item> items;
    std::vector<Instruction> instructions;
    std::vector<Label> labels;
    std::vector<Row> rows;
    std::vector<RegisterDeclaration> register_declarations;
    // The registers of all scopes; the same name in two scopes is two registers. Results and parameters of
    // space .reg come first, in that order.
    std::vector<Register> registers;
    std::vector<Variable> variables;  // .local, .shared, .param declared in the body
    std::vector<CallPrototype> prototypes;
    std::vector<BranchTargets> branch_targets;
    std::vector<std::string> body_directives;  // .pragma … as written
    bool operator==(const Function&) const = default;
};

// A ".section" block: bytes and the places of symbols' addresses.
struct Section {
    struct Relocation {
        std::uint64_t at = 0;  // byte offset
        std::uint32_t size_bytes = 8;
        std::string symbol;
        std::string minus;  // subtracted label in label - label; otherwise empty
        std::int64_t offset = 0;
        bool operator==(const Relocation&) const = default;
    };
    std::string name;  // ".debug_info"
    std::vector<std::uint8_t> bytes;
    std::vector<Relocation> relocations;                        // ascending `at`
    std::vector<std::pair<std::string, std::uint64_t>> labels;  // labels inside the section
    std::string text;                                           // the body's spelling, for printing
    bool operator==(const Section&) const = default;
};

struct SourceFile {
    std::uint32_t number = 0;  // number in .loc
    std::string path;
    std::string extra;  // timestamp and size, as written
    bool operator==(const SourceFile&) const = default;
};

// The order of top-level elements, for printing.
struct TopLevel {
    enum class Kind : std::uint8_t { variable, function, file, section, directive };
    Kind kind{};
    std::uint32_t index = 0;
    bool operator==(const TopLevel&) const = default;
};

struct Module {
    std::string version;  // "9.0"
    std::string target;   // "sm_90, debug"
    std::uint32_t address_size = 64;
    std::vector<TopLevel> order;
    std::vector<Variable> variables;
    std::vector<Function> functions;
    std::vector<SourceFile> files;
    std::vector<Section> sections;
    std::vector<std::string> directives;

    const Function* find_function(std::string_view name) const;  // prefers a definition
    const Variable* find_variable(std::string_view name) const;
    const Section* find_section(std::string_view name) const;
    const SourceFile* find_file(std::uint32_t number) const;
    bool operator==(const Module&) const = default;
};

}  // namespace lanescope::ptx
