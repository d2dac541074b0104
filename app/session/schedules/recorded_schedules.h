// Schedules of GPUs as JSON: those of a run, and the recording that comes with the program for unmodified
// lessons.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/schedule.h"
#include "base/result.h"
#include "execution/run/run.h"

namespace lanescope::session {

struct RecordedLaunch {
    std::string kernel;
    trace::Dim3 grid, block;
    std::uint64_t map_blocks = 0;  // blocks whose threads were recorded; `schedule` may have fewer
    std::shared_ptr<const analysis::Schedule> schedule;  // null: the launch was not recorded
};

struct RecordedLesson {
    std::string file;       // "kernels/reduction/modulo.cu"
    std::string text_hash;  // content_hash() of its text
    std::map<std::string, std::int64_t> parameters;
    std::vector<RecordedLaunch> launches;
};

struct RecordedSchedules {
    std::string device;  // "NVIDIA H200"
    std::string driver;  // "CUDA 13.0, driver 580.95.05"
    std::string date;    // UTC, "2026-03-01T12:00:00Z"
    std::uint32_t multiprocessors = 0;
    std::vector<RecordedLesson> lessons;

    // "recorded on NVIDIA H200, CUDA 13.0, driver 580.95.05, 2026-11-22"
    std::string origin() const;
};

// The recording that the project ships; null when there is none. Errors name the file and what is wrong in
// it.
Result<std::shared_ptr<const RecordedSchedules>> shipped_schedules(
    const std::filesystem::path& assets_folder);
Result<RecordedSchedules> recorded_schedules_of(const std::string& text, const std::string& file);

// The schedules of a run on a GPU, with the device, the driver and the date.
RecordedSchedules schedules_of(const execution::RunResult& result);

// What a view shows for a launch of a run.
struct ShownSchedule {
    std::shared_ptr<const analysis::Schedule> schedule;  // null: `reason` says why there is none
    std::string reason;
    std::string origin;                 // of a recording; empty: the schedule is the run's own
    std::uint64_t grid_blocks = 0;      // of the launch
    std::uint64_t map_blocks = 0;       // blocks whose threads were recorded
    std::uint32_t multiprocessors = 0;  // of the device; 0: not known
};
// The run's own schedule, else that of the recording (null: none is installed) if the file's text and the
// parameters are those that were recorded. `run` may be null.
ShownSchedule shown_schedule(const execution::RunResult* run, std::uint32_t launch,
                             const RecordedSchedules* recorded);

// "8,192 blocks in the launch: the map has 2,507, this timeline 313; the others are not recorded". Empty when
// all blocks are there.
std::string missing_blocks_words(const ShownSchedule& shown);

// The key gpu_schedule of `run --json` (app/REPORT.md): the run's own schedules or the recorded ones, or
// the reason why there are none.
nlohmann::ordered_json gpu_schedule_json(const execution::RunResult& result,
                                         const RecordedSchedules* recorded);

}  // namespace lanescope::session
