#include "gpu/served/served_device.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/archive.h"
#include "base/number_text.h"
#include "gpu/served/fields.h"
#include "gpu/served/frames.h"

namespace lanescope::gpu {

namespace {

using simt::Ending;
using std::chrono::milliseconds;

std::string in_seconds(milliseconds time) {
    constexpr double per_second = 1000;
    return seconds_text(static_cast<double>(time.count()) / per_second);
}

Diagnostics received_diagnostics(const std::string& payload, const std::string& shown) {
    Diagnostics list;
    ArchiveReader reader(payload);
    reader.list(list, [](auto& archive, Diagnostic& each) { served_fields(archive, each); });
    if (!reader.ok() || list.empty()) return {error_at(shown, 0, 0, "the device refused without a reason")};
    for (Diagnostic& each : list)
        if (each.file.empty()) each.file = shown;
    return list;
}

Diagnostic wrong_answer(const std::string& shown) {
    return error_at(shown, 0, 0, "an answer that does not fit its request",
                    "install the same version at both ends");
}

// An endless or a broken launch has its own ending; these errors are the connection's.
class Connection {
  public:
    Connection(Wire wire, const ServedDevice::Setup& setup)
        : setup_(setup), wire_(std::move(wire)), stream_(wire_.in, wire_.out, setup.shown) {}

    // `cancel`: may be null.
    Result<ServedFacts> greet(const std::atomic<bool>* cancel) {
        const FrameStream::Tick tick = at_the_beginning(cancel);
        if (Result<void> fits = check_protocol(tick); !fits) return fits.diagnostics();
        ArchiveWriter writer;
        writer.value(setup_.compress);
        const Result<std::string> answer = ask(Call::hello, std::move(writer.bytes), tick);
        if (!answer) return answer.diagnostics();
        ServedFacts facts;
        ArchiveReader reader(*answer);
        served_fields(reader, facts);
        if (!reader.ok() || !(facts.cycles_per_ns > 0) || !std::isfinite(facts.cycles_per_ns)) return wrong();
        return facts;
    }

    // Greets without a device.
    Result<void> greet_program() {
        const FrameStream::Tick tick = at_the_beginning();
        if (Result<void> fits = check_protocol(tick); !fits) return fits;
        ArchiveWriter writer;
        writer.value(setup_.compress);
        const Result<std::string> answer = ask(Call::program, std::move(writer.bytes), tick);
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

    std::uint64_t received_bytes() const { return stream_.received_bytes(); }

    // The payload of the answer. Errors: the device's own; the connection's.
    Result<std::string> ask(Call call, std::string payload) {
        return ask(call, std::move(payload), [this] { return silence(); });
    }
    Result<std::string> ask(Call call, std::string payload, const FrameStream::Tick& tick) {
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

    // Makes memory for records. Errors: the device's own; no descriptor comes.
    Result<SharedRecords> share(std::uint64_t most_bytes) {
        constexpr double patience_s = 5;  // the descriptor was sent before the answer
        ArchiveWriter writer;
        writer.value(most_bytes);
        const Result<std::string> answer = ask(Call::share, std::move(writer.bytes));
        if (!answer) return answer.diagnostics();
        SharedRecords records;
        ArchiveReader reader(*answer);
        served_fields(reader, records);
        if (!reader.ok() || records.size_bytes == 0) return wrong();
        Result<Descriptor> descriptor = receive_descriptor(wire_.passing, patience_s);
        if (!descriptor) return descriptor.diagnostics();
        records.descriptor = std::move(*descriptor);
        return records;
    }
    // Gives it the records of an earlier process. The payload of the answer is their address.
    Result<std::string> give(const SharedRecords& records) {
        if (const Result<void> sent = send_descriptor(wire_.passing, records.descriptor); !sent)
            return sent.diagnostics();
        ArchiveWriter writer;
        std::uint64_t size_bytes = records.size_bytes;
        auto device = records.device;
        writer.value(size_bytes);
        writer.raw(device.data(), device.size());
        return ask(Call::adopt, std::move(writer.bytes));
    }
    bool passes() const { return wire_.passing >= 0; }
    bool lost() const { return lost_; }  // nothing more can be asked

    Result<void> send_cancel() {
        return stream_.write({Call::cancel, number_, {}}, Packing::plain, [this] { return silence(); });
    }
    Result<void> silence() const {
        if (FrameStream::Clock::now() - stream_.last_progress() < setup_.limits.silence) return {};
        return error_at(setup_.shown, 0, 0,
                        "the device has not answered for " + in_seconds(setup_.limits.silence) +
                            "; the connection was closed",
                        "check the network and the machine there, then run again");
    }
    Diagnostic wrong() const { return wrong_answer(setup_.shown); }

  private:
    FrameStream::Tick at_the_beginning(const std::atomic<bool>* cancel = nullptr) const {
        const FrameStream::Clock::time_point end = FrameStream::Clock::now() + setup_.limits.begin;
        return [this, end, cancel]() -> Result<void> {
            if (cancel != nullptr && cancel->load()) return error("cancelled");
            if (FrameStream::Clock::now() < end) return {};
            return error_at(setup_.shown, 0, 0,
                            "no device answered within " + in_seconds(setup_.limits.begin),
                            "LANESCOPE_GPU_WAIT=SECONDS waits longer, for a queue or a login");
        };
    }
    Result<void> check_protocol(const FrameStream::Tick& tick) {
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
    Result<Frame> read(const FrameStream::Tick& tick) {
        Result<std::optional<Frame>> frame = stream_.read(tick);
        lost_ = !frame || !*frame;
        if (!frame) return with_ending(frame.diagnostics());
        if (*frame) return std::move(**frame);
        return with_ending({error_at(setup_.shown, 0, 0, "the connection to the device ended",
                                     "its messages above say why; run again to start another")});
    }
    // Adds how the process ended, if it did.
    Diagnostics with_ending(Diagnostics diagnostics) const {
        const std::string how = wire_.ending ? wire_.ending() : std::string();
        if (!how.empty()) diagnostics.front().message += "; the command " + how;
        return diagnostics;
    }

    const ServedDevice::Setup& setup_;
    Wire wire_;
    FrameStream stream_;
    std::uint32_t number_ = 0;
    bool lost_ = false;
};

}  // namespace

struct ServedDevice::State {
    Setup setup;
    std::unique_ptr<Connection> connection;  // null: it ended; load() makes another
    ServedFacts facts;
    std::string why = "it ended";
    std::shared_ptr<const SharedRecords> shared;  // null: records are not shared
    std::string not_shared = "no process has been started";
    Address records_at = 0;  // in the newest process; 0: it did not adopt the records of the one before

    Result<void> connect(const std::atomic<bool>* cancel) {
        Result<Wire> wire = setup.connect();
        if (!wire) return wire.diagnostics();
        auto made = std::make_unique<Connection>(std::move(*wire), setup);
        Result<ServedFacts> greeted = made->greet(cancel);
        if (!greeted) return greeted.diagnostics();
        facts = std::move(*greeted);
        connection = std::move(made);
        share_records();
        return {};
    }
    // Where memory cannot be shared, records come through the connection.
    void share_records() {
        records_at = 0;
        if (setup.share_bytes == 0 || !connection->passes()) {
            shared.reset();
            not_shared = "the GPU is not of this machine";
            return;
        }
        if (shared) {
            const Result<Address> adopted = number(connection->give(*shared));
            if (adopted) records_at = *adopted;
            if (adopted) return;
            shared.reset();
        }
        Result<SharedRecords> made = connection->share(setup.share_bytes);
        if (made)
            shared = std::make_shared<const SharedRecords>(std::move(*made));
        else
            not_shared = made.diagnostics().front().message;
    }
    template <class... Values>
    Result<std::string> ask(Call call, const Values&... values) {
        ArchiveWriter writer;
        (writer.value(values), ...);
        return ask_with(call, std::move(writer.bytes));
    }
    Result<std::string> ask_with(Call call, std::string payload) {
        if (!connection)
            return error_at(setup.shown, 0, 0, "the device's process ended: " + why, "run again");
        Result<std::string> answer = connection->ask(call, std::move(payload));
        if (!answer && connection->lost()) {
            why = answer.diagnostics().front().message;
            connection.reset();
        }
        return answer;
    }
    Result<std::uint64_t> number(const Result<std::string>& answer) const {
        if (!answer) return answer.diagnostics();
        std::uint64_t value = 0;
        ArchiveReader reader(*answer);
        reader.value(value);
        return reader.ok() ? Result<std::uint64_t>(value) : wrong();
    }
    Result<void> bytes(const Result<std::string>& answer, std::span<std::byte> into) const {
        if (!answer) return answer.diagnostics();
        if (answer->size() != into.size()) return wrong();
        std::memcpy(into.data(), answer->data(), into.size());
        return {};
    }
    Diagnostic wrong() const { return wrong_answer(setup.shown); }
    static Result<void> done(const Result<std::string>& answer) {
        return answer ? Result<void>() : answer.diagnostics();
    }
    Ran end(Ending how, std::string words) {
        why = words;
        connection.reset();
        return {how, std::move(words)};
    }
};

ServedDevice::ServedDevice(std::unique_ptr<State> state) : state_(std::move(state)) {}
ServedDevice::~ServedDevice() = default;

std::unique_ptr<ServedDevice> ServedDevice::make(Setup setup) {
    auto state = std::make_unique<State>();
    state->setup = std::move(setup);
    return std::unique_ptr<ServedDevice>(new ServedDevice(std::move(state)));
}

Result<std::unique_ptr<ServedDevice>> ServedDevice::start(Setup setup) {
    std::unique_ptr<ServedDevice> made = make(std::move(setup));
    if (Result<void> connected = made->open(nullptr); !connected) return connected.diagnostics();
    return made;
}

Result<void> ServedDevice::open(const std::atomic<bool>* cancel) {
    return state_->connection ? Result<void>() : state_->connect(cancel);
}

std::shared_ptr<const SharedRecords> ServedDevice::shared() const {
    return state_->shared;
}
const std::string& ServedDevice::why_not_shared() const {
    return state_->not_shared;
}
bool ServedDevice::keeps_records() const {
    return state_->shared != nullptr;
}

Result<TraceDevice::Address> ServedDevice::kept_records() {
    if (!state_->shared) return error_at(state_->setup.shown, 0, 0, state_->not_shared);
    if (Result<void> ready = open(nullptr); !ready) return ready.diagnostics();
    if (state_->records_at == 0) return error_at(state_->setup.shown, 0, 0, "the records are lost");
    return state_->records_at;
}

std::string ServedDevice::driver() const {
    return state_->facts.driver;
}
std::uint32_t ServedDevice::multiprocessors() const {
    return state_->facts.multiprocessors;
}

std::string ServedDevice::name() const {
    return state_->facts.name;
}
std::string ServedDevice::newest_target() const {
    return state_->facts.target;
}
double ServedDevice::cycles_per_ns() const {
    return state_->facts.cycles_per_ns;
}

// A lost connection takes no records; the next call has the error.
std::uint64_t ServedDevice::record_bytes() const {
    const Result<std::uint64_t> size_bytes = state_->number(state_->ask(Call::record_bytes));
    return size_bytes ? *size_bytes : 0;
}

// A process that ended since the last run, such as a killed one, is replaced by another.
Result<void> ServedDevice::load(const std::string& instrumented_ptx) {
    const bool fresh = !state_->connection;
    if (Result<void> ready = open(nullptr); !ready) return ready;
    const Result<std::string> loaded = state_->ask(Call::load, instrumented_ptx);
    if (loaded || state_->connection || fresh) return State::done(loaded);
    if (Result<void> ready = open(nullptr); !ready) return ready;
    return State::done(state_->ask(Call::load, instrumented_ptx));
}

Result<TraceDevice::Address> ServedDevice::allocate(std::uint64_t size_bytes) {
    return state_->number(state_->ask(Call::allocate, size_bytes));
}

Result<void> ServedDevice::write(Address to, std::span<const std::byte> bytes) {
    for (std::uint64_t at = 0; at < bytes.size(); at += chunk_bytes) {
        const std::span piece = bytes.subspan(at, std::min<std::uint64_t>(chunk_bytes, bytes.size() - at));
        ArchiveWriter writer;
        writer.value(to + at);
        writer.raw(piece.data(), piece.size());
        if (Result<void> written = State::done(state_->ask_with(Call::write, std::move(writer.bytes)));
            !written)
            return written;
    }
    return {};
}

Result<void> ServedDevice::read(Address from, std::span<std::byte> bytes) {
    for (std::uint64_t at = 0; at < bytes.size(); at += chunk_bytes) {
        const std::span piece = bytes.subspan(at, std::min<std::uint64_t>(chunk_bytes, bytes.size() - at));
        if (Result<void> got =
                state_->bytes(state_->ask(Call::read, from + at, std::uint64_t{piece.size()}), piece);
            !got)
            return got;
    }
    return {};
}

Result<void> ServedDevice::read_rows(Address from, std::uint64_t pitch_bytes, std::uint64_t width_bytes,
                                     std::uint64_t rows, std::span<std::byte> bytes) {
    if (width_bytes == 0) return {};
    if (width_bytes > chunk_bytes) {
        for (std::uint64_t row = 0; row < rows; ++row)
            if (Result<void> got =
                    read(from + row * pitch_bytes, bytes.subspan(row * width_bytes, width_bytes));
                !got)
                return got;
        return {};
    }
    const std::uint64_t at_a_time = chunk_bytes / width_bytes;
    for (std::uint64_t row = 0; row < rows; row += at_a_time) {
        const std::uint64_t count = std::min(at_a_time, rows - row);
        if (Result<void> got = state_->bytes(
                state_->ask(Call::read_rows, from + row * pitch_bytes, pitch_bytes, width_bytes, count),
                bytes.subspan(row * width_bytes, count * width_bytes));
            !got)
            return got;
    }
    return {};
}

Result<void> ServedDevice::copy(Address to, Address from, std::uint64_t size_bytes) {
    return State::done(state_->ask(Call::copy, to, from, size_bytes));
}

Result<void> ServedDevice::fill(Address at, std::uint64_t size_bytes, std::byte value) {
    return State::done(state_->ask(Call::fill, at, size_bytes, static_cast<std::uint8_t>(value)));
}

Result<TraceDevice::Address> ServedDevice::symbol(const std::string& mangled) {
    return state_->number(state_->ask(Call::symbol, mangled));
}

Result<std::uint64_t> ServedDevice::texture(const simt::Texture& texture) {
    simt::Texture sent = texture;
    ArchiveWriter writer;
    served_fields(writer, sent);
    return state_->number(state_->ask_with(Call::texture, std::move(writer.bytes)));
}

Result<TraceDevice::Address> ServedDevice::records(std::uint64_t size_bytes) {
    return state_->number(state_->ask(Call::records, size_bytes));
}

Result<TraceDevice::Ran> ServedDevice::launch(const simt::LaunchRequest& request, double seconds,
                                              const std::atomic<bool>* cancel, std::string& console) {
    using Clock = FrameStream::Clock;
    State& state = *state_;
    if (!state.connection) return State::done(state.ask(Call::launch)).diagnostics();
    simt::LaunchRequest sent = request;
    ArchiveWriter writer;
    served_fields(writer, sent);
    writer.raw(&seconds, sizeof seconds);
    const ServedLimits& limits = state.setup.limits;
    const auto allowed = std::chrono::duration_cast<milliseconds>(std::chrono::duration<double>(seconds));
    Clock::time_point end = Clock::now() + allowed + limits.after_launch;
    std::optional<Ending> given_up;  // why the connection is closed before an answer
    bool cancelled = false;
    const FrameStream::Tick tick = [&]() -> Result<void> {
        if (!cancelled && cancel != nullptr && cancel->load()) {
            cancelled = true;
            end = Clock::now() + limits.after_cancel;
            if (Result<void> told = state.connection->send_cancel(); !told) return told;
        }
        if (Clock::now() < end) return state.connection->silence();
        given_up = cancelled ? Ending::cancelled : Ending::timeout;
        return error("given up");
    };
    const Result<std::string> answer = state.connection->ask(Call::launch, std::move(writer.bytes), tick);
    if (given_up == Ending::cancelled) return state.end(Ending::cancelled, "cancelled");
    if (given_up) return state.end(Ending::timeout, "it did not end within " + in_seconds(allowed));
    if (!answer) {
        const Diagnostics why = answer.diagnostics();
        if (cancelled) return state.end(Ending::cancelled, "cancelled");
        if (state.connection->lost()) (void)state.end(Ending::faulted, why.front().message);
        return why;
    }
    Ran ran;
    std::string printed;
    ArchiveReader reader(*answer);
    served_fields(reader, ran);
    reader.value(printed);
    if (!reader.ok()) return state.wrong();
    console += printed;
    if (ran.ending == Ending::faulted || ran.ending == Ending::timeout || ran.ending == Ending::cancelled) {
        state.why = ran.message;
        state.connection.reset();
    }
    return ran;
}

std::uint64_t ServedDevice::received_bytes() const {
    return state_->connection ? state_->connection->received_bytes() : 0;
}

struct ServedProgram::State {
    ServedDevice::Setup setup;
    std::unique_ptr<Connection> connection;  // null: it ended; run() makes another
    std::uint64_t received_bytes = 0;        // by connections that ended

    Result<void> connect() {
        Result<Wire> wire = setup.connect();
        if (!wire) return wire.diagnostics();
        auto made = std::make_unique<Connection>(std::move(*wire), setup);
        if (Result<void> greeted = made->greet_program(); !greeted) return greeted;
        connection = std::move(made);
        return {};
    }
    void close() {
        received_bytes += connection->received_bytes();
        connection.reset();
    }
};

ServedProgram::ServedProgram(std::unique_ptr<State> state) : state_(std::move(state)) {}
ServedProgram::~ServedProgram() = default;

Result<std::unique_ptr<ServedProgram>> ServedProgram::start(ServedDevice::Setup setup) {
    auto state = std::make_unique<State>();
    state->setup = std::move(setup);
    if (Result<void> connected = state->connect(); !connected) return connected.diagnostics();
    return std::unique_ptr<ServedProgram>(new ServedProgram(std::move(state)));
}

std::uint64_t ServedProgram::received_bytes() const {
    return state_->received_bytes + (state_->connection ? state_->connection->received_bytes() : 0);
}

Result<ProcessOutcome> ServedProgram::run(ServedWork work, const std::atomic<bool>* cancel) {
    using Clock = FrameStream::Clock;
    if (!state_->connection)
        if (Result<void> connected = state_->connect(); !connected) return connected.diagnostics();
    ArchiveWriter writer;
    served_fields(writer, work);
    const ServedLimits& limits = state_->setup.limits;
    Clock::time_point end = Clock::now() + milliseconds(work.limit_ms) + limits.after_launch;
    bool cancelled = false;
    const FrameStream::Tick tick = [&]() -> Result<void> {
        if (!cancelled && cancel != nullptr && cancel->load()) {
            cancelled = true;
            end = Clock::now() + limits.after_cancel;
            if (Result<void> told = state_->connection->send_cancel(); !told) return told;
        }
        if (Clock::now() < end) return state_->connection->silence();
        return error_at(state_->setup.shown, 0, 0,
                        "the process there did not end within " + in_seconds(milliseconds(work.limit_ms)));
    };
    const Result<std::string> answer = state_->connection->ask(Call::work, std::move(writer.bytes), tick);
    if (!answer) {
        state_->close();
        return cancelled ? Diagnostics{error("cancelled")} : answer.diagnostics();
    }
    ProcessOutcome outcome;
    ArchiveReader reader(*answer);
    served_fields(reader, outcome);
    if (!reader.ok()) return state_->connection->wrong();
    if (outcome.cancelled) return error("cancelled");
    return outcome;
}

}  // namespace lanescope::gpu
