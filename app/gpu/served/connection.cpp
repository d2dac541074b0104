#include "gpu/served/connection.h"

#include <poll.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/archive.h"
#include "base/number_text.h"

namespace lanescope::gpu {

using simt::Ending;
using std::chrono::milliseconds;

std::string in_seconds(milliseconds time) {
    constexpr double per_second = 1000;
    return seconds_text(static_cast<double>(time.count()) / per_second);
}

namespace {

Diagnostics received_diagnostics(const std::string& payload, const std::string& shown) {
    Diagnostics list;
    ArchiveReader reader(payload);
    archive_all(reader, list);
    if (!reader.ok() || list.empty()) return {error_at(shown, 0, 0, "the device refused without a reason")};
    for (Diagnostic& each : list)
        if (each.file.empty()) each.file = shown;
    return list;
}

// "compute_90", "sm_90a": it becomes an option of the compiler.
bool is_target(std::string_view name, std::string_view kind) {
    if (!name.starts_with(kind)) return false;
    name.remove_prefix(kind.size());
    if (!name.empty() && (name.back() == 'a' || name.back() == 'f')) name.remove_suffix(1);
    return !name.empty() && name.size() <= 3 &&
           std::all_of(name.begin(), name.end(), [](char each) { return each >= '0' && each <= '9'; });
}

}  // namespace

Connection::Connection(Wire wire, const ServedDevice::Setup& setup)
    : setup_(setup), wire_(std::move(wire)), stream_(wire_.in, wire_.out, setup.shown) {}

Result<ServedFacts> Connection::greet(const std::atomic<bool>* cancel) {
    const FrameStream::Tick tick = at_the_beginning(cancel);
    if (Result<void> fits = check_protocol(tick); !fits) return fits.diagnostics();
    const Result<std::string> answer = ask(Call::hello, served_bytes(setup_.compress), tick);
    if (!answer) return answer.diagnostics();
    ServedFacts facts;
    ArchiveReader reader(*answer);
    archive_all(reader, facts);
    constexpr double most_cycles = 1000;
    const bool sound = facts.cycles_per_ns > 0 && facts.cycles_per_ns < most_cycles &&
                       is_target(facts.target, "compute_") && is_target(facts.code_target, "sm_");
    if (!reader.ok() || !sound) return wrong();
    return facts;
}

Result<void> Connection::greet_program() {
    const FrameStream::Tick tick = at_the_beginning();
    if (Result<void> fits = check_protocol(tick); !fits) return fits;
    const Result<std::string> answer = ask(Call::program, served_bytes(setup_.compress), tick);
    if (!answer) return answer.diagnostics();
    std::string version;
    ArchiveReader reader(*answer);
    reader.value(version);
    if (!reader.ok()) return wrong();
    if (version == setup_.program_version) return {};
    return error_at(
        setup_.shown, 0, 0,
        "Lanescope " + version + " is there, but Lanescope " + setup_.program_version + " is here",
        "install the same version at both ends");
}

Result<std::string> Connection::ask(Call call, std::string payload) {
    return ask(call, std::move(payload), [this] { return silence(); });
}

Result<std::string> Connection::ask(Call call, std::string payload, const FrameStream::Tick& tick) {
    Frame request{call, ++number_, std::move(payload)};
    const Packing packing = setup_.compress ? Packing::compressed : Packing::plain;
    if (const Result<void> sent = stream_.write(request, packing, tick); !sent) {
        lost_ = true;
        return with_ending(sent.diagnostics());
    }
    for (;;) {
        Result<Frame> reply = read(tick);
        if (!reply) return reply.diagnostics();
        // Signs of life must not postpone the end of a time limit.
        if (Result<void> go_on = tick(); !go_on && reply->call == Call::alive) return go_on.diagnostics();
        if (reply->call == Call::alive) continue;
        if (reply->number != number_) return wrong();
        if (reply->call == Call::answer) return std::move(reply->payload);
        if (reply->call != Call::refusal) return wrong();
        return received_diagnostics(reply->payload, setup_.shown);
    }
}

Connection::Waited Connection::ask_for(Call call, std::string payload, milliseconds allowed,
                                       const std::atomic<bool>* cancel) {
    using Clock = FrameStream::Clock;
    const ServedLimits& limits = setup_.limits;
    Clock::time_point end = Clock::now() + allowed + limits.after_launch;
    Waited waited;
    const FrameStream::Tick tick = [&]() -> Result<void> {
        if (!waited.cancelled && cancel != nullptr && cancel->load()) {
            waited.cancelled = true;
            end = Clock::now() + limits.after_cancel;
            if (Result<void> told = send_cancel(); !told) return told;
        }
        if (Clock::now() < end) return silence();
        waited.given_up = waited.cancelled ? Ending::cancelled : Ending::timeout;
        return error("given up");
    };
    Result<std::string> answer = ask(call, std::move(payload), tick);
    if (waited.given_up == Ending::finished) waited.answer = std::move(answer);
    return waited;
}

Result<Device::Exported> Connection::share(Call call, std::uint64_t size_bytes) {
    constexpr double patience_s = 5;  // the descriptor was sent before the answer
    const Result<std::string> answer = ask(call, served_bytes(size_bytes));
    if (!answer) return answer.diagnostics();
    Device::Exported made;
    ArchiveReader reader(*answer);
    archive_all(reader, made);
    if (!reader.ok() || made.memory.size_bytes == 0) return wrong();
    Result<Descriptor> descriptor = receive_descriptor(wire_.passing, patience_s);
    if (!descriptor) return descriptor.diagnostics();
    made.memory.descriptor = std::move(*descriptor);
    return made;
}

Result<std::string> Connection::give(const ExportedMemory& records) {
    if (const Result<void> sent = send_descriptor(wire_.passing, records.descriptor); !sent)
        return sent.diagnostics();
    return ask(Call::adopt, served_bytes(ExportedMemory{{}, records.size_bytes, records.device}));
}

// Without it, bytes go through the stream.
void Connection::give_pages(const SharedPages& pages) {
    if (!passes() || pages.bytes().empty() || !send_descriptor(wire_.passing, pages.descriptor())) return;
    if (ask(Call::pages, served_bytes(std::uint64_t{pages.bytes().size()}))) pages_ = pages.bytes();
}

bool Connection::hung_up() const {
    pollfd descriptor{wire_.in, 0, 0};
    return ::poll(&descriptor, 1, 0) > 0 && (descriptor.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

Result<void> Connection::send_cancel() {
    return stream_.write({Call::cancel, number_, {}}, Packing::plain, [this] { return silence(); });
}

Result<void> Connection::silence() const {
    if (FrameStream::Clock::now() - stream_.last_progress() < setup_.limits.silence) return {};
    return error_at(setup_.shown, 0, 0,
                    "the device has not answered for " + in_seconds(setup_.limits.silence) +
                        "; the connection was closed",
                    "check the network and the machine there, then run again");
}

Diagnostic Connection::wrong() const {
    return error_at(setup_.shown, 0, 0, "an answer that does not fit its request",
                    "install the same version at both ends");
}

FrameStream::Tick Connection::at_the_beginning(const std::atomic<bool>* cancel) const {
    const FrameStream::Clock::time_point end = FrameStream::Clock::now() + setup_.limits.begin;
    return [this, end, cancel]() -> Result<void> {
        if (cancel != nullptr && cancel->load()) return error("cancelled");
        if (FrameStream::Clock::now() < end) return {};
        return error_at(setup_.shown, 0, 0, "no device answered within " + in_seconds(setup_.limits.begin),
                        "LANESCOPE_GPU_WAIT=SECONDS waits longer, for a queue or a login");
    };
}

Result<void> Connection::check_protocol(const FrameStream::Tick& tick) {
    const Result<std::uint32_t> protocol = stream_.read_greeting(tick);
    if (!protocol) return with_ending(protocol.diagnostics());
    if (*protocol != device_protocol)
        return error_at(setup_.shown, 0, 0,
                        "Lanescope there speaks version " + std::to_string(*protocol) +
                            " of the protocol, but Lanescope " + setup_.program_version +
                            " here speaks version " + std::to_string(device_protocol),
                        "install the same version at both ends");
    return {};
}

Result<Frame> Connection::read(const FrameStream::Tick& tick) {
    Result<std::optional<Frame>> frame = stream_.read(tick);
    lost_ = !frame || !*frame;
    if (!frame) return with_ending(frame.diagnostics());
    if (*frame) return std::move(**frame);
    return with_ending({error_at(setup_.shown, 0, 0, "the connection to the device ended",
                                 "its messages above say why; run again to start another")});
}

// Adds how the process ended, if it did.
Diagnostics Connection::with_ending(Diagnostics diagnostics) const {
    const std::string how = wire_.ending ? wire_.ending() : std::string();
    if (!how.empty()) diagnostics.front().message += "; the command " + how;
    return diagnostics;
}

}  // namespace lanescope::gpu
