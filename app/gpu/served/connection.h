// A connection with the process that has a device: requests and their answers.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/shared_pages.h"
#include "gpu/served/fields.h"
#include "gpu/served/frames.h"
#include "gpu/served/served_device.h"

namespace lanescope::gpu {

std::string in_seconds(std::chrono::milliseconds time);

// Its errors are the connection's. An endless or a broken launch has its own ending.
class Connection {
  public:
    // `setup` outlives the connection.
    Connection(Wire wire, const ServedDevice::Setup& setup);

    // `cancel`: may be null.
    Result<ServedFacts> greet(const std::atomic<bool>* cancel);
    Result<void> greet_program();  // without a device

    // The payload of the answer. Errors: the device's own; the connection's.
    Result<std::string> ask(Call call, std::string payload);
    Result<std::string> ask(Call call, std::string payload, const FrameStream::Tick& tick);

    // A request that takes its time. `answer` is empty where the request was given up, and `given_up` says
    // why.
    struct Waited {
        std::optional<Result<std::string>> answer;
        simt::Ending given_up = simt::Ending::finished;
        bool cancelled = false;  // it was asked to end
    };
    Waited ask_for(Call call, std::string payload, std::chrono::milliseconds allowed,
                   const std::atomic<bool>* cancel);

    // Makes memory that OpenGL opens, by a request of this kind. Errors: the device's own; no descriptor
    // comes.
    Result<Device::Exported> share(Call call, std::uint64_t size_bytes);
    // Gives it the records of an earlier process. The payload of the answer is their address.
    Result<std::string> give(const ExportedMemory& records);
    // Gives it memory of the host, through which bytes go from now on. Not where it is another machine.
    void give_pages(const SharedPages& pages);
    std::span<std::byte> pages() const { return pages_; }  // empty: there are none

    bool passes() const { return wire_.passing >= 0; }
    bool lost() const { return lost_; }  // nothing more can be asked
    bool hung_up() const;                // its process has ended
    Result<void> silence() const;        // an error where nothing has come for too long
    Diagnostic wrong() const;            // an answer that does not fit its request
    std::uint64_t received_bytes() const { return stream_.received_bytes(); }

  private:
    FrameStream::Tick at_the_beginning(const std::atomic<bool>* cancel = nullptr) const;
    Result<void> check_protocol(const FrameStream::Tick& tick);
    Result<Frame> read(const FrameStream::Tick& tick);
    Result<void> send_cancel();
    Diagnostics with_ending(Diagnostics diagnostics) const;

    const ServedDevice::Setup& setup_;
    Wire wire_;
    FrameStream stream_;
    std::uint32_t number_ = 0;
    std::span<std::byte> pages_;
    bool lost_ = false;
};

}  // namespace lanescope::gpu
