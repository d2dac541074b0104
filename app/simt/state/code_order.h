// How far groups of lanes of one warp have come, relative to each other.
//
// A lane's progress is the path of its calls and, in each function, the rounds of the loops around its
// instruction and the instruction's place (ptx/loops.h). It is compared from the outside inwards: of two
// groups in one loop, the group in an earlier round is behind, wherever it stands. Rounds are counted from
// when the lanes of the warp parted; lanes that are together count none.
#pragma once

#include <cstdint>
#include <vector>

#include "simt/program/program.h"
#include "simt/state/frame_pool.h"

namespace lanescope::simt {

// Rounds of a loop in one call of its function.
struct Lap {
    const Frame* frame = nullptr;
    std::uint32_t loop = 0;  // into Program::loops
    std::uint32_t rounds = 0;
};

struct Position {
    std::uint32_t pc = 0;
    const Frame* frame = nullptr;
    const std::vector<Lap>* laps = nullptr;
};

// Negative if a is behind b (goes first), positive if it is ahead, 0 if the groups can merge.
int compare_positions(const Program& program, const Position& a, const Position& b);

// Counts a round if going from one instruction of the frame's function to another begins one.
void count_round(const Program& program, std::vector<Lap>& laps, const Frame* frame, std::uint32_t from,
                 std::uint32_t to);
// Adds the laps of a group that merges: where they differ, the group that is ahead counts.
void merge_laps(std::vector<Lap>& laps, const std::vector<Lap>& more);
// Drops the laps of a frame that the group has left.
void forget_laps(std::vector<Lap>& laps, const Frame* frame);

}  // namespace lanescope::simt
