// Control-flow graph and post-dominators of one function, and the rules that split its text into source steps.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace lanescope::ptx {

struct Block {
    std::uint32_t first = 0;     // instructions [first, end)
    std::uint32_t end = 0;
    std::vector<std::uint32_t> successors;
    std::vector<std::uint32_t> predecessors;
    std::uint32_t post_dominator = no_index;  // immediate; no_index when it is the function's end
};

struct Cfg {
    std::vector<Block> blocks;                   // in text order; block 0 is the entry
    std::vector<std::uint32_t> block_of;         // per instruction
};

Cfg build_cfg(const Function& function);

// Where source steps start: one entry per instruction. A step starts when execution moves from one instruction to the
// next and `starts_step(previous, next)` is true; see the rules in step_rules.cpp.
struct StepRow {
    std::uint32_t file = 0;
    std::uint32_t line = 0;      // 0: no user row; the instruction belongs to the caller's step
    std::uint32_t column = 0;
    bool glue = false;           // in a label-delimited block without a .loc of its own that holds only mov and bra.uni
};
struct StepTable {
    std::vector<StepRow> rows;   // per instruction
    // True when going from instruction `from` to `to` (same frame) begins a new step: the row changed, or a back edge
    // on one row; never into glue.
    bool starts_step(std::uint32_t from, std::uint32_t to) const;
};
// `user_file`: the number of the user's file in .file; rows of other files count as "no user row".
StepTable build_step_table(const Function& function, const Cfg& cfg, std::uint32_t user_file);

}  // namespace lanescope::ptx
