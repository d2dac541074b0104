// The sizes at which a file is timed: "n=2^10..2^28", "block=32,128,512".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "lesson/front_matter.h"
#include "lesson/instance.h"

namespace lanescope::session {

struct Sweep {
    std::string parameter;
    std::vector<std::int64_t> values;
    bool range = false;  // written as first..last: powers of two between them, both included
};

// Errors: any other form; a first value below 1 or above the last; more than 1000 values.
Result<Sweep> parse_sweep(const std::string& text);

// Returns all combinations of the sweeps' values over `fixed`, the last sweep changing fastest. Values of a
// range that the parameter cannot have are left out and reported in `notes`. Errors: a listed value that the
// parameter cannot have; a parameter that the file does not have; a sweep of which no value is left.
Result<std::vector<lesson::ParameterValues>> points_of(const lesson::FrontMatter& front,
                                                       const std::string& file,
                                                       const lesson::ParameterValues& fixed,
                                                       const std::vector<Sweep>& sweeps,
                                                       std::vector<std::string>& notes);

}  // namespace lanescope::session
