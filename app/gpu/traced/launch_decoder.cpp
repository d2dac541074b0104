#include "gpu/traced/launch_decoder.h"

#include "gpu/traced/turn_decoder.h"

namespace lanescope::gpu {

DecodedLaunch LaunchDecoder::decode(const trace::RecordStreams& streams, const LaunchShape& shape,
                                    const std::vector<MappedRange>& ranges, const TextureTable& textures,
                                    LaunchMemory& memory, const std::vector<std::uint64_t>& clock_offsets,
                                    trace::Recorder& recorder) {
    DecodedLaunch result;
    AccessDecoder accesses(module_, program_, probes_, global_, constant_);
    accesses.begin(streams, ranges, streams.blocks.size() == shape.grid.count(), recorder, result);
    WarpQueue queue(program_, probes_, streams, clock_offsets, recorder);
    TurnDecoder turns({module_, program_, probes_, kernel_}, shape, streams, textures, memory, queue,
                      accesses, recorder, result);
    for (Lane& lane : queue.lanes())
        turns.start_lane(lane);
    accesses.end_ranges();
    queue.fill();
    const auto fits = [&](DecodedWarp& warp, trace::Mask group) {
        return accesses.fits(warp.lanes, group, warp.block);
    };
    while (!recorder.full()) {
        DecodedWarp* warp = queue.take(fits);
        if (warp == nullptr) break;
        std::int64_t when = 0;
        if (const trace::Mask group = queue.ready_group(*warp, when); group != 0) turns.run(*warp, group);
        queue.enqueue(*warp);
    }
    result.cut_threads = queue.cut_threads();
    result.damage = queue.damage();
    return result;
}

}  // namespace lanescope::gpu
