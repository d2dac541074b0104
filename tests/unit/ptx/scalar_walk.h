// Runs integer kernels with one thread to find the order of their source lines.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ptx/cfg.h"
#include "ptx/module.h"

namespace lanescope::ptx {

class ScalarWalk {
  public:
    ScalarWalk(const Module& module, std::uint32_t user_file) : module_(module), user_file_(user_file) {}

    std::map<Special, std::uint64_t> specials;
    std::map<std::uint64_t, std::uint64_t> memory;  // 32-bit words by address; other words are 0

    // Returns the lines of the steps in order. Symbols are at address 0x10000. Throws std::runtime_error at
    // an unknown instruction and after 100000 instructions.
    std::vector<std::uint32_t> lines(const std::string& kernel, const std::vector<std::uint64_t>& arguments);

  private:
    struct Frame {
        const Function* function = nullptr;
        StepTable table;
        std::uint32_t line = 0;
        std::vector<std::uint64_t> registers;
        std::map<std::string, std::uint64_t> parameters;  // by name; also results and call arguments
    };
    std::uint64_t call(std::uint32_t function, const std::vector<std::uint64_t>& arguments);
    void execute(Frame& frame, const Instruction& instruction);
    void load(Frame& frame, const Instruction& instruction);
    void store(Frame& frame, const Instruction& instruction);
    void call_from(Frame& frame, const Instruction& instruction);
    std::uint64_t value(const Frame& frame, const Operand& operand) const;
    std::uint64_t address(const Frame& frame, const Operand& operand) const;
    void enter(Frame& frame, std::uint32_t instruction);

    const Module& module_;
    std::uint32_t user_file_;
    std::vector<std::uint32_t> lines_;
    unsigned executed_ = 0;
};

}  // namespace lanescope::ptx
