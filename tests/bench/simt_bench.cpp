// Times the CPU SIMT machine: debug and optimised code, untraced on one core and on all cores, and with the
// full trace. The program compiles kernels.cu when it starts, and checks each result before it times it.
#include <benchmark/benchmark.h>

#include <time.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <span>

#include "analysis/metrics.h"
#include "analysis/races.h"
#include "base/files.h"
#include "bench_inputs.h"
#include "compile/compiler.h"
#include "ptx/debug_info.h"
#include "ptx/parser.h"
#include "simt/decode/load.h"
#include "simt/launch/launch.h"
#include "simt/launch/schedule.h"
#include "simt/machine/machine.h"
#include "simt/program/kernel_info.h"
#include "trace/events.h"
#include "trace/recorder.h"
#include "trace/replay.h"

namespace {

using namespace lanescope;
using compile::Code;

constexpr std::uint32_t all_cores = 0;

[[noreturn]] void stop(const std::string& message) {
    std::cerr << "bench_simt: " << message << '\n';
    std::exit(1);
}

template <class T>
T value_of(Result<T> result) {
    if (!result) stop(to_text(result.diagnostics()));
    return std::move(*result);
}

std::shared_ptr<const simt::Program> program(Code code) {
    static std::map<Code, std::shared_ptr<const simt::Program>> loaded;
    if (auto& known = loaded[code]; known != nullptr) return known;
    const std::string source = value_of(read_text_file(LANESCOPE_BENCH_KERNELS));
    compile::Options options;
    options.code = code;
    const compile::Output compiled = value_of(compile::compile(source, "kernels.cu", options));
    const ptx::Module module = value_of(ptx::parse(compiled.ptx, "kernels.ptx"));
    const ptx::DebugInfo debug = value_of(ptx::read_debug_info(module, compiled.user_file, nullptr));
    return loaded[code] = value_of(simt::load(module, debug, compiled.ptx, compiled.user_file, source));
}

// A kernel with its buffers on its own machine.
class Job {
  public:
    Job(Code code, const std::string& kernel, std::uint32_t workers) : program_(program(code)) {
        simt::Limits limits;
        limits.warp_instructions = ~0ull;
        limits.seconds = 1e9;
        limits.workers = workers;
        machine_ = std::make_unique<simt::Machine>(program_, limits, simt::Schedule{});
        for (const simt::KernelInfo& info : simt::kernels(*program_))
            if (info.name == kernel) request_.kernel = info.symbol;
        request_.label = kernel;
    }
    virtual ~Job() = default;

    simt::Outcome launch() {
        const simt::Outcome outcome = machine_->launch(request_);
        if (outcome.ending != simt::Ending::finished || !machine_->problems().empty())
            stop(request_.label + " stopped early or reported problems");
        return outcome;
    }
    std::shared_ptr<const trace::Trace> record() {
        trace::Recorder recorder({.trace_bytes = 8ull << 30});
        machine_->record_into(&recorder);
        outcome_ = launch();
        machine_->record_into(nullptr);
        return recorder.finish();
    }
    const simt::Outcome& recorded_outcome() const { return outcome_; }
    virtual bool right() = 0;

  protected:
    template <class T>
    simt::DeviceAddress buffer(std::size_t count, const std::vector<T>& contents = {}) {
        trace::Symbol symbol;
        symbol.name = "buffer";
        symbol.extents = {count};
        symbol.buffer = true;
        const simt::DeviceAddress address = value_of(machine_->allocate(count * sizeof(T), symbol));
        if (!contents.empty())
            if (!machine_->write(address, std::as_bytes(std::span(contents))).ok()) stop("cannot write");
        return address;
    }
    template <class T>
    std::vector<T> contents(simt::DeviceAddress address, std::size_t count) {
        std::vector<T> values(count);
        if (!machine_->read(address, std::as_writable_bytes(std::span(values))).ok()) stop("cannot read");
        return values;
    }
    template <class... Arguments>
    void launch_with(trace::Dim3 grid, trace::Dim3 block, Arguments... arguments) {
        request_.grid = grid;
        request_.block = block;
        (request_.arguments.push_back(bytes_of(arguments)), ...);
    }

  private:
    template <class T>
    static std::vector<std::byte> bytes_of(const T& value) {
        const auto bytes = std::as_bytes(std::span(&value, 1));
        return {bytes.begin(), bytes.end()};
    }

    std::shared_ptr<const simt::Program> program_;
    std::unique_ptr<simt::Machine> machine_;
    simt::LaunchRequest request_;
    simt::Outcome outcome_;
};

class Convolution : public Job {
  public:
    Convolution(Code code, std::uint32_t workers, int width = 512, int height = 512)
        : Job(code, "convolve", workers), width_(width), height_(height), in_(bench::image(width, height)) {
        const std::vector<float> mask = bench::gaussian_5x5();
        const simt::DeviceAddress in = buffer(in_.size(), in_), taps = buffer(mask.size(), mask);
        out_ = buffer<float>(in_.size());
        const auto blocks = [](int size, int block) {
            return static_cast<std::uint32_t>((size - 1) / block + 1);
        };
        launch_with({blocks(width, 32), blocks(height, 8), 1}, {32, 8, 1}, in, taps, out_, width, height);
    }
    bool right() override {
        return bench::is_convolved(in_, bench::gaussian_5x5(), contents<float>(out_, in_.size()), width_,
                                   height_);
    }

  private:
    int width_, height_;
    std::vector<float> in_;
    simt::DeviceAddress out_ = 0;
};

class Reduction : public Job {
  public:
    Reduction(Code code, std::uint32_t workers, int count = 262'144)
        : Job(code, "reduce", workers), in_(bench::numbers(static_cast<std::size_t>(count))) {
        const std::uint32_t blocks = static_cast<std::uint32_t>((count - 1) / block + 1);
        const simt::DeviceAddress in = buffer(in_.size(), in_);
        out_ = buffer<int>(blocks);
        sums_ = blocks;
        launch_with({blocks, 1, 1}, {block, 1, 1}, in, out_, count);
    }
    bool right() override { return bench::is_reduced(in_, contents<int>(out_, sums_), block); }

  private:
    static constexpr int block = 256;
    std::vector<int> in_;
    std::size_t sums_ = 0;
    simt::DeviceAddress out_ = 0;
};

// Every thread adds to one of 256 counters in global memory.
class Histogram : public Job {
  public:
    Histogram(Code code, std::uint32_t workers, int count = 262'144)
        : Job(code, "count_values", workers), in_(bench::numbers(static_cast<std::size_t>(count))) {
        const simt::DeviceAddress in = buffer(in_.size(), in_);
        out_ = buffer<int>(256, std::vector<int>(256));
        launch_with({static_cast<std::uint32_t>((count - 1) / 256 + 1), 1, 1}, {256, 1, 1}, in, out_, count);
    }
    bool right() override {
        std::vector<int> expected(256);
        for (const int value : in_)
            ++expected[static_cast<std::size_t>(value * 29 % 256)];
        return contents<int>(out_, 256) == expected;
    }

  private:
    std::vector<int> in_;
    simt::DeviceAddress out_ = 0;
};

void set_rates(benchmark::State& state, const simt::Outcome& outcome) {
    auto rate = [&](std::uint64_t each) {
        return benchmark::Counter(static_cast<double>(each), benchmark::Counter::kIsIterationInvariantRate);
    };
    state.counters["warp_instr/s"] = rate(outcome.warp_instructions);
    state.counters["thread_instr/s"] = rate(outcome.thread_instructions);
}

template <class Kernel>
void untraced(benchmark::State& state, Code code, std::uint32_t workers) {
    Kernel job(code, workers);
    const simt::Outcome outcome = job.launch();
    if (!job.right()) return state.SkipWithError("the result is wrong");
    for (auto _ : state)
        job.launch();
    set_rates(state, outcome);
}

template <class Kernel>
void traced(benchmark::State& state, Code code) {
    Kernel job(code, 1);
    const auto trace = job.record();
    if (!job.right()) return state.SkipWithError("the result is wrong");
    std::uint64_t lane_accesses = 0;
    trace::TurnDetail detail;
    for (std::uint64_t turn = 0; turn < trace->turns.size(); ++turn) {
        trace::decode(*trace, turn, detail);
        for (const trace::Access& access : detail.accesses)
            lane_accesses += static_cast<std::uint64_t>(std::popcount(access.mask));
    }
    for (auto _ : state)
        benchmark::DoNotOptimize(job.record());
    set_rates(state, job.recorded_outcome());
    const auto turns = static_cast<double>(trace->turns.size());
    const double bytes = static_cast<double>(trace->events->bytes.size()) + turns * sizeof(trace::Turn);
    state.counters["turns"] = turns;
    state.counters["lane_accesses/turn"] = static_cast<double>(lane_accesses) / turns;
    state.counters["bytes/turn"] = bytes / turns;
    state.counters["of_budget"] = bytes / (64 * turns + 9 * static_cast<double>(lane_accesses));
}

double cpu_seconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Times a traced run and the search for races in it, as a multiple of the run alone.
template <class Kernel>
void checked(benchmark::State& state, Code code) {
    Kernel job(code, 1);
    const auto races = [](const trace::Trace& trace) {
        return analysis::find_races(trace, analysis::Code(trace.program));
    };
    if (!races(*job.record()).problems.empty() || !job.right())
        return state.SkipWithError("the result is wrong or has races");
    double run_s = 0, search_s = 0;
    for (auto _ : state) {
        const double start = cpu_seconds();
        const auto trace = job.record();
        const double recorded = cpu_seconds();
        benchmark::DoNotOptimize(races(*trace));
        run_s += recorded - start;
        search_s += cpu_seconds() - recorded;
    }
    state.counters["times_run"] = (run_s + search_s) / run_s;
}

// Times the metrics of a traced run, as a share of the run itself.
template <class Kernel>
void measured(benchmark::State& state, Code code) {
    Kernel job(code, 1);
    double run_s = 0, measure_s = 0;
    for (auto _ : state) {
        const double start = cpu_seconds();
        const auto trace = job.record();
        const double recorded = cpu_seconds();
        benchmark::DoNotOptimize(analysis::measure(*trace, analysis::Code(trace->program)));
        run_s += recorded - start;
        measure_s += cpu_seconds() - recorded;
    }
    state.counters["share_of_run"] = measure_s / run_s;
}

// Times the convolution over images; each image takes ten times the instructions of the one before.
void work(benchmark::State& state) {
    const double pixels = std::pow(10.0, static_cast<double>(state.range(0))) / 209;
    const int width = 32 * std::max(1, static_cast<int>(std::sqrt(pixels) / 32));  // whole warps
    Convolution job(Code::optimized, 1, width, std::max(1, static_cast<int>(pixels / width)));
    const simt::Outcome outcome = job.launch();
    if (!job.right()) return state.SkipWithError("the result is wrong");
    for (auto _ : state)
        job.launch();
    set_rates(state, outcome);
    state.counters["thread_instr"] = static_cast<double>(outcome.thread_instructions);
    state.counters["s/thread_instr"] =
        benchmark::Counter(static_cast<double>(outcome.thread_instructions),
                           benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <class Kernel>
void register_kernel(const std::string& name) {
    for (const Code code : {Code::optimized, Code::debug}) {
        const std::string of = name + (code == Code::debug ? "/debug" : "/optimized");
        benchmark::RegisterBenchmark((of + "/untraced").c_str(), &untraced<Kernel>, code, 1)
            ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark((of + "/all_cores").c_str(), &untraced<Kernel>, code, all_cores)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
        benchmark::RegisterBenchmark((of + "/traced").c_str(), &traced<Kernel>, code)
            ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark((of + "/checked").c_str(), &checked<Kernel>, code)
            ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark((of + "/measured").c_str(), &measured<Kernel>, code)
            ->Unit(benchmark::kMillisecond);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], "__compile") == 0) return compile::compile_worker_main();
    register_kernel<Convolution>("convolution");
    register_kernel<Reduction>("reduction");
    for (const Code code : {Code::optimized, Code::debug}) {
        benchmark::RegisterBenchmark(
            code == Code::debug ? "histogram/debug/checked" : "histogram/optimized/checked",
            &checked<Histogram>, code)
            ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark(
            code == Code::debug ? "histogram/debug/measured" : "histogram/optimized/measured",
            &measured<Histogram>, code)
            ->Unit(benchmark::kMillisecond);
    }
    benchmark::RegisterBenchmark("work/10^", &work)->DenseRange(4, 9)->Unit(benchmark::kMillisecond);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
