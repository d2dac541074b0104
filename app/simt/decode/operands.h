// Turns the operands of one instruction into refs. A wrong operand makes the decoder reject the instruction
// with a reason.
#pragma once

#include <optional>
#include <string>

#include "ptx/module.h"
#include "simt/decode/decoder.h"
#include "simt/program/frame_layout.h"

namespace lanescope::simt {

// Offsets of addresses wrap as on hardware.
constexpr std::int64_t wrapping_sum(std::int64_t a, std::uint64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + b);
}

// Decodes the operands of one function. `problem` keeps the first mistake; after it, all refs are no_ref.
class OperandDecoder {
  public:
    OperandDecoder(const DecodeContext& context, const ptx::Function& function, const FrameLayout& frame,
                   FunctionCode& code)
        : context_(context), function_(function), frame_(frame), code_(code) {}

    // `moves`: the instruction is a mov, which alone reads clocks.
    void begin(bool moves) {
        problem_.clear();
        moves_ = moves;
    }
    const std::string& problem() const { return problem_; }
    Ref fail(std::string message);

    // A source of this type; immediates become constants.
    Ref source(const ptx::Operand& operand, ptx::Type type);
    // A destination register whose lanes have the type's width; `_` gives no_ref.
    Ref destination(const ptx::Operand& operand, ptx::Type type);
    // A register of any width, for ld, st and cvt; `wide` says which. Immediates take the type's width.
    Ref any_width(const ptx::Operand& operand, ptx::Type type, bool& wide);
    // A predicate source without its negation.
    Ref predicate(const ptx::Operand& operand);

    // The row and offset that stand for a symbol's address in its state space.
    struct Address {
        Ref row = no_ref;
        std::int64_t offset = 0;
        Window window = Window::none;  // of the symbol; none: function
        const Slot* slot = nullptr;    // a parameter variable of the frame instead
    };
    Address symbol(const ptx::Operand& operand);

    const ptx::Operand* at(const ptx::Instruction& instruction, std::size_t index);

  private:
    Ref special(ptx::Special special, bool wide);
    Ref immediate(const ptx::Operand& operand, ptx::Type type);
    Address shared_address(std::uint32_t shared, std::int64_t offset);
    Address variable_address(const ptx::Operand& operand);
    Address local_address(const ptx::Operand& operand);
    Address parameter_address(const ptx::Operand& operand);

    const DecodeContext& context_;
    const ptx::Function& function_;
    const FrameLayout& frame_;
    FunctionCode& code_;
    std::string problem_;
    bool moves_ = false;
    std::unordered_map<std::uint32_t, std::uint32_t>
        body_shared_;  // of the body's variables: into Program::shared
};

}  // namespace lanescope::simt
