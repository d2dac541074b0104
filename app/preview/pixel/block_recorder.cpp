#include "preview/pixel/block_recorder.h"

#include "trace/recorder.h"

namespace lanescope::preview {

Result<BlockSample> BlockRecorder::sample(std::uint32_t block, const std::atomic<bool>* cancel) {
    const std::lock_guard lock(mutex_);
    if (cancel != nullptr && *cancel) return error("cancelled");
    if (!pass_) {
        Result<std::unique_ptr<CpuPass>> made = run_->first_pass();
        if (!made) return made.diagnostics();
        pass_ = std::move(*made);
        // Launches before the last one are not recorded.
        if (const Result<void> ran = pass_->run({0, 0}, cancel); !ran) {
            pass_.reset();
            return ran.diagnostics();
        }
    }
    trace::Recorder recorder;
    pass_->record_into(&recorder, {block});
    const Result<void> ran = pass_->run({block, block + 1ull}, cancel);
    pass_->record_into(nullptr, {});
    if (!ran) return ran.diagnostics();
    const std::shared_ptr<trace::Trace> trace = recorder.finish();
    if (trace->truncated) return error("the trace of the block does not fit: " + trace->truncation);
    LoadCounts counted = count_loads(*trace, run_->sample_names());
    if (counted.blocks.empty()) return error("the block leaves no trace");
    return std::move(counted.blocks.front());
}

}  // namespace lanescope::preview
