#include "simt/inspect/uninit_flow.h"

#include <algorithm>

#include "ptx/register_use.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Op;
using ptx::Operand;
using ptx::Reference;

namespace {

bool is_slot_access(const Instruction& instruction) {
    return instruction.op == Op::ld || instruction.op == Op::st;
}

// The registers of a value: itself or a vector's elements; no_place for constants and what is discarded.
std::vector<PlaceId> elements_of(const Operand& operand) {
    std::vector<PlaceId> places;
    if (operand.kind != Operand::Kind::vector) return {operand.reg};
    for (const Operand& element : operand.elements)
        places.push_back(element.reg);
    return places;
}

void collect(const Operand& operand, bool in_address, UninitEffect& effect) {
    const bool address = in_address || operand.kind == Operand::Kind::address;
    if (operand.reg != ptx::no_index) (address ? effect.addresses : effect.values).push_back(operand.reg);
    for (const Operand& element : operand.elements)
        collect(element, address, effect);
}

// Some code makes 0 with "xor r, a, a".
bool cancels(const Instruction& instruction) {
    return (instruction.op == Op::xor_ || instruction.op == Op::sub) && instruction.operands.size() == 3 &&
           instruction.operands[1].reg != ptx::no_index &&
           instruction.operands[1].reg == instruction.operands[2].reg && !ptx::is_float(instruction.type());
}

// Values from memory or a barrier count as set: a load of unset memory is reported itself.
bool result_is_set(const Instruction& instruction) {
    const unsigned flags = ptx::info(instruction.op).flags;
    return (flags & (ptx::op_flag::access | ptx::op_flag::barrier)) != 0 || cancels(instruction);
}

}  // namespace

const Operand* address_operand(const Instruction& instruction) {
    for (const Operand& operand : instruction.operands)
        if (operand.kind == Operand::Kind::address) return &operand;
    return nullptr;
}

UninitPlaces::UninitPlaces(const ptx::Function& function)
    : function_(function), count_(function.registers.size()) {
    const auto in_registers = [](const std::vector<ptx::Variable>& variables) {
        return static_cast<std::uint32_t>(
            std::count_if(variables.begin(), variables.end(),
                          [](const auto& variable) { return variable.space == ptx::Space::reg; }));
    };
    if (function.kind == ptx::Function::Kind::func) {
        result_registers_ = in_registers(function.results);
        parameter_registers_ = in_registers(function.parameters);
    }
    for (const Instruction& instruction : function.instructions) {
        if (!is_slot_access(instruction)) continue;
        const Operand* address = address_operand(instruction);
        if (address == nullptr || address->reg != ptx::no_index || !is_slot(address->refers)) continue;
        const std::uint32_t size = ptx::size_bytes(instruction.type());
        for (std::uint32_t k = 0; k < instruction.vector_length(); ++k) {
            const auto offset = static_cast<std::uint32_t>(address->offset) + k * size;
            if (pieces_
                    .try_emplace({address->refers.kind, address->refers.index, offset},
                                 static_cast<PlaceId>(count_))
                    .second)
                ++count_;
        }
    }
}

bool UninitPlaces::is_slot(const Reference& variable) const {
    if (variable.kind == Reference::Kind::local)
        return ptx::is_parameter(function_.variables[variable.index].space);
    return function_.kind == ptx::Function::Kind::func &&
           (variable.kind == Reference::Kind::parameter || variable.kind == Reference::Kind::result);
}

PlaceId UninitPlaces::piece(const Instruction& instruction, std::size_t element) const {
    if (!is_slot_access(instruction)) return no_place;
    const Operand* address = address_operand(instruction);
    if (address == nullptr || address->reg != ptx::no_index) return no_place;
    const auto offset = static_cast<std::uint32_t>(address->offset) +
                        static_cast<std::uint32_t>(element) * ptx::size_bytes(instruction.type());
    const auto found = pieces_.find({address->refers.kind, address->refers.index, offset});
    return found == pieces_.end() ? no_place : found->second;
}

std::vector<UninitPlaces::Piece> UninitPlaces::pieces_of(const Reference& variable) const {
    std::vector<Piece> found;
    for (auto at = pieces_.lower_bound({variable.kind, variable.index, 0});
         at != pieces_.end() && std::get<0>(at->first) == variable.kind &&
         std::get<1>(at->first) == variable.index;
         ++at)
        found.push_back({variable, std::get<2>(at->first), at->second});
    return found;
}

std::vector<UninitPlaces::Piece> UninitPlaces::pieces_of(const Operand& argument) const {
    if (argument.kind == Operand::Kind::reg) return {{{}, 0, argument.reg}};
    return argument.kind == Operand::Kind::symbol ? pieces_of(argument.refers) : std::vector<Piece>{};
}

namespace {

// Registers of results, then of parameters, come first among the registers.
PlaceId register_of(const ptx::Function& function, bool result, std::uint32_t index) {
    PlaceId place = 0;
    for (std::size_t i = 0; i < (result ? index : function.results.size()); ++i)
        place += function.results[i].space == ptx::Space::reg ? 1 : 0;
    for (std::size_t i = 0; !result && i < index; ++i)
        place += function.parameters[i].space == ptx::Space::reg ? 1 : 0;
    return place;
}

}  // namespace

std::vector<UninitPlaces::Piece> UninitPlaces::pieces_of_parameter(std::uint32_t index) const {
    if (function_.parameters[index].space == ptx::Space::reg)
        return {{{}, 0, register_of(function_, false, index)}};
    return pieces_of(Reference{Reference::Kind::parameter, index});
}

std::vector<UninitPlaces::Piece> UninitPlaces::pieces_of_result(std::uint32_t index) const {
    if (function_.results[index].space == ptx::Space::reg)
        return {{{}, 0, register_of(function_, true, index)}};
    return pieces_of(Reference{Reference::Kind::result, index});
}

UninitEffect effect_of(const Instruction& instruction, const UninitPlaces& places) {
    UninitEffect effect;
    if (instruction.op == Op::call) return effect;
    for (std::size_t i = ptx::first_source(instruction); i < instruction.operands.size(); ++i)
        collect(instruction.operands[i], false, effect);
    // Compilers widen a value with any high half, and then take the low half alone.
    if (instruction.op == Op::mov && instruction.operands.back().kind == Operand::Kind::vector &&
        effect.values.size() > 1)
        effect.values.resize(1);
    if (places.piece(instruction, 0) != no_place) {
        const bool loads = instruction.op == Op::ld;
        const std::vector<PlaceId> registers = elements_of(instruction.operands[loads ? 0 : 1]);
        effect.values.clear();
        for (std::size_t k = 0; k < registers.size(); ++k) {
            const PlaceId piece = places.piece(instruction, k);
            const PlaceId target = loads ? registers[k] : piece, source = loads ? piece : registers[k];
            if (target == no_place) continue;
            effect.flows.push_back({target, {}});
            if (source != no_place) effect.flows.back().sources = {source};
        }
        return effect;
    }
    for (const std::uint32_t target : ptx::writes(instruction)) {
        effect.flows.push_back({target, {}});
        if (!result_is_set(instruction)) effect.flows.back().sources = effect.values;
    }
    return effect;
}

}  // namespace lanescope::simt
