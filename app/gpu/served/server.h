// The side that has the device: answers each call of gpu::TraceDevice that comes in.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "base/process.h"
#include "base/result.h"
#include "gpu/served/served_device.h"
#include "gpu/traced/trace_device.h"

namespace lanescope::gpu {

struct ServedSide {
    int in = 0, out = 1;
    int passing = -1;  // the socket for descriptors; negative: memory is not shared
    // Opens the device when the other side has said hello; its errors are the answer.
    std::function<Result<std::unique_ptr<TraceDevice>>()> open;
    std::string program_version;
    // Runs this program in a process of its own, until `cancel`.
    std::function<Result<ProcessOutcome>(const ServedWork&, const std::atomic<bool>& cancel)> work;
    // Called where the connection ended long ago and the device is still busy: only the end of the process
    // stops it.
    std::function<void()> give_up;
};

// Serves until the connection ends. A launch that is under way then is cancelled. Errors: bytes that are not
// messages, a lost connection.
Result<void> serve_device(const ServedSide& side);

}  // namespace lanescope::gpu
