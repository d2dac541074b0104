// The PTX of a program by instruction, for analyses of events that name a pc. All analyses of a run share
// one, so that its PTX is parsed once.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace lanescope::ptx {
struct Function;
struct Instruction;
struct Module;
}  // namespace lanescope::ptx

namespace lanescope::analysis {

// Several threads may use it.
class Code {
  public:
    // `module`: the parsed PTX of the compiled program; null (an opened file) parses it
    // when an instruction is asked for first. The program outlives the code.
    explicit Code(const trace::Program& program, std::shared_ptr<const ptx::Module> module = nullptr);

    const trace::Program& program() const { return program_; }
    // Null: the PTX does not have the instruction, as in a trace without PTX.
    const ptx::Instruction* at(std::uint32_t pc) const;
    // The function that holds the instruction; null as above.
    const ptx::Function* function_at(std::uint32_t pc) const;
    // The source file of the instruction, of an inlined function its own; empty if the PTX does not say.
    std::string_view file_at(std::uint32_t pc) const;

  private:
    void find_instructions() const;

    const trace::Program& program_;
    mutable std::once_flag found_;
    mutable std::shared_ptr<const ptx::Module> module_;
    mutable std::vector<const ptx::Instruction*> at_;
    mutable std::vector<const ptx::Function*> of_;
};

}  // namespace lanescope::analysis
