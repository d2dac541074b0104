#include "gpu/traced/launch_decoder.h"

#include "gpu/traced/turn_decoder.h"

namespace lanescope::gpu {

namespace {

Stop stop_of(const Lane& lane, std::uint32_t pc, const trace::RecordStreams& streams,
             const simt::Program& program) {
    Stop stop;
    stop.block = streams.blocks[lane.slot / streams.block_threads];
    stop.thread = lane.slot % streams.block_threads;
    const bool known = pc < program.code.size();  // damaged records may end behind the code
    stop.pc = known ? pc : trace::none;
    stop.line = known ? program.code[pc].line : 0;
    for (auto frame = lane.frames.rbegin(); stop.line == 0 && frame != lane.frames.rend(); ++frame)
        stop.line = frame->call_line;
    stop.turn = lane.turn;
    return stop;
}

void find_stops(std::span<const Lane> lanes, const trace::RecordStreams& streams,
                const simt::Program& program, DecodedLaunch& result) {
    const Lane *outside = nullptr, *first = nullptr, *last = nullptr;
    for (const Lane& lane : lanes) {
        if (lane.outside != trace::none && (outside == nullptr || lane.outside_turn < outside->outside_turn))
            outside = &lane;
        if (lane.left || lane.turn == Lane::no_turn) continue;
        const bool inside = lane.stopped != trace::none;
        result.stops.push_back(stop_of(lane, inside ? lane.stopped : lane.pc, streams, program));
        if (lane.stopped != trace::none && (first == nullptr || lane.time < first->time)) first = &lane;
        if (last == nullptr || lane.time > last->time) last = &lane;
    }
    if (outside != nullptr) {
        result.outside = stop_of(*outside, outside->outside, streams, program);
        result.outside->turn = outside->outside_turn;
        result.outside_address = outside->outside_address;
    }
    if (first != nullptr) result.first_stop = stop_of(*first, first->stopped, streams, program);
    if (last != nullptr) result.last_stop = stop_of(*last, last->pc, streams, program);
}

}  // namespace

DecodedLaunch LaunchDecoder::decode(const trace::RecordStreams& streams, const LaunchShape& shape,
                                    const std::vector<MappedRange>& ranges, const ImageTable& images,
                                    LaunchMemory& memory, const std::vector<std::uint64_t>& clock_offsets,
                                    trace::Recorder& recorder) {
    DecodedLaunch result;
    AccessDecoder accesses(module_, program_, probes_, global_, constant_);
    accesses.begin(streams, shape.launch, ranges, recorder, result);
    WarpQueue queue(program_, probes_, streams, shape.launch, clock_offsets, recorder);
    TurnDecoder turns({module_, program_, probes_, kernel_}, shape, streams, images, memory, queue, accesses,
                      recorder, result);
    turns.take_symbols();
    for (Lane& lane : queue.lanes())
        turns.start_lane(lane);
    accesses.end_ranges();
    queue.fill();
    const auto fits = [&](DecodedWarp& warp, trace::Mask group) { return accesses.fits(warp.lanes, group); };
    while (!recorder.full()) {
        DecodedWarp* warp = queue.take(fits);
        if (warp == nullptr) break;
        std::int64_t when = 0;
        if (const trace::Mask group = queue.ready_group(*warp, when); group != 0) turns.run(*warp, group);
        queue.enqueue(*warp);
    }
    result.cut_threads = queue.cut_threads();
    result.damage = queue.damage();
    find_stops(queue.lanes(), streams, program_, result);
    return result;
}

}  // namespace lanescope::gpu
