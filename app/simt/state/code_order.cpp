#include "simt/state/code_order.h"

#include <algorithm>

namespace lanescope::simt {
namespace {

int order(std::uint32_t a, std::uint32_t b) {
    return a == b ? 0 : a < b ? -1 : 1;
}

std::uint32_t rounds_of(const std::vector<Lap>& laps, const Frame* frame, std::uint32_t loop) {
    for (const Lap& lap : laps)
        if (lap.frame == frame && lap.loop == loop) return lap.rounds;
    return 0;
}

bool lies_in(const Program& program, std::uint32_t inner, std::uint32_t loop) {
    while (inner != trace::none && inner != loop)
        inner = program.loops[inner];
    return inner == loop;
}

// Compares the rounds of the loop and of the loops around it, the outermost first. Loops nest 64 deep at
// most.
int compare_rounds(const Program& program, const Frame* frame, std::uint32_t loop, const Position& a,
                   const Position& b) {
    if (loop == trace::none) return 0;
    if (const int outer = compare_rounds(program, frame, program.loops[loop], a, b); outer != 0) return outer;
    return order(rounds_of(*a.laps, frame, loop), rounds_of(*b.laps, frame, loop));
}

// Compares two instructions of one call of a function.
int compare_in_frame(const Program& program, const Frame* frame, std::uint32_t pc_a, std::uint32_t pc_b,
                     const Position& a, const Position& b) {
    const CodePlace &place_a = program.places[pc_a], &place_b = program.places[pc_b];
    if (!a.laps->empty() || !b.laps->empty()) {
        std::uint32_t common = place_a.loop;
        while (common != trace::none && !lies_in(program, place_b.loop, common))
            common = program.loops[common];
        if (const int rounds = compare_rounds(program, frame, common, a, b); rounds != 0) return rounds;
    }
    return order(place_a.place, place_b.place);
}

void chain_of(const Frame* frame, std::vector<const Frame*>& chain) {
    chain.resize(frame->depth + 1);
    for (; frame != nullptr; frame = frame->parent)
        chain[frame->depth] = frame;
}

// The pc at a depth of the chain: the position's own, or the call that it is in.
std::uint32_t pc_at(const Position& position, const Frame* const* chain, std::uint32_t depth) {
    return depth == position.frame->depth ? position.pc : chain[depth + 1]->call_pc;
}

}  // namespace

int compare_positions(const Program& program, const Position& a, const Position& b) {
    if (a.frame == b.frame && a.pc == b.pc) return 0;
    if (a.frame == b.frame && a.frame->parent == nullptr)
        return compare_in_frame(program, a.frame, a.pc, b.pc, a, b);
    std::vector<const Frame*> chain_a, chain_b;
    chain_of(a.frame, chain_a);
    chain_of(b.frame, chain_b);
    const std::uint32_t common = std::min(a.frame->depth, b.frame->depth);
    for (std::uint32_t depth = 0; depth <= common; ++depth) {
        const std::uint32_t pc_a = pc_at(a, chain_a.data(), depth), pc_b = pc_at(b, chain_b.data(), depth);
        const int found = compare_in_frame(program, chain_a[depth], pc_a, pc_b, a, b);
        if (found != 0) return found;
    }
    // At the same call, a group that has not entered the function is behind.
    if (a.frame->depth != b.frame->depth) return a.frame->depth < b.frame->depth ? -1 : 1;
    return a.frame < b.frame ? -1 : 1;
}

void count_round(const Program& program, std::vector<Lap>& laps, const Frame* frame, std::uint32_t from,
                 std::uint32_t to) {
    const std::uint32_t loop = to < program.places.size() ? program.places[to].header_of : trace::none;
    if (loop == trace::none || !lies_in(program, program.places[from].loop, loop)) return;
    std::erase_if(laps, [&](const Lap& lap) {  // rounds of loops within begin anew
        return lap.frame == frame && lap.loop != loop && lies_in(program, lap.loop, loop);
    });
    for (Lap& lap : laps)
        if (lap.frame == frame && lap.loop == loop) {
            ++lap.rounds;
            return;
        }
    laps.push_back({frame, loop, 1});
}

void merge_laps(std::vector<Lap>& laps, const std::vector<Lap>& more) {
    for (const Lap& other : more) {
        const auto known = std::find_if(laps.begin(), laps.end(), [&](const Lap& lap) {
            return lap.frame == other.frame && lap.loop == other.loop;
        });
        if (known == laps.end())
            laps.push_back(other);
        else
            known->rounds = std::max(known->rounds, other.rounds);
    }
}

void forget_laps(std::vector<Lap>& laps, const Frame* frame) {
    std::erase_if(laps, [frame](const Lap& lap) { return lap.frame == frame; });
}

}  // namespace lanescope::simt
