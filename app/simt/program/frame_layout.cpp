#include "simt/program/frame_layout.h"

#include <algorithm>

namespace lanescope::simt {

namespace {

constexpr std::uint64_t max_frame_bytes = 1ull << 30;  // a Ref holds offsets up to here

}  // namespace

std::uint32_t register_bytes(ptx::Type type) {
    const unsigned bytes = ptx::size_bytes(type);
    return bytes == 16 ? 2 * row8_bytes : bytes == 8 ? row8_bytes : row4_bytes;
}

bool is_wide(ptx::Type type) {
    return ptx::size_bytes(type) == 8;
}

std::uint32_t FrameLayout::take(std::uint64_t bytes) {
    const std::uint64_t at = frame_bytes;
    frame_bytes =
        std::min(max_frame_bytes + 1, frame_bytes + (bytes + row4_bytes - 1) / row4_bytes * row4_bytes);
    return static_cast<std::uint32_t>(std::min(at, max_frame_bytes));
}

std::uint64_t FrameLayout::take_local(const ptx::Variable& variable) {
    const std::uint64_t alignment = std::max<std::uint32_t>(variable.alignment_bytes(), 1);
    const std::uint64_t offset = (local_bytes + alignment - 1) / alignment * alignment;
    local_bytes = std::min<std::uint64_t>(offset + std::min<std::uint64_t>(variable.size_bytes(), 1ull << 40),
                                          1ull << 41);
    return offset;
}

void FrameLayout::place_copies(const ptx::Function& function) {
    parameter_copies.assign(function.parameters.size(), no_copy);
    for (const ptx::Instruction& instruction : function.instructions) {
        if (instruction.op != ptx::Op::mov && instruction.op != ptx::Op::cvta) continue;
        for (const ptx::Operand& operand : instruction.operands) {
            if (operand.kind != ptx::Operand::Kind::symbol ||
                operand.refers.kind != ptx::Reference::Kind::parameter)
                continue;
            std::uint64_t& place = parameter_copies[operand.refers.index];
            if (place == no_copy) place = take_local(function.parameters[operand.refers.index]);
        }
    }
}

// Scalars lie like registers, lane after lane; larger objects at a stride of their size.
Slot FrameLayout::slot_for(const ptx::Variable& variable, std::uint32_t& next_register) {
    if (variable.space == ptx::Space::reg) {
        const std::uint32_t reg = next_register++;
        const std::uint32_t bytes = is_wide(variable.type) ? 8 : 4;
        return {reg < registers.size() ? registers[reg] : no_ref, bytes, bytes};
    }
    const std::uint64_t size = std::min<std::uint64_t>(variable.size_bytes(), 1 << 20);
    const std::uint64_t stride = size <= 8 ? size : (size + 15) / 16 * 16;
    return {make_ref(Base::frame, take(stride * warp_size)), static_cast<std::uint32_t>(stride),
            static_cast<std::uint32_t>(size)};
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> zeroed_parts(const ptx::Function& function,
                                                                  const FrameLayout& layout,
                                                                  const std::vector<bool>& marked) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> parts;
    auto add = [&](std::uint32_t offset, std::uint32_t size) {
        if (!parts.empty() && parts.back().first + parts.back().second == offset)
            parts.back().second += size;
        else if (size != 0)
            parts.emplace_back(offset, size);
    };
    for (std::size_t i = 0; i < layout.registers.size(); ++i)
        if (marked[i])
            add(ref_offset(layout.registers[i]), function.registers[i].type == ptx::Type::pred
                                                     ? 8
                                                     : register_bytes(function.registers[i].type));
    const std::uint32_t behind = layout.registers_end;
    add(behind, static_cast<std::uint32_t>(layout.frame_bytes - behind));
    return parts;
}

FrameLayout::FrameLayout(const ptx::Function& function) {
    std::uint32_t predicates = 0;  // sixteen masks share a row
    std::uint32_t predicate_row = 0;
    for (const ptx::Register& reg : function.registers) {
        if (reg.type == ptx::Type::pred) {
            if (predicates % (row4_bytes / 8) == 0) predicate_row = take(row4_bytes);
            registers.push_back(make_ref(Base::frame, predicate_row + predicates++ % (row4_bytes / 8) * 8));
        } else {
            registers.push_back(make_ref(Base::frame, take(register_bytes(reg.type))));
        }
    }
    registers_end = static_cast<std::uint32_t>(std::min(frame_bytes, max_frame_bytes));
    for (Ref& row : scratch)
        row = make_ref(Base::frame, take(row4_bytes));
    std::uint32_t next_register = 0;
    if (function.kind == ptx::Function::Kind::func) {
        for (const ptx::Variable& result : function.results)
            results.push_back(slot_for(result, next_register));
        for (const ptx::Variable& parameter : function.parameters)
            parameters.push_back(slot_for(parameter, next_register));
    }
    for (const ptx::Variable& variable : function.variables) {
        variables.push_back(ptx::is_parameter(variable.space) ? slot_for(variable, next_register)
                                                              : Slot{no_ref, 0, 0});
        std::uint64_t offset = ~0ull;
        if (variable.space == ptx::Space::local) offset = take_local(variable);
        local_offsets.push_back(offset);
    }
    if (function.kind == ptx::Function::Kind::func) place_copies(function);
    local_bytes = (local_bytes + 15) / 16 * 16;
}

}  // namespace lanescope::simt
