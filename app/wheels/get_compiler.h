// Gets NVRTC and the headers that CUDA sources include: asks the index, downloads, checks, unpacks, puts in
// place.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "wheels/http.h"
#include "wheels/index.h"

namespace lanescope::wheels {

struct CompilerPlan {
    struct Wheel {
        Requirement wheel;
        IndexFile file;  // with its whole address and, if anybody knows it, its size
    };
    std::vector<Wheel> wheels;
    std::uint64_t download_bytes = 0;  // of all; what is already there is not deducted
    std::string host;                  // of the index
    std::filesystem::path folder;      // where the compiler will be
};

// Asks the index for these wheels. Errors: those of Http::get() and of choose_wheel(), with what to do by
// hand.
Result<CompilerPlan> plan_compiler(const Http& http, const std::vector<Requirement>& wanted,
                                   const std::filesystem::path& folder, const std::atomic<bool>& cancel);

// What is going on: "downloading nvidia-cuda-nvrtc", so many of so many bytes.
struct CompilerProgress {
    std::string words;
    std::uint64_t done_bytes = 0, all_bytes = 0;
};
using OnCompilerProgress = std::function<void(const CompilerProgress&)>;

// Puts the wheels' content into the plan's folder, in place of what is there. Until everything is downloaded,
// checked and unpacked, the folder stays as it is. What was downloaded before an interruption is not
// downloaded again. Errors: those of Http::download() and unzip(); a SHA-256 that is not the index's; too
// little room on the disk; another process is getting the compiler; cancelled.
Result<void> install_compiler(const Http& http, const CompilerPlan& plan, const OnCompilerProgress& progress,
                              const std::atomic<bool>& cancel);

// How to do the same by hand, in one or two sentences.
std::string by_hand(const std::vector<Requirement>& wanted, const std::filesystem::path& folder);

// "93.9 MB"
std::string megabytes(std::uint64_t bytes);

}  // namespace lanescope::wheels
