// Why a warp does not issue an instruction, in plain words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::gpu {

struct StallReason {
    std::string_view name;   // short and stable, for JSON: "global_memory"
    std::string_view words;  // "waits for global or local memory"
    std::string_view cause;  // what it waits for, in a legend: "global memory"
    std::string_view cupti;  // the end of CUPTI's and Nsight Compute's name: "long_scoreboard"
};

// All reasons of CUPTI, in the order in which they are shown. Several of CUPTI's reasons may share a name.
const std::vector<StallReason>& stall_reasons();

// Returns the name of CUPTI's reason "smsp__pcsamp_warps_issue_stalled_long_scoreboard", with or without
// "_not_issued"; "other" for one that is not known.
std::string_view stall_name(std::string_view cupti);
std::string_view stall_words(std::string_view name);
std::string_view stall_cause(std::string_view name);

}  // namespace lanescope::gpu
