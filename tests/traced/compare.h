// Whether two traces say the same of every thread: the lines it went through, its accesses, its variables, in
// this order. When its steps happened, and with which other lanes, may differ.
#pragma once

#include <string>

#include "trace/trace.h"

namespace lanescope::traced {

struct Comparison {
    std::uint64_t threads = 0, items = 0;  // compared
    std::string difference;                // the first one, in words; empty: none
};
Comparison compare_threads(const trace::Trace& expected, const trace::Trace& found);

}  // namespace lanescope::traced
