#include "judge/mark.h"

#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/folders.h"
#include "base/number_text.h"
#include "base/process.h"

namespace lanescope::judge {

namespace {

using nlohmann::ordered_json;

// The process watches the time itself; this is for one that fails to.
constexpr double grace_s = 5;

std::string request_text(const Marked& marked, double seconds) {
    const ordered_json request{
        {"file", marked.submission.file},    {"source", marked.submission.source},
        {"arch", marked.submission.arch},    {"topic", marked.exercise->file.parent_path().string()},
        {"exercise", marked.exercise->id()}, {"seconds", seconds}};
    return request.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string died_of(const ProcessOutcome& outcome, double seconds) {
    if (outcome.timed_out) return "it did not end within " + seconds_text(seconds);
    if (outcome.too_much_output) return "its process printed more than 16 MiB";
    if (outcome.signal != 0)
        return "its process was ended by signal " + std::to_string(outcome.signal) +
               ", perhaps because it needed too much memory";
    return "its process ended with code " + std::to_string(outcome.exit_code);
}

}  // namespace

Result<Verdict> mark_one(const Marked& marked, double seconds, const std::atomic<bool>* cancel) {
    const int limit_ms = static_cast<int>((seconds + grace_s) * 1000);
    const Result<ProcessOutcome> outcome = run_process(
        {executable_path().string(), "__check"}, request_text(marked, seconds), limit_ms, 16u << 20, cancel);
    if (!outcome) return outcome.diagnostics();
    if (outcome->cancelled) return error("judging was cancelled");
    const ordered_json answer = ordered_json::parse(outcome->out, nullptr, false);
    if (answer.is_object() && answer.contains("error_of_exercise"))
        return error(answer["error_of_exercise"].get<std::string>());
    const Result<Verdict> verdict = verdict_of(answer);
    if (outcome->succeeded() && verdict) return verdict;
    return refused(*marked.exercise, marked.submission.file, died_of(*outcome, seconds));
}

Result<std::vector<Verdict>> mark(const std::vector<Marked>& submissions, const MarkOptions& options,
                                  const std::function<void(const Verdict&)>& done) {
    std::vector<Verdict> verdicts(submissions.size());
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    Diagnostics problems;
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    {
        std::vector<std::jthread> workers;
        for (unsigned i = 0; i < (options.jobs == 0 ? cores : options.jobs); ++i)
            workers.emplace_back([&] {
                for (std::size_t at = next++; at < submissions.size(); at = next++) {
                    Result<Verdict> verdict = mark_one(submissions[at], options.seconds);
                    const std::scoped_lock lock(mutex);
                    if (!verdict) {
                        problems.insert(problems.end(), verdict.diagnostics().begin(),
                                        verdict.diagnostics().end());
                        continue;
                    }
                    verdicts[at] = std::move(*verdict);
                    if (done) done(verdicts[at]);
                }
            });
    }
    if (!problems.empty()) return problems;
    return verdicts;
}

}  // namespace lanescope::judge
