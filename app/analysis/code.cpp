#include "analysis/code.h"

#include <unordered_map>

#include "ptx/module.h"
#include "ptx/parser.h"

namespace lanescope::analysis {

Code::Code(const trace::Program& program, std::shared_ptr<const ptx::Module> module)
    : program_(program), module_(std::move(module)) {}

const ptx::Instruction* Code::at(std::uint32_t pc) const {
    std::call_once(found_, [this] { find_instructions(); });
    return pc < at_.size() ? at_[pc] : nullptr;
}

const ptx::Function* Code::function_at(std::uint32_t pc) const {
    std::call_once(found_, [this] { find_instructions(); });
    return pc < of_.size() ? of_[pc] : nullptr;
}

std::string_view Code::file_at(std::uint32_t pc) const {
    const ptx::Instruction* instruction = at(pc);
    if (instruction == nullptr || instruction->row >= of_[pc]->rows.size()) return {};
    const std::uint32_t number = of_[pc]->rows[instruction->row].file;
    for (const ptx::SourceFile& file : module_->files)
        if (file.number == number) return file.path;
    return {};
}

void Code::find_instructions() const {
    if (!module_) {
        Result<ptx::Module> parsed = ptx::parse(program_.ptx);
        if (!parsed) return;
        module_ = std::make_shared<const ptx::Module>(std::move(*parsed));
    }
    struct Place {
        const ptx::Instruction* instruction;
        const ptx::Function* function;
    };
    std::unordered_map<std::uint32_t, Place> by_line;
    for (const ptx::Function& function : module_->functions)
        for (const ptx::Instruction& instruction : function.instructions)
            by_line.try_emplace(instruction.text_line, Place{&instruction, &function});
    at_.resize(program_.code_rows.size());
    of_.resize(program_.code_rows.size());
    for (std::size_t pc = 0; pc < at_.size(); ++pc) {
        const auto found = by_line.find(program_.code_rows[pc].ptx_line);
        if (found == by_line.end()) continue;
        at_[pc] = found->second.instruction;
        of_[pc] = found->second.function;
    }
}

}  // namespace lanescope::analysis
