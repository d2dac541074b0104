// The PTX of a trace, instruction by instruction: what an analysis asks when an event names a pc.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"
#include "trace/trace.h"

namespace lanescope::analysis {

class Code {
  public:
    // Parses the program's own PTX. Instructions that are not found there (a trace may hold none) are null.
    explicit Code(const trace::Program& program);
    const ptx::Instruction* at(std::uint32_t pc) const { return pc < at_.size() ? at_[pc] : nullptr; }
    // The function that holds the instruction; null as above.
    const ptx::Function* function_at(std::uint32_t pc) const { return pc < of_.size() ? of_[pc] : nullptr; }

  private:
    ptx::Module module_;
    std::vector<const ptx::Instruction*> at_;
    std::vector<const ptx::Function*> of_;
};

}  // namespace lanescope::analysis
