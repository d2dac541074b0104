// Reads named variables of a -G module from the DWARF v2 sections in its text. Modelled: the encodings of
// NVRTC 13 (registers, local depots, symbols, location lists, constants).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value_type.h"
#include "ptx/cfg.h"
#include "ptx/module.h"

namespace lanescope::ptx {

// Once a lane passes this label, the variable lives in that register. Range ends are ignored, so a variable
// stays in its last register.
struct Binding {
    std::uint32_t instruction = 0;  // the instruction that follows the label
    std::uint32_t reg = no_index;   // index into Function::registers
};

struct DebugVariable {
    std::string name;
    TypeId type = 0;
    int line = 0;  // of the declaration
    bool parameter = false;
    bool user_code = true;  // declared in the user's file
    enum class Home : std::uint8_t { none, registers, local_memory, symbol, constant };
    Home home = Home::none;
    std::vector<Binding> bindings;  // of registers; a single home has one at the scope's start
    std::uint64_t offset = 0;       // in the function's local depot or from the symbol
    std::string symbol;             // depot or symbol
    Space space{};                  // of the symbol
    std::vector<std::uint8_t> constant;
    std::uint32_t scope_begin = 0;  // instructions [begin, end) in which the name is visible
    std::uint32_t scope_end = no_index;
};

struct DebugFunction {
    std::uint32_t function = no_index;  // index into Module::functions
    std::string name;                   // spelling of the source
    int line = 0;
    bool user_code = false;  // declared in the user's file
    std::vector<DebugVariable> variables;
    std::vector<InlinedCall> calls;  // an inner one follows the outer ones
};

// A module-scope or function-scope variable that lives in memory under a PTX symbol.
struct DebugSymbol {
    std::string symbol;    // mangled
    std::string name;      // "tile"
    std::string function;  // source name of the owning function; empty at module scope
    TypeId type = 0;       // 0 if only size and alignment are known
    Space space{};
    int line = 0;
};

struct DebugInfo {
    TypeTable types;
    std::vector<DebugFunction> functions;
    std::vector<DebugSymbol> symbols;
    const DebugFunction* find_function(std::uint32_t function) const;
    const DebugSymbol* find_symbol(std::string_view symbol) const;
};

// Reads the sections. A module without them gives an empty DebugInfo whose symbols have demangled names.
// `user_file` is the path of the user's source in the module's .file. `aliased` is the module of the altered
// text (see compile/alias.h), whose __sv_ references give the types of function-scope shared arrays; it may
// be null. Errors: damaged sections, located in the section.
Result<DebugInfo> read_debug_info(const Module& module, std::string_view user_file,
                                  const Module* aliased = nullptr);

}  // namespace lanescope::ptx
