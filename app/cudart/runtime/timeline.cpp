#include "cudart/runtime/timeline.h"

#include <utility>

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

Timeline::Timeline(Journal& journal) : journal_(journal) {
    if (journal.request().value("check", false)) order_.emplace();
}

void Timeline::release(std::uint64_t buffer, std::uint64_t address, std::uint64_t bytes) {
    journal_.write_host({{"event", "free"}, {"buffer", buffer}, {"stream", stream_}});
    if (!checks_streams()) return;
    if (!submitted_) return order_->wait_for_device();
    Touched touched;
    touched.add(TouchKind::write, address, bytes);
    submit(nullptr, {"free", -1, stream_, journal_.function(), journal_.call()}, std::move(touched));
}

void Timeline::launch(const Device& device, std::uint64_t number, std::uint64_t stream, Touched touched) {
    if (!checks_streams()) return;
    submit(&device,
           {"launch", static_cast<std::int64_t>(number), stream, journal_.function(), journal_.call()},
           std::move(touched));
}

ordered_json Timeline::json_of(const Work& work, TouchKind kind) {
    ordered_json made{{"what", work.what},
                      {"stream", work.stream},
                      {"function", work.function},
                      {"writes", kind != TouchKind::read},
                      {"call", work.call}};
    if (work.launch >= 0) made["launch"] = work.launch;
    return made;
}

void Timeline::submit(const Device* device, Work work, Touched touched) {
    if (touched.incomplete())
        journal_.warn("work of several streams touches so much memory that not all of its order was checked");
    const std::uint64_t stream = work.stream;
    work_.push_back(std::move(work));
    const auto found = order_->submit(stream, work_.size() - 1, std::move(touched));
    if (order_->forgot() && !std::exchange(told_, true))
        journal_.warn(
            "more than 256 pieces of work ran without a wait: the order of the oldest was not checked");
    if (!found) return;
    ordered_json event{{"event", "stream_race"},
                       {"first", json_of(work_[found->earlier], found->earlier_kind)},
                       {"second", json_of(work_.back(), found->later_kind)}};
    if (device != nullptr) event["place"] = place_of(*device, {found->address, 1, 0, 1});
    journal_.write(event);
}

void Timeline::touch(const Device& device, Touched& touched, TouchKind kind, const Rows& rows) {
    // Of other memory of the host, a copy is done when the call returns.
    if (device.find(rows.address) == nullptr && !device.in_range(rows.address)) return;
    for (std::uint64_t row = 0; row < rows.count; ++row)
        touched.add(kind, rows.address + row * rows.pitch_bytes, rows.width_bytes);
}

void Timeline::copy(const Device& device, const Rows& to, const Rows& from, const char* direction,
                    double began_ms) {
    if (!journal_.kept()) return;
    if (checks_streams()) {
        Touched touched;
        touch(device, touched, TouchKind::write, to);
        touch(device, touched, TouchKind::read, from);
        submit(&device, {"copy", -1, stream_, journal_.function(), journal_.call()}, std::move(touched));
        const bool to_host = device.find(to.address) == nullptr && !device.in_range(to.address);
        const bool from_host = device.find(from.address) == nullptr && !device.in_range(from.address);
        if (to_host || from_host || !submitted_) order_->wait_for_stream(stream_);
    }
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
    if (checks_streams()) {
        Touched touched;
        touch(device, touched, TouchKind::write, to);
        submit(&device, {"memset", -1, stream_, journal_.function(), journal_.call()}, std::move(touched));
    }
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
    if (order_) order_->create_stream(stream, (flags & cudaStreamNonBlocking) == 0);
    journal_.write_host({{"event", "create_stream"},
                         {"stream", stream},
                         {"blocking", (flags & cudaStreamNonBlocking) == 0},
                         {"priority", priority}});
}

void Timeline::destroy_stream(std::uint64_t stream) {
    journal_.write_host({{"event", "destroy_stream"}, {"stream", stream}});
}

void Timeline::record_event(std::uint64_t event, std::uint64_t stream) {
    if (order_) order_->record_event(event, stream);
    journal_.write_host({{"event", "record_event"}, {"cuda_event", event}, {"stream", stream}});
}

void Timeline::wait_for_event(std::uint64_t event, std::uint64_t stream) {
    if (order_) order_->wait_for_event(event, stream);
    journal_.write_host({{"event", "wait_for_event"}, {"cuda_event", event}, {"stream", stream}});
}

void Timeline::wait_for_device() {
    if (order_) order_->wait_for_device();
    journal_.write_host({{"event", "synchronise"}, {"of", "device"}});
}

void Timeline::wait_for_stream(std::uint64_t stream) {
    if (order_) order_->wait_for_stream(stream);
    journal_.write_host({{"event", "synchronise"}, {"of", "stream"}, {"stream", stream}});
}

void Timeline::wait_for_event(std::uint64_t event) {
    if (order_) order_->wait_for_event(event);
    journal_.write_host({{"event", "synchronise"}, {"of", "event"}, {"cuda_event", event}});
}

}  // namespace lanescope::cudart
