// What a figure of the flow says in words.
#pragma once

#include <string>

#include "analysis/flow/provenance.h"
#include "scene/flow/flow_figure.h"

namespace lanescope::scene {

// "This run: 30 operations on data, depth 7 · sequential: 14, depth 14".
std::string flow_work_words(const FlowFigure& figure);
// What a cell was made of, and by which thread: two or three lines.
std::string flow_story(const FlowCell& cell, const trace::Trace& trace, analysis::Provenance& provenance);

}  // namespace lanescope::scene
