// Enumerations made from opcodes.def: mnemonics, modifiers, types, state spaces, special registers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lanescope::ptx {

enum class Type : std::uint8_t {
#define LANESCOPE_TYPE(name, ...) name,
#include "ptx/opcodes.def"
};

enum class Space : std::uint8_t {
#define LANESCOPE_SPACE(name, ...) name,
#include "ptx/opcodes.def"
};

enum class Mod : std::uint16_t {
#define LANESCOPE_MOD(name, text) name,
#include "ptx/opcodes.def"
};

enum class Special : std::uint8_t {
#define LANESCOPE_SPECIAL(name, text) name,
#include "ptx/opcodes.def"
};

// A mnemonic consists of the words that choose the operand form, so "bar.red" and "cp.async.bulk" are
// separate opcodes.
enum class Op : std::uint16_t {
#define LANESCOPE_OP(name, ...) name,
#include "ptx/opcodes.def"
};

// How an instruction's operands are read.
enum class Form : std::uint8_t {
    arithmetic,
    setp,
    move,
    convert,
    cvta,
    load,
    store,
    bulk_store,
    atomic,
    branch,
    branch_table,
    call,
    control,
    barrier,
    warp,
    mma,
    fragment,     // wmma.load, wmma.store
    matrix_rows,  // ldmatrix, stmatrix
    transpose,
    cluster,
    stack,
    copy,
    bulk_copy,
    group_wait,
    copy_arrival,
    mbarrier,
    pending_count,
    sample,
    surface,
    query,
    unsupported
};

// A word after the mnemonic, in text order: "ld.volatile.shared.v2.u32" has a mod, a space, a mod and a type.
struct Suffix {
    enum class Kind : std::uint8_t { mod, type, space };
    Kind kind = Kind::mod;
    std::uint16_t value = 0;  // a Mod, Type or Space
    bool is(Mod mod) const { return kind == Kind::mod && value == static_cast<std::uint16_t>(mod); }
    bool operator==(const Suffix&) const = default;
};

// The properties of an opcode for the parser, the decoder and the CFG.
namespace op_flag {
constexpr unsigned writes = 1;  // the first operand is a destination; follows from the operands
constexpr unsigned branch = 2;
constexpr unsigned ends = 4;  // if unguarded, control does not go on to the next instruction
constexpr unsigned load = 8;
constexpr unsigned store = 16;
constexpr unsigned atomic = 32;
constexpr unsigned barrier = 64;     // block-wide
constexpr unsigned warp_sync = 128;  // needs a set of lanes of the warp
constexpr unsigned call = 256;
constexpr unsigned arrives = 512;  // at an mbarrier object, or tells it what to expect
constexpr unsigned tests = 1024;   // an mbarrier object: the time at which it ends decides about the result
constexpr unsigned async = 2048;   // accesses memory later
constexpr unsigned lands = 4096;   // afterwards earlier copies of the thread have arrived
constexpr unsigned access = load | store | atomic;
}  // namespace op_flag

struct OpInfo {
    std::string_view text;
    std::string_view operands;  // the operand pattern; opcodes.def documents it
    unsigned flags;
    Form form;
};

const OpInfo& info(Op op);
constexpr bool is_destination(char role) {
    return role == 'd' || role == 'D' || role == 'P';
}
char operand_role(Op op, std::size_t operand);  // the letter of the pattern; 0 behind its end
std::string_view text(Op op);
std::string_view text(Mod mod);
std::string_view text(Type type);
std::string_view text(Space space);
std::string_view text(Special special);
std::string_view text(Suffix suffix);

// Texts are spelled as in PTX, without the leading dot ("u32", "shared::cta", "bar.sync") but with the "%" of
// special registers. The find functions also accept other spellings of a mnemonic ("bar.cta.sync").
std::optional<Op> find_op(std::string_view text);
std::optional<Type> find_type(std::string_view text);
std::optional<Space> find_space(std::string_view text);
std::optional<Special> find_special(std::string_view text);
std::optional<Suffix> find_suffix(std::string_view text);  // a modifier, type or space

// Returns the largest number of words in a mnemonic that begins with this word ("cp" 5, "ld" 1); 0 if none
// does.
unsigned mnemonic_words(std::string_view first_word);

unsigned op_count();
unsigned size_bytes(Type type);          // 0 for pred, none and types that are not whole bytes
bool is_float(Type type);                // f16 … f64 and their packed forms, not the 8-bit formats
bool is_signed(Type type);               // s8 … s64 and their packed forms, not floats
std::string_view value_name(Type type);  // "float"; empty if no type of base/value_type.h is like it
bool is_parameter(Space space);

}  // namespace lanescope::ptx
