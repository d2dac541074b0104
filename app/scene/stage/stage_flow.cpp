// What the stage takes from the flow of values: arrows, origins, footprints, links.
#include <algorithm>

#include "scene/stage/stage_model.h"

namespace lanescope::scene {

namespace {

// Ghost cells that a block would read outside of an array.
CellBorder border_of(const StageArray& array, const BlockFootprint& block, std::uint32_t number) {
    constexpr std::int64_t widest = 8;
    if (!block.shows(number) || block.arrays[number].ghosts == 0) return {};
    const CellArea& reads = block.arrays[number].reads;
    const CellArea whole = area_of(array);
    const auto cells = [&](std::int64_t count) {
        return static_cast<std::uint32_t>(std::clamp<std::int64_t>(count, 0, widest));
    };
    return {cells(whole.first_column - reads.first_column), cells(whole.first_row - reads.first_row),
            cells(reads.end_column - whole.end_column), cells(reads.end_row - whole.end_row)};
}

}  // namespace

// Arrows of the first steps may be made before the flow is known; then they are made again.
void StageModel::follow_values(const session::Session& session, bool wait) {
    constexpr std::uint64_t at_once = 20'000, waited_for = 2'000'000;  // turns
    values_.reset();
    origins_.reset();
    origins_asked_ = only_copies_ = false;
    jobs_.cancel(flow_job);
    jobs_.cancel(origin_job);
    const std::shared_ptr<analysis::SharedFlow> flow = session.run()->flow;
    trace_ = session.run()->trace;
    if (!flow) return;
    const std::uint64_t turns = session.trace()->turns.size();
    jobs_.start(flow_job, [this, flow](JobContext& context) -> Jobs::Completion {
        auto values = flow->get(&context.cancel_flag());
        return [this, values, copies = analysis::only_copies(*values)] {
            values_ = values;
            only_copies_ = copies;
            launch_ = ~0u;  // the next update prepares everything again
        };
    });
    if (turns < at_once || (wait && turns < waited_for)) jobs_.wait(flow_job);
    jobs_.poll();
}

void StageModel::colour_by(CellColour wanted) {
    dirty_ |= wanted != colour_;
    colour_ = wanted;
}

// A picture waits for the origins of its cells; the window only where they take no time.
void StageModel::follow_origins(bool wait) {
    constexpr std::size_t at_once = 200'000, most_without_need = 2'000'000;  // writes
    const bool wanted = colour_ == CellColour::origin || (colour_ == CellColour::automatic && only_copies_);
    const bool few = values_ && values_->graph.writes().size() < most_without_need;
    if (values_ && !origins_asked_ && (wanted || few)) {
        origins_asked_ = true;
        jobs_.start(origin_job, [this, trace = trace_, values = values_](JobContext&) -> Jobs::Completion {
            auto made = std::make_shared<const OriginIndex>(trace, values);
            return [this, made] {
                origins_ = made;
                dirty_ = true;
            };
        });
    }
    if (origins_asked_ && !origins_ && (wait || (wanted && values_->graph.writes().size() < at_once))) {
        jobs_.wait(origin_job);
        jobs_.poll();
    }
    dirty_ |= shows_origins_ != (wanted && origins_);
    shows_origins_ = wanted && origins_;
}

void StageModel::follow_overlays(const session::Session& session, const session::StepState& step_state,
                                 bool wait) {
    if (run_changed_ || overlays_begun_ != (origins_ != nullptr)) {
        overlays_begun_ = origins_ != nullptr;
        overlays_.begin(origins_, arrays_, step_state.step);
    }
    if (run_changed_) overlays_.follow_uses(trace_, arrays_, step_state.step);
    const std::uint32_t thread = session.selection().warp * trace::warp_size + session.selection().lane;
    if (!overlays_.update(step_state.step, thread, wait)) return;
    dirty_ = true;
    for (std::uint32_t i = 0; i < arrays_.size(); ++i)
        hints_[i].border = border_of(arrays_[i], overlays_.block(), i);
}

const LinkedCells* StageModel::linked(const session::Session& session, const CellRef& cell) {
    const session::StepState* step_state = session.playhead().step_state();
    if (!step_state || !session.playhead().replay()) return nullptr;
    return overlays_.linked(cell, step_state->step, session.playhead().replay()->position());
}

}  // namespace lanescope::scene
