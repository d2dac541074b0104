// Traces as files: opened again without NVRTC or a GPU.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "trace/trace.h"

namespace lanescope::trace {

Result<void> save(const Trace& trace, const std::filesystem::path& path);

// Errors: not a trace, another version, damaged (checksum or contents), larger than memory allows. What opens can be
// replayed from end to end; the file is played once to see to that.
Result<std::shared_ptr<const Trace>> open(const std::filesystem::path& path);
// The same for a file's contents; `path` is for messages only.
Result<std::shared_ptr<const Trace>> read(std::string_view bytes, const std::filesystem::path& path);

}  // namespace lanescope::trace
