#include "analysis/code.h"

#include <unordered_map>

#include "ptx/parser.h"

namespace lanescope::analysis {

Code::Code(const trace::Program& program) {
    Result<ptx::Module> module = ptx::parse(program.ptx);
    if (!module) return;
    module_ = std::move(*module);
    struct Place {
        const ptx::Instruction* instruction;
        const ptx::Function* function;
    };
    std::unordered_map<std::uint32_t, Place> by_line;
    for (const ptx::Function& function : module_.functions)
        for (const ptx::Instruction& instruction : function.instructions)
            by_line.try_emplace(instruction.text_line, Place{&instruction, &function});
    at_.resize(program.code_rows.size());
    of_.resize(program.code_rows.size());
    for (std::size_t pc = 0; pc < at_.size(); ++pc) {
        const auto found = by_line.find(program.code_rows[pc].ptx_line);
        if (found == by_line.end()) continue;
        at_[pc] = found->second.instruction;
        of_[pc] = found->second.function;
    }
}

}  // namespace lanescope::analysis
