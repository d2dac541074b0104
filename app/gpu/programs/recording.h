// Records one launch of a program on the GPU, in the program's own process and memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cudart/runtime/code.h"
#include "gpu/programs/program_memory.h"
#include "gpu/traced/trace_device.h"
#include "gpu/traced/traced_memory.h"
#include "simt/launch/launch.h"

namespace lanescope::gpu {

struct RecordingRequest {
    cudart::DeviceCode* code = nullptr;  // described; the steps become those of the kernel's file
    simt::LaunchRequest launch;
    const ProgramMemory* memory = nullptr;
    std::vector<std::pair<std::string, std::uint64_t>> variables;  // of the module, and where they are
    double seconds = 600;                                          // at most
    std::uint64_t trace_bytes = 1ull << 30;
};

struct Recording {
    simt::Outcome outcome;
    std::vector<trace::Problem> problems;
    std::vector<std::string> notes;
    nlohmann::ordered_json parameters;  // by number of the block: what the kernel calls it
    std::string console;                // what the kernel printed
    // The recording was the launch itself: threads took memory of the device's heap, which cannot be given
    // back.
    bool kept = false;
};

// Runs the launch with instrumented code on the device, writes the trace to `file`, and gives memory back
// what it held before. A launch that does not finish leaves no trace. Errors, after which memory is as it was
// before: code that cannot be recorded, too little memory, the driver's own.
Result<Recording> record_launch(TraceDevice& device, ProgramArrays& arrays, const RecordingRequest& request,
                                const std::filesystem::path& file);

}  // namespace lanescope::gpu
