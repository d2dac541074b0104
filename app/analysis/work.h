// The kind of each instruction of a program, and how often it ran.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/code.h"
#include "analysis/operations.h"
#include "trace/replay.h"

namespace lanescope::analysis {

// Whether it reads or writes through the texture unit: which sectors that needs is not known.
bool is_texture(const ptx::Instruction& instruction);

// The instructions of a program by what they do. Without PTX every one is `other`.
class Work {
  public:
    explicit Work(const Code& code);

    struct Kind {
        Operation operation = Operation::other;
        bool data = false;         // arithmetic whose result can reach memory; data_flow.h
        bool swap = false;         // an atomic with a second operand: compare and swap
        bool generic = false;      // a generic address
        bool texture = false;      // reads or writes through the texture unit
        bool branch_tail = false;  // the unconditional half of a two-way branch
    };
    const Kind& at(std::uint32_t pc) const { return pc < kinds_.size() ? kinds_[pc] : unknown_; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(kinds_.size()); }

  private:
    std::vector<Kind> kinds_;
    Kind unknown_;
};

// How often the instructions [begin, end) ran one after the other, on one line.
struct StraightRun {
    std::uint32_t end = 0;
    std::uint32_t line = 0;
    std::uint64_t warps = 0;
    std::int64_t lanes = 0;  // lane executions; lanes that left on the way are taken off
};

// Turns as straight runs: kernels have few different ones, so that their instructions are looked at once.
class Runs {
  public:
    explicit Runs(std::uint32_t instructions) : by_begin_(instructions) {}  // of the program
    // The turn's instructions, for its line.
    void add(const trace::Turn& turn, const trace::TurnDetail& detail);
    // f(pc begin, run) for each.
    template <class F>
    void each(F&& f) const {
        for (std::uint32_t begin = 0; begin < by_begin_.size(); ++begin)
            for (const StraightRun& run : by_begin_[begin])
                f(begin, run);
    }

  private:
    void add(std::uint32_t begin, std::uint32_t end, std::uint32_t line, std::uint64_t warps,
             std::int64_t lanes);
    std::vector<std::vector<StraightRun>> by_begin_;
};

}  // namespace lanescope::analysis
