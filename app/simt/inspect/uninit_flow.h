// The places of one function that hold values which may be unset: registers, and pieces of parameter
// variables.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "ptx/cfg.h"
#include "ptx/module.h"

namespace lanescope::simt {

using PlaceId = std::uint32_t;
constexpr PlaceId no_place = ~PlaceId{0};

// Registers have their index; pieces of parameter variables follow.
class UninitPlaces {
  public:
    explicit UninitPlaces(const ptx::Function& function);

    struct Piece {
        ptx::Reference variable;
        std::uint32_t offset = 0;
        PlaceId place = no_place;
    };
    std::size_t count() const { return count_; }
    // The piece that element k of this ld.param or st.param touches; none of other instructions.
    PlaceId piece(const ptx::Instruction& instruction, std::size_t element) const;
    // The pieces of a call's argument or result, or of the function's own.
    std::vector<Piece> pieces_of(const ptx::Operand& argument) const;
    std::vector<Piece> pieces_of_parameter(std::uint32_t index) const;
    std::vector<Piece> pieces_of_result(std::uint32_t index) const;
    // Results and parameters of space .reg are the first registers.
    std::uint32_t result_registers() const { return result_registers_; }
    bool is_parameter_register(std::uint32_t reg) const {
        return reg >= result_registers_ && reg < result_registers_ + parameter_registers_;
    }

  private:
    bool is_slot(const ptx::Reference& variable) const;
    std::vector<Piece> pieces_of(const ptx::Reference& variable) const;

    const ptx::Function& function_;
    std::size_t count_ = 0;
    std::uint32_t result_registers_ = 0, parameter_registers_ = 0;
    std::map<std::tuple<ptx::Reference::Kind, std::uint32_t, std::uint32_t>, PlaceId> pieces_;
};

// What an instruction does with values, for this analysis.
struct UninitEffect {
    struct Flow {
        PlaceId target = no_place;
        std::vector<PlaceId> sources;  // empty: the result is set
    };
    std::vector<Flow> flows;
    std::vector<PlaceId> addresses;  // registers in addresses
    std::vector<PlaceId> values;     // sources that are not addresses, in operand order
};
UninitEffect effect_of(const ptx::Instruction& instruction, const UninitPlaces& places);

// The operand of a ld, st, atom or red that holds the address, and the one that holds the value.
const ptx::Operand* address_operand(const ptx::Instruction& instruction);

}  // namespace lanescope::simt
