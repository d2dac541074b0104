// Moves: of registers, immediates, special registers and addresses; packing and unpacking (PTX
// ISA 9.7.9.1-3), cvta.
#include "simt/lanewise/exec.h"
#include "simt/lanewise/select.h"
#include "simt/state/launch_context.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

using ptx::Instruction;
using ptx::Op;
using ptx::Operand;
using ptx::Special;
using ptx::Type;

namespace {

template <class T>
struct Copy {
    using Type = T;
    static T apply(T a) { return a; }
};

void move_predicate(Warp& warp, const Decoded& decoded, Mask mask) {
    write_predicate(warp, decoded.dst, mask, warp.predicate(decoded.a));
}

// A local or shared variable's address: a row plus Decoded::imm.
void move_address(Warp& warp, const Decoded& decoded, Mask mask) {
    const auto* a = warp.row<std::uint64_t>(decoded.a);
    const auto offset = static_cast<std::uint64_t>(decoded.imm);
    write_lanes(warp.row<std::uint64_t>(decoded.dst), mask, [=](unsigned lane) { return a[lane] + offset; });
}
void move_narrow_address(Warp& warp, const Decoded& decoded, Mask mask) {
    const auto* a = warp.row<std::uint64_t>(decoded.a);
    const auto offset = static_cast<std::uint64_t>(decoded.imm);
    write_lanes(warp.row<std::uint32_t>(decoded.dst), mask,
                [=](unsigned lane) { return static_cast<std::uint32_t>(a[lane] + offset); });
}

// cvta.local: the address says whose it is.
void move_local_address(Warp& warp, const Decoded& decoded, Mask mask) {
    const auto* a = warp.row<std::uint64_t>(decoded.a);
    const std::uint64_t offset = static_cast<std::uint64_t>(decoded.imm) + warp.local_start - window::local;
    write_lanes(warp.row<std::uint64_t>(decoded.dst), mask,
                [=](unsigned lane) { return a[lane] + offset + lane * window::local_bytes; });
}

// Elements of `width` bits, in the order of their refs, to or from one value.
template <class L, unsigned width>
void pack(Warp& warp, const Decoded& decoded, Mask mask) {
    const Ref refs[4] = {decoded.a, decoded.b, decoded.c, decoded.e};
    const std::uint32_t* rows[4] = {};
    for (unsigned k = 0; k < decoded.count; ++k)
        rows[k] = warp.row<std::uint32_t>(refs[k]);
    const unsigned count = decoded.count;
    constexpr L ones = static_cast<L>((std::uint64_t{1} << width) - 1);
    write_lanes_sparsely(warp.row<L>(decoded.dst), mask, [&](unsigned lane) {
        L value = 0;
        for (unsigned k = 0; k < count; ++k)
            value |= (static_cast<L>(rows[k][lane]) & ones) << (k * width);
        return value;
    });
}
template <class L, unsigned width>
void unpack(Warp& warp, const Decoded& decoded, Mask mask) {
    const Ref refs[4] = {decoded.dst, decoded.b, decoded.c, decoded.e};
    const L* a = warp.row<L>(decoded.a);
    L source[warp_size];
    std::copy_n(a, warp_size, source);  // an element may be the source itself
    constexpr std::uint64_t ones = (std::uint64_t{1} << width) - 1;
    for (unsigned k = 0; k < decoded.count; ++k) {
        if (refs[k] == no_ref) continue;
        write_lanes(warp.row<std::uint32_t>(refs[k]), mask, [&](unsigned lane) {
            return static_cast<std::uint32_t>(source[lane] >> (k * width) & ones);
        });
    }
}

template <bool packing>
Exec vector_move(unsigned bytes, std::size_t elements) {
    const unsigned width = static_cast<unsigned>(bytes * 8 / elements);
    if (elements != 2 && elements != 4) return nullptr;
    if (bytes == 8) {
        if (width == 32) return packing ? &pack<std::uint64_t, 32> : &unpack<std::uint64_t, 32>;
        return packing ? &pack<std::uint64_t, 16> : &unpack<std::uint64_t, 16>;
    }
    if (bytes == 4) {
        if (width == 16) return packing ? &pack<std::uint32_t, 16> : &unpack<std::uint32_t, 16>;
        return packing ? &pack<std::uint32_t, 8> : &unpack<std::uint32_t, 8>;
    }
    if (bytes == 2 && elements == 2) return packing ? &pack<std::uint32_t, 8> : &unpack<std::uint32_t, 8>;
    return nullptr;
}

// Clocks count warp instructions; no two reads give the same value, except while a deadlock is looked for.
template <class L, unsigned shift>
void read_clock(Warp& warp, const Decoded& decoded, Mask mask) {
    LaunchContext& run = *warp.run;
    if (!run.clock_stands)
        run.last_clock = std::max(run.last_clock + 1, run.warp_instructions + run.clock_skew);
    const L value = static_cast<L>(run.last_clock >> shift);
    write_lanes(warp.row<L>(decoded.dst), mask, [=](unsigned) { return value; });
}

Exec select_clock(Special special, bool wide) {
    switch (special) {
        case Special::clock:
        case Special::globaltimer_lo:
            return wide ? nullptr : &read_clock<std::uint32_t, 0>;
        case Special::clock_hi:
        case Special::globaltimer_hi:
            return wide ? nullptr : &read_clock<std::uint32_t, 32>;
        case Special::clock64:
        case Special::globaltimer:
            return wide ? &read_clock<std::uint64_t, 0> : nullptr;
        default:
            return nullptr;
    }
}

template <Window window>
void is_in_window(Warp& warp, const Decoded& decoded, Mask mask) {
    const auto* a = warp.row<std::uint64_t>(decoded.a);
    write_predicate(warp, decoded.dst, mask, lanes_where([=](unsigned lane) {
                        const Window found = window_of(a[lane]);
                        if constexpr (window == Window::global)
                            return found == Window::global || found == Window::none ||
                                   found == Window::function;
                        else
                            return found == window;
                    }));
}

}  // namespace

Exec select_mov(const Instruction& instruction) {
    const Type type = instruction.type();
    if (type == Type::pred) return &move_predicate;
    const unsigned bytes = ptx::size_bytes(type);
    if (bytes == 0 || bytes > 8) return nullptr;
    const Operand& to = instruction.operands.at(0);
    const Operand& from = instruction.operands.at(1);
    if (to.kind == Operand::Kind::vector) return vector_move<false>(bytes, to.elements.size());
    if (from.kind == Operand::Kind::vector) return vector_move<true>(bytes, from.elements.size());
    if (from.kind == Operand::Kind::special)
        if (const Exec clock = select_clock(from.special, bytes == 8)) return clock;
    if (from.kind == Operand::Kind::symbol)
        return bytes == 8 ? &move_address : bytes == 4 ? &move_narrow_address : nullptr;
    return bytes == 8 ? unary_of<Copy<std::uint64_t>> : unary_of<Copy<std::uint32_t>>;
}

// cvta adds Decoded::imm, cvta.to subtracts it.
Exec select_cvta(const Instruction& instruction) {
    if (ptx::size_bytes(instruction.type()) != 8) return nullptr;
    const bool names_thread = instruction.space() == ptx::Space::local && !instruction.has(ptx::Mod::to);
    return names_thread ? &move_local_address : &move_address;
}

Exec select_isspacep(const Instruction& instruction) {
    switch (instruction.space()) {
        case ptx::Space::global:
            return &is_in_window<Window::global>;
        case ptx::Space::shared:
        case ptx::Space::shared_cta:
        case ptx::Space::shared_cluster:
            return &is_in_window<Window::shared>;
        case ptx::Space::local:
            return &is_in_window<Window::local>;
        case ptx::Space::const_:
            return &is_in_window<Window::constant>;
        case ptx::Space::param:
        case ptx::Space::param_entry:
            return &is_in_window<Window::parameter>;
        default:
            return nullptr;
    }
}

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
