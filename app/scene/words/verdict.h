// How a run ended and which engine ran it, in a few words.
#pragma once

#include <string>

#include "execution/run/run.h"
#include "scene/words/problem_words.h"

namespace lanescope::scene {

struct Verdict {
    std::string text;  // "result as expected", "1 race", "out: 17, expected 18"
    Meaning meaning = Meaning::good;
};
Verdict verdict(const execution::RunResult& run);

// "CPU SIMT machine · exact", or the GPU's name.
std::string provenance(const trace::Trace& trace);

}  // namespace lanescope::scene
