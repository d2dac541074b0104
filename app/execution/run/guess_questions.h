// Problems of a proposed launch that depend on what was guessed become questions.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "execution/proposal/launch_proposal.h"
#include "lesson/front_matter.h"
#include "trace/trace.h"

namespace lanescope::execution {

// Returns the problems of a run of another front matter; nothing if it could not run to its end.
using RunVaried = std::function<std::optional<std::vector<trace::Problem>>(const lesson::FrontMatter&)>;

// Runs the launch with other guesses, as long as there are problems. One that another guess avoids becomes a
// note that asks for the true value.
void ask_about_guesses(std::vector<trace::Problem>& problems, const lesson::FrontMatter& front,
                       const Guesses& guesses, const RunVaried& run);

}  // namespace lanescope::execution
