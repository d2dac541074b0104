// Saves traces as files and opens them without NVRTC or a GPU.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "trace/trace.h"

namespace lanescope::trace {

Result<void> save(const Trace& trace, const std::filesystem::path& path);

// Opens a trace and plays it once, so that it can certainly be replayed from end to end. Errors: not a trace,
// another version, damaged (checksum or contents), too large for the memory.
Result<std::shared_ptr<const Trace>> open(const std::filesystem::path& path);
// Opens a trace several times as fast: checks everything but does not play the trace. Seeks are slow beyond
// the snapshots that make_snapshots has made so far; Replay::is_near returns whether a seek is fast.
Result<std::shared_ptr<const Trace>> open_unplayed(const std::filesystem::path& path);
// Plays an unplayed trace; other threads may read it meanwhile. Errors: the state needs more than 4 GiB of
// memory; "cancelled", after which it can be called again.
Result<void> make_snapshots(const Trace& trace, const std::atomic<bool>* cancel = nullptr,
                            const std::function<void(float)>& progress = {});

// Does the same as open() for a file's contents; `path` is for messages only.
Result<std::shared_ptr<const Trace>> read(std::string_view bytes, const std::filesystem::path& path);

}  // namespace lanescope::trace
