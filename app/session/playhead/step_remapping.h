// Where a position in an old run is in a new one: after an edit of the source, or with other parameters.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "trace/steps.h"

namespace lanescope::session {

// Lines of a text that was edited: equal lines at its head and at its end keep their number or are moved, and
// what is between them has none.
class LineMap {
  public:
    LineMap(const std::string& before, const std::string& after);
    // The line's number in the new text; 0 when the line is in the part that changed.
    std::uint32_t moved(std::uint32_t line) const;

  private:
    std::uint32_t head_ = 0, tail_begin_ = 0;  // lines [1, head_] and [tail_begin_, …) are equal
    std::int64_t shift_ = 0;                   // of the latter
};

// The same step when the runs have the same sequence of steps (launch, phase, line). Else, in the same launch
// and phase, the same visit of the same line, or the last visit of it there is. Else the same share of the
// way through that phase; without that phase, the last step before it. `at` < before.size(); after must not
// be empty.
std::size_t same_place(const std::vector<trace::Step>& before, std::size_t at,
                       const std::vector<trace::Step>& after, const LineMap& lines);

}  // namespace lanescope::session
