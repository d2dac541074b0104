// What a person states of a launch that is proposed: --grid, --block, --shared, --count, --fill. The rest of
// the proposal follows from it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace lanescope::lesson {

struct LaunchWords {
    std::string grid, block;                 // "8", "16x16", "4,4,2"; empty: not stated
    std::string shared;                      // bytes
    std::vector<std::string> counts, fills;  // "NAME=N", "NAME=iota"
    bool empty() const;
    // {"--grid", "8"}, {"--count", "a=64"}
    std::vector<std::pair<std::string, std::string>> options() const;
    std::string first() const;  // the first option: "--grid"; empty: none
};

// The same, taken apart: the texts are those of front matter.
struct StatedParts {
    std::vector<std::string> grid, block;
    std::string shared;
    std::map<std::string, std::string> counts, fills;  // by the name of the parameter
};
// Errors, which name the option: extents that a launch cannot have, an entry without a name or twice.
Result<StatedParts> parts_of(const LaunchWords& words);

}  // namespace lanescope::lesson
