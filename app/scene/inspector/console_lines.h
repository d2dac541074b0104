// What the kernel printed, line by line.
#pragma once

#include <string>
#include <vector>

#include "execution/run/run.h"

namespace lanescope::scene {

struct ConsoleLine {
    std::string text;
    // Where the line's first part was printed. Its turn is beyond all others if the time is not known.
    trace::ProblemSite site;
    bool failure = false;  // an assertion's message
    bool known = false;    // which thread printed it
};
// Returns what the first `turns` turns printed.
std::vector<ConsoleLine> console_lines(const execution::RunResult& run, std::uint64_t turns = ~0ull);
// "b3 t4 · 12": the printing thread and the line of the source; empty when nothing is known.
std::string printer_words(const ConsoleLine& line, bool many_blocks);
// "printed by t4 of block 3 on line 12"
std::string print_story(const ConsoleLine& line, bool many_blocks);
// Returns how many of the lines the first `turns` turns printed.
std::size_t lines_until(const std::vector<ConsoleLine>& lines, std::uint64_t turns);

}  // namespace lanescope::scene
