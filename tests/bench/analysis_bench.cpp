// Times the metrics of a trace.
#include <benchmark/benchmark.h>

#include "analysis/metrics.h"
#include "synthetic.h"

namespace {

using namespace lanescope;
using trace::Pattern;

void measure(benchmark::State& state, Pattern pattern) {
    trace::SyntheticRun run(pattern);
    run.turns(200'000);
    const auto trace = run.finish();
    for (auto _ : state)
        benchmark::DoNotOptimize(analysis::measure(*trace, analysis::Code(trace->program)));
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * trace->turns.size()));
}
BENCHMARK_CAPTURE(measure, streaming, Pattern::streaming)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(measure, scattered, Pattern::scattered)->Unit(benchmark::kMillisecond);

}  // namespace
