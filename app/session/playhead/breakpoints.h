// Breakpoints and watches: what a person notes down about a file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/trace.h"

namespace lanescope::session {

// Stops at a line, or at each write of a cell.
struct Breakpoint {
    std::uint32_t line = 0;
    std::string condition;  // a lane expression; empty: every lane that runs the line stops
    bool enabled = true;
    std::string cell = {};  // "s[3]", see cell_named(); then `line` is 0
    bool operator==(const Breakpoint&) const = default;
};

// What the program keeps of a file from one start to the next.
struct FileMarks {
    std::vector<Breakpoint> breakpoints;  // those of cells, then ascending line
    std::vector<std::string> watches;
    bool empty() const { return breakpoints.empty() && watches.empty(); }
    bool operator==(const FileMarks&) const = default;
};
using MarksByFile = std::map<std::string, FileMarks>;  // by path

// Where a search stopped.
struct BreakHit {
    std::uint64_t turn = 0;
    std::uint32_t block = 0, line = 0;
    bool conditional = false;
    std::string cell;  // that was written; empty: a breakpoint on a line
    std::vector<trace::Mask>
        lanes;  // by warp: the lanes that met the condition, wrote the cell or ran the line
};

}  // namespace lanescope::session
