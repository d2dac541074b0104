#include "gpu/served/served_device.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/archive.h"
#include "gpu/served/connection.h"
#include "gpu/served/fields.h"
#include "gpu/served/frames.h"

namespace lanescope::gpu {

using simt::Ending;
using std::chrono::milliseconds;

namespace {

template <auto function>
constexpr Call call_of = Call::count;
#define LANESCOPE_CALL(name) \
    template <>              \
    constexpr Call call_of<&TraceDevice::name> = Call::name;
#define LANESCOPE_REQUEST(name)
#define LANESCOPE_SIGNAL(name)
#include "gpu/served/calls.def"

}  // namespace

struct ServedDevice::State {
    Setup setup;
    std::unique_ptr<Connection> connection;  // null: it ended; open() makes another
    std::uint64_t connections = 0;
    SharedPages pages;  // for bytes that go to the device and back, where it is of this machine
    ServedFacts facts;
    std::string why = "it ended";
    std::shared_ptr<const ExportedMemory> shared;  // null: records are not shared
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
        ++connections;
        share_pages();
        share_records();
        return {};
    }
    void share_pages() {
        if (!connection->passes()) return;
        if (pages.bytes().empty())
            if (Result<SharedPages> made = SharedPages::make(chunk_bytes)) pages = std::move(*made);
        connection->give_pages(pages);
    }
    // Less is sooner there as a part of the message.
    bool through_pages(std::uint64_t size_bytes) const {
        constexpr std::uint64_t least_bytes = 64 << 10;
        return connection && !connection->pages().empty() && size_bytes >= least_bytes;
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
        Result<Exported> made = connection->share(Call::share, setup.share_bytes);
        if (made)
            shared = std::make_shared<const ExportedMemory>(std::move(made->memory));
        else
            not_shared = made.diagnostics().front().message;
    }
    // Calls a function of the device there.
    template <auto function, class... Arguments>
    auto call(const Arguments&... arguments)
        -> decltype((std::declval<TraceDevice&>().*function)(arguments...)) {
        using Function = DeviceFunction<decltype(function)>;
        static_assert(call_of<function> != Call::count, "calls.def does not have the function");
        const Result<std::string> answer = ask_with(call_of<function>, Function::request(arguments...));
        if (!answer) return answer.diagnostics();
        auto value = Function::answer(*answer);
        if (!value) return wrong();
        return std::move(*value);
    }
    template <class... Values>
    Result<std::string> ask(Call call, const Values&... values) {
        return ask_with(call, served_bytes(values...));
    }
    Result<std::string> ask_with(Call call, std::string payload) {
        if (!connection)
            return error_at(setup.shown, 0, 0, "the device's process ended: " + why, "run again");
        Result<std::string> answer = connection->ask(call, std::move(payload));
        if (!answer) close_if_lost(answer.diagnostics());
        return answer;
    }
    void close_if_lost(const Diagnostics& reason) {
        if (!connection->lost()) return;
        why = reason.front().message;
        connection.reset();
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
    Diagnostic wrong() const { return connection->wrong(); }
    static Result<void> done(const Result<std::string>& answer) {
        return answer ? Result<void>() : answer.diagnostics();
    }
    Ran end(Ending how, std::string words) {
        why = words;
        connection.reset();
        return {how, std::move(words)};
    }

    // Something that runs on the device, or how it ended without an answer. Errors: the device's own, and the
    // connection's.
    struct Answered {
        std::string payload;
        std::optional<Ran> ran;
    };
    Result<Answered> run(Call call, std::string payload, double seconds, const std::atomic<bool>* cancel) {
        if (!connection) return ask(call).diagnostics();
        const auto allowed = std::chrono::duration_cast<milliseconds>(std::chrono::duration<double>(seconds));
        Connection::Waited waited = connection->ask_for(call, std::move(payload), allowed, cancel);
        if (!waited.answer && !waited.cancelled)
            return Answered{{}, end(Ending::timeout, "it did not end within " + in_seconds(allowed))};
        if (!waited.answer || (!*waited.answer && waited.cancelled))
            return Answered{{}, end(Ending::cancelled, "cancelled")};
        if (*waited.answer) return Answered{std::move(**waited.answer), {}};
        close_if_lost(waited.answer->diagnostics());
        return waited.answer->diagnostics();
    }
    // After such an ending the process has nothing more to give.
    void close_after(const Ran& ran) {
        if (ran.ending != Ending::faulted && ran.ending != Ending::timeout && ran.ending != Ending::cancelled)
            return;
        why = ran.message;
        connection.reset();
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

// A process that has ended by itself, such as a killed one, is replaced by another.
Result<void> ServedDevice::open(const std::atomic<bool>* cancel) {
    if (state_->connection && state_->connection->hung_up()) state_->connection.reset();
    return state_->connection ? Result<void>() : state_->connect(cancel);
}

std::shared_ptr<const ExportedMemory> ServedDevice::shared() const {
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

std::uint64_t ServedDevice::life() const {
    return state_->connection ? state_->connections : 0;
}

std::string ServedDevice::code_target() const {
    return state_->facts.code_target;
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
    return state_->call<&TraceDevice::allocate>(size_bytes);
}

Result<void> ServedDevice::release(Address memory) {
    return state_->call<&TraceDevice::release>(memory);
}

Result<Device::Exported> ServedDevice::allocate_exported(std::uint64_t size_bytes) {
    State& state = *state_;
    if (state.connection && !state.connection->passes())
        return error_at(state.setup.shown, 0, 0, "the GPU is not of this machine");
    if (!state.connection) return state.ask(Call::allocate_exported).diagnostics();
    Result<Exported> made = state.connection->share(Call::allocate_exported, size_bytes);
    if (!made) state.close_if_lost(made.diagnostics());
    return made;
}

Result<void> ServedDevice::write(Address to, std::span<const std::byte> bytes) {
    for (std::uint64_t at = 0; at < bytes.size(); at += chunk_bytes) {
        const std::span piece = bytes.subspan(at, std::min<std::uint64_t>(chunk_bytes, bytes.size() - at));
        if (state_->through_pages(piece.size())) {
            std::memcpy(state_->pages.bytes().data(), piece.data(), piece.size());
            if (Result<void> written =
                    State::done(state_->ask(Call::write_pages, to + at, std::uint64_t{piece.size()}));
                !written)
                return written;
            continue;
        }
        const RestOfMessage rest{{reinterpret_cast<const char*>(piece.data()), piece.size()}};
        if (Result<void> written = State::done(state_->ask(Call::write, to + at, rest)); !written)
            return written;
    }
    return {};
}

Result<void> ServedDevice::read(Address from, std::span<std::byte> bytes) {
    for (std::uint64_t at = 0; at < bytes.size(); at += chunk_bytes) {
        const std::span piece = bytes.subspan(at, std::min<std::uint64_t>(chunk_bytes, bytes.size() - at));
        const std::uint64_t size_bytes = piece.size();
        Result<void> got;
        if (state_->through_pages(size_bytes)) {
            got = State::done(state_->ask(Call::read_pages, from + at, size_bytes));
            if (got) std::memcpy(piece.data(), state_->pages.bytes().data(), size_bytes);
        } else {
            got = state_->bytes(state_->ask(Call::read, from + at, size_bytes), piece);
        }
        if (!got) return got;
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
    return state_->call<&TraceDevice::copy>(to, from, size_bytes);
}

Result<void> ServedDevice::fill(Address at, std::uint64_t size_bytes, std::byte value) {
    return state_->call<&TraceDevice::fill>(at, size_bytes, value);
}

Result<TraceDevice::Address> ServedDevice::symbol(const std::string& mangled) {
    return state_->call<&TraceDevice::symbol>(mangled);
}

Result<std::uint64_t> ServedDevice::texture(const simt::Texture& texture) {
    return state_->call<&TraceDevice::texture>(texture);
}

Result<TraceDevice::Address> ServedDevice::records(std::uint64_t size_bytes) {
    return state_->call<&TraceDevice::records>(size_bytes);
}

Result<std::uint32_t> ServedDevice::add_code(const DeviceCode& code) {
    return state_->call<&TraceDevice::add_code>(code);
}

Result<void> ServedDevice::remove_code(std::uint32_t code) {
    return state_->call<&TraceDevice::remove_code>(code);
}

Result<Place> ServedDevice::variable(std::uint32_t code, const std::string& symbol) {
    return state_->call<&TraceDevice::variable>(code, symbol);
}

Result<Device::Worked> ServedDevice::run(const DeviceWork& work, double seconds,
                                         const std::atomic<bool>* cancel) {
    Result<State::Answered> answered = state_->run(Call::run, served_bytes(work, seconds), seconds, cancel);
    if (!answered) return answered.diagnostics();
    if (answered->ran) return Worked{std::move(*answered->ran), {}};
    Worked worked;
    ArchiveReader reader(answered->payload);
    archive_all(reader, worked);
    if (!reader.ok()) return state_->wrong();
    state_->close_after(worked.ran);
    return worked;
}

Result<TraceDevice::Ran> ServedDevice::launch(const simt::LaunchRequest& request, double seconds,
                                              const std::atomic<bool>* cancel, std::string& console) {
    Result<State::Answered> answered =
        state_->run(Call::launch, served_bytes(request, seconds), seconds, cancel);
    if (!answered) return answered.diagnostics();
    if (answered->ran) return std::move(*answered->ran);
    Ran ran;
    std::string printed;
    ArchiveReader reader(answered->payload);
    archive_all(reader, ran);
    reader.value(printed);
    if (!reader.ok()) return state_->wrong();
    console += printed;
    state_->close_after(ran);
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
    if (!state_->connection)
        if (Result<void> connected = state_->connect(); !connected) return connected.diagnostics();
    const milliseconds allowed(work.limit_ms);
    const Connection::Waited waited =
        state_->connection->ask_for(Call::work, served_bytes(std::move(work)), allowed, cancel);
    if (!waited.answer || !*waited.answer) {
        state_->close();
        if (waited.cancelled) return error("cancelled");
        if (waited.answer) return waited.answer->diagnostics();
        return error_at(state_->setup.shown, 0, 0,
                        "the process there did not end within " + in_seconds(allowed));
    }
    ProcessOutcome outcome;
    ArchiveReader reader(**waited.answer);
    archive_all(reader, outcome);
    if (!reader.ok()) return state_->connection->wrong();
    if (outcome.cancelled) return error("cancelled");
    return outcome;
}

}  // namespace lanescope::gpu
