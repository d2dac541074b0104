#include "cudart/runtime/timeline.h"

#include "cudart/runtime/device.h"

namespace lanescope::cudart {

using nlohmann::ordered_json;

// A buffer by its number, a variable by its name, or null: the host's memory.
ordered_json Timeline::place_of(const Device& device, const Rows& rows) {
    ordered_json made;
    if (const Block* block = device.find(rows.address)) {
        made = {{"buffer", block->number}};
        if (rows.address != block->address) made["offset"] = rows.address - block->address;
    } else if (const std::string name = device.variable_name(rows.address); !name.empty()) {
        made = {{"variable", name}};
    }
    return made;
}

void Timeline::release(std::uint64_t buffer) {
    journal_.write_host({{"event", "free"}, {"buffer", buffer}, {"stream", stream_}});
}

void Timeline::copy(const Device& device, const Rows& to, const Rows& from, const char* direction,
                    double began_ms) {
    if (!journal_.kept()) return;
    ordered_json event{{"event", "copy"},
                       {"stream", stream_},
                       {"bytes", to.bytes()},
                       {"direction", direction},
                       {"ms", journal_.now_ms() - began_ms}};
    if (ordered_json place = place_of(device, to); !place.is_null()) event["to"] = std::move(place);
    if (ordered_json place = place_of(device, from); !place.is_null()) event["from"] = std::move(place);
    journal_.write_host(std::move(event), false, began_ms);
}

void Timeline::fill(const Device& device, const Rows& to, int value, double began_ms) {
    if (!journal_.kept()) return;
    journal_.write_host({{"event", "memset"},
                         {"stream", stream_},
                         {"bytes", to.bytes()},
                         {"value", value & 0xff},
                         {"ms", journal_.now_ms() - began_ms},
                         {"to", place_of(device, to)}},
                        false, began_ms);
}

void Timeline::host_function(std::uint64_t stream) {
    journal_.write_host({{"event", "host_function"}, {"stream", stream}});
}

void Timeline::launch_graph(std::uint64_t stream, std::uint64_t nodes) {
    journal_.write_host({{"event", "launch_graph"}, {"stream", stream}, {"nodes", nodes}});
}

void Timeline::create_stream(std::uint64_t stream, unsigned flags, int priority) {
    journal_.write_host({{"event", "create_stream"},
                         {"stream", stream},
                         {"blocking", (flags & cudaStreamNonBlocking) == 0},
                         {"priority", priority}});
}

void Timeline::destroy_stream(std::uint64_t stream) {
    journal_.write_host({{"event", "destroy_stream"}, {"stream", stream}});
}

void Timeline::record_event(std::uint64_t event, std::uint64_t stream) {
    journal_.write_host({{"event", "record_event"}, {"cuda_event", event}, {"stream", stream}});
}

void Timeline::wait_for_event(std::uint64_t event, std::uint64_t stream) {
    journal_.write_host({{"event", "wait_for_event"}, {"cuda_event", event}, {"stream", stream}});
}

void Timeline::wait_for_device() {
    journal_.write_host({{"event", "synchronise"}, {"of", "device"}});
}

void Timeline::wait_for_stream(std::uint64_t stream) {
    journal_.write_host({{"event", "synchronise"}, {"of", "stream"}, {"stream", stream}});
}

void Timeline::wait_for_event(std::uint64_t event) {
    journal_.write_host({{"event", "synchronise"}, {"of", "event"}, {"cuda_event", event}});
}

}  // namespace lanescope::cudart
