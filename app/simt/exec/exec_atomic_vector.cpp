// atom and red on vectors of floats: each element is an atomic operation of its own; exch and cas of 128 bits
// (PTX ISA 9.7.13.6-7). Lanes take effect one after the other, in lane order.
#include <algorithm>
#include <array>
#include <cstring>

#include "simt/exec/executors.h"
#include "simt/math/float_semantics.h"
#include "simt/state/access.h"
#include "simt/state/launch_context.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Mod;
using ptx::Type;

namespace {

using Word = std::uint32_t;

struct Sum {
    static double apply(double a, double b) { return a + b; }
};

Word add_float(Word old, Word b) {  // in global memory subnormal numbers are flushed
    const float sum = flushed(std::bit_cast<float>(old)) + flushed(std::bit_cast<float>(b));
    return std::bit_cast<Word>(flushed(canonical(sum)));
}

template <class O, bool brain>
Word narrow(Word old, Word b) {
    auto number = [](Word bits) -> double {
        const auto low = static_cast<std::uint16_t>(bits);
        return brain ? brain_to_float(low) : half_to_float(low);
    };
    const double result = O::apply(number(old), number(b));
    if (result != result) return 0x7fff;
    return round_to(brain ? brain_format : half_format, result, Rounding::nearest);
}
template <class O, bool brain>
Word narrow_pair(Word old, Word b) {
    return narrow<O, brain>(old, b) | narrow<O, brain>(old >> 16, b >> 16) << 16;
}

template <Word (*combine)(Word, Word), unsigned bytes>
void vector_atomic(Warp& warp, const Decoded& decoded, Mask mask) {
    Addresses addresses;
    form_addresses(warp, decoded, addresses);
    Targets targets;
    resolve(warp, decoded, mask, addresses, trace::AccessKind::atomic, targets);
    warp.polled = warp.progressed = true;
    const std::vector<Ref>& refs = warp.run->program.tables.operands[decoded.target];
    Recorded values;
    for_each_lane(mask, [&](unsigned lane) {
        std::array<std::byte, 16> old{}, next{};
        if (has_lane(targets.mask, lane)) std::memcpy(old.data(), targets.data[lane], decoded.width);
        for (unsigned k = 0; k < decoded.count; ++k) {
            Word before = 0;
            std::memcpy(&before, old.data() + k * bytes, bytes);
            const Word after = combine(before, warp.row<Word>(refs[decoded.count + k])[lane]);
            std::memcpy(next.data() + k * bytes, &after, bytes);
            if (refs[k] != no_ref) warp.row<Word>(refs[k])[lane] = before;
        }
        if (!has_lane(targets.mask, lane)) return;
        std::memcpy(targets.data[lane], next.data(), decoded.width);
        values.newly_set[lane] = mark_lane(targets, lane, decoded.width);
        std::memcpy(values.before.data() + std::size_t{lane} * decoded.width, old.data(), decoded.width);
        std::memcpy(values.after.data() + std::size_t{lane} * decoded.width, next.data(), decoded.width);
    });
    record_access(warp, decoded, trace::AccessKind::atomic, targets.mask, addresses, &values);
}

template <class O>
Exec narrow_exec(Type type) {
    switch (type) {
        case Type::f16:
            return &vector_atomic<&narrow<O, false>, 2>;
        case Type::bf16:
            return &vector_atomic<&narrow<O, true>, 2>;
        case Type::f16x2:
            return &vector_atomic<&narrow_pair<O, false>, 4>;
        case Type::bf16x2:
            return &vector_atomic<&narrow_pair<O, true>, 4>;
        default:
            return nullptr;
    }
}

struct Wide {
    std::uint64_t low = 0, high = 0;
    bool operator==(const Wide&) const = default;
};
Wide wide_at(const Warp& warp, Ref ref, unsigned lane) {
    return {warp.row<std::uint64_t>(ref)[lane], warp.row<std::uint64_t>(ref + row8_bytes)[lane]};
}

// dst, b, c: registers of 128 bits.
template <bool compares>
void wide_atomic(Warp& warp, const Decoded& decoded, Mask mask) {
    Addresses addresses;
    form_addresses(warp, decoded, addresses);
    Targets targets;
    resolve(warp, decoded, mask, addresses, trace::AccessKind::atomic, targets);
    warp.polled = true;
    Recorded values;
    for_each_lane(mask, [&](unsigned lane) {
        Wide old;
        if (has_lane(targets.mask, lane)) std::memcpy(&old, targets.data[lane], sizeof old);
        const Wide b = wide_at(warp, decoded.b, lane);
        const Wide next = !compares ? b : old == b ? wide_at(warp, decoded.c, lane) : old;
        if (decoded.dst != no_ref) {
            warp.row<std::uint64_t>(decoded.dst)[lane] = old.low;
            warp.row<std::uint64_t>(decoded.dst + row8_bytes)[lane] = old.high;
        }
        if (!has_lane(targets.mask, lane)) return;
        std::memcpy(targets.data[lane], &next, sizeof next);
        if (!(next == old)) warp.progressed = true;
        values.newly_set[lane] = mark_lane(targets, lane, sizeof next);
        std::memcpy(values.before.data() + lane * sizeof old, &old, sizeof old);
        std::memcpy(values.after.data() + lane * sizeof next, &next, sizeof next);
    });
    record_access(warp, decoded, trace::AccessKind::atomic, targets.mask, addresses, &values);
}

}  // namespace

Exec select_wide_atomic(const Instruction& instruction) {
    if (instruction.has(Mod::exch)) return &wide_atomic<false>;
    return instruction.has(Mod::cas) ? &wide_atomic<true> : nullptr;
}

Exec select_vector_atomic(const Instruction& instruction) {
    if (instruction.has(Mod::min)) return narrow_exec<op::FMin<double>>(instruction.type());
    if (instruction.has(Mod::max)) return narrow_exec<op::FMax<double>>(instruction.type());
    if (!instruction.has(Mod::add)) return nullptr;
    if (instruction.type() == Type::f32) return &vector_atomic<&add_float, 4>;
    return narrow_exec<Sum>(instruction.type());
}

}  // namespace lanescope::simt
