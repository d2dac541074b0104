// A GPU's counters of one text: measured on this machine, or from a recording.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lesson/instance.h"
#include "session/timing/timings.h"

namespace lanescope::session {

struct FileCounters {
    std::shared_ptr<const Timings> timings;  // `record` points into it
    const TimingRecord* record = nullptr;    // with counters; null: `absent` says why there are none
    bool same_parameters = false;            // as those that were asked for
    std::string absent;                      // "this text differs from the one that was measured"
};

// Counters belong to a text. Counters with these parameters come first, then those that have counts beside
// them, then those of an earlier source. `sources` may have nulls.
FileCounters counters_of_text(const std::vector<std::shared_ptr<const Timings>>& sources,
                              const std::string& text, const std::string& file,
                              const lesson::ParameterValues& parameters);

// The keys of `counters` in `time --json`, and where they come from (app/REPORT.md).
nlohmann::ordered_json to_json(const FileCounters& found);

}  // namespace lanescope::session
