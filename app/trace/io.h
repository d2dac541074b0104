// Traces as files: opened again without NVRTC or a GPU.
#pragma once

#include <filesystem>
#include <memory>

#include "base/result.h"
#include "trace/trace.h"

namespace lanescope::trace {

Result<void> save(const Trace& trace, const std::filesystem::path& path);

// Errors: not a trace, another version, damaged (checksum), larger than memory allows.
Result<std::shared_ptr<const Trace>> open(const std::filesystem::path& path);

}  // namespace lanescope::trace
