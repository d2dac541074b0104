// A device that another process has, on this machine or another one.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/process.h"
#include "base/result.h"
#include "gpu/traced/trace_device.h"

namespace lanescope::gpu {

// An open connection: two descriptors, of which writing to `out` does not block, and what keeps them open.
// The end of `owner` ends the process at the other side.
struct Wire {
    int in = -1, out = -1;
    int passing = -1;  // the socket for file descriptors; negative: none
    std::shared_ptr<void> owner;
    std::function<std::string()> ending;  // how the process ended; empty: it runs, or nothing is known
};

struct ServedLimits {
    std::chrono::milliseconds begin{120'000};  // until the device says hello: a login, a queue
    std::chrono::milliseconds silence{60'000};
    std::chrono::milliseconds after_launch{20'000};  // beyond the time that a launch may take
    std::chrono::milliseconds after_cancel{3'000};
};

// After a fault, a launch that does not end or a cancelled one, the process ends and takes the broken context
// with it. The next open() or load() starts another. Records that are shared outlive the process: the next
// one adopts them.
class ServedDevice : public TraceDevice {
  public:
    using Connect = std::function<Result<Wire>()>;
    struct Setup {
        Connect connect;
        std::string shown;  // in messages: "ssh:lab1"
        std::string program_version;
        bool compress = true;
        std::uint64_t share_bytes = 0;  // of records, at most; 0: they are not shared
        ServedLimits limits;
    };

    // Not yet connected: open() does that.
    static std::unique_ptr<ServedDevice> make(Setup setup);
    // Connects. Errors: those of `connect`; no device answers; another protocol; the device's own.
    static Result<std::unique_ptr<ServedDevice>> start(Setup setup);
    ~ServedDevice() override;

    Result<void> open(const std::atomic<bool>* cancel) override;
    std::uint64_t life() const override;
    std::string name() const override;
    std::string driver() const override;
    std::string code_target() const override;
    std::uint32_t multiprocessors() const override;
    std::string newest_target() const override;
    double cycles_per_ns() const override;
    std::uint64_t record_bytes() const override;
    std::uint64_t received_bytes() const;  // by this connection, as they came

    Result<void> load(const std::string& instrumented_ptx) override;
    Result<Address> allocate(std::uint64_t size_bytes) override;
    Result<void> release(Address memory) override;
    Result<Exported> allocate_exported(std::uint64_t size_bytes) override;
    Result<void> write(Address to, std::span<const std::byte> bytes) override;
    Result<void> read(Address from, std::span<std::byte> bytes) override;
    Result<void> read_rows(Address from, std::uint64_t pitch_bytes, std::uint64_t width_bytes,
                           std::uint64_t rows, std::span<std::byte> bytes) override;
    Result<void> copy(Address to, Address from, std::uint64_t size_bytes) override;
    Result<void> fill(Address at, std::uint64_t size_bytes, std::byte value) override;
    Result<Address> symbol(const std::string& mangled) override;
    Result<std::uint64_t> texture(const simt::Texture& texture) override;
    Result<Address> records(std::uint64_t size_bytes) override;
    bool keeps_records() const override;
    Result<Address> kept_records() override;
    Result<std::uint32_t> add_code(const DeviceCode& code) override;
    Result<void> remove_code(std::uint32_t code) override;
    Result<Place> variable(std::uint32_t code, const std::string& symbol) override;
    Result<Worked> run(const DeviceWork& work, double seconds, const std::atomic<bool>* cancel) override;
    Result<Ran> launch(const simt::LaunchRequest& request, double seconds, const std::atomic<bool>* cancel,
                       std::string& console) override;

    // The records of the newest launches, for OpenGL; null: they are not shared, and why_not_shared() says
    // why.
    std::shared_ptr<const ExportedMemory> shared() const;
    const std::string& why_not_shared() const;

  private:
    struct State;
    explicit ServedDevice(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

// A run of this program at the other side.
struct ServedWork {
    std::vector<std::string> words;  // behind the program's name
    std::string input;
    int limit_ms = 0;  // it is killed after this time
};

// This program at the other side, which runs there in processes of its own and opens no device itself.
class ServedProgram {
  public:
    // Connects. Errors: those of `connect`; no program answers; another protocol or another version.
    static Result<std::unique_ptr<ServedProgram>> start(ServedDevice::Setup setup);
    ~ServedProgram();

    // Returns how it ended and what it printed. Errors: the connection is lost or silent; it cannot be
    // started there; "cancelled".
    Result<ProcessOutcome> run(ServedWork work, const std::atomic<bool>* cancel);

    std::uint64_t received_bytes() const;  // as they came, compressed

  private:
    struct State;
    explicit ServedProgram(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::gpu
