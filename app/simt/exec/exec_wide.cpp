// Moves of 128 bits, accesses of 256 bits.
#include <vector>

#include "simt/exec/executors.h"
#include "simt/state/access.h"
#include "simt/state/async.h"
#include "simt/state/faults.h"
#include "simt/state/launch_context.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

namespace {

// Low halves in a and dst, high halves in b and e.
void move_b128(Warp& warp, const Decoded& decoded, Mask mask) {
    const auto* low = warp.row<std::uint64_t>(decoded.a);
    const auto* high = warp.row<std::uint64_t>(decoded.b);
    auto* to_low = decoded.dst == no_ref ? nullptr : warp.row<std::uint64_t>(decoded.dst);
    auto* to_high = decoded.e == no_ref ? nullptr : warp.row<std::uint64_t>(decoded.e);
    for_each_lane(mask, [&](unsigned lane) {
        const std::uint64_t l = low[lane], h = high[lane];
        if (to_low != nullptr) to_low[lane] = l;
        if (to_high != nullptr) to_high[lane] = h;
    });
}

// Two accesses of 16 bytes; the alignment is that of the whole.
template <bool traced>
void access_halves(Warp& warp, const Decoded& decoded, Mask mask) {
    Addresses addresses;
    form_addresses(warp, decoded, addresses);
    Mask aligned = 0;
    for_each_lane(mask, [&](unsigned lane) {
        if (addresses[lane] % decoded.width == 0)
            aligned |= lane_bit(lane);
        else
            report_access(warp, decoded, lane,
                          {trace::ProblemKind::misaligned, trace::AccessKind::load, decoded.window,
                           addresses[lane], decoded.width});
    });
    if (aligned == 0) return;
    const Decoded* pieces = &warp.run->program.tables.pieces[decoded.target + (traced ? 2 : 0)];
    for (unsigned i = 0; i < 2; ++i)
        pieces[i].run(warp, pieces[i], aligned);
}

// st.bulk: zeros in shared memory, a multiple of 8 bytes.
void store_bulk(Warp& warp, const Decoded& decoded, Mask mask) {
    Addresses addresses;
    form_addresses(warp, decoded, addresses);
    const std::uint32_t pc = warp.run->pc_of(decoded);
    const Decoded piece = piece_at(pc, Window::shared, 8);
    warp.progressed = true;
    for_each_lane(mask, [&](unsigned lane) {
        const std::uint64_t size = decoded.mode != 0 ? warp.row<std::uint64_t>(decoded.b)[lane]
                                                     : warp.row<std::uint32_t>(decoded.b)[lane];
        if (size % 8 != 0)
            return report(warp, trace::ProblemKind::misaligned, pc, lane_bit(lane),
                          "stores " + std::to_string(size) + " bytes in bulk, which is not a multiple of 8");
        if (size == 0) return;
        const ByteRange to =
            resolve_range(warp, piece, lane, addresses[lane], size, 8, trace::AccessKind::store);
        if (to.data == nullptr) return;
        const std::vector<std::byte> zeros(size);
        write_range(warp, piece, lane, addresses[lane], zeros.data(), size);
    });
}

}  // namespace

Exec select_bulk_store(const ptx::Instruction&, bool) {
    return &store_bulk;
}

Exec move_b128_exec() {
    return &move_b128;
}

Exec halves_exec(bool traced) {
    return traced ? &access_halves<true> : &access_halves<false>;
}

}  // namespace lanescope::simt
