// The control-flow graph and post-dominators of one function, and the rules that split its text into source
// steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ptx/module.h"

namespace lanescope::ptx {

// A block ends with a branch, a ret, exit or trap (guarded or not), or before a branch target.
struct Block {
    std::uint32_t first = 0;  // instructions [first, end)
    std::uint32_t end = 0;
    bool leaves = false;                    // lanes can leave here: ret, exit, or the end of the text
    std::vector<std::uint32_t> successors;  // without duplicates; the branch target comes first
    std::vector<std::uint32_t> predecessors;
    // The immediate post-dominator; no_index if it is the function's end or if the end cannot be reached from
    // here. A trap leads nowhere, so paths to it do not count.
    std::uint32_t post_dominator = no_index;
};

struct Cfg {
    std::vector<Block> blocks;            // in text order; block 0 is the entry
    std::vector<std::uint32_t> block_of;  // per instruction
};

// Post-dominators after K. D. Cooper, T. J. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm" (2001),
// on the reversed graph. A graph that takes more than 10^8 steps, which no compiler produces, gets none.
Cfg build_cfg(const Function& function);

// The source position of an instruction.
struct StepRow {
    std::uint32_t file = 0;
    std::uint32_t line = 0;  // 0 without a user row; the instruction belongs to the caller's step
    std::uint32_t column = 0;
    bool glue = false;  // the compiler's own copies and jumps; they start no step (rule 3 of step_rules.cpp)
};
struct StepTable {
    std::vector<StepRow> rows;             // per instruction
    std::vector<std::uint32_t> loop_line;  // per instruction: line of a branch back within one line, or 0

    // Returns whether going from instruction `from` to `to` in one frame begins a new step. `line` is the
    // line of the frame's current step, 0 before its first step. A step begins when the line changes, except
    // into glue or instructions without a user row, or when a branch closes a loop on one line.
    bool starts_step(std::uint32_t line, std::uint32_t from, std::uint32_t to) const;
    // The same for the first instruction of a frame.
    bool starts_step(std::uint32_t to) const { return rows[to].line != 0 && !rows[to].glue; }
};
// Instructions [begin, end) of a function that is inlined here, and the position of the call.
struct InlinedCall {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t file = 0, line = 0, column = 0;
};
// `user_file`: the number of the user's file in .file. A row of another file has the user's position into
// which it is inlined, over any number of levels: by the row itself or by `calls`, of which an inner one
// follows the outer ones. Without such a position, the preceding user's row in the text stays in force.
StepTable build_step_table(const Function& function, std::uint32_t user_file,
                           std::span<const InlinedCall> calls = {});

}  // namespace lanescope::ptx
