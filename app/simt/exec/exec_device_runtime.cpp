// Functions of CUDA's device runtime (cuda_device_runtime_api.h): launches of child grids, errors, streams,
// memory.
#include <array>
#include <cstring>

#include "simt/exec/builtin_call.h"
#include "simt/exec/executors.h"
#include "simt/program/error_strings.h"
#include "simt/state/access.h"
#include "simt/state/block.h"
#include "simt/state/child_launches.h"
#include "simt/state/faults.h"
#include "simt/state/launch_context.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

namespace {

trace::Dim3 dims_at(const Warp& warp, const Slot& slot, unsigned lane) {
    std::array<std::uint32_t, 3> dims{};
    std::memcpy(dims.data(), warp.row<std::byte>(slot.ref) + lane * slot.stride,
                std::min<std::size_t>(sizeof dims, slot.size_bytes));
    return {dims[0], dims[1], dims[2]};
}

// cudaGetParameterBufferV2(function, grid, block, shared bytes)
void parameter_buffer(Warp& warp, const Decoded& decoded, Mask mask) {
    const CallSite* site = site_of(warp, decoded, 4);
    if (site == nullptr) return;
    for_each_lane(mask, [&](unsigned lane) {
        ChildLaunch child;
        child.grid = dims_at(warp, site->arguments[1], lane);
        child.block = dims_at(warp, site->arguments[2], lane);
        child.shared_bytes = argument<std::uint32_t>(warp, site->arguments[3], lane);
        const auto function = argument<std::uint64_t>(warp, site->arguments[0], lane);
        set_result(warp, *site, lane,
                   warp.run->children->prepare(warp, warp.run->pc_of(decoded), lane, function, child));
    });
}

// cudaLaunchDeviceV2(buffer, stream)
void launch_device(Warp& warp, const Decoded& decoded, Mask mask) {
    const CallSite* site = site_of(warp, decoded, 2);
    if (site == nullptr) return;
    for_each_lane(mask, [&](unsigned lane) {
        const auto buffer = argument<std::uint64_t>(warp, site->arguments[0], lane);
        const auto stream = argument<std::uint64_t>(warp, site->arguments[1], lane);
        set_result(warp, *site, lane, warp.run->children->launch(warp, lane, buffer, stream));
    });
}

template <bool clear>
void last_error(Warp& warp, const Decoded& decoded, Mask mask) {
    const CallSite* site = site_of(warp, decoded, 0);
    for_each_lane(mask, [&](unsigned lane) {
        set_result(warp, *site, lane, warp.run->children->last_error(warp, lane, clear));
    });
}

// cudaGetErrorName(code), cudaGetErrorString(code)
template <std::uint64_t (*place)(std::uint32_t)>
void error_string(Warp& warp, const Decoded& decoded, Mask mask) {
    const CallSite* site = site_of(warp, decoded, 1);
    if (site == nullptr) return;
    for_each_lane(mask, [&](unsigned lane) {
        const auto code = argument<std::uint32_t>(warp, site->arguments[0], lane);
        set_result(warp, *site, lane, warp.run->program.error_strings + place(code));
    });
}

// Calls without an effect here, such as the destruction of a stream.
void succeed(Warp& warp, const Decoded& decoded, Mask mask) {
    const CallSite* site = site_of(warp, decoded, 0);
    for_each_lane(mask, [&](unsigned lane) { set_result(warp, *site, lane, device_error::none); });
}

// Stores value(lane) of type T through the first argument, as a store of the program would be.
template <class T, class F>
void give_back(Warp& warp, const Decoded& decoded, Mask mask, F value) {
    const CallSite* site = site_of(warp, decoded, 1);
    if (site == nullptr) return;
    Addresses addresses{};
    std::array<T, warp_size> given{};  // before the targets are found: an allocation can move memory
    for_each_lane(mask, [&](unsigned lane) {
        addresses[lane] = own_local(warp, lane, argument<std::uint64_t>(warp, site->arguments[0], lane));
        given[lane] = value(*site, lane);
    });
    Targets targets;
    resolve(warp, decoded, mask, addresses, trace::AccessKind::store, targets);
    Recorded values;
    for_each_lane(targets.mask, [&](unsigned lane) {
        std::memcpy(values.before.data() + lane * sizeof(T), targets.data[lane], sizeof(T));
        std::memcpy(values.after.data() + lane * sizeof(T), &given[lane], sizeof(T));
        std::memcpy(targets.data[lane], &given[lane], sizeof(T));
        values.newly_set[lane] = mark_lane(targets, lane, sizeof(T));
        const bool failed = sizeof(T) == 8 && given[lane] == 0;
        set_result(warp, *site, lane, failed ? device_error::memory_allocation : device_error::none);
    });
    record_access(warp, decoded, trace::AccessKind::store, targets.mask, addresses, &values);
}

// All streams are one; the handle must differ from the special handles.
void create_stream(Warp& warp, const Decoded& decoded, Mask mask) {
    constexpr std::uint64_t handle = 0x100;
    give_back<std::uint64_t>(warp, decoded, mask, [](const CallSite&, unsigned) { return handle; });
}

void device_number(Warp& warp, const Decoded& decoded, Mask mask) {
    give_back<std::uint32_t>(warp, decoded, mask, [](const CallSite&, unsigned) { return 0u; });
}

void device_count(Warp& warp, const Decoded& decoded, Mask mask) {
    give_back<std::uint32_t>(warp, decoded, mask, [](const CallSite&, unsigned) { return 1u; });
}

// cudaMalloc(pointer to pointer, size)
void allocate_device(Warp& warp, const Decoded& decoded, Mask mask) {
    if (site_of(warp, decoded, 2) == nullptr) return;
    give_back<std::uint64_t>(warp, decoded, mask, [&](const CallSite& site, unsigned lane) {
        return allocate_for_thread(*warp.run, argument<std::uint64_t>(warp, site.arguments[1], lane));
    });
}

void free_device(Warp& warp, const Decoded& decoded, Mask mask) {
    release_for_threads(warp, decoded, mask);
    succeed(warp, decoded, mask);
}

}  // namespace

Exec select_device_runtime(Builtin builtin) {
    switch (builtin) {
        case Builtin::parameter_buffer:
            return &parameter_buffer;
        case Builtin::launch_device:
            return &launch_device;
        case Builtin::last_error:
            return &last_error<true>;
        case Builtin::peek_error:
            return &last_error<false>;
        case Builtin::create_stream:
            return &create_stream;
        case Builtin::destroy_stream:
            return &succeed;
        case Builtin::device_number:
            return &device_number;
        case Builtin::device_count:
            return &device_count;
        case Builtin::cuda_malloc:
            return &allocate_device;
        case Builtin::cuda_free:
            return &free_device;
        case Builtin::error_name:
            return &error_string<error_name_at>;
        case Builtin::error_text:
            return &error_string<error_text_at>;
        default:
            return nullptr;
    }
}

std::uint8_t stored_bytes(Builtin builtin) {
    if (builtin == Builtin::create_stream || builtin == Builtin::cuda_malloc) return 8;
    if (builtin == Builtin::device_number || builtin == Builtin::device_count) return 4;
    return 0;
}

}  // namespace lanescope::simt
