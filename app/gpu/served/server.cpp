#include "gpu/served/server.h"

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "base/archive.h"
#include "base/shared_pages.h"
#include "gpu/served/fields.h"
#include "gpu/served/frames.h"

namespace lanescope::gpu {

namespace {

using Clock = FrameStream::Clock;

Result<void> no_tick() {
    return {};
}

std::string refused(const Diagnostics& diagnostics) {
    Diagnostics list = diagnostics;
    ArchiveWriter writer;
    writer.list(list, [](auto& archive, Diagnostic& each) { served_fields(archive, each); });
    return std::move(writer.bytes);
}

Diagnostic bad_request(const char* why) {
    return error(std::string("a request that the device cannot carry out: ") + why,
                 "the two programs differ; install the same version at both ends");
}

std::span<std::byte> bytes_of(std::string& text) {
    return std::as_writable_bytes(std::span(text));
}

// Carries out one request at a time.
class Carrier {
  public:
    Carrier(const ServedSide& side, const std::atomic<bool>& cancel) : side_(side), cancel_(cancel) {}

    Packing packing() const { return packing_; }

    // Returns the payload of the answer.
    Result<std::string> answer(const Frame& request) {
        ArchiveReader in(request.payload);
        if (request.call == Call::hello) return hello(in);
        if (request.call == Call::program) return program(in);
        if (request.call == Call::work) return work(in);
        if (!device_) return bad_request("it comes before hello");
        if (request.call == Call::load) return load(in);
        if (request.call == Call::record_bytes) return number(device_->record_bytes());
        if (!loaded_ && needs_code(request.call)) return bad_request("no code is loaded");
        switch (request.call) {
            case Call::share:
                return share(in);
            case Call::adopt:
                return adopt(in);
            case Call::allocate:
                return allocate(in);
            case Call::write:
                return write(in);
            case Call::read:
                return read(in);
            case Call::read_rows:
                return read_rows(in);
            case Call::copy:
                return copy(in);
            case Call::fill:
                return fill(in);
            case Call::symbol:
                return symbol(in);
            case Call::texture:
                return texture(in);
            case Call::records:
                return records(in);
            case Call::launch:
                return launch(in);
            case Call::add_code:
                return add_code(in);
            case Call::remove_code:
                return remove_code(in);
            case Call::variable:
                return variable(in);
            case Call::run:
                return run(in);
            case Call::release:
                return release(in);
            case Call::allocate_exported:
                return allocate_exported(in);
            case Call::pages:
                return pages(in);
            case Call::write_pages:
                return write_pages(in);
            case Call::read_pages:
                return read_pages(in);
            default:
                return bad_request("its kind");
        }
    }

  private:
    static bool needs_code(Call call) { return call == Call::symbol || call == Call::launch; }
    static std::string number(std::uint64_t value) {
        ArchiveWriter writer;
        writer.value(value);
        return std::move(writer.bytes);
    }
    static Result<std::string> address(const Result<TraceDevice::Address>& made) {
        return made ? Result<std::string>(number(*made)) : made.diagnostics();
    }
    static Result<std::string> done(const Result<void>& what) {
        return what ? Result<std::string>(std::string()) : what.diagnostics();
    }

    Result<std::string> hello(ArchiveReader& in) {
        bool compress = false;
        in.value(compress);
        if (!in.ok() || device_) return bad_request("a wrong hello");
        Result<std::unique_ptr<TraceDevice>> opened = side_.open();
        if (!opened) return opened.diagnostics();
        device_ = std::move(*opened);
        packing_ = compress ? Packing::compressed : Packing::plain;
        ServedFacts facts{device_->name(),   device_->newest_target(),   device_->code_target(),
                          device_->driver(), device_->multiprocessors(), device_->cycles_per_ns()};
        ArchiveWriter writer;
        served_fields(writer, facts);
        return std::move(writer.bytes);
    }
    Result<std::string> program(ArchiveReader& in) {
        bool compress = false;
        in.value(compress);
        if (!in.ok()) return bad_request("a wrong greeting");
        packing_ = compress ? Packing::compressed : Packing::plain;
        ArchiveWriter writer;
        writer.value(side_.program_version);
        return std::move(writer.bytes);
    }
    Result<std::string> work(ArchiveReader& in) {
        ServedWork wanted;
        served_fields(in, wanted);
        if (!in.ok() || wanted.limit_ms <= 0 || !side_.work) return bad_request("a run of the program");
        Result<ProcessOutcome> outcome = side_.work(wanted, cancel_);
        if (!outcome) return outcome.diagnostics();
        ArchiveWriter writer;
        served_fields(writer, *outcome);
        return std::move(writer.bytes);
    }
    Result<std::string> load(ArchiveReader& in) {
        std::string ptx;
        in.value(ptx);
        if (!in.ok()) return bad_request("code");
        const Result<void> result = device_->load(ptx);
        loaded_ = result.ok();
        return done(result);
    }
    Result<std::string> allocate(ArchiveReader& in) {
        std::uint64_t size_bytes = 0;
        in.value(size_bytes);
        return in.ok() ? address(device_->allocate(size_bytes)) : bad_request("a size");
    }
    Result<std::string> write(ArchiveReader& in) {
        std::uint64_t to = 0;
        in.value(to);
        if (!in.ok()) return bad_request("an address");
        return done(device_->write(to, std::as_bytes(std::span(in.rest()))));
    }
    Result<std::string> read(ArchiveReader& in) {
        std::uint64_t from = 0, size_bytes = 0;
        in.value(from);
        in.value(size_bytes);
        if (!in.ok() || size_bytes > chunk_bytes) return bad_request("the size of a piece");
        std::string bytes(size_bytes, '\0');
        if (const Result<void> got = device_->read(from, bytes_of(bytes)); !got) return got.diagnostics();
        return bytes;
    }
    Result<std::string> read_rows(ArchiveReader& in) {
        std::uint64_t from = 0, pitch_bytes = 0, width_bytes = 0, rows = 0;
        in.value(from);
        in.value(pitch_bytes);
        in.value(width_bytes);
        in.value(rows);
        if (!in.ok() || width_bytes == 0 || width_bytes > chunk_bytes || rows > chunk_bytes / width_bytes)
            return bad_request("the size of rows");
        std::string bytes(width_bytes * rows, '\0');
        const Result<void> got = device_->read_rows(from, pitch_bytes, width_bytes, rows, bytes_of(bytes));
        if (!got) return got.diagnostics();
        return bytes;
    }
    Result<std::string> copy(ArchiveReader& in) {
        std::uint64_t to = 0, from = 0, size_bytes = 0;
        in.value(to);
        in.value(from);
        in.value(size_bytes);
        return in.ok() ? done(device_->copy(to, from, size_bytes)) : bad_request("a copy");
    }
    Result<std::string> fill(ArchiveReader& in) {
        std::uint64_t at = 0, size_bytes = 0;
        std::uint8_t value = 0;
        in.value(at);
        in.value(size_bytes);
        in.value(value);
        return in.ok() ? done(device_->fill(at, size_bytes, std::byte{value})) : bad_request("a fill");
    }
    Result<std::string> symbol(ArchiveReader& in) {
        std::string mangled;
        in.value(mangled);
        return in.ok() ? address(device_->symbol(mangled)) : bad_request("a name");
    }
    Result<std::string> texture(ArchiveReader& in) {
        simt::Texture texture;
        served_fields(in, texture);
        return in.ok() ? address(device_->texture(texture)) : bad_request("a texture");
    }
    Result<std::string> records(ArchiveReader& in) {
        std::uint64_t size_bytes = 0;
        in.value(size_bytes);
        return in.ok() ? address(device_->records(size_bytes)) : bad_request("a size");
    }
    Result<std::string> share(ArchiveReader& in) {
        std::uint64_t most_bytes = 0;
        in.value(most_bytes);
        if (!in.ok() || side_.passing < 0) return bad_request("memory to share");
        Result<ExportedMemory> made = device_->share_records(most_bytes);
        if (!made) return made.diagnostics();
        return exported({0, std::move(*made)});
    }
    Result<std::string> exported(Device::Exported made) {
        if (const Result<void> sent = send_descriptor(side_.passing, made.memory.descriptor); !sent)
            return sent.diagnostics();
        ArchiveWriter writer;
        served_fields(writer, made);
        return std::move(writer.bytes);
    }
    Result<std::string> adopt(ArchiveReader& in) {
        ExportedMemory records;
        served_fields(in, records);
        if (!in.ok() || side_.passing < 0) return bad_request("memory to adopt");
        Result<Descriptor> descriptor = passed();
        if (!descriptor) return descriptor.diagnostics();
        records.descriptor = std::move(*descriptor);
        if (const Result<void> adopted = device_->adopt_records(records); !adopted)
            return adopted.diagnostics();
        return address(device_->records(sizeof(trace::Record)));
    }
    // Sent before the request.
    Result<Descriptor> passed() const {
        constexpr double patience_s = 5;
        return receive_descriptor(side_.passing, patience_s);
    }
    Result<std::string> add_code(ArchiveReader& in) {
        DeviceCode code;
        in.value(code.ptx);
        in.value(code.cubin);
        if (!in.ok()) return bad_request("code");
        const Result<std::uint32_t> added = device_->add_code(code);
        return added ? Result<std::string>(number(*added)) : added.diagnostics();
    }
    Result<std::string> remove_code(ArchiveReader& in) {
        std::uint32_t code = 0;
        in.value(code);
        return in.ok() ? done(device_->remove_code(code)) : bad_request("a number of code");
    }
    Result<std::string> variable(ArchiveReader& in) {
        std::uint32_t code = 0;
        std::string symbol;
        in.value(code);
        in.value(symbol);
        if (!in.ok()) return bad_request("a variable");
        const Result<Place> place = device_->variable(code, symbol);
        if (!place) return place.diagnostics();
        ArchiveWriter writer;
        writer.value(place->address);
        writer.value(place->size_bytes);
        return std::move(writer.bytes);
    }
    Result<std::string> run(ArchiveReader& in) {
        DeviceWork work;
        double seconds = 0;
        served_fields(in, work);
        in.raw(&seconds, sizeof seconds);
        if (!in.ok() || !(seconds > 0)) return bad_request("work");
        Result<Device::Worked> worked = device_->run(work, seconds, &cancel_);
        if (!worked) return worked.diagnostics();
        ArchiveWriter writer;
        served_fields(writer, *worked);
        return std::move(writer.bytes);
    }
    Result<std::string> release(ArchiveReader& in) {
        std::uint64_t memory = 0;
        in.value(memory);
        return in.ok() ? done(device_->release(memory)) : bad_request("an address");
    }
    Result<std::string> allocate_exported(ArchiveReader& in) {
        std::uint64_t size_bytes = 0;
        in.value(size_bytes);
        if (!in.ok() || side_.passing < 0) return bad_request("memory to export");
        Result<Device::Exported> made = device_->allocate_exported(size_bytes);
        return made ? exported(std::move(*made)) : made.diagnostics();
    }
    Result<std::string> pages(ArchiveReader& in) {
        std::uint64_t size_bytes = 0;
        in.value(size_bytes);
        if (!in.ok() || side_.passing < 0) return bad_request("memory to map");
        Result<Descriptor> descriptor = passed();
        if (!descriptor) return descriptor.diagnostics();
        Result<SharedPages> mapped = SharedPages::map(std::move(*descriptor), size_bytes);
        if (!mapped) return mapped.diagnostics();
        pages_ = std::move(*mapped);
        return std::string();
    }
    Result<std::string> write_pages(ArchiveReader& in) {
        std::uint64_t to = 0, size_bytes = 0;
        in.value(to);
        in.value(size_bytes);
        if (!in.ok() || size_bytes > pages_.bytes().size()) return bad_request("the size of a piece");
        return done(device_->write(to, pages_.bytes().first(size_bytes)));
    }
    Result<std::string> read_pages(ArchiveReader& in) {
        std::uint64_t from = 0, size_bytes = 0;
        in.value(from);
        in.value(size_bytes);
        if (!in.ok() || size_bytes > pages_.bytes().size()) return bad_request("the size of a piece");
        return done(device_->read(from, pages_.bytes().first(size_bytes)));
    }
    Result<std::string> launch(ArchiveReader& in) {
        simt::LaunchRequest request;
        double seconds = 0;
        served_fields(in, request);
        in.raw(&seconds, sizeof seconds);
        if (!in.ok() || !(seconds > 0)) return bad_request("a launch");
        std::string console;
        Result<TraceDevice::Ran> ran = device_->launch(request, seconds, &cancel_, console);
        if (!ran) return ran.diagnostics();
        ArchiveWriter writer;
        served_fields(writer, *ran);
        writer.value(console);
        return std::move(writer.bytes);
    }

    const ServedSide& side_;
    const std::atomic<bool>& cancel_;
    std::unique_ptr<TraceDevice> device_;
    bool loaded_ = false;
    SharedPages pages_;
    std::atomic<Packing> packing_ = Packing::plain;
};

// A thread listens while the device works: a lost connection or a cancel ends the launch that is under way,
// and a sign of life goes out every second.
class Server {
  public:
    explicit Server(const ServedSide& side)
        : side_(side), stream_(side.in, side.out, "the connection"), carrier_(side, cancel_) {}

    Result<void> run() {
        std::signal(SIGPIPE, SIG_IGN);
        if (Result<void> greeted = stream_.write_greeting(); !greeted) return greeted;
        std::thread listener([this] { listen(); });
        while (const std::optional<Frame> request = next()) {
            const Result<std::string> payload = carrier_.answer(*request);
            finish_request();
            Frame reply{payload ? Call::answer : Call::refusal, request->number,
                        payload ? *payload : refused(payload.diagnostics())};
            if (const Result<void> sent = send(reply); !sent) break;
        }
        ended_ = true;
        listener.join();
        return outcome_;
    }

  private:
    Result<void> send(const Frame& frame) {
        const std::lock_guard lock(writing_);
        return stream_.write(frame, carrier_.packing(), no_tick);
    }
    std::optional<Frame> next() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return request_ || closed_; });
        if (closed_) return std::nullopt;
        return request_;
    }
    void finish_request() {
        const std::lock_guard lock(mutex_);
        request_.reset();
        cancel_ = closed_;
    }
    bool busy() {
        const std::lock_guard lock(mutex_);
        return request_.has_value();
    }

    // Called while nothing comes in.
    Result<void> pulse() {
        constexpr std::chrono::seconds between{1};
        if (ended_) return error("the server ends");
        if (!busy() || Clock::now() - pulse_ < between) return {};
        pulse_ = Clock::now();
        return send({Call::alive, 0, {}});
    }

    void listen() {
        Result<void> outcome;
        while (outcome) {
            Result<std::optional<Frame>> frame = stream_.read([this] { return pulse(); });
            if (!frame) outcome = frame.diagnostics();
            if (!frame || !*frame) break;
            outcome = take(std::move(**frame));
        }
        {
            const std::lock_guard lock(mutex_);
            if (!ended_) outcome_ = outcome;
            closed_ = true;
            cancel_ = true;
            changed_.notify_all();
        }
        constexpr std::chrono::seconds patience{10};
        constexpr std::chrono::milliseconds pause{20};
        const Clock::time_point end = Clock::now() + patience;
        while (!ended_ && Clock::now() < end)
            std::this_thread::sleep_for(pause);
        if (!ended_ && side_.give_up) side_.give_up();
    }
    Result<void> take(Frame frame) {
        const std::lock_guard lock(mutex_);
        pulse_ = Clock::now();
        if (frame.call == Call::cancel) {
            cancel_ = request_ && request_->number == frame.number;
            return {};
        }
        if (request_) return bad_request("it comes before the answer to the one before");
        request_ = std::move(frame);
        changed_.notify_all();
        return {};
    }

    const ServedSide& side_;
    FrameStream stream_;
    std::mutex writing_, mutex_;
    std::condition_variable changed_;
    std::optional<Frame> request_;  // under way
    bool closed_ = false;
    std::atomic<bool> cancel_ = false, ended_ = false;
    Clock::time_point pulse_ = Clock::now();  // of the listener
    Result<void> outcome_;
    Carrier carrier_;
};

}  // namespace

Result<void> serve_device(const ServedSide& side) {
    return Server(side).run();
}

}  // namespace lanescope::gpu
