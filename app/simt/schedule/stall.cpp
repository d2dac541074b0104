#include "simt/schedule/stall.h"

#include <algorithm>
#include <cstring>

#include "simt/state/launch_context.h"

namespace lanescope::simt {

namespace {

class Hash {
  public:
    void add(std::uint64_t value) {
        value_ = (value_ ^ value) * 0x9e3779b97f4a7c15ull;
        value_ ^= value_ >> 29;
    }
    void add(const std::byte* bytes, std::uint64_t count) {  // a multiple of 4
        for (std::uint64_t at = 0; at + 4 <= count; at += 4) {
            std::uint32_t word = 0;
            std::memcpy(&word, bytes + at, sizeof word);
            add(word);
        }
    }
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0;
};

}  // namespace

std::uint64_t state_of(const Warp& warp, const Group& group) {
    Hash hash;
    hash.add(group.pc);
    for (const Frame* frame = group.frame; frame != nullptr; frame = frame->parent) {
        hash.add(frame->call_pc);
        hash.add(frame->rows, warp.run->program.functions[frame->function].frame_bytes);
    }
    for_each_lane(group.mask,
                  [&](unsigned lane) { hash.add(warp.local.data(lane), group.frame->local_end); });
    return hash.value();
}

void CycleSearch::note(std::uint64_t state) {
    if (limit != 0 && state == kept) stuck = true;
    if (++turns <= limit) return;
    kept = state;
    turns = 0;
    limit = std::max<std::uint64_t>(1, limit * 2);
}

void StallDetector::note_turn(const Warp& warp) {
    const auto ran = std::find_if(warp.groups.begin(), warp.groups.end(),
                                  [&](const Group& group) { return group.mask == warp.active; });
    if (ran == warp.groups.end() || ran->state != GroupState::ready) return;
    rounds_[{&warp, ran->mask}].note(state_of(warp, *ran));
}

bool StallDetector::all_stuck(const std::vector<std::unique_ptr<Block>>& blocks) const {
    bool polls = false;
    for (const auto& block : blocks)
        for (const auto& warp : block->warps)
            for (const Group& group : warp->groups) {
                if (group.state != GroupState::ready) continue;
                const auto rounds = rounds_.find({warp.get(), group.mask});
                if (rounds == rounds_.end() || !rounds->second.stuck) return false;
                polls = polls || group.spins != 0;
            }
    return polls;
}

}  // namespace lanescope::simt
