#include "simt/state/control.h"

#include "simt/state/block.h"
#include "simt/state/launch_context.h"

namespace lanescope::simt {

void record_sync(Warp& warp, const Decoded& decoded, trace::SyncKind kind, Mask mask, unsigned detail) {
    trace::Recorder* const recorder = warp.block->recorded ? warp.run->recorder : nullptr;
    if (recorder != nullptr)
        recorder->sync(kind, warp.run->pc_of(decoded), static_cast<std::uint16_t>(warp.executed), mask,
                       detail);
}

void finish_reduction(Warp& warp, const Group& group, const Barrier& barrier) {
    const Decoded& decoded = warp.run->code()[group.wait_pc];
    const std::uint8_t operation = decoded.mode & barrier_mode::reduction;
    if (operation == 0) return;
    std::byte* rows = group.frame->rows + ref_offset(decoded.dst);
    if (operation == barrier_mode::popc) {
        for_each_lane(group.mask, [&](unsigned lane) {
            reinterpret_cast<std::uint32_t*>(rows)[lane] = barrier.count_true;
        });
        return;
    }
    const bool truth = operation == barrier_mode::conjunction ? barrier.count_true == barrier.count_all
                                                              : barrier.count_true != 0;
    Mask& row = *reinterpret_cast<Mask*>(rows);
    row = truth ? row | group.mask : row & ~group.mask;
}

}  // namespace lanescope::simt
