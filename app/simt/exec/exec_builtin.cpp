// Functions that CUDA's runtime provides to kernels: vprintf, __assertfail, malloc, free.
#include <algorithm>
#include <cstring>
#include <optional>

#include "simt/exec/builtin_call.h"
#include "simt/exec/executors.h"
#include "simt/math/format.h"
#include "simt/state/access.h"
#include "simt/state/block.h"
#include "simt/state/faults.h"
#include "simt/state/launch_context.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

namespace {

constexpr std::size_t max_string = 1 << 16;

std::optional<std::string> string_at(Warp& warp, unsigned lane, std::uint64_t address) {
    std::string text;
    for (; text.size() < max_string; ++address) {
        const std::byte* at = readable_bytes(warp, lane, address, 1);
        if (at == nullptr) return std::nullopt;
        if (*at == std::byte{0}) return text;
        text += static_cast<char>(*at);
    }
    return text;
}

void print(Warp& warp, const Decoded& decoded, Mask mask) {
    const CallSite* site = site_of(warp, decoded, 2);
    if (site == nullptr) return;
    for_each_lane(mask, [&](unsigned lane) {
        const auto format = string_at(warp, lane, argument<std::uint64_t>(warp, site->arguments[0], lane));
        const auto buffer = argument<std::uint64_t>(warp, site->arguments[1], lane);
        if (!format) return set_result(warp, *site, lane, ~0ull);
        const Formatted formatted = format_printf(
            *format,
            [&](std::uint64_t offset, unsigned size) {
                std::uint64_t value = 0;
                if (const std::byte* at = readable_bytes(warp, lane, buffer + offset, size))
                    std::memcpy(&value, at, size);
                return value;
            },
            [&](std::uint64_t address) { return string_at(warp, lane, address); });
        warp.run->write_console(formatted.text, warp.block->index, warp.first_thread() + lane);
        set_result(warp, *site, lane, static_cast<std::uint64_t>(formatted.arguments));
    });
}

template <bool traced>
void end_lanes(Warp& warp, Mask lanes) {
    if (lanes == warp.active)
        warp.signal = Signal::fault;
    else if (traced && warp.block->recorded && warp.run->recorder != nullptr) {
        warp.run->recorder->exit_lanes(lanes, static_cast<std::uint16_t>(warp.executed));
    }
    warp.retire(lanes);
}

// __assertfail(message, file, line, function, character size)
template <bool traced>
void fail_assertion(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask == 0) return;
    const unsigned lane = first_lane(mask);
    std::string message = "failed an assertion";
    if (const CallSite* site = site_of(warp, decoded, 4)) {
        auto text = [&](unsigned i) {
            constexpr std::size_t max_text = 1000;  // the problem keeps it
            return string_at(warp, lane, argument<std::uint64_t>(warp, site->arguments[i], lane))
                .value_or("?")
                .substr(0, max_text);
        };
        message = "failed the assertion `" + text(0) + "' in line " +
                  std::to_string(argument<std::uint32_t>(warp, site->arguments[2], lane)) + " of " + text(3);
    }
    report(warp, trace::ProblemKind::trap, warp.run->pc_of(decoded), mask, message);
    end_lanes<traced>(warp, mask);
}

// A function of the device runtime that is not there ends the threads that reach it.
template <bool traced>
void miss(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask == 0) return;
    const CallSite& site = warp.run->program.calls[decoded.target];
    report(warp, trace::ProblemKind::unsupported, warp.run->pc_of(decoded), mask,
           "calls " + user_name(warp.run->program.functions[site.callee].symbol) +
               ", which the CPU engine does not have");
    end_lanes<traced>(warp, mask);
}

void allocate(Warp& warp, const Decoded& decoded, Mask mask) {
    const CallSite* site = site_of(warp, decoded, 1);
    if (site == nullptr) return;
    for_each_lane(mask, [&](unsigned lane) {
        const auto size = argument<std::uint64_t>(warp, site->arguments[0], lane);
        set_result(warp, *site, lane, allocate_for_thread(*warp.run, size));
    });
}

// What an allocation takes of the heap: hardware keeps some bytes of its own in front of it.
std::uint64_t heap_bytes(std::uint64_t size_bytes) {
    constexpr std::uint64_t alignment = 16, header = 16;
    if (size_bytes > ~0ull - alignment - header) return ~0ull;
    return (size_bytes + alignment - 1) / alignment * alignment + header;
}

}  // namespace

std::uint64_t allocate_for_thread(LaunchContext& run, std::uint64_t size_bytes) {
    run.note_side_effect(SideEffect::Place::heap);
    trace::Symbol symbol;
    symbol.name = "malloc#" + std::to_string(run.device_allocations++);
    symbol.extents = {size_bytes};
    symbol.element = run.byte_type;
    const std::uint64_t of_heap = heap_bytes(size_bytes);
    if (size_bytes == 0 || !run.heap.take(of_heap)) return 0;
    Allocation* made = run.global.allocate(size_bytes, 256, std::move(symbol), run.budget);
    if (made == nullptr) {
        run.heap.give(of_heap);
        return 0;
    }
    made->device = true;
    if (run.recorder != nullptr) run.recorder->add_symbol(made->symbol);
    return made->region.base;
}

void release_for_threads(Warp& warp, const Decoded& decoded, Mask mask) {
    const CallSite* site = site_of(warp, decoded, 1);
    if (site == nullptr) return;
    for_each_lane(mask, [&](unsigned lane) {
        const auto address = argument<std::uint64_t>(warp, site->arguments[0], lane);
        if (address == 0) return;
        warp.run->note_side_effect(SideEffect::Place::heap);
        Allocation* found = warp.run->global.find(address);
        if (found != nullptr && found->device && found->live && found->region.base == address) {
            found->live = false;
            warp.run->heap.give(heap_bytes(found->region.size_bytes));
            return;
        }
        report(warp, trace::ProblemKind::out_of_bounds, warp.run->pc_of(decoded), lane_bit(lane),
               found != nullptr && found->device && !found->live
                   ? "freed memory that was freed before"
                   : "freed an address that malloc did not return");
    });
}

Exec select_builtin(Builtin builtin, bool traced) {
    switch (builtin) {
        case Builtin::printf:
            return &print;
        case Builtin::assertion:
            return traced ? &fail_assertion<true> : &fail_assertion<false>;
        case Builtin::allocate:
            return &allocate;
        case Builtin::release:
            return &release_for_threads;
        case Builtin::missing:
            return traced ? &miss<true> : &miss<false>;
        default:
            return select_device_runtime(builtin);
    }
}

}  // namespace lanescope::simt
