// PTX text to Module and back.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "ptx/module.h"

namespace lanescope::ptx {

// Errors are located in `name` (line and column of the PTX text); the first one ends the parse. Unknown
// mnemonics and modifiers, undeclared registers, symbols and labels, and operands that do not fit the
// opcode's pattern are errors. parse(print(m)) == m for every module that parse returned.
Result<Module> parse(std::string_view text, std::string name = "ptx");
std::string print(const Module& module);
std::string print(const Function& function, const Instruction& instruction);  // one line, without the newline

}  // namespace lanescope::ptx
