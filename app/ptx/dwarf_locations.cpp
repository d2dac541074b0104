#include "ptx/dwarf_locations.h"

#include <algorithm>
#include <set>

namespace lanescope::ptx::dwarf {

namespace {

// DWARF 7.7.1
enum Operation : std::uint64_t {
    op_addr = 0x03,
    op_plus_uconst = 0x23,
    op_reg0 = 0x50,
    op_reg31 = 0x6f,
    op_regx = 0x90
};

// Returns the register's name, which is in ASCII with its first character in the most significant byte.
std::string register_name(std::vector<std::uint8_t> little_endian) {
    std::reverse(little_endian.begin(), little_endian.end());
    return {little_endian.begin(), little_endian.end()};
}

void collect_targets(const Operand& operand, std::set<std::string_view>& targets) {
    if (operand.kind == Operand::Kind::label) targets.insert(operand.name);
    for (const Operand& element : operand.elements)
        collect_targets(element, targets);
}

bool goes_on(const Instruction& instruction) {
    return instruction.guard != no_index || !(info(instruction.op).flags & op_flag::ends);
}

}  // namespace

Labels::Labels(const Module& module) {
    for (std::size_t i = 0; i < module.functions.size(); ++i)
        if (module.functions[i].has_body) add_function(module.functions[i], static_cast<std::uint32_t>(i));
}

void Labels::add_function(const Function& function, std::uint32_t index) {
    std::set<std::string_view> targets;
    for (const Instruction& instruction : function.instructions)
        for (const Operand& operand : instruction.operands)
            collect_targets(operand, targets);
    for (const BranchTargets& table : function.branch_targets)
        targets.insert(table.targets.begin(), table.targets.end());
    // In text order, lanes get here if the preceding instruction goes on or if a branch targets a label here.
    bool here = true;
    for (const Item& item : function.items) {
        if (item.kind == Item::Kind::instruction && item.index < function.instructions.size()) {
            here = goes_on(function.instructions[item.index]);
        } else if (item.kind == Item::Kind::label && item.index < function.labels.size()) {
            const Label& label = function.labels[item.index];
            here = here || targets.contains(label.name);
            places_.try_emplace(label.name, Place{index, label.instruction});
            if (!here) unreached_.try_emplace(label.name, true);
        }
    }
}

const Place* Labels::find(std::string_view name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? nullptr : &found->second;
}

const Place* Labels::find(const Entry& entry, At at) const {
    const Attribute* attribute = entry.find(at);
    return attribute && attribute->relocation ? find(attribute->relocation->symbol) : nullptr;
}

Location read_expression(const Section& section, std::uint64_t at, std::uint64_t size) {
    Location location;
    Cursor cursor(section, at);
    const std::uint64_t end = at + size;
    while (!cursor.failed() && cursor.at() < end) {
        const std::uint64_t operation = cursor.fixed(1);
        if (operation == op_regx && location.kind == Location::Kind::unknown) {
            location.kind = Location::Kind::reg;
            location.name = register_name(cursor.long_uleb());
        } else if (operation == op_addr && location.kind == Location::Kind::unknown) {
            const Section::Relocation* symbol = cursor.relocation();
            cursor.fixed(8);
            if (!symbol) return {};
            location.kind = Location::Kind::address;
            location.name = symbol->symbol;
            location.offset = static_cast<std::uint64_t>(symbol->offset);
        } else if (operation == op_plus_uconst && location.kind == Location::Kind::address) {
            location.offset += cursor.uleb();
        } else {
            return {};
        }
    }
    if (cursor.failed() || cursor.at() != end) return {};
    return location;
}

Result<std::vector<ListEntry>> read_list(const Section& section, std::uint64_t at) {
    std::vector<ListEntry> list;
    Cursor cursor(section, at);
    for (;;) {
        const Section::Relocation* begin = cursor.relocation();
        const std::uint64_t low = cursor.fixed(8);
        const Section::Relocation* end = cursor.relocation();
        const std::uint64_t high = cursor.fixed(8);
        if (cursor.failed()) return damaged(section, at, "a location list is unterminated");
        if (!begin && !end && low == 0 && high == 0) return list;
        const std::uint64_t size = cursor.fixed(2);
        const std::uint64_t from = cursor.at();
        cursor.skip(size);
        if (cursor.failed()) return damaged(section, from, "a location is cut off");
        if (begin) list.push_back({begin->symbol, read_expression(section, from, size)});
    }
}

}  // namespace lanescope::ptx::dwarf
