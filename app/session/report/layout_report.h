// The layouts that a run shows, as JSON and as text; `lanescope run --layout`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/layouts/layouts.h"
#include "execution/run/run.h"

namespace lanescope::session {

struct LayoutReport {
    std::vector<analysis::BlockLayouts> blocks;  // of each launch the first recorded block
    analysis::RequestSummary requests;
    std::vector<analysis::Fragments> fragments;  // by place in the code
};

// Errors: a run without a trace.
Result<LayoutReport> layouts_of(const execution::RunResult& result);

nlohmann::ordered_json layouts_json(const LayoutReport& layouts, const execution::RunResult& result);
std::string layouts_text(const LayoutReport& layouts, const execution::RunResult& result);

}  // namespace lanescope::session
