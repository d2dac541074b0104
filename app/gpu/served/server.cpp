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
    archive_all(writer, list);
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
        const Call call = request.call;
        if (!device_ && call != Call::hello && call != Call::program && call != Call::work)
            return bad_request("it comes before hello");
        if (!loaded_ && (call == Call::symbol || call == Call::launch))
            return bad_request("no code is loaded");
        switch (call) {
#define LANESCOPE_CALL(name) \
    case Call::name:         \
        return of_device(&TraceDevice::name, in);
#define LANESCOPE_REQUEST(name) \
    case Call::name:            \
        return carry_out(&Carrier::name, in);
#define LANESCOPE_SIGNAL(name)
#include "gpu/served/calls.def"
            default:
                return bad_request("its kind");
        }
    }

  private:
    template <class Function>
    Result<std::string> of_device(Function function, ArchiveReader& in) {
        const std::optional<Result<std::string>> answer =
            DeviceFunction<Function>::carry_out(*device_, function, in);
        return answer ? *answer : bad_request("its arguments");
    }
    // Calls the function below that the request names with the request's arguments.
    template <class... Arguments>
    Result<std::string> carry_out(Result<std::string> (Carrier::*request)(Arguments...), ArchiveReader& in) {
        std::optional arguments = read_arguments<std::decay_t<Arguments>...>(in);
        if (!arguments) return bad_request("its arguments");
        return std::apply([&](auto&... each) { return (this->*request)(each...); }, *arguments);
    }
    static Result<std::string> done(const Result<void>& what) {
        return what ? Result<std::string>(std::string()) : what.diagnostics();
    }

    Result<std::string> hello(bool compress) {
        if (device_) return bad_request("a second hello");
        Result<std::unique_ptr<TraceDevice>> opened = side_.open();
        if (!opened) return opened.diagnostics();
        device_ = std::move(*opened);
        packing_ = compress ? Packing::compressed : Packing::plain;
        return served_bytes(ServedFacts{device_->name(), device_->newest_target(), device_->code_target(),
                                        device_->driver(), device_->multiprocessors(),
                                        device_->cycles_per_ns()});
    }
    Result<std::string> program(bool compress) {
        packing_ = compress ? Packing::compressed : Packing::plain;
        return served_bytes(side_.program_version);
    }
    Result<std::string> work(const ServedWork& wanted) {
        if (wanted.limit_ms <= 0 || !side_.work) return bad_request("a run of the program");
        Result<ProcessOutcome> outcome = side_.work(wanted, cancel_);
        if (!outcome) return outcome.diagnostics();
        return served_bytes(std::move(*outcome));
    }
    Result<std::string> load(const std::string& ptx) {
        const Result<void> result = device_->load(ptx);
        loaded_ = result.ok();
        return done(result);
    }
    Result<std::string> write(std::uint64_t to, const RestOfMessage& rest) {
        return done(device_->write(to, std::as_bytes(std::span(rest.bytes))));
    }
    Result<std::string> read(std::uint64_t from, std::uint64_t size_bytes) {
        return read_rows(from, size_bytes, size_bytes, 1);
    }
    Result<std::string> read_rows(std::uint64_t from, std::uint64_t pitch_bytes, std::uint64_t width_bytes,
                                  std::uint64_t rows) {
        if (width_bytes == 0 || width_bytes > chunk_bytes || rows > chunk_bytes / width_bytes)
            return bad_request("the size of rows");
        std::string bytes(width_bytes * rows, '\0');
        const Result<void> got =
            rows == 1 ? device_->read(from, bytes_of(bytes))
                      : device_->read_rows(from, pitch_bytes, width_bytes, rows, bytes_of(bytes));
        if (!got) return got.diagnostics();
        return bytes;
    }
    Result<std::string> record_bytes() {
        return served_bytes(device_->record_bytes());
    }
    Result<std::string> share(std::uint64_t most_bytes) {
        if (side_.passing < 0) return bad_request("memory to share");
        Result<ExportedMemory> made = device_->share_records(most_bytes);
        if (!made) return made.diagnostics();
        return exported({0, std::move(*made)});
    }
    Result<std::string> exported(Device::Exported made) {
        if (const Result<void> sent = send_descriptor(side_.passing, made.memory.descriptor); !sent)
            return sent.diagnostics();
        return served_bytes(std::move(made));
    }
    Result<std::string> adopt(ExportedMemory& records) {
        if (side_.passing < 0) return bad_request("memory to adopt");
        Result<Descriptor> descriptor = passed();
        if (!descriptor) return descriptor.diagnostics();
        records.descriptor = std::move(*descriptor);
        if (const Result<void> adopted = device_->adopt_records(records); !adopted)
            return adopted.diagnostics();
        const Result<TraceDevice::Address> at = device_->records(sizeof(trace::Record));
        return at ? Result<std::string>(served_bytes(*at)) : at.diagnostics();
    }
    // Sent before the request.
    Result<Descriptor> passed() const {
        constexpr double patience_s = 5;
        return receive_descriptor(side_.passing, patience_s);
    }
    Result<std::string> run(const DeviceWork& work, double seconds) {
        if (!(seconds > 0)) return bad_request("work");
        Result<Device::Worked> worked = device_->run(work, seconds, &cancel_);
        if (!worked) return worked.diagnostics();
        return served_bytes(std::move(*worked));
    }
    Result<std::string> allocate_exported(std::uint64_t size_bytes) {
        if (side_.passing < 0) return bad_request("memory to export");
        Result<Device::Exported> made = device_->allocate_exported(size_bytes);
        return made ? exported(std::move(*made)) : made.diagnostics();
    }
    Result<std::string> pages(std::uint64_t size_bytes) {
        if (side_.passing < 0) return bad_request("memory to map");
        Result<Descriptor> descriptor = passed();
        if (!descriptor) return descriptor.diagnostics();
        Result<SharedPages> mapped = SharedPages::map(std::move(*descriptor), size_bytes);
        if (!mapped) return mapped.diagnostics();
        pages_ = std::move(*mapped);
        return std::string();
    }
    Result<std::string> write_pages(std::uint64_t to, std::uint64_t size_bytes) {
        if (size_bytes > pages_.bytes().size()) return bad_request("the size of a piece");
        return done(device_->write(to, pages_.bytes().first(size_bytes)));
    }
    Result<std::string> read_pages(std::uint64_t from, std::uint64_t size_bytes) {
        if (size_bytes > pages_.bytes().size()) return bad_request("the size of a piece");
        return done(device_->read(from, pages_.bytes().first(size_bytes)));
    }
    Result<std::string> launch(const simt::LaunchRequest& request, double seconds) {
        if (!(seconds > 0)) return bad_request("a launch");
        std::string console;
        Result<TraceDevice::Ran> ran = device_->launch(request, seconds, &cancel_, console);
        if (!ran) return ran.diagnostics();
        return served_bytes(std::move(*ran), std::move(console));
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
