#include "judge/measured_lesson.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "analysis/acting_lanes.h"
#include "base/files.h"
#include "execution/lanes/lane_scope.h"
#include "execution/run/named_schedule.h"
#include "execution/run/step_place.h"
#include "judge/measure.h"
#include "lesson/expression.h"
#include "lesson/suggest.h"

namespace lanescope::judge {

namespace {

using lesson::Measure;
using lesson::MeasuredValue;
using lesson::MeasureKind;

constexpr std::uint64_t most_instructions = 10'000'000;
constexpr double most_seconds = 60;

// A step of one block, and the state after it.
class MeasuredStep {
  public:
    MeasuredStep(std::shared_ptr<const trace::Trace> trace, const trace::Step& step)
        : replay_(trace), trace_(std::move(trace)), step_(step) {
        details_ = replay_.details(step.first, step.end, step.block);
    }

    std::int64_t lanes() const {
        std::int64_t count = 0;
        for (const auto& [warp, mask] : masks())
            count += std::popcount(mask);
        return count;
    }
    std::int64_t warps() const { return static_cast<std::int64_t>(masks().size()); }
    analysis::Metrics metrics() const { return analysis::measure_turns(details_, *trace_); }

    // Evaluates an expression in one thread, after the step or, `at_end`, after the run.
    Result<MeasuredValue> value(const std::string& text, std::uint32_t thread, bool at_end) {
        if (at_end) replay_.seek(trace_->turns.size());
        const Result<execution::LaneExpression> expression = execution::LaneExpression::parse(text);
        if (!expression) return expression.diagnostics();
        execution::LanePlace place{step_.launch, step_.block, thread / trace::warp_size,
                                   thread % trace::warp_size, 0};
        place.pc = replay_.lanes(place.launch, place.block, place.warp, step_.first)[place.lane].pc;
        const execution::LaneScope scope(*trace_, replay_, place);
        const execution::LaneText found = execution::text_of(expression->evaluate(scope), scope);
        if (!found.failure.empty()) return error("'" + text + "': " + found.failure);
        if (!found.set) return error("'" + text + "' has no value there");
        std::int64_t integer = 0;
        const char* const end = found.text.data() + found.text.size();
        if (const auto [rest, bad] = std::from_chars(found.text.data(), end, integer);
            bad == std::errc() && rest == end)
            return MeasuredValue(integer);
        if (lesson::real_literal(found.text)) return MeasuredValue(found.number);
        return MeasuredValue(found.text);
    }

  private:
    // By warp the lanes that do more than evaluate a condition.
    std::map<std::uint32_t, trace::Mask> masks() const {
        std::map<std::uint32_t, trace::Mask> masks;
        for (const trace::TurnDetail& detail : details_)
            masks[trace_->turns[detail.turn].warp] = 0;
        for (auto& [warp, mask] : masks)
            mask = analysis::acting_lanes(*trace_, details_, warp);
        return masks;
    }

    trace::Replay replay_;
    std::shared_ptr<const trace::Trace> trace_;
    trace::Step step_;
    std::vector<trace::TurnDetail> details_;
};

Result<MeasuredValue> metric_of(const std::string& name, const analysis::Metrics& metrics) {
    std::vector<std::string> known = lesson::measure_names();
    for (const analysis::MetricField& field : analysis::metric_fields()) {
        if (field.name == name) return MeasuredValue(static_cast<std::int64_t>(metrics.*field.value));
        known.emplace_back(field.name);
    }
    return error("unknown measure '" + name + "'", lesson::suggestion(name, known));
}

MeasuredValue percent_of(const analysis::Metrics& metrics) {
    return std::round(metrics.simt_efficiency() * 1000) / 10;
}

Result<MeasuredValue> measure_step(const Measure& measure, const execution::RunResult& run) {
    const Result<execution::PlacedStep> place = execution::find_place(*measure.at, *run.trace, run.source);
    if (!place) return place.diagnostics();
    if (measure.kind == MeasureKind::step) return MeasuredValue(static_cast<std::int64_t>(place->step + 1));
    const std::vector<trace::Step> steps =
        trace::build_steps(*run.trace, place->block, trace::Granularity::line);
    const trace::Step& step = steps[place->step];
    if (measure.kind == MeasureKind::phase) return MeasuredValue(static_cast<std::int64_t>(step.phase));
    MeasuredStep measured(run.trace, step);
    switch (measure.kind) {
        case MeasureKind::lanes:
            return MeasuredValue(measured.lanes());
        case MeasureKind::warps:
            return MeasuredValue(measured.warps());
        case MeasureKind::value:
            return measured.value(measure.of, static_cast<std::uint32_t>(measure.thread), false);
        case MeasureKind::efficiency:
            return percent_of(measured.metrics());
        default:
            return metric_of(measure.name, measured.metrics());
    }
}

Result<MeasuredValue> measure_line(const Measure& measure, const execution::RunResult& run) {
    const Result<int> line = lesson::line_in(run.source, *measure.line);
    if (!line) return line.diagnostics();
    if (measure.kind == MeasureKind::line) return MeasuredValue(static_cast<std::int64_t>(*line));
    const analysis::LineMetrics* found = run.report.line(static_cast<std::uint32_t>(*line));
    const analysis::Metrics metrics = found ? found->metrics : analysis::Metrics();
    if (measure.kind == MeasureKind::efficiency) return percent_of(metrics);
    return metric_of(measure.name, metrics);
}

std::int64_t problems_of(const std::string& kind, const execution::RunResult& run) {
    std::int64_t count = 0;
    for (const trace::Problem& problem : run.problems)
        if (!problem.note && (kind.empty() || kind == trace::to_text(problem.kind))) ++count;
    return count;
}

Result<MeasuredValue> measure_run(const Measure& measure, const execution::RunResult& run) {
    const auto integer = [](auto value) { return MeasuredValue(static_cast<std::int64_t>(value)); };
    const auto steps = [&] {
        return trace::build_steps(*run.trace, static_cast<std::uint32_t>(measure.block),
                                  trace::Granularity::line);
    };
    switch (measure.kind) {
        case MeasureKind::steps:
            return integer(steps().size());
        case MeasureKind::phases:
            return integer(phases_of(*run.trace));
        case MeasureKind::operations:
            return integer(run.flow->get()->graph.operations());
        case MeasureKind::depth:
            if (std::none_of(run.trace->symbols.begin(), run.trace->symbols.end(),
                             [&](const trace::Symbol& symbol) { return symbol.name == measure.of; }))
                return error("the run has no buffer '" + measure.of + "'");
            return integer(depth_of(measure.of, run));
        case MeasureKind::problems:
            return integer(problems_of(measure.of, run));
        case MeasureKind::result:
            return MeasuredValue(
                std::string(std::all_of(run.expectations.begin(), run.expectations.end(),
                                        [](const lesson::ExpectOutcome& each) { return each.ok; })
                                ? "as expected"
                                : "wrong"));
        case MeasureKind::console:
            return MeasuredValue(run.console);
        case MeasureKind::efficiency:
            return percent_of(run.report.total);
        case MeasureKind::number: {
            const auto value = lesson::evaluate(measure.number, lesson::names_of(run.instance), run.file);
            if (!value) return error("'" + measure.of + "': " + value.diagnostics().front().message);
            return MeasuredValue(*value);
        }
        case MeasureKind::buffer: {
            const std::vector<trace::Step> all = steps();
            if (all.empty()) return error("the run has no step");
            return MeasuredStep(run.trace, all.back()).value(measure.of, 0, true);
        }
        default:
            return metric_of(measure.name, run.report.total);
    }
}

}  // namespace

Result<std::shared_ptr<const execution::RunResult>> MeasuredLesson::run(const lesson::ParameterValues& set,
                                                                        const std::string& schedule) {
    std::shared_ptr<const execution::RunResult>& known = runs_[{set, schedule}];
    if (known) return known;
    if (!source_) {
        Result<std::string> read = read_text_file(entry_.path);
        if (!read) return read.diagnostics();
        source_ = std::move(*read);
    }
    execution::RunRequest request;
    request.file = entry_.path.string();
    request.source = *source_;
    request.parameters = set;
    request.limits.warp_instructions = most_instructions;
    request.limits.seconds = most_seconds;
    Result<simt::Schedule> parsed = execution::find_schedule(schedule, entry_.path);
    if (!parsed) return parsed.diagnostics();
    request.schedule = std::move(*parsed);
    Result<execution::RunResult> result = execution::execute(request, cancel_);
    if (!result) return result.diagnostics();
    if (!result->trace) return error("the run has no trace");
    known = std::make_shared<const execution::RunResult>(std::move(*result));
    return known;
}

Result<MeasuredValue> MeasuredLesson::measure(const Measure& measure) {
    const auto run = this->run(measure.set, measure.schedule);
    if (!run) return run.diagnostics();
    if (measure.at) return measure_step(measure, **run);
    if (measure.line) return measure_line(measure, **run);
    return measure_run(measure, **run);
}

std::string to_text(const MeasuredValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    char buffer[64];
    const int length = std::snprintf(buffer, sizeof buffer, "%.7g", std::get<double>(value));
    return {buffer, static_cast<std::size_t>(length)};
}

}  // namespace lanescope::judge
