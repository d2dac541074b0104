#include "session/runner/explorer.h"

namespace lanescope::session {

void Explorer::start(execution::RunRequest request) {
    found_.reset();
    diagnostics_.clear();
    jobs_.start(tag, [this, request = std::move(request)](JobContext& context) -> Jobs::Completion {
        auto found = std::make_shared<Result<execution::Exploration>>(execution::explore(
            request, {}, &context.cancel_flag(), [&](float share) { context.report(share); }));
        return [this, found] {
            if (*found)
                set(std::move(**found));
            else
                diagnostics_ = found->diagnostics();
        };
    });
}

}  // namespace lanescope::session
