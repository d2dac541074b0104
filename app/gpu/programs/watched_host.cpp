#include "gpu/programs/watched_host.h"

namespace lanescope::gpu {

using cudart::HostEnd;

namespace {

std::uint64_t address_of(const void* pointer) {
    return reinterpret_cast<std::uint64_t>(pointer);
}

// The part of a box at this place, for memory with a pitch.
const char* place_in(const cudaPitchedPtr& memory, const cudaPos& at) {
    return static_cast<const char*>(memory.ptr) + (at.z * memory.ysize + at.y) * memory.pitch + at.x;
}

}  // namespace

std::uint64_t WatchedHost::stream(cudaStream_t handle) {
    if (handle == nullptr || handle == cudaStreamLegacy) return 0;
    if (handle == cudaStreamPerThread) {
        std::uint64_t& number = thread_streams_[std::this_thread::get_id()];
        if (number == 0) {
            number = ++streams_made_;
            events_.create_stream(number, cudaStreamDefault, 0);
        }
        return number;
    }
    std::uint64_t& number = stream_numbers_[handle];
    if (number == 0) number = ++streams_made_;  // a library or the driver's interface made it
    return number;
}

std::uint64_t WatchedHost::event(cudaEvent_t handle) {
    std::uint64_t& number = event_numbers_[handle];
    if (number == 0) number = ++events_made_;
    return number;
}

void WatchedHost::create_stream(cudaStream_t handle, unsigned flags, int priority) {
    stream_numbers_[handle] = ++streams_made_;
    events_.create_stream(streams_made_, flags, priority);
}

void WatchedHost::destroy_stream(cudaStream_t handle) {
    events_.destroy_stream(stream(handle));
    stream_numbers_.erase(handle);
}

void WatchedHost::reset() {
    memory_.clear();
    stream_numbers_.clear();
    thread_streams_.clear();
    event_numbers_.clear();
}

void WatchedHost::allocate(const void* pointer, std::uint64_t size_bytes, const char* kind) {
    if (pointer == nullptr) return;
    const std::uint64_t address = address_of(pointer);
    events_.allocate(memory_.add(address, size_bytes, kind), address, size_bytes, kind);
}

void WatchedHost::allocate_in_graph(const void* pointer, std::uint64_t size_bytes) {
    if (pointer != nullptr)
        events_.allocate(memory_.add_of_graph(), address_of(pointer), size_bytes, "device");
}

void WatchedHost::allocate_array(cudaArray_const_t handle, const ProgramArray& array) {
    events_.allocate(memory_.add_array(handle, array), address_of(handle), array.size_bytes(), "array");
}

void WatchedHost::free(const void* pointer, cudaStream_t stream) {
    if (const auto number = memory_.remove(address_of(pointer))) events_.free(*number, this->stream(stream));
}

void WatchedHost::free_array(cudaArray_const_t handle) {
    if (const auto number = memory_.remove_array(handle)) events_.free(*number, 0);
}

void WatchedHost::copy(cudaStream_t stream, const HostEnd& to, const HostEnd& from, const CopiedRows& rows,
                       cudaMemcpyKind kind, double began_ms) {
    if (rows.bytes() == 0) return;
    if (kind == cudaMemcpyDefault) kind = cudart::direction_between(from.on_device(), to.on_device());
    events_.copy(this->stream(stream), rows.bytes(), cudart::direction_name(kind), to, from, began_ms);
}

// The width of a box counts elements where an array takes part, else bytes.
void WatchedHost::copy(cudaStream_t stream, const cudaMemcpy3DParms& box, double began_ms) {
    const auto known = memory_.arrays().find(box.srcArray != nullptr ? box.srcArray : box.dstArray);
    const std::uint64_t unit = known == memory_.arrays().end() ? 1 : known->second.element_bytes();
    const auto end_of = [&](cudaArray_const_t array, const cudaPitchedPtr& memory, const cudaPos& at) {
        return array != nullptr ? memory_.end_of(array, at.x * unit, at.y, at.z)
                                : memory_.end_of(place_in(memory, at));
    };
    copy(stream, end_of(box.dstArray, box.dstPtr, box.dstPos), end_of(box.srcArray, box.srcPtr, box.srcPos),
         {box.extent.width * unit, box.extent.height * box.extent.depth}, box.kind, began_ms);
}

void WatchedHost::fill(cudaStream_t stream, const void* to, int value, const CopiedRows& rows,
                       double began_ms) {
    if (rows.bytes() != 0)
        events_.fill(this->stream(stream), rows.bytes(), value, memory_.end_of(to), began_ms);
}

}  // namespace lanescope::gpu
