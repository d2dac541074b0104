#include "trace/steps.h"

#include <algorithm>

namespace lanescope::trace {
namespace {

// Returns the block of a launch that a view of `focus` shows.
std::uint32_t block_in(const Launch& launch, std::uint32_t focus) {
    if (launch.records(focus)) return focus;
    return launch.recorded_blocks.empty() ? 0 : launch.recorded_blocks.front();
}

bool same_step(const Step& step, const Turn& turn, std::uint32_t phase, Granularity granularity) {
    switch (granularity) {
        case Granularity::turn:
            return false;
        case Granularity::line:
            return step.line == turn.line && step.phase == phase;
        case Granularity::phase:
            return step.phase == phase;
        case Granularity::launch:
            return true;
    }
    return false;
}

// Counts the barriers of one block as turns go by.
class Phases {
  public:
    Phases(const Trace& trace, const Launch& launch, std::uint32_t block)
        : releases_(trace.releases), block_(block) {
        const auto before = [](const BarrierRelease& release, std::uint64_t turn) {
            return release.turn <= turn;
        };
        next_ = static_cast<std::size_t>(
            std::lower_bound(releases_.begin(), releases_.end(), launch.first_turn, before) -
            releases_.begin());
    }
    std::uint32_t at(std::uint64_t turn) {
        for (; next_ < releases_.size() && releases_[next_].turn <= turn; ++next_)
            if (releases_[next_].block == block_) ++phase_;
        return phase_;
    }

  private:
    const std::vector<BarrierRelease>& releases_;
    std::uint32_t block_;
    std::size_t next_ = 0;
    std::uint32_t phase_ = 0;
};

void add_launch(const Trace& trace, std::uint32_t number, std::uint32_t focus, Granularity granularity,
                std::vector<Step>& steps) {
    const Launch& launch = trace.launches[number];
    const std::uint32_t block = block_in(launch, focus);
    Phases phases(trace, launch, block);
    const std::size_t first_step = steps.size();
    for (std::uint64_t at = launch.first_turn; at < launch.end_turn; ++at) {
        const Turn& turn = trace.turns[at];
        if (turn.block != block) continue;
        const std::uint32_t phase = phases.at(at);
        if (steps.size() > first_step && same_step(steps.back(), turn, phase, granularity))
            steps.back().end = at + 1;
        else
            steps.push_back({at, at + 1, number, block, turn.line, phase});
    }
}

}  // namespace

std::vector<Step> build_steps(const Trace& trace, std::uint32_t focus_block, Granularity granularity) {
    std::vector<Step> steps;
    for (std::uint32_t launch = 0; launch < trace.launches.size(); ++launch)
        add_launch(trace, launch, focus_block, granularity, steps);
    return steps;
}

std::size_t step_at(const std::vector<Step>& steps, std::uint64_t turn) {
    const auto found = std::upper_bound(steps.begin(), steps.end(), turn,
                                        [](std::uint64_t at, const Step& step) { return at < step.end; });
    const auto index = static_cast<std::size_t>(found - steps.begin());
    return index == steps.size() && index > 0 ? index - 1 : index;
}

TurnIndex::TurnIndex(const Trace& trace) {
    for (const Launch& launch : trace.launches) {
        Warps& warps = launches_.emplace_back();
        warps.per_block = launch.warps_per_block();
        for (std::uint64_t turn = launch.first_turn; turn < launch.end_turn; ++turn) {
            const Turn& at = trace.turns[turn];
            warps.turns[at.block * warps.per_block + at.warp].push_back(turn);
        }
    }
}

const std::vector<std::uint64_t>& TurnIndex::turns(std::uint32_t launch, std::uint32_t block,
                                                   std::uint32_t warp) const {
    static const std::vector<std::uint64_t> nothing;
    if (launch >= launches_.size() || warp >= launches_[launch].per_block) return nothing;
    const auto found = launches_[launch].turns.find(block * launches_[launch].per_block + warp);
    return found == launches_[launch].turns.end() ? nothing : found->second;
}

}  // namespace lanescope::trace
