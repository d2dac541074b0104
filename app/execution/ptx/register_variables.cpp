#include "execution/ptx/register_variables.h"

#include <algorithm>

#include "ptx/register_use.h"
#include "ptx/used_types.h"

namespace lanescope::execution {

namespace {

using ptx::Op;
using ptx::Type;

bool says_meaning(Type type) {
    return ptx::is_float(type) || ptx::is_signed(type);
}

// The type of a register: "u32 %r1" may hold a float, because compilers also use untyped registers.
std::string_view type_name(Type declared, Type used) {
    const Type type = used != Type::none ? used : declared;
    const std::string_view name = ptx::value_name(type);
    if ((type == Type::pred || says_meaning(type)) && !name.empty()) return name;
    for (const Type whole : {Type::u8, Type::u16, Type::u32, Type::u64})
        if (ptx::size_bytes(whole) == ptx::size_bytes(declared)) return ptx::value_name(whole);
    return "";
}

// The type with which an instruction writes its result, if the word says one.
Type written_type(const ptx::Instruction& instruction) {
    switch (instruction.op) {
        case Op::setp:
        case Op::shfl:
        case Op::call:
            return Type::none;
        default:
            return instruction.type(0);
    }
}

// For each register, the type of the first instruction that writes it and says more than its width.
std::vector<Type> types_of(const ptx::Function& function) {
    std::vector<Type> types = ptx::floating_registers(function);
    for (const ptx::Instruction& instruction : function.instructions) {
        const Type type = written_type(instruction);
        if (!says_meaning(type)) continue;
        for (const std::uint32_t reg : ptx::writes(instruction))
            if (types[reg] == Type::none &&
                ptx::size_bytes(function.registers[reg].type) == ptx::size_bytes(type))
                types[reg] = type;
    }
    return types;
}

}  // namespace

void add_register_variables(const ptx::Module& module, ptx::DebugInfo& debug) {
    for (std::uint32_t i = 0; i < module.functions.size(); ++i) {
        const ptx::Function& function = module.functions[i];
        if (!function.has_body) continue;
        const auto known = std::find_if(debug.functions.begin(), debug.functions.end(),
                                        [&](const ptx::DebugFunction& each) { return each.function == i; });
        const bool named = known != debug.functions.end() &&
                           std::any_of(known->variables.begin(), known->variables.end(),
                                       [](const ptx::DebugVariable& variable) { return variable.user_code; });
        if (named) continue;
        ptx::DebugFunction made;
        if (known != debug.functions.end()) made = *known;
        made.function = i;
        made.user_code = true;
        const std::vector<Type> types = types_of(function);
        std::vector<bool> written(function.registers.size(), false);  // declarations are ranges from 0 on
        for (const ptx::Instruction& instruction : function.instructions)
            for (const std::uint32_t reg : ptx::writes(instruction))
                written[reg] = true;
        for (std::uint32_t reg = 0; reg < function.registers.size(); ++reg) {
            ptx::DebugVariable variable;
            variable.name = function.registers[reg].name;
            variable.type = debug.types.named(type_name(function.registers[reg].type, types[reg]));
            variable.home = ptx::DebugVariable::Home::registers;
            variable.bindings = {{0, reg}};
            variable.scope_end = static_cast<std::uint32_t>(function.instructions.size());
            if (variable.type != 0 && written[reg]) made.variables.push_back(std::move(variable));
        }
        if (known != debug.functions.end())
            *known = std::move(made);
        else
            debug.functions.push_back(std::move(made));
    }
}

}  // namespace lanescope::execution
