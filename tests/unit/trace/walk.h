// Reads everything that views read from a trace, at every turn.
#pragma once

#include <memory>

#include "trace/replay.h"
#include "trace/steps.h"

namespace lanescope::trace {

inline void walk(const std::shared_ptr<const Trace>& trace) {
    Replay replay(trace);
    const std::size_t end = trace->turns.size();
    for (std::size_t at = 0; at < end; ++at) {
        const Turn& turn = trace->turns[at];
        replay.details(at, at + 1, turn.block);
        const std::uint32_t launch = trace->launch_of(at);
        replay.lanes(launch, turn.block, turn.warp, at);
        for (std::uint32_t thread = 0; thread < trace->launches[launch].block.count(); thread += 7) {
            const auto frames = replay.frames(launch, turn.block, thread);
            for (std::uint32_t depth = 0; depth < frames.size(); ++depth)
                replay.slot(launch, turn.block, thread, depth, 1);
        }
    }
    for (std::size_t at = end; at-- > 0;)
        replay.seek(at);
    replay.state_hash();
    for (const Granularity granularity :
         {Granularity::turn, Granularity::line, Granularity::phase, Granularity::launch})
        build_steps(*trace, 0, granularity);
    for (const Symbol& symbol : trace->symbols)
        resolve(*trace, 0, symbol.space, symbol.offset);
}

}  // namespace lanescope::trace
