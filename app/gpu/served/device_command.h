// Commands that start the process with the device, and the work of this process itself.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/served/served_device.h"

namespace lanescope::gpu {

// Errors: the place is empty, or names no host.
Result<void> check_place(const std::string& place);

// Starts the process that `place` names and connects with its device:
//   local      this program, in a process of its own, on this machine
//   ssh:HOST   ssh HOST lanescope __device; $LANESCOPE_REMOTE is the name of the program there
//   otherwise  a command line for sh that starts lanescope __device somewhere
// Errors: those of ServedDevice::start; a wrong name of a host; $LANESCOPE_GPU_WAIT is not a number.
Result<std::unique_ptr<ServedDevice>> start_served_device(const std::string& place,
                                                          const std::string& program_version);

// The same, not yet connected, for a window: where the GPU is of this machine, memory can be shared with the
// window, and at most `share_bytes` of records are.
Result<std::unique_ptr<ServedDevice>> make_served_device(const std::string& place,
                                                         const std::string& program_version,
                                                         std::uint64_t share_bytes);

// The same, connected with this program there, which runs in processes of its own.
Result<std::unique_ptr<ServedProgram>> start_served_program(const std::string& place,
                                                            const std::string& program_version);

// Entry point of that process: serves the GPU over standard input and output. `words`: after "__device";
// --machine serves the CPU machine, for tests; --descriptors: there is a socket for them
// (base/child_process.h). Returns the exit code.
int device_server_main(const std::vector<std::string>& words, const std::string& program_version);

}  // namespace lanescope::gpu
