// Enumerations made from opcodes.def: mnemonics, modifiers, types, state spaces, special registers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lanescope::ptx {

enum class Type : std::uint8_t {
#define LANESCOPE_TYPE(name, text, bytes) name,
#include "ptx/opcodes.def"
};

enum class Space : std::uint8_t {
#define LANESCOPE_SPACE(name, text) name,
#include "ptx/opcodes.def"
};

enum class Mod : std::uint8_t {
#define LANESCOPE_MOD(name, text) name,
#include "ptx/opcodes.def"
};

enum class Special : std::uint8_t {
#define LANESCOPE_SPECIAL(name, text) name,
#include "ptx/opcodes.def"
};

enum class Op : std::uint8_t {
#define LANESCOPE_OP(name, text, operands, flags) name,
#include "ptx/opcodes.def"
};

// What the parser, the decoder and the CFG must know of an opcode.
namespace op_flag {
constexpr unsigned writes = 1;      // the first operand is a destination
constexpr unsigned branch = 2;
constexpr unsigned ends = 4;        // control does not go on to the next instruction when unguarded
constexpr unsigned load = 8;
constexpr unsigned store = 16;
constexpr unsigned atomic = 32;
constexpr unsigned barrier = 64;    // block-wide
constexpr unsigned warp_sync = 128; // needs a set of lanes of the warp
constexpr unsigned call = 256;
}  // namespace op_flag

struct OpInfo {
    std::string_view text;
    std::string_view operands;  // the operand pattern as opcodes.def documents it
    unsigned flags;
};

const OpInfo& info(Op op);
std::string_view text(Op op);
std::string_view text(Mod mod);
std::string_view text(Type type);
std::string_view text(Space space);
std::string_view text(Special special);
std::optional<Op> find_op(std::string_view text);
std::optional<Mod> find_mod(std::string_view text);
std::optional<Type> find_type(std::string_view text);
std::optional<Space> find_space(std::string_view text);
std::optional<Special> find_special(std::string_view text);

unsigned size_bytes(Type type);   // 0 for pred and none
bool is_float(Type type);
bool is_signed(Type type);

}  // namespace lanescope::ptx
