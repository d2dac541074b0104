// What limits a kernel on a GPU: its operations for each byte of memory, beside the rates that this GPU
// reaches (S. Williams, A. Waterman, D. Patterson: Roofline, CACM 52(4), 2009).
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/timing/timings.h"

namespace lanescope::session {

// The most operations of one kind a second, as assets/roofline/peaks.cu reached them.
struct Peak {
    std::string operation;  // as in the metrics: "float_multiply_add"
    double gop_per_s = 0;   // a multiply-add counts as two operations
};

// What the CPU machine counted in a lesson's optimised code with its default parameters.
struct LessonFacts {
    std::string text_hash;           // content_hash() of the file that ran
    std::string operation;           // the kind of most operations; empty: none with a peak
    double bytes_per_operation = 0;  // of the sectors that its requests to global memory touch
};

// What is known beside the times: assets/roofline.
struct RooflineFacts {
    bool recorded = false;  // shipped, not measured with the times
    TimedDevice device;     // on which the peaks were measured
    std::string date;
    std::vector<Peak> peaks;
    std::map<std::string, LessonFacts> lessons;  // by file: "kernels/scan/fastest.cu"
};

struct RooflineKernel {
    const TimingRecord* record = nullptr;
    std::string operation;                  // kind of most of its operations; empty: not known
    double bytes = 0;                       // the least that a run must move
    std::optional<double> requested_bytes;  // of all sectors that its requests touch, caches not considered
    std::optional<double> dram_bytes;       // that the GPU read and wrote in a further run: its counters
    double intensity = 0;                   // operations for each of `bytes`
    double gop_per_s = 0;
    std::string limit;   // the lowest ceiling at this intensity: "copy", or an operation; empty: not known
    double ceiling = 0;  // its rate there, 10^9 operations a second
    double share() const { return ceiling > 0 ? gop_per_s / ceiling : 0; }
};

struct Roofline {
    double copy_gb_per_s = 0;
    std::vector<Peak> peaks;   // of the operations of these kernels; the highest first
    std::string peaks_origin;  // "assets/roofline/peaks.cu on NVIDIA H200, 2026-11-25", or why there are none
    std::vector<RooflineKernel> kernels;  // in the order of the course
    std::string
        dram_error;  // why kernels have no `dram_bytes` although they were to be measured; mostly empty
    struct LeftOut {
        const TimingRecord* record;
        std::string why;
    };
    std::vector<LeftOut> left_out;
};

// Points into `records`. Peaks of another GPU than that of `timings` are not used, nor recorded peaks beside
// times that were measured, nor the other way round.
Roofline roofline_of(const Timings& timings, const std::vector<const TimingRecord*>& records,
                     const RooflineFacts& facts);

// What the project ships; null when there is nothing. Errors: those of roofline_facts_of().
Result<std::shared_ptr<const RooflineFacts>> shipped_roofline(const std::filesystem::path& assets_folder);
// Errors name what is missing or has another type, with its place.
Result<RooflineFacts> roofline_facts_of(const std::string& text, const std::string& file);

// The facts of a GPU of this machine: its peaks, measured now, and from `shipped` what holds for it, too.
// `tell`: what is done at the moment. Errors: those of time_files(), and a peak without a time.
Result<RooflineFacts> facts_of_this_gpu(const TimedDevice& gpu, int device, const RooflineFacts& shipped,
                                        const std::function<void(const std::string&)>& tell = {});

// Whether the roofline has a place for the record: it has a time, operations and bytes.
bool has_place(const TimingRecord& record);

// "multiply-adds", "float additions"; the name itself for any other operation.
std::string operation_words(const std::string& operation);
// A table with a line for each kernel, below the ceilings.
std::string table_of(const Roofline& roofline);
nlohmann::ordered_json to_json(const Roofline& roofline);

}  // namespace lanescope::session
