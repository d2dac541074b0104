#include "preview/model/block_stepping.h"

#include <utility>

#include "execution/run/run.h"
#include "preview/run/step_file.h"

namespace lanescope::preview {

namespace {

BlockStepping::Outcome run_block(const Run& run, std::uint32_t block, JobContext& context) {
    const Result<execution::RunRequest> request = step_request(run, block);
    if (!request) return request.diagnostics();
    Result<execution::RunResult> result = execution::execute(
        *request, &context.cancel_flag(),
        [&](execution::RunPhase phase, float share) { context.report(share, int(phase)); });
    if (!result) return result.diagnostics();
    return std::make_unique<execution::RunResult>(std::move(*result));
}

}  // namespace

BlockStepping::BlockStepping() = default;
BlockStepping::~BlockStepping() = default;

void BlockStepping::start(std::shared_ptr<const Run> run, std::uint32_t block) {
    block_ = block;
    jobs_.start("step", [this, run = std::move(run), block](JobContext& context) -> Jobs::Completion {
        auto outcome = std::make_shared<Outcome>(run_block(*run, block, context));
        return [this, outcome] { outcome_ = std::move(*outcome); };
    });
}

void BlockStepping::wait() {
    jobs_.wait("step");
    (void)update();
}

std::optional<BlockStepping::Outcome> BlockStepping::take() {
    return std::exchange(outcome_, std::nullopt);
}

}  // namespace lanescope::preview
