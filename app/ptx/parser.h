// Converts PTX text to a Module and back.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "ptx/module.h"

namespace lanescope::ptx {

// Parses a module. Errors are located in `name` with line and column of the PTX text; the first error ends
// the parse. Errors: unknown mnemonics and modifiers; undeclared registers, symbols and labels; operands that
// do not fit the opcode's pattern. parse(print(m)) == m for every module that parse returns.
Result<Module> parse(std::string_view text, std::string name = "ptx");
std::string print(const Module& module);
std::string print(const Function& function, const Instruction& instruction);  // one line, without the newline

}  // namespace lanescope::ptx
