#include <algorithm>
#include <cstring>

#include "cudart/api/call.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace lanescope::cudart {

namespace {

enum class Side { host, device, both, nowhere };  // both: managed, pinned and registered memory

Side side_of(Device& device, const void* pointer, std::size_t bytes) {
    const std::uint64_t address = address_of(pointer);
    if (device.registered().find(address, std::max<std::size_t>(bytes, 1)) != nullptr) return Side::both;
    if (const Block* block = device.find(address, bytes))
        return block->kind == Block::Kind::managed || block->kind == Block::Kind::pinned ? Side::both
                                                                                         : Side::device;
    if (device.holds(address, bytes)) return Side::device;
    // Neither beyond a block nor into a gap between blocks.
    return device.in_range(address) ? Side::nowhere : Side::host;
}

// A step moves 128 bytes, as the widest access of a warp does.
std::uint64_t steps_of(std::size_t bytes) {
    return bytes / 128 + 1;
}

bool fits(Side side, bool wants_device) {
    return side == Side::both || side == (wants_device ? Side::device : Side::host);
}

// Keeps the reason why bytes cannot be copied or filled.
void explain(Device& device, const std::string& what, std::uint64_t address, std::size_t bytes) {
    const std::string size = std::to_string(bytes) + " byte" + (bytes == 1 ? "" : "s");
    std::string reason = what + " (" + size + ") lies in no buffer of the device";
    if (const Block* block = device.find(address)) {
        const std::uint64_t past = address - block->address + bytes - block->size_bytes;
        reason = what + " (" + size + ") reaches " + std::to_string(past) + " bytes beyond the end of " +
                 to_text(block->kind) + " " + std::to_string(block->number) + " (" +
                 std::to_string(block->size_bytes) + " bytes)";
    } else if (const std::string freed = device.freed_name(address); !freed.empty()) {
        reason = what + " (" + size + ") lies in " + freed + ", which was freed before";
    }
    device.timeline().journal().explain(reason);
}

const char* direction_of(Device& device, const void* to, const void* from, cudaMemcpyKind kind) {
    if (kind != cudaMemcpyDefault) return direction_name(kind);
    return direction_name(
        direction_between(fits(side_of(device, from, 1), true), fits(side_of(device, to, 1), true)));
}

// Whether both ends are where the direction says; keeps the reason if not.
bool fits_direction(Device& device, Side target, Side source, cudaMemcpyKind kind) {
    if (kind == cudaMemcpyDefault) return true;
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    const auto wrong = [&](const char* what, bool wants_device) {
        device.timeline().journal().explain(std::string(what) + " lies in memory of the " +
                                            (wants_device ? "host" : "device") + ", but the direction is " +
                                            direction_name(kind));
        return false;
    };
    if (!fits(target, to_device) && !fits(source, from_device) && to_device != from_device) {
        device.timeline().journal().explain(
            std::string("the arguments or the direction are swapped: a copy ") + direction_name(kind) +
            " has its destination in memory of the " + (to_device ? "device" : "host"));
        return false;
    }
    if (!fits(target, to_device)) return wrong("the destination", to_device);
    if (!fits(source, from_device)) return wrong("the source", from_device);
    return true;
}

cudaError_t move_bytes(Device& device, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (bytes == 0) return cudaSuccess;
    if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
    Side target = side_of(device, to, bytes), source = side_of(device, from, bytes);
    if (target == Side::nowhere) explain(device, "the destination", address_of(to), bytes);
    if (source == Side::nowhere) explain(device, "the source", address_of(from), bytes);
    if (target == Side::nowhere || source == Side::nowhere) return cudaErrorInvalidValue;
    if (!fits_direction(device, target, source, kind)) return cudaErrorInvalidValue;
    const Registered& registered = device.registered();
    if (registered.find(address_of(to)) != nullptr)
        target = Side::host, to = pointer_to(registered.to_host(address_of(to)));
    if (registered.find(address_of(from)) != nullptr)
        source = Side::host, from = pointer_to(registered.to_host(address_of(from)));
    if (target != Side::host && source != Side::host)
        device.move(address_of(to), address_of(from), bytes);
    else if (target != Side::host)
        device.write(address_of(to), from, bytes);
    else if (source != Side::host)
        device.read(to, address_of(from), bytes);
    else
        std::memmove(to, from, bytes);
    device.advance(steps_of(bytes));
    return cudaSuccess;
}

}  // namespace

cudaError_t symbol_place(Runtime& runtime, Device& device, const void* symbol, std::size_t offset,
                         std::size_t bytes, void** place) {
    const auto known = runtime.registry().variables.find(symbol);
    if (known == runtime.registry().variables.end()) return cudaErrorInvalidSymbol;
    const Result<std::uint64_t> address = device.variable_address(known->second);
    if (!address) return cudaErrorInvalidSymbol;
    if (offset > known->second.size_bytes || bytes > known->second.size_bytes - offset)
        return cudaErrorInvalidValue;
    *place = pointer_to(*address + offset);
    return cudaSuccess;
}

cudaError_t describe_to_symbol(Runtime& runtime, Device& device, Symbol to, const void* from,
                               std::size_t bytes, cudaMemcpyKind kind, Task& task) {
    void* place = nullptr;
    const cudaError_t error = symbol_place(runtime, device, to.address, to.offset, bytes, &place);
    return error != cudaSuccess ? error : describe_bytes(place, from, bytes, kind, task);
}

cudaError_t describe_from_symbol(Runtime& runtime, Device& device, void* to, Symbol from, std::size_t bytes,
                                 cudaMemcpyKind kind, Task& task) {
    void* place = nullptr;
    const cudaError_t error = symbol_place(runtime, device, from.address, from.offset, bytes, &place);
    return error != cudaSuccess ? error : describe_bytes(to, place, bytes, kind, task);
}

cudaMemcpy3DParms box_of(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    cudaMemcpy3DParms made{};
    made.dstPtr = {to, bytes, bytes, 1};
    made.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
    made.extent = {bytes, 1, 1};
    made.kind = kind;
    return made;
}

cudaError_t fill_rows(Device& device, const Rows& to, int value) {
    if (to.bytes() == 0) return cudaSuccess;
    if (to.count > 1 && to.width_bytes > to.pitch_bytes) return cudaErrorInvalidValue;
    const double began_ms = device.timeline().journal().now_ms();
    for (std::uint64_t row = 0; row < to.count * to.slices; ++row) {
        const std::uint64_t address = to.row(row);
        if (device.registered().find(address, to.width_bytes) != nullptr) {
            std::memset(pointer_to(device.registered().to_host(address)), value, to.width_bytes);
            continue;
        }
        if (!device.holds(address, to.width_bytes)) {
            explain(device, "the destination", address, to.width_bytes);
            return cudaErrorInvalidValue;
        }
        device.fill(address, value, to.width_bytes);
    }
    device.advance(steps_of(to.bytes()));
    device.timeline().fill(device, to, value, began_ms);
    return cudaSuccess;
}

cudaError_t fill_rows(Device& device, void* to, std::size_t pitch, int value, std::size_t width,
                      std::size_t rows) {
    return fill_rows(device, {address_of(to), width, pitch, rows}, value);
}

cudaError_t copy_bytes(Device& device, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return copy_rows(device, to, bytes, from, bytes, bytes, 1, kind);
}

cudaError_t copy_rows(Device& device, void* to, std::size_t to_pitch, const void* from,
                      std::size_t from_pitch, std::size_t width, std::size_t rows, cudaMemcpyKind kind) {
    return copy_rows(device, {address_of(to), width, to_pitch, rows},
                     {address_of(from), width, from_pitch, rows}, kind);
}

cudaError_t copy_rows(Device& device, const Rows& to, const Rows& from, cudaMemcpyKind kind) {
    if (to.count > 1 && (to.width_bytes > to.pitch_bytes || to.width_bytes > from.pitch_bytes))
        return cudaErrorInvalidPitchValue;
    const double began_ms = device.timeline().journal().now_ms();
    for (std::uint64_t row = 0; row < to.count * to.slices; ++row)
        if (const cudaError_t error =
                move_bytes(device, pointer_to(to.row(row)), pointer_to(from.row(row)), to.width_bytes, kind);
            error != cudaSuccess)
            return error;
    if (to.bytes() != 0)
        device.timeline().copy(device, to, from,
                               direction_of(device, pointer_to(to.address), pointer_to(from.address), kind),
                               began_ms);
    return cudaSuccess;
}

}  // namespace lanescope::cudart

LANESCOPE_CUDA cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return waiting_call("cudaMemcpy",
                        [&](Runtime&, Device& device) { return copy_bytes(device, to, from, bytes, kind); });
}

LANESCOPE_CUDA cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                           cudaStream_t stream) {
    return call("cudaMemcpyAsync", [&](Runtime& runtime, Device&) {
        return runtime.submit(stream,
                              {cudaGraphNodeTypeMemcpy,
                               [=](Device& target) { return copy_bytes(target, to, from, bytes, kind); },
                               box_of(to, from, bytes, kind)});
    });
}

LANESCOPE_CUDA cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                        size_t width, size_t height, cudaMemcpyKind kind) {
    return waiting_call("cudaMemcpy2D", [&](Runtime&, Device& device) {
        return copy_rows(device, to, to_pitch, from, from_pitch, width, height, kind);
    });
}

LANESCOPE_CUDA cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                             size_t width, size_t height, cudaMemcpyKind kind,
                                             cudaStream_t stream) {
    return call("cudaMemcpy2DAsync", [&](Runtime& runtime, Device&) {
        return runtime.submit(stream, {cudaGraphNodeTypeMemcpy, [=](Device& target) {
                                           return copy_rows(target, to, to_pitch, from, from_pitch, width,
                                                            height, kind);
                                       }});
    });
}

LANESCOPE_CUDA cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                                          size_t bytes) {
    if (to_device != 0 || from_device != 0)
        return call("cudaMemcpyPeer", [](Runtime&, Device&) { return cudaErrorInvalidDevice; });
    return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

LANESCOPE_CUDA cudaError_t cudaMemset(void* to, int value, size_t bytes) {
    return call("cudaMemset",
                [&](Runtime&, Device& device) { return fill_rows(device, to, 0, value, bytes, 1); });
}

LANESCOPE_CUDA cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
    return call("cudaMemsetAsync", [&](Runtime& runtime, Device&) {
        return runtime.submit(stream,
                              {cudaGraphNodeTypeMemset,
                               [=](Device& target) { return fill_rows(target, to, 0, value, bytes, 1); },
                               cudaMemsetParams{to, bytes, static_cast<unsigned>(value), 1, bytes, 1}});
    });
}

LANESCOPE_CUDA cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
    return call("cudaMemset2D",
                [&](Runtime&, Device& device) { return fill_rows(device, to, pitch, value, width, height); });
}

LANESCOPE_CUDA cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                                             cudaStream_t stream) {
    return call("cudaMemset2DAsync", [&](Runtime& runtime, Device&) {
        return runtime.submit(
            stream, {cudaGraphNodeTypeMemset,
                     [=](Device& target) { return fill_rows(target, to, pitch, value, width, height); },
                     cudaMemsetParams{to, pitch, static_cast<unsigned>(value), 1, width, height}});
    });
}

LANESCOPE_CUDA cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
    return call("cudaMemset3D", [&](Runtime&, Device& device) {
        return fill_rows(
            device,
            {address_of(to.ptr), extent.width, to.pitch, extent.height, extent.depth, to.ysize * to.pitch},
            value);
    });
}

LANESCOPE_CUDA cudaError_t cudaGetSymbolAddress(void** place, const void* symbol) {
    return call("cudaGetSymbolAddress", [&](Runtime& runtime, Device& device) {
        if (place == nullptr) return cudaErrorInvalidValue;
        return symbol_place(runtime, device, symbol, 0, 0, place);
    });
}

LANESCOPE_CUDA cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
    return call("cudaGetSymbolSize", [&](Runtime& runtime, Device&) {
        const auto known = runtime.registry().variables.find(symbol);
        if (bytes == nullptr) return cudaErrorInvalidValue;
        if (known == runtime.registry().variables.end()) return cudaErrorInvalidSymbol;
        *bytes = known->second.size_bytes;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes,
                                              size_t offset, cudaMemcpyKind kind) {
    return waiting_call("cudaMemcpyToSymbol", [&](Runtime& runtime, Device& device) {
        void* place = nullptr;
        const cudaError_t error = symbol_place(runtime, device, symbol, offset, bytes, &place);
        return error != cudaSuccess ? error : copy_bytes(device, place, from, bytes, kind);
    });
}

LANESCOPE_CUDA cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                                cudaMemcpyKind kind) {
    return waiting_call("cudaMemcpyFromSymbol", [&](Runtime& runtime, Device& device) {
        void* place = nullptr;
        const cudaError_t error = symbol_place(runtime, device, symbol, offset, bytes, &place);
        return error != cudaSuccess ? error : copy_bytes(device, to, place, bytes, kind);
    });
}

LANESCOPE_CUDA cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                                   size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
    return call("cudaMemcpyToSymbolAsync", [&](Runtime& runtime, Device& device) {
        void* place = nullptr;
        const cudaError_t error = symbol_place(runtime, device, symbol, offset, bytes, &place);
        if (error != cudaSuccess) return error;
        return runtime.submit(stream,
                              {cudaGraphNodeTypeMemcpy,
                               [=](Device& target) { return copy_bytes(target, place, from, bytes, kind); },
                               box_of(place, from, bytes, kind)});
    });
}

LANESCOPE_CUDA cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes,
                                                     size_t offset, cudaMemcpyKind kind,
                                                     cudaStream_t stream) {
    return call("cudaMemcpyFromSymbolAsync", [&](Runtime& runtime, Device& device) {
        void* place = nullptr;
        const cudaError_t error = symbol_place(runtime, device, symbol, offset, bytes, &place);
        if (error != cudaSuccess) return error;
        return runtime.submit(stream,
                              {cudaGraphNodeTypeMemcpy,
                               [=](Device& target) { return copy_bytes(target, to, place, bytes, kind); },
                               box_of(to, place, bytes, kind)});
    });
}
