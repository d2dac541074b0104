// Accesses to the shared memory of another block of the cluster that may have ended by then: no thread of
// that block waits, before it ends, until the access has happened. The block's shared memory is then gone.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "analysis/happens_before.h"

namespace lanescope::analysis {

class EndedBlocks {
  public:
    explicit EndedBlocks(const trace::Trace& trace) : trace_(trace) {}

    void begin_launch(std::uint32_t launch);
    struct Access {
        std::uint32_t pc = 0, line = 0;
        trace::AccessKind kind{};
        std::uint64_t offset = 0;
        Time time = 0;  // 0: none that an end of the block does not follow
    };
    // An access of one lane, after its earlier accesses.
    void note(std::uint32_t owner, ThreadId thread, const Access& access);
    // Lanes of a warp of the block have returned. `ended`: they were the block's last.
    void exit(HappensBefore& order, std::uint32_t warp, trace::Mask lanes, std::uint32_t line, bool ended);
    std::vector<trace::Problem> take() { return std::move(problems_); }

  private:
    void report(std::uint32_t owner, std::uint32_t warp, unsigned lane, const Access& access,
                std::uint32_t exit_warp, trace::Mask exit_lanes, std::uint32_t exit_line);

    using Lanes = std::array<Access, trace::warp_size>;
    const trace::Trace& trace_;
    std::uint32_t launch_ = 0;
    // By the block whose memory it is, and the warp in the grid.
    std::unordered_map<std::uint32_t, std::unordered_map<std::uint32_t, Lanes>> open_;
    std::map<std::uint32_t, std::size_t> by_line_;  // of the launch: into problems_
    std::vector<trace::Problem> problems_;
};

}  // namespace lanescope::analysis
