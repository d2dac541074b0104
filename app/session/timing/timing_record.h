// Times that are printed, saved and shown again, as JSON that names the device, the driver, the date and the
// clocks.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/clean/occupancy.h"
#include "gpu/clean/timing.h"
#include "session/timing/counters.h"
#include "session/timing/line_times.h"

namespace lanescope::session {

struct TimedDevice {
    std::string name;
    std::string compute_capability;  // "9.0"
    int multiprocessors = 0;
    std::uint64_t l2_bytes = 0;
    std::string driver;                                                  // "CUDA 13.0, driver 580.95.05"
    std::string toolkit;                                                 // the one that compiled: "13.0"
    int sm_mhz = 0, memory_mhz = 0, max_sm_mhz = 0, max_memory_mhz = 0;  // 0: not known
    std::string clock_source;
    // The rate of a copy within the device in the same run, bytes read and written both counted: the ceiling.
    double copy_gb_per_s = 0;
    std::uint64_t copy_bytes = 0;
    double empty_launch_ms = 0;  // of a kernel that does nothing, in the same run; 0: an older recording
};

struct PeerRecord {
    std::string name, library;
    gpu::Timing timing;
    std::uint64_t bytes = 0;
    std::string error;  // why there is no time
};

struct TimingRecord {
    std::string file;  // "kernels/reduction/modulo.cu" for the course's, else as it was given
    std::map<std::string, std::int64_t> parameters;
    std::uint64_t launches = 0;
    gpu::Timing timing;                      // of all launches together
    std::int64_t bytes = 0, operations = 0;  // of one run; 0: the file does not say
    double copy_gb_per_s = 0;  // of the process that took this time: percent_of_copy() refers to it
    enum class Checked {
        none,
        ok,
        wrong
    } checked = Checked::none;                   // against the file's expectations; none: it has none
    std::string mismatch;                        // what is wrong
    std::vector<std::string> expected_problems;  // defects that the file declares: its result may be wrong
    bool restored = false;  // its inputs were put back between the runs, outside of the times
    std::string error;      // why there is no time
    std::vector<std::string> notes;
    std::vector<gpu::LaunchOccupancy> occupancy;  // equal launches once; empty: an older recording
    std::optional<PeerRecord> peer;
    std::optional<LineTimes> lines;             // of other runs than those that were timed
    std::string lines_error;                    // why they were asked for and are missing
    std::string text_hash;                      // content_hash() of the file that was timed; empty: not known
    std::optional<CounterComparison> counters;  // of a further run
    std::string counters_error;                 // why they were asked for and are missing

    bool timed() const { return error.empty(); }
    // The result is wrong, or there is no time, and the file declares no defect.
    bool failed() const { return (checked == Checked::wrong || !timed()) && expected_problems.empty(); }
    double gb_per_s() const;         // 0: not known
    double percent_of_copy() const;  // 0: not known
};

struct TimingReport {
    TimedDevice device;
    std::string date;  // UTC, "2026-03-01T12:00:00Z"
    std::vector<TimingRecord> timings;
};

nlohmann::ordered_json to_json(const TimedDevice& device);
nlohmann::ordered_json to_json(const TimingRecord& record);
nlohmann::ordered_json to_json(const TimingReport& report);

// Errors name what is missing or has another type, with its place in the document.
Result<TimedDevice> timed_device_of(const nlohmann::json& json);
Result<TimingRecord> timing_record_of(const nlohmann::json& json);
Result<TimingReport> timing_report_of(const std::string& text, const std::string& file);

// Adds the older records of other files and parameters. Error: they are of another GPU or driver.
Result<void> add_older(TimingReport& newer, const TimingReport& older);

// Returns " n=2^20 block=256"; empty for a file without parameters.
std::string parameters_text(const TimingRecord& record);

// Returns a table with one line per file and size. `recorded`: the head says that these times are a
// recording, of which GPU and when.
std::string table_of(const TimingReport& report, bool recorded = false);

}  // namespace lanescope::session
