#include "scene/stage/stage_overlays.h"

#include <algorithm>
#include <utility>

namespace lanescope::scene {

void StageOverlays::begin(std::shared_ptr<const OriginIndex> index, const std::vector<StageArray>& arrays,
                          const trace::Step& place) {
    jobs_.cancel(block_job);
    index_ = std::move(index);
    arrays_ = arrays;
    block_ = {};
    thread_.reset();
    thread_cells_.clear();
    linked_key_.reset();
    if (!index_) return;
    jobs_.start(block_job, [this, index = index_, arrays, place](JobContext&) -> Jobs::Completion {
        auto made = std::make_shared<BlockFootprint>(block_footprint(*index, arrays, place));
        return [this, made] {
            block_ = std::move(*made);
            arrived_ = true;
        };
    });
}

void StageOverlays::follow_uses(std::shared_ptr<const trace::Trace> trace,
                                const std::vector<StageArray>& arrays, const trace::Step& place) {
    constexpr std::size_t at_once = 20'000;  // turns
    const bool few = trace->turns.size() < at_once;
    jobs_.cancel(uses_job);
    uses_.reset();
    jobs_.start(
        uses_job, [this, trace = std::move(trace), arrays, place](JobContext& context) -> Jobs::Completion {
            auto made = std::make_shared<const CellUses>(*trace, arrays, place, &context.cancel_flag());
            return [this, made] {
                uses_ = made;
                arrived_ = true;
            };
        });
    if (few) jobs_.wait(uses_job);
}

bool StageOverlays::update(const trace::Step& step, std::uint32_t thread, bool wait) {
    if (wait) jobs_.wait(block_job);
    if (wait) jobs_.wait(uses_job);
    jobs_.poll();
    if (index_ && (thread_ != thread || step_first_ != step.first)) show_thread(step, thread);
    return std::exchange(arrived_, false);
}

void StageOverlays::show_thread(const trace::Step& step, std::uint32_t thread) {
    if (thread_ != thread) outputs_ = outputs_of_thread(*index_, step, thread);
    thread_ = thread;
    step_first_ = step.first;
    find_thread_cells(step);
}

void StageOverlays::find_thread_cells(const trace::Step& step) {
    thread_cells_ = thread_footprint(*index_, arrays_, step, outputs_);
    std::vector<std::uint64_t> counts(arrays_.size());
    for (const CellRef& cell : thread_cells_)
        ++counts[cell.array];
    std::erase_if(thread_cells_, [&](const CellRef& cell) {
        const StageArray& array = arrays_[cell.array];
        const std::uint64_t touched =
            array.use.touched() ? array.use.last - array.use.first + 1 : array.count;
        return counts[cell.array] * 2 > touched && touched > 1;
    });
}

const LinkedCells* StageOverlays::linked(const std::optional<CellRef>& cell, const trace::Step& step,
                                         std::uint64_t position) {
    if (!index_ || !cell || cell->array >= arrays_.size()) return nullptr;
    const LinkedKey key{*cell, position};
    if (linked_key_ != key) {
        linked_key_ = key;
        linked_ = linked_cells(*index_, arrays_, step, position, *cell);
    }
    return &linked_;
}

}  // namespace lanescope::scene
