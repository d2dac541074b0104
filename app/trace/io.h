// Traces as files: opened again without NVRTC or a GPU.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "trace/trace.h"

namespace lanescope::trace {

// By the ending, .trace.
bool is_trace_name(const std::filesystem::path& file);

Result<void> save(const Trace& trace, const std::filesystem::path& path);

// Errors: not a trace, another version, damaged (checksum or contents), larger than memory allows. What opens
// can be replayed from end to end; the file is played once to see to that.
Result<std::shared_ptr<const Trace>> open(const std::filesystem::path& path);
// The same, several times as fast: all is checked, but not played. Far seeks are slow until make_snapshots
// has been there; Replay::is_near tells which are not.
Result<std::shared_ptr<const Trace>> open_unplayed(const std::filesystem::path& path);
// Plays such a trace, while others may read it. Errors: it needs more than 4 GiB of memory; "cancelled",
// after which it can be called again.
Result<void> make_snapshots(const Trace& trace, const std::atomic<bool>* cancel = nullptr,
                            const std::function<void(float)>& progress = {});

// The same for a file's contents; `path` is for messages only.
Result<std::shared_ptr<const Trace>> read(std::string_view bytes, const std::filesystem::path& path);

}  // namespace lanescope::trace
