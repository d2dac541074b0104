#include "cudart/runtime/timeline.h"

#include <utility>

#include "cudart/runtime/device.h"

namespace lanescope::cudart {

using nlohmann::ordered_json;

HostEnd Timeline::end_of(const Device& device, const Rows& rows) {
    const std::uint64_t address = device.registered().to_device(rows.address);
    if (const Block* block = device.find(address)) return {block->number, address - block->address, {}};
    return {{}, 0, device.variable_name(rows.address)};
}

Timeline::Timeline(Journal& journal) : journal_(journal) {
    if (journal.request().value("check", false)) order_.emplace();
}

// Memory that a stream allocates is there once the stream has come so far. An address is never given twice,
// so that nothing earlier can touch it.
void Timeline::allocate(std::uint64_t buffer, std::uint64_t address, std::uint64_t bytes, const char* kind) {
    events_.allocate(buffer, address, bytes, kind);
    if (!order_ || !submitted_) return;
    Touched touched;
    touched.add(TouchKind::write, address, bytes);
    submit(nullptr, {"allocation", -1, stream_, journal_.function(), journal_.call()}, std::move(touched));
}

void Timeline::release(std::uint64_t buffer, std::uint64_t address, std::uint64_t bytes) {
    events_.free(buffer, stream_);
    guard_.remove_memory(address);
    if (!checks_order()) return;
    if (!submitted_) {
        order_->wait_for_device();
        return host_waited();
    }
    Touched touched;
    touched.add(TouchKind::write, address, bytes);
    submit(nullptr, {"free", -1, stream_, journal_.function(), journal_.call()}, std::move(touched));
}

void Timeline::launch(const Device& device, std::uint64_t number, std::uint64_t stream, Touched touched) {
    if (!checks_order()) return;
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
    if (touched.incomplete() && order_->several())
        journal_.warn("work of several streams touches so much memory that not all of its order was checked");
    const std::uint64_t stream = work.stream;
    work_.push_back(std::move(work));
    guard_.close(work_.size() - 1, touched);
    const auto found = order_->submit(stream, work_.size() - 1, std::move(touched));
    if (order_->forgot() && order_->several() && !std::exchange(told_, true))
        journal_.warn(
            "more than 256 pieces of work ran without a wait: the order of the oldest was not checked");
    if (!found) return;
    ordered_json event{{"event", "stream_race"},
                       {"first", json_of(work_[found->earlier], found->earlier_kind)},
                       {"second", json_of(work_.back(), found->later_kind)}};
    if (device != nullptr) event["place"] = cudart::json_of(end_of(*device, {found->address, 1, 0, 1}));
    journal_.write(event);
}

void Timeline::touch(const Device& device, Touched& touched, TouchKind kind, const Rows& rows) {
    // A copy of other memory of the host is done when the call returns.
    if (device.find(rows.address) == nullptr && !device.in_range(rows.address)) return;
    for (std::uint64_t row = 0; row < rows.count * rows.slices; ++row)
        touched.add(kind, rows.row(row), rows.width_bytes);
}

void Timeline::copy(const Device& device, const Rows& to, const Rows& from, const char* direction,
                    double began_ms) {
    if (!journal_.kept()) return;
    if (checks_order()) {
        Touched touched;
        touch(device, touched, TouchKind::write, to);
        touch(device, touched, TouchKind::read, from);
        submit(&device, {"copy", -1, stream_, journal_.function(), journal_.call()}, std::move(touched));
        const bool to_host = device.find(to.address) == nullptr && !device.in_range(to.address);
        const bool from_host = device.find(from.address) == nullptr && !device.in_range(from.address);
        if (to_host || from_host || !submitted_) {
            order_->wait_for_stream(stream_);
            host_waited();
        }
    }
    if (checks() && device.find(to.address) == nullptr) note_unwritten(device, from);
    events_.copy(stream_, to.bytes(), direction, end_of(device, to), end_of(device, from), began_ms);
}

void Timeline::fill(const Device& device, const Rows& to, int value, double began_ms) {
    if (!journal_.kept()) return;
    if (checks_order()) {
        Touched touched;
        touch(device, touched, TouchKind::write, to);
        submit(&device, {"memset", -1, stream_, journal_.function(), journal_.call()}, std::move(touched));
        // cudaMemset of memory that the host sees, too, is done when the call returns.
        if (!submitted_ && guard_.shares(to.address)) {
            order_->wait_for_stream(stream_);
            host_waited();
        }
    }
    events_.fill(stream_, to.bytes(), value, end_of(device, to), began_ms);
}

// The function may tell the rest of the host that the work before it is done.
void Timeline::host_function(std::uint64_t stream) {
    guard_.keep([](std::uint64_t) { return false; });
    events_.host_function(stream);
}

void Timeline::launch_graph(std::uint64_t stream) {
    events_.launch_graph(stream);
}

void Timeline::note_unwritten(const Device& device, const Rows& from) {
    const std::optional<Device::Unwritten> found = device.unwritten(from);
    if (!found) return;
    ordered_json event{{"event", "unwritten"},
                       {"buffer", found->buffer},
                       {"first", found->first},
                       {"count", found->count},
                       {"of", found->of}};
    if (found->writer) {
        event["launch"] = found->writer->launch;
        event["written"] = found->writer->elements;
    }
    journal_.write_host(std::move(event), true);
}

void Timeline::share(std::uint64_t address, std::uint64_t bytes) {
    if (order_ && bytes != 0) guard_.add_memory(address, bytes);
}

void Timeline::host_waited() {
    guard_.keep([&](std::uint64_t number) { return order_->is_pending(number); });
}

bool Timeline::admit_host(const Device& device, std::uint64_t address, bool writes) {
    if (!guard_.shares(address)) return false;
    if (!guard_.open(address) || *journal_.function() != '\0') return true;  // open, or this library's access
    const auto found = order_->pending_write(address);
    if (!found) return true;
    journal_.write({{"event", "stream_race"},
                    {"first", json_of(work_[*found], TouchKind::write)},
                    {"second", {{"what", "host"}, {"writes", writes}, {"call", journal_.call()}}},
                    {"place", cudart::json_of(end_of(device, {address, 1, 0, 1}))}});
    return true;
}

void Timeline::create_stream(std::uint64_t stream, unsigned flags, int priority) {
    if (order_) order_->create_stream(stream, (flags & cudaStreamNonBlocking) == 0);
    events_.create_stream(stream, flags, priority);
}

void Timeline::destroy_stream(std::uint64_t stream) {
    events_.destroy_stream(stream);
}

void Timeline::record_event(std::uint64_t event, std::uint64_t stream) {
    if (order_) order_->record_event(event, stream);
    events_.record_event(event, stream);
}

void Timeline::wait_for_event(std::uint64_t event, std::uint64_t stream) {
    if (order_) order_->wait_for_event(event, stream);
    events_.wait_for_event(event, stream);
}

void Timeline::wait_for_device() {
    if (order_) order_->wait_for_device(), host_waited();
    events_.host_waits_for_device();
}

void Timeline::wait_for_stream(std::uint64_t stream) {
    if (order_) order_->wait_for_stream(stream), host_waited();
    events_.host_waits_for_stream(stream);
}

void Timeline::wait_for_event(std::uint64_t event) {
    if (order_) order_->wait_for_event(event), host_waited();
    events_.host_waits_for_event(event);
}

}  // namespace lanescope::cudart
