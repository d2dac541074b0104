#include "execution/run/findings.h"

#include <algorithm>
#include <future>
#include <thread>
#include <utility>

#include "analysis/grid_races.h"
#include "analysis/lock_order.h"

namespace lanescope::execution {

Findings find_all(const trace::Trace& trace, const analysis::Code& instructions,
                  const std::vector<trace::GridOrigin>& origins, const std::atomic<bool>* cancel) {
    std::packaged_task<analysis::RaceReport()> search(
        [&] { return analysis::find_races(trace, instructions, {}, cancel); });
    std::future<analysis::RaceReport> searched = search.get_future();
    const std::jthread searching(std::move(search));
    Findings found{analysis::measure(trace, instructions, cancel), {}};
    found.races = searched.get();
    analysis::RaceReport grids = analysis::find_grid_races(trace, instructions, origins, {}, cancel);
    found.races.problems.insert(found.races.problems.end(), grids.problems.begin(), grids.problems.end());
    const std::vector<trace::Problem> orders = analysis::find_lock_orders(trace, instructions, cancel);
    found.races.problems.insert(found.races.problems.end(), orders.begin(), orders.end());
    if (found.races.incomplete.empty()) found.races.incomplete = grids.incomplete;
    const auto in_part = [](const trace::Launch& launch) { return !launch.recorded_blocks.empty(); };
    if (found.races.incomplete.empty() && trace.truncated)
        found.races.incomplete = "races were looked for up to the end of the trace only";
    else if (found.races.incomplete.empty() &&
             std::any_of(trace.launches.begin(), trace.launches.end(), in_part))
        found.races.incomplete = "races were looked for in the recorded blocks only";
    return found;
}

}  // namespace lanescope::execution
