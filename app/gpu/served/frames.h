// Messages between a program and the process that has its GPU, over a pair of file descriptors.
//
// The server first writes the greeting: 17 bytes that begin no ordinary text, and its protocol's number. Then
// both sides write frames: a header of 16 bytes and a payload, which may be compressed. Numbers are
// little-endian, as on every machine that has an NVIDIA GPU. Whatever comes in, a reader answers with an
// error that names the byte, and takes no more memory than the bound below.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lanescope::gpu {

constexpr std::uint32_t device_protocol = 3;
constexpr std::uint64_t chunk_bytes = 16ull << 20;        // memory is moved in pieces of at most this size
constexpr std::uint64_t max_payload_bytes = 64ull << 20;  // compressed or not

enum class Call : std::uint8_t {
#define LANESCOPE_CALL(name) name,
#define LANESCOPE_REQUEST LANESCOPE_CALL
#define LANESCOPE_SIGNAL LANESCOPE_CALL
#include "gpu/served/calls.def"
    count
};

struct Frame {
    Call call = Call::hello;
    std::uint32_t number = 0;  // of the request
    std::string payload;
};

enum class Packing : std::uint8_t { plain, compressed };

// One end of the connection. Reading and writing may happen on two threads; two threads must not both write.
class FrameStream {
  public:
    using Clock = std::chrono::steady_clock;
    // Called about every 50 ms while a stream waits. An error ends the waiting.
    using Tick = std::function<Result<void>()>;

    // The descriptors outlive the stream. `name` is the file of its diagnostics.
    FrameStream(int in, int out, std::string name) : in_(in), out_(out), name_(std::move(name)) {}

    Result<void> write_greeting();
    // Skips what a login shell may write before. Returns the number of the other side's protocol. Error: no
    // greeting comes; the message quotes the text that came instead.
    Result<std::uint32_t> read_greeting(const Tick& tick);

    // Returns nothing where the stream ends between two frames. Errors: bytes that are not a frame, a stream
    // that ends within a frame, those of `tick`.
    Result<std::optional<Frame>> read(const Tick& tick);
    Result<void> write(const Frame& frame, Packing packing, const Tick& tick);

    Clock::time_point last_progress() const { return progress_; }  // when bytes last went in or out
    std::uint64_t received_bytes() const { return read_bytes_; }   // since the greeting
    const std::string& name() const { return name_; }

  private:
    // Returns how many bytes came before the stream ended.
    Result<std::size_t> fill(char* to, std::size_t size_bytes, const Tick& tick);
    Result<void> send(std::string_view bytes, const Tick& tick);
    Diagnostic broken(std::uint64_t at, const std::string& what) const;

    int in_, out_;
    std::string name_;
    std::uint64_t read_bytes_ = 0;                            // since the greeting
    std::atomic<Clock::time_point> progress_ = Clock::now();  // both threads set it
};

}  // namespace lanescope::gpu
