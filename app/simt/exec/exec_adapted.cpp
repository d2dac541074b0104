// cvt between registers wider than its types (PTX ISA 9.7.9.21, "operands wider than the type"): the
// conversion itself works on narrow scratch rows of the frame.
#include "simt/exec/executors.h"
#include "simt/state/launch_context.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

namespace {

// e: the wide source, a: its scratch row; f: the wide destination, dst: its scratch row; target: the
// conversion.
void convert_wide(Warp& warp, const Decoded& decoded, Mask mask) {
    if (decoded.e != no_ref) {
        const auto* wide = warp.row<std::uint64_t>(decoded.e);
        auto* narrow = warp.row<std::uint32_t>(decoded.a);
        for (unsigned lane = 0; lane < warp_size; ++lane)
            narrow[lane] = static_cast<std::uint32_t>(wide[lane]);
    }
    warp.run->program.adapted[decoded.target](warp, decoded, mask);
    if (decoded.f == no_ref) return;
    const auto* narrow = warp.row<std::uint32_t>(decoded.dst);
    auto* wide = warp.row<std::uint64_t>(decoded.f);
    const bool is_signed = decoded.mode != 0;
    for_each_lane(mask, [&](unsigned lane) {
        wide[lane] = is_signed
                         ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(narrow[lane])})
                         : narrow[lane];
    });
}

}  // namespace

Exec wide_conversion_exec() {
    return &convert_wide;
}

}  // namespace lanescope::simt
