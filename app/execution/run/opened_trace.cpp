#include "execution/run/opened_trace.h"

#include "trace/io.h"

namespace lanescope::execution {

namespace {

RunResult result_of(std::shared_ptr<const trace::Trace> trace, const std::string& path) {
    RunResult result;
    result.file = path;
    result.set_trace(std::move(trace));
    result.source = result.trace->program.source.text;
    if (result.trace->program.engine != "cpu") result.device = result.trace->program.engine;
    result.code = result.trace->program.code == "optimized" ? compile::Code::optimized : compile::Code::debug;
    if (Result<lesson::FrontMatter> front = lesson::parse_front_matter(result.source, path); front)
        result.instance.front = std::move(*front);
    result.problems = result.trace->problems;
    result.console = result.trace->console;
    return result;
}

}  // namespace

Result<RunResult> open_trace(const std::string& path) {
    Result<std::shared_ptr<const trace::Trace>> opened = trace::open(path);
    if (!opened) return opened.diagnostics();
    RunResult result = result_of(*opened, path);
    result.report = analysis::measure(*result.trace, *result.instructions);
    return result;
}

Result<RunResult> open_trace_uncounted(const std::string& path) {
    Result<std::shared_ptr<const trace::Trace>> opened = trace::open_unplayed(path);
    if (!opened) return opened.diagnostics();
    RunResult result = result_of(*opened, path);
    result.report_ready = false;
    return result;
}

Result<analysis::Report> count_trace(const trace::Trace& trace, const analysis::Code& instructions,
                                     const std::string& path, const std::atomic<bool>* cancel,
                                     const std::function<void(float)>& progress) {
    const auto part = [&](float first) {
        return [&progress, first](float share) {
            if (progress) progress(first + share / 2);
        };
    };
    if (const Result<void> played = trace::make_snapshots(trace, cancel, part(0)); !played) {
        const std::string& why = played.diagnostics().front().message;
        return error_at(path, 0, 0, why == "cancelled" ? why : "the trace cannot be shown: " + why);
    }
    analysis::Report report = analysis::measure(trace, instructions, cancel, part(0.5f));
    if (cancel != nullptr && *cancel) return error_at(path, 0, 0, "cancelled");
    return report;
}

}  // namespace lanescope::execution
