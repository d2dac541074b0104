// Control-flow graph and post-dominators of one function, and the rules that split its text into source
// steps.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace lanescope::ptx {

// A block ends with a branch, a ret, exit or trap (guarded or not), or before a branch target.
struct Block {
    std::uint32_t first = 0;  // instructions [first, end)
    std::uint32_t end = 0;
    bool leaves = false;  // lanes can end here: ret, exit, or the end of the text
    std::vector<std::uint32_t>
        successors;  // without duplicates; the branch target before the next instruction
    std::vector<std::uint32_t> predecessors;
    // Immediate post-dominator. no_index when it is the function's end, or when the end cannot be reached
    // from here. A trap leads nowhere: what it guards does not count.
    std::uint32_t post_dominator = no_index;
};

struct Cfg {
    std::vector<Block> blocks;            // in text order; block 0 is the entry
    std::vector<std::uint32_t> block_of;  // per instruction
};

// Post-dominators after K. D. Cooper, T. J. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm" (2001),
// on the reversed graph. A graph for which this takes more than 10^8 steps (no compiler makes such) gets
// none.
Cfg build_cfg(const Function& function);

// The source position that an instruction counts for.
struct StepRow {
    std::uint32_t file = 0;
    std::uint32_t line = 0;  // 0: no user row; the instruction belongs to the caller's step
    std::uint32_t column = 0;
    bool glue = false;  // the compiler's own copies and jumps: starts no step (rule 3 of step_rules.cpp)
};
struct StepTable {
    std::vector<StepRow> rows;  // per instruction
    std::vector<std::uint32_t>
        loop_line;  // per instruction: of a branch back over this one line only; 0 for the rest

    // True when going from instruction `from` to `to` in one frame begins a new step. `line` is the line of
    // the frame's step so far, 0 in a frame that had none yet. The rule: the line changes, but never into
    // glue or where no user row is; or a branch closes a loop that stands on one line.
    bool starts_step(std::uint32_t line, std::uint32_t from, std::uint32_t to) const;
    // The first instruction of a frame.
    bool starts_step(std::uint32_t to) const { return rows[to].line != 0 && !rows[to].glue; }
    // The line of the step that `to` belongs to: its own, or the step's line so far.
    std::uint32_t step_line(std::uint32_t line, std::uint32_t to) const {
        return starts_step(to) ? rows[to].line : line;
    }
};
// `user_file`: the number of the user's file in .file. A row of another file counts for the user's position
// that it is inlined at, over any number of levels; without one, the user's row before it in the text stays
// in force.
StepTable build_step_table(const Function& function, std::uint32_t user_file);

}  // namespace lanescope::ptx
