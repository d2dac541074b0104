// Finds the position in a new run for a position in the old one, after an edit or with other parameters.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "trace/steps.h"

namespace lanescope::session {

// Maps the lines of an edited text: equal lines at its head keep their number, equal lines at its end move,
// and the lines between them have no number.
class LineMap {
  public:
    LineMap(const std::string& before, const std::string& after);
    // The line's number in the new text; 0 when the line is in the part that changed.
    std::uint32_t moved(std::uint32_t line) const;

  private:
    std::uint32_t head_ = 0, tail_begin_ = 0;  // lines [1, head_] and [tail_begin_, …) are equal
    std::int64_t shift_ = 0;                   // of the lines from tail_begin_ on
};

// Returns the same step if the runs have the same sequence of steps (launch, phase, line); else, in the same
// launch and phase, the same visit of the same line, or the last visit of it; else the same share of the way
// through that phase; without that phase, the last step before it. `at` < before.size(); after must not be
// empty.
std::size_t same_place(const std::vector<trace::Step>& before, std::size_t at,
                       const std::vector<trace::Step>& after, const LineMap& lines);

}  // namespace lanescope::session
