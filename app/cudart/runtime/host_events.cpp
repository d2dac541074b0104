#include "cudart/runtime/host_events.h"

#include <utility>

namespace lanescope::cudart {

using nlohmann::ordered_json;

ordered_json json_of(const HostEnd& end) {
    ordered_json made;
    if (end.buffer) {
        made = {{"buffer", *end.buffer}};
        if (end.offset_bytes != 0) made["offset"] = end.offset_bytes;
    } else if (!end.variable.empty()) {
        made = {{"variable", end.variable}};
    }
    return made;
}

cudaMemcpyKind direction_between(bool from_device, bool to_device) {
    if (to_device) return from_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
    return from_device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

const char* direction_name(cudaMemcpyKind kind) {
    switch (kind) {
        case cudaMemcpyHostToHost:
            return "host to host";
        case cudaMemcpyHostToDevice:
            return "host to device";
        case cudaMemcpyDeviceToHost:
            return "device to host";
        default:
            return "device to device";
    }
}

void HostEvents::allocate(std::uint64_t number, std::uint64_t address, std::uint64_t bytes,
                          const char* kind) {
    journal_.write_host(
        {{"event", "allocate"}, {"number", number}, {"address", address}, {"bytes", bytes}, {"kind", kind}});
}

void HostEvents::free(std::uint64_t buffer, std::uint64_t stream) {
    journal_.write_host({{"event", "free"}, {"buffer", buffer}, {"stream", stream}});
}

void HostEvents::copy(std::uint64_t stream, std::uint64_t bytes, const char* direction, const HostEnd& to,
                      const HostEnd& from, double began_ms) {
    ordered_json event{{"event", "copy"},
                       {"stream", stream},
                       {"bytes", bytes},
                       {"direction", direction},
                       {"ms", journal_.now_ms() - began_ms}};
    if (to.on_device()) event["to"] = json_of(to);
    if (from.on_device()) event["from"] = json_of(from);
    journal_.write_host(std::move(event), false, began_ms);
}

void HostEvents::fill(std::uint64_t stream, std::uint64_t bytes, int value, const HostEnd& to,
                      double began_ms) {
    journal_.write_host({{"event", "memset"},
                         {"stream", stream},
                         {"bytes", bytes},
                         {"value", value & 0xff},
                         {"ms", journal_.now_ms() - began_ms},
                         {"to", json_of(to)}},
                        false, began_ms);
}

void HostEvents::host_function(std::uint64_t stream) {
    journal_.write_host({{"event", "host_function"}, {"stream", stream}});
}

void HostEvents::launch_graph(std::uint64_t stream) {
    journal_.write_host({{"event", "launch_graph"}, {"stream", stream}});
}

void HostEvents::create_stream(std::uint64_t stream, unsigned flags, int priority) {
    journal_.write_host({{"event", "create_stream"},
                         {"stream", stream},
                         {"blocking", (flags & cudaStreamNonBlocking) == 0},
                         {"priority", priority}});
}

void HostEvents::destroy_stream(std::uint64_t stream) {
    journal_.write_host({{"event", "destroy_stream"}, {"stream", stream}});
}

void HostEvents::record_event(std::uint64_t event, std::uint64_t stream) {
    journal_.write_host({{"event", "record_event"}, {"cuda_event", event}, {"stream", stream}});
}

void HostEvents::wait_for_event(std::uint64_t event, std::uint64_t stream) {
    journal_.write_host({{"event", "wait_for_event"}, {"cuda_event", event}, {"stream", stream}});
}

void HostEvents::wait(ordered_json event, std::optional<double> began_ms) {
    if (began_ms) event["ms"] = journal_.now_ms() - *began_ms;
    journal_.write_host(std::move(event), false, began_ms.value_or(-1));
}

void HostEvents::host_waits_for_device(std::optional<double> began_ms) {
    wait({{"event", "synchronise"}, {"of", "device"}}, began_ms);
}

void HostEvents::host_waits_for_stream(std::uint64_t stream, std::optional<double> began_ms) {
    wait({{"event", "synchronise"}, {"of", "stream"}, {"stream", stream}}, began_ms);
}

void HostEvents::host_waits_for_event(std::uint64_t event, std::optional<double> began_ms) {
    wait({{"event", "synchronise"}, {"of", "event"}, {"cuda_event", event}}, began_ms);
}

}  // namespace lanescope::cudart
