#include "session/timing/file_times.h"

#include <algorithm>
#include <utility>

#include "analysis/cycles/machine_code.h"

namespace lanescope::session {

namespace {

using trace::ProblemKind;

constexpr double run_limit_s = 2;  // of one run on the GPU

bool declares(const execution::RunResult& run, ProblemKind kind) {
    const std::vector<std::string>& expected = run.instance.front.expected_problems;
    return std::find(expected.begin(), expected.end(), trace::to_text(kind)) != expected.end();
}

// A race gives other values, on which only a loop that waits for other threads may depend for ever.
bool may_wait(const execution::RunResult& run) {
    return !run.instructions || !analysis::MachineCode(*run.instructions).refusals().empty();
}

bool is_harmless(const trace::Problem& problem, const execution::RunResult& run) {
    switch (problem.kind) {
        case ProblemKind::addition_order:
            return true;
        case ProblemKind::race:
        case ProblemKind::unsynced_lanes:
            return problem.note || !may_wait(run);
        // What was never written may be used as an index.
        case ProblemKind::uninitialised:
            return problem.note || declares(run, problem.kind);
        default:
            return false;  // also where only a guessed launch caused it: it may fault
    }
}

}  // namespace

bool same_work(const execution::RunRequest& a, const execution::RunRequest& b) {
    return a.file == b.file && a.source == b.source && a.parameters == b.parameters && a.flags == b.flags &&
           a.kernel == b.kernel && a.launch.options() == b.launch.options();
}

std::string why_not_timed(const execution::RunResult& run) {
    if (run.on_device()) return "a run on the CPU machine must check the file first";
    if (!run.hollow.empty()) return run.hollow;
    for (const trace::Problem& problem : run.problems)
        if (!is_harmless(problem, run)) return "the run has a problem: " + trace::kind_words(problem.kind);
    if (run.outcome.ending != simt::Ending::finished) return "the run did not end";
    return {};
}

void FileTimes::turn_on(bool on) {
    if (on_ == on) return;
    on_ = on;
    if (on) return;
    due_ = due_ || jobs_.busy(tag);
    jobs_.cancel(tag);
    since_s_.reset();
}

void FileTimes::follow(const execution::RunRequest& request, std::string why_not) {
    if (same_work(request, request_) && (measured_ || (busy() && why_not.empty()))) return;
    if (request.file != request_.file) drop();
    forget();
    request_ = request;
    request_.watch = nullptr;
    due_ = why_not.empty();
    problem_ = std::move(why_not);
}

void FileTimes::drop() {
    forget();
    earlier_.reset();
    request_ = {};
}

void FileTimes::forget() {
    jobs_.cancel(tag);
    if (measured_) earlier_ = std::move(measured_);
    measured_.reset();
    problem_.clear();
    since_s_.reset();
    due_ = false;
}

void FileTimes::update(double now_s, bool gpu) {
    if (!due_ || !on_ || !gpu) return;
    if (!since_s_) since_s_ = now_s;
    if (now_s - *since_s_ >= settled_s) start();
}

void FileTimes::start() {
    due_ = false;
    since_s_.reset();
    TimeRequest request;
    request.files = {request_.file};
    request.text = request_.source;
    request.parameters = request_.parameters;
    request.flags = request_.flags;
    request.kernel = request_.kernel;
    request.launch = request_.launch;
    request.run_limit_s = run_limit_s;
    jobs_.start(tag, [this, request = std::move(request)](JobContext& context) -> Jobs::Completion {
        auto timed = std::make_shared<Result<TimingReport>>(time_(request, &context.cancel_flag()));
        return [this, timed] {
            earlier_.reset();
            if (!*timed)
                problem_ = timed->diagnostics().front().message;
            else if ((*timed)->timings.empty() || !(*timed)->timings.front().timed())
                problem_ = (*timed)->timings.empty() ? "nothing was timed" : (*timed)->timings.front().error;
            else
                measured_ = std::make_shared<const Timings>(Timings{std::move(**timed), false});
        };
    });
}

}  // namespace lanescope::session
