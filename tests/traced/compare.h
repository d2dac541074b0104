// Compares what two traces recorded of every thread: lines, accesses and variables, each in order. The time
// of a step and the lanes that took it together may differ.
#pragma once

#include <string>

#include "trace/trace.h"

namespace lanescope::traced {

struct Comparison {
    std::uint64_t threads = 0, items = 0;  // the numbers that were compared
    std::string difference;                // a description of the first difference; empty if there is none
};
Comparison compare_threads(const trace::Trace& expected, const trace::Trace& found);

}  // namespace lanescope::traced
