// Derives what each lane of a warp does at a position from the turns before and after it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "trace/replay.h"
#include "trace/steps.h"
#include "trace/trace.h"

namespace lanescope::trace {

class LaneStates {
  public:
    LaneStates(const Trace& trace, const TurnIndex& index) : trace_(trace), index_(index) {}

    std::array<LaneInfo, warp_size> at(std::uint32_t launch, std::uint32_t block, std::uint32_t warp,
                                       std::uint64_t active_from, std::uint64_t position);

  private:
    static constexpr std::uint32_t never = none;
    static constexpr std::size_t spacing = 64;               // turns of the warp between two marks
    using LaneTurns = std::array<std::uint32_t, warp_size>;  // indices into the warp's turns

    struct Divergence {
        std::uint64_t turn = 0;
        Mask active = 0, taken = 0;
        std::uint32_t line = 0;
    };
    // Indices of one warp, built at the first request.
    struct Warp {
        const std::vector<std::uint64_t>* turns = nullptr;
        std::vector<LaneTurns> last;  // at mark i: each lane's last turn before i × spacing
        std::vector<LaneTurns> next;  // at mark i: each lane's first turn from i × spacing on
        std::vector<Divergence> divergences;
        std::vector<std::uint64_t> releases;  // turns before each opening of its block's barriers
    };
    struct Neighbours {
        LaneTurns last, next;
    };

    const Warp& warp(std::uint32_t launch, std::uint32_t block, std::uint32_t warp);
    void add_marks(Warp& warp) const;
    void add_divergences(Warp& warp) const;
    void add_releases(Warp& warp, const Launch& launch, std::uint32_t block) const;
    Neighbours neighbours(const Warp& warp, std::size_t count) const;
    LaneInfo lane_at(const Warp& warp, const Neighbours& near, unsigned lane, std::size_t count, Mask running,
                     std::uint64_t active_from, std::uint64_t position) const;
    bool exited(std::uint64_t turn, unsigned lane) const;
    void add_splits(const Warp& warp, Mask running, std::uint64_t position,
                    std::array<LaneInfo, warp_size>& lanes) const;

    const Trace& trace_;
    const TurnIndex& index_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Warp> warps_;
};

}  // namespace lanescope::trace
