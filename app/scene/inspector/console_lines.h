// What the kernel printed, line by line.
#pragma once

#include <string>
#include <vector>

#include "session/run/run.h"

namespace lanescope::scene {

struct ConsoleLine {
    std::string text;
    // Of the first part of it; a turn beyond all others where the time is not known.
    trace::ProblemSite site;
    bool failure = false;  // an assertion's message
    bool known = false;    // which thread printed it
};
// Of the first so many turns.
std::vector<ConsoleLine> console_lines(const session::RunResult& run, std::uint64_t turns = ~0ull);
// "b3 t4 · 12": the printing thread and the line of the source; empty when nothing is known.
std::string printer_words(const ConsoleLine& line, bool many_blocks);
// "printed by t4 of block 3 on line 12"
std::string print_story(const ConsoleLine& line, bool many_blocks);
// How many of the lines were there after so many turns.
std::size_t lines_until(const std::vector<ConsoleLine>& lines, std::uint64_t turns);

}  // namespace lanescope::scene
