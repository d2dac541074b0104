// The course as it was compiled when the program was packaged: lessons run at once, and without NVRTC.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "compile/worker_protocol.h"

namespace lanescope::compile {

// One compressed file per source text and kind of code: kernels/reduction/modulo.cu has
// modulo.debug.HASH.entry and modulo.optimized.HASH.entry. The hash covers the text, the headers of the
// user's own that it includes, and the options; it covers no path and no version of NVRTC. A text that
// differs by one byte therefore has no file.
class CompiledCourse {
  public:
    explicit CompiledCourse(std::filesystem::path folder) : folder_(std::move(folder)) {}

    // The answer that the request would get, with its diagnostics in the request's own file. Nothing if the
    // answer's file is missing or damaged.
    std::optional<Answer> find(const Request& request) const;

    // Keeps an answer; the folder must exist. Error: the file cannot be written.
    Result<void> put(const Request& request, Answer answer) const;

    std::filesystem::path path_of(const Request& request) const;

  private:
    std::filesystem::path folder_;
};

}  // namespace lanescope::compile
