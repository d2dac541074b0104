#include "scene/stage/stage_flow.h"

namespace lanescope::scene {

// Arrows of the first steps may be made before the flow is known; then they are made again.
void StageFlow::begin(const execution::RunResult& run, bool wait) {
    constexpr std::uint64_t at_once = 20'000, waited_for = 2'000'000;  // turns
    values_.reset();
    origins_.reset();
    origins_asked_ = only_copies_ = false;
    jobs_.cancel(flow_job);
    jobs_.cancel(origin_job);
    trace_ = run.trace;
    if (!run.flow) return;
    const std::uint64_t turns = trace_->turns.size();
    jobs_.start(flow_job, [this, flow = run.flow](JobContext& context) -> Jobs::Completion {
        auto values = flow->get(&context.cancel_flag());
        return [this, values, copies = analysis::only_copies(*values)] {
            values_ = values;
            only_copies_ = copies;
            arrived_ = true;
        };
    });
    if (turns < at_once || (wait && turns < waited_for)) jobs_.wait(flow_job);
    jobs_.poll();
}

bool StageFlow::update(CellColour colour, bool wait) {
    constexpr std::size_t at_once = 200'000, most_without_need = 2'000'000;  // writes
    const bool wanted = colour == CellColour::origin || (colour == CellColour::automatic && only_copies_);
    const bool few = values_ && values_->graph.writes().size() < most_without_need;
    if (values_ && !origins_asked_ && (wanted || few)) {
        origins_asked_ = true;
        jobs_.start(origin_job, [this, trace = trace_, values = values_](JobContext&) -> Jobs::Completion {
            auto made = std::make_shared<const OriginIndex>(trace, values);
            return [this, made] {
                origins_ = made;
                changed_ = true;
            };
        });
    }
    if (origins_asked_ && !origins_ && (wait || (wanted && values_->graph.writes().size() < at_once))) {
        jobs_.wait(origin_job);
        jobs_.poll();
    }
    const bool shown_before = std::exchange(shows_origins_, wanted && origins_);
    return std::exchange(changed_, false) || shows_origins_ != shown_before;
}

}  // namespace lanescope::scene
