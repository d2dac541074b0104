// Measures the cost of recording, the size of a trace and the time of a seek. LANESCOPE_BENCH_TURNS sets the
// number of turns of the trace for the seeks (10 million by default).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "synthetic.h"
#include "trace/events.h"
#include "trace/io.h"
#include "trace/replay.h"
#include "trace/steps.h"

namespace {

using namespace lanescope::trace;
// CPU time of this process, so that other load on the machine does not count.
double cpu_ms() {
    return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::uint64_t long_turns() {
    const char* text = std::getenv("LANESCOPE_BENCH_TURNS");
    return text != nullptr ? std::strtoull(text, nullptr, 10) : 10'000'000;
}

const std::shared_ptr<const Trace>& long_trace(Pattern pattern) {
    static std::array<std::shared_ptr<const Trace>, 2> traces;
    auto& trace = traces[static_cast<std::size_t>(pattern)];
    if (trace == nullptr) {
        SyntheticRun run(pattern, {.trace_bytes = 16ull << 30});
        run.turns(long_turns());
        trace = run.finish();
    }
    return trace;
}

void record(benchmark::State& state, Pattern pattern) {
    constexpr std::uint64_t turns = 200'000;
    double bytes = 0, events = 0, budget = 0;
    for (auto _ : state) {
        SyntheticRun run(pattern);
        run.turns(turns);
        const auto trace = run.finish();
        events = static_cast<double>(trace->events->bytes.size());
        bytes = events + static_cast<double>(turns * sizeof(Turn));
        budget = static_cast<double>(64 * turns + 9 * run.lane_accesses());
        state.counters["snapshot_MiB"] = static_cast<double>(trace->events->snapshot_bytes) / (1 << 20);
    }
    state.SetItemsProcessed(
        static_cast<std::int64_t>(state.iterations() * turns * SyntheticRun::instructions_per_turn));
    state.counters["bytes_per_turn"] = bytes / turns;
    state.counters["of_budget"] = bytes / budget;
}
BENCHMARK_CAPTURE(record, streaming, Pattern::streaming)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(record, scattered, Pattern::scattered)->Unit(benchmark::kMillisecond);

void seek_anywhere(benchmark::State& state, Pattern pattern) {
    const auto& trace = long_trace(pattern);
    Replay replay(trace);
    std::mt19937_64 random(1);
    double worst_ms = 0;
    for (auto _ : state) {
        const double start = cpu_ms();
        replay.seek(random() % (trace->turns.size() + 1));
        worst_ms = std::max(worst_ms, cpu_ms() - start);
    }
    state.counters["worst_cpu_ms"] = worst_ms;
    state.counters["snapshots"] = static_cast<double>(trace->events->snapshots.size());
    state.counters["trace_MiB"] = static_cast<double>(trace->size_bytes()) / (1 << 20);
}
BENCHMARK_CAPTURE(seek_anywhere, streaming, Pattern::streaming)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(300);
BENCHMARK_CAPTURE(seek_anywhere, scattered, Pattern::scattered)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(300);

void step(benchmark::State& state, std::int64_t by) {
    const auto& trace = long_trace(Pattern::streaming);
    Replay replay(trace);
    std::uint64_t at = trace->turns.size() / 2;
    replay.seek(at);
    for (auto _ : state)
        replay.seek(at = static_cast<std::uint64_t>(static_cast<std::int64_t>(at) + by));
}
BENCHMARK_CAPTURE(step, forwards, 1)->Iterations(100'000);
BENCHMARK_CAPTURE(step, backwards, -1)->Iterations(100'000);

void lanes(benchmark::State& state) {
    const auto& trace = long_trace(Pattern::streaming);
    Replay replay(trace);
    replay.seek(trace->turns.size() / 2);
    for (std::uint32_t warp = 0; warp < SyntheticRun::warps; ++warp)
        replay.lanes(0, 0, warp, 0);  // builds the index
    for (auto _ : state)
        benchmark::DoNotOptimize(replay.lanes(0, 0, 3, replay.position() - 8));
}
BENCHMARK(lanes);

void decode_turns(benchmark::State& state) {
    const auto& trace = long_trace(Pattern::streaming);
    TurnDetail detail;
    std::uint64_t turn = 0;
    for (auto _ : state) {
        decode(*trace, turn, detail);
        benchmark::DoNotOptimize(detail.accesses.data());
        turn = turn + 1 < trace->turns.size() ? turn + 1 : 0;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(decode_turns);

void turn_index(benchmark::State& state) {
    const auto& trace = long_trace(Pattern::streaming);
    for (auto _ : state)
        benchmark::DoNotOptimize(TurnIndex(*trace));
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * trace->turns.size()));
}
BENCHMARK(turn_index)->Unit(benchmark::kMillisecond);

void steps_of_a_block(benchmark::State& state) {
    const auto& trace = long_trace(Pattern::streaming);
    for (auto _ : state)
        benchmark::DoNotOptimize(build_steps(*trace, 0, Granularity::line));
}
BENCHMARK(steps_of_a_block)->Unit(benchmark::kMillisecond);

void save_and_open(benchmark::State& state) {
    SyntheticRun run(Pattern::streaming);
    run.turns(1'000'000);
    const auto trace = run.finish();
    const auto path = std::filesystem::temp_directory_path() / "lanescope-bench.trace";
    for (auto _ : state) {
        if (!save(*trace, path)) state.SkipWithError("cannot save the trace");
        if (!open(path)) state.SkipWithError("cannot open the trace");
    }
    state.counters["file_MiB"] = static_cast<double>(std::filesystem::file_size(path)) / (1 << 20);
    std::filesystem::remove(path);
}
BENCHMARK(save_and_open)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
