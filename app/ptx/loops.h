// The loops of a function and an order of its blocks in which control goes forwards only.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/cfg.h"

namespace lanescope::ptx {

struct Loop {
    std::uint32_t header = 0;         // the block at which each round begins
    std::uint32_t parent = no_index;  // the loop around this one
};

struct LoopNest {
    std::vector<Loop> loops;           // outer loops come before those within
    std::vector<std::uint32_t> inner;  // per block: its innermost loop, or no_index
    std::vector<std::uint32_t> place;  // per block: its place in the order, from 0
};

// Finds loops as strongly connected components, and the loops within after removal of the edges to the header
// (B. Steensgaard, "Sequentializing Program Dependence Graphs for Irreducible Programs", 1993), so that
// irreducible graphs have loops, too. In the order, every edge goes forwards except those to the header of a
// loop from within; the blocks of a loop stand together; blocks that no edge orders keep the text's order.
// Loops that are nested deeper than 64 are not told apart, and keep the text's order.
LoopNest find_loops(const Cfg& cfg);

}  // namespace lanescope::ptx
