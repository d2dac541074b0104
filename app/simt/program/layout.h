// Where the variables of a module lie: addresses in global and constant memory, first contents, shared
// symbols.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "ptx/debug_info.h"
#include "ptx/module.h"
#include "simt/program/program.h"

namespace lanescope::simt {

constexpr std::uint32_t align_up(std::uint64_t value, std::uint64_t alignment) {
    return static_cast<std::uint32_t>((value + alignment - 1) / alignment * alignment);
}

// Guard space behind each module-scope variable.
constexpr std::uint64_t variable_guard_bytes = 256;

// The place of a symbol of the module.
struct SymbolPlace {
    Window window = Window::none;
    std::uint64_t address = 0;  // in its state space; shared: unused
    std::uint32_t shared = 0;   // into Program::shared
};

struct ModuleLayout {
    std::vector<SymbolPlace> variables;  // as in ptx::Module::variables
};

// The description that a trace shows for a PTX variable; its type comes from the debug information where
// there is one.
trace::Symbol describe(const ptx::Variable& variable, const ptx::DebugInfo& debug, TypeTable& types);

// Fills Program::variables and the module-scope part of Program::shared. Errors: variables too large to
// place.
Result<ModuleLayout> lay_out_module(const ptx::Module& module, const ptx::DebugInfo& debug,
                                    const Placement& placement, Program& program);
// A shared variable of the module or of a function; its index in Program::shared.
std::uint32_t add_shared(const ptx::Variable& variable, const ptx::DebugInfo& debug, Program& program);

}  // namespace lanescope::simt
