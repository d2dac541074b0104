#include "session/clock/clock.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "base/files.h"
#include "compile/compiler.h"
#include "execution/run/recorded_run.h"
#include "session/clock/registers.h"
#include "session/timing/time_files.h"

namespace lanescope::session {

namespace {

using WallClock = std::chrono::steady_clock;
using lesson::LaunchInstance;
using lesson::ParameterValues;

constexpr std::uint64_t whole_grid = 32, sampled = 24;  // blocks
constexpr std::uint64_t most_threads = 1ull << 20;      // of a run that is traced, if it can be made smaller
constexpr std::uint64_t most_bytes = 1ull << 40;        // of buffers whose contents are not made
constexpr int assumed_registers = 32;

double elapsed_ms(WallClock::time_point since) {
    return std::chrono::duration<double, std::milli>(WallClock::now() - since).count();
}

std::uint64_t blocks_of(const LaunchInstance& launch) {
    return std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
}
std::uint64_t threads_of(const lesson::Instance& instance) {
    std::uint64_t threads = 0;
    for (const LaunchInstance& launch : instance.launches)
        threads += blocks_of(launch) * launch.block[0] * launch.block[1] * launch.block[2];
    return threads;
}

// How many times as large each launch is, if the two differ in their grids only; else nothing.
std::optional<std::vector<double>> scales_of(const lesson::Instance& large, const lesson::Instance& small,
                                             double ratio) {
    if (large.launches.size() != small.launches.size()) return std::nullopt;
    std::vector<double> scales;
    for (std::size_t i = 0; i < large.launches.size(); ++i) {
        const LaunchInstance &a = large.launches[i], &b = small.launches[i];
        if (a.kernel != b.kernel || a.block != b.block || a.shared_bytes != b.shared_bytes)
            return std::nullopt;
        scales.push_back(static_cast<double>(blocks_of(a)) /
                         static_cast<double>(std::max<std::uint64_t>(1, blocks_of(b))));
        if (blocks_of(a) > 1 && std::abs(scales.back() / ratio - 1) > 0.05) return std::nullopt;
    }
    return scales;
}

struct Plan {
    ParameterValues parameters;  // of the run that is traced
    std::vector<double> scales;  // of each launch; empty: it is the run that was asked for
    // A yet smaller one, whose threads must do as much each; empty: nothing to compare.
    ParameterValues smaller;
};

// The launches of a file without the contents of its buffers. Nothing: they are proposed, and known after a
// run.
std::optional<lesson::FrontMatter> bare_front_of(const execution::RunRequest& request) {
    Result<lesson::FrontMatter> front = request.front
                                            ? Result<lesson::FrontMatter>(*request.front)
                                            : lesson::parse_front_matter(request.source, request.file);
    if (!front || !front->present) return std::nullopt;
    for (lesson::Buffer& buffer : front->buffers) {
        if (!buffer.image.empty() || !buffer.file.empty()) continue;
        buffer.init = {};
        if (buffer.count.text.empty() && buffer.shape.empty()) continue;
        buffer.values.clear();
        buffer.addresses.clear();
        buffer.text.clear();
    }
    return std::move(*front);
}

// Looks for a parameter that makes only the grid larger.
Plan plan_of(const execution::RunRequest& request, const lesson::FrontMatter& front) {
    constexpr std::int64_t much_smaller = 8;
    const auto instance = [&](const ParameterValues& values) {
        return lesson::instantiate(front, values, request.file, most_bytes);
    };
    Plan plan{request.parameters, {}, {}};
    const Result<lesson::Instance> asked = instance(request.parameters);
    if (!asked || threads_of(*asked) <= most_threads) return plan;
    for (const auto& [name, value] : asked->parameters)
        for (std::int64_t ratio = 2; ratio <= value / 2; ratio *= 2) {
            ParameterValues smaller = asked->parameters;
            smaller[name] = value / ratio;
            const Result<lesson::Instance> small = instance(smaller);
            if (!small) break;
            const auto scales = scales_of(*asked, *small, static_cast<double>(ratio));
            if (!scales) break;
            if (threads_of(*small) > most_threads) continue;
            plan.parameters = smaller;
            plan.scales = *scales;
            smaller[name] = value / ratio / much_smaller;
            plan.smaller = smaller;
            return plan;
        }
    return plan;
}

double work_of_thread(const execution::RunResult& run) {
    return static_cast<double>(run.thread_instructions) /
           static_cast<double>(std::max<std::uint64_t>(1, threads_of(run.instance)));
}

// Which blocks of each launch are recorded; the launches share one list.
std::vector<std::uint32_t> recorded_blocks(const std::vector<LaunchInstance>& launches) {
    std::set<std::uint64_t> grids;
    for (const LaunchInstance& launch : launches)
        grids.insert(blocks_of(launch));
    std::set<std::uint32_t> blocks;
    constexpr std::size_t most_grids =
        4;  // the largest ones; a list for each would record every block of a small one
    std::size_t count = 0;
    for (auto grid = grids.rbegin(); grid != grids.rend() && count < most_grids; ++grid, ++count)
        for (const std::uint32_t block : sampled_blocks(*grid))
            blocks.insert(block);
    return {blocks.begin(), blocks.end()};
}

std::string symbol_of(const execution::RunResult& run, const std::string& kernel) {
    if (const auto found = run.compiled.symbols.find(kernel); found != run.compiled.symbols.end())
        return found->second;
    for (const trace::Function& function : run.trace->program.functions)
        if (function.name == kernel || function.symbol == kernel) return function.symbol;
    return kernel;
}

// Finds the registers of the kernels of one run.
class Registers {
  public:
    Registers(const execution::RunResult& run, const Timings* recorded) : run_(run) {
        if (recorded == nullptr) return;
        const std::string hash = content_hash(run.source);
        for (const TimingRecord& record : recorded->report.timings)
            if (record.text_hash == hash ||
                (record.text_hash.empty() && record.file == recorded_name(run.file)))
                for (const gpu::LaunchOccupancy& launch : record.occupancy)
                    recorded_[launch.kernel] = launch.block.registers_per_thread;
    }

    int of(const std::string& kernel, RegisterSource& source) {
        if (const auto found = recorded_.find(kernel); found != recorded_.end()) {
            source = RegisterSource::recorded;
            return found->second;
        }
        if (!assembled_) {
            assembled_ = true;
            if (const Result<std::string> cubin = compile::assemble(run_.trace->program.ptx, "sm_90"))
                assembler_ = registers_of(*cubin);
        }
        if (const auto found = assembler_.find(symbol_of(run_, kernel)); found != assembler_.end()) {
            source = RegisterSource::assembler;
            return found->second;
        }
        source = RegisterSource::assumed;
        return assumed_registers;
    }

  private:
    const execution::RunResult& run_;
    std::map<std::string, int> recorded_, assembler_;
    bool assembled_ = false;
};

gpu::MultiprocessorLimits limits_of(const analysis::DeviceModel& device) {
    constexpr int compute_capability = 90;
    return {compute_capability,
            static_cast<int>(device.threads),
            static_cast<int>(device.blocks),
            static_cast<int>(device.registers),
            static_cast<std::uint64_t>(device.shared_bytes),
            static_cast<std::uint64_t>(device.reserved_shared_bytes)};
}

analysis::DeviceModel supposed_device(analysis::DeviceModel device, const WhatIf& what_if) {
    // Latencies and rates of memory beyond the L1 are given in cycles of the multiprocessors' clock.
    const double clock = what_if.clock_ghz > 0 ? what_if.clock_ghz / device.clock_ghz : 1;
    for (double analysis::DeviceModel::*latency :
         {&analysis::DeviceModel::l2_latency, &analysis::DeviceModel::dram_latency,
          &analysis::DeviceModel::dram_spread, &analysis::DeviceModel::store_latency})
        device.*latency *= what_if.latency * clock;
    device.dram_gb_per_s *= what_if.bandwidth;
    device.l2_bytes_per_cycle *= what_if.bandwidth / clock;
    device.port_bytes_per_cycle *= what_if.bandwidth;
    device.store_interval /= what_if.bandwidth / clock;
    if (what_if.schedulers > 0) device.schedulers = what_if.schedulers;
    device.clock_ghz *= clock;
    return device;
}

}  // namespace

std::vector<std::uint32_t> sampled_blocks(std::uint64_t grid) {
    std::vector<std::uint32_t> blocks;
    const std::uint64_t count = grid <= whole_grid ? grid : sampled;
    for (std::uint64_t i = 0; i < count; ++i)
        blocks.push_back(static_cast<std::uint32_t>(count == 1 ? 0 : i * (grid - 1) / (count - 1)));
    return blocks;
}

Result<Clock> Clock::wind(execution::RunRequest request, const analysis::DeviceModel& device,
                          const Timings* recorded, const std::atomic<bool>* cancel) {
    const WallClock::time_point start = WallClock::now();
    request.code = compile::Code::optimized;
    if (request.flags.arch.empty()) request.flags.arch = compile::newest_target;
    request.traced = true;
    Clock clock;
    clock.facts_.parameters = request.parameters;
    const std::optional<lesson::FrontMatter> front = bare_front_of(request);
    Plan plan = front ? plan_of(request, *front) : Plan{request.parameters, {}, {}};
    const auto run = [&](const ParameterValues& parameters, bool traced) {
        execution::RunRequest one = request;
        one.parameters = parameters;
        one.traced = traced;
        return execution::record(one, cancel);
    };
    if (!plan.scales.empty()) {
        // The threads of a larger grid do as much each as those of a smaller one.
        constexpr double tolerance = 0.02;
        const Result<execution::RunResult> small = run(plan.smaller, false),
                                           larger = run(plan.parameters, false);
        if (!small || !larger || std::abs(work_of_thread(*small) / work_of_thread(*larger) - 1) > tolerance)
            plan = {request.parameters, {}, {}};
        else
            clock.facts_.traced = plan.parameters;
    }
    request.parameters = plan.parameters;
    if (front) {
        const Result<lesson::Instance> instance =
            lesson::instantiate(*front, request.parameters, request.file, most_bytes);
        if (!instance) return instance.diagnostics();
        request.recorded_blocks = recorded_blocks(instance->launches);
    }
    Result<execution::RunResult> ran = execution::record(request, cancel);
    if (!ran) return ran.diagnostics();
    const execution::RunResult& result = *ran;
    if (plan.scales.size() == result.trace->launches.size()) clock.scales_ = plan.scales;
    clock.facts_.declared = result.instance.front.parameters;
    for (const auto& [name, value] : result.instance.parameters)
        clock.facts_.parameters.try_emplace(name, value);
    clock.take(result, device, recorded);
    clock.facts_.run_ms = elapsed_ms(start);
    return clock;
}

Result<Clock> Clock::of(const execution::RunResult& run, const analysis::DeviceModel& device,
                        const Timings* recorded) {
    const WallClock::time_point start = WallClock::now();
    if (!run.trace || !run.instructions) return error("the run has no trace");
    if (run.trace->program.code == "debug")
        return error("its code is not optimised, which costs times of its own",
                     "record it with --code optimized, or from a program that nvcc built without -G");
    Clock clock;
    clock.facts_.parameters = run.instance.parameters;
    clock.take(run, device, recorded);
    clock.facts_.run_ms = elapsed_ms(start);
    return clock;
}

void Clock::take(const execution::RunResult& run, const analysis::DeviceModel& device,
                 const Timings* recorded) {
    facts_.device = device.name;
    facts_.error = {device.recorded_runs, device.half_within, device.nine_of_ten_within};
    input_ = analysis::read_cycles_input(*run.trace, *run.instructions);
    scales_.resize(run.trace->launches.size(), 1);
    Registers registers(run, recorded);
    // A saved trace does not keep the name that the compiler got.
    code_ = {run.trace->program.ptx,
             run.compiled.user_file.empty()
                 ? "/" + std::filesystem::path(run.trace->program.source.path).filename().string()
                 : run.compiled.user_file,
             run.compiled.symbols};
    const gpu::MultiprocessorLimits limits = limits_of(device);
    for (const trace::Launch& launch : run.trace->launches) {
        code_.symbols[launch.kernel] = symbol_of(run, launch.kernel);
        ClockedLaunch made;
        made.kernel = launch.kernel;
        made.occupancy.kernel = launch.kernel;
        made.occupancy.block = {static_cast<int>(launch.block.count()),
                                registers.of(launch.kernel, made.source), launch.shared_bytes};
        made.occupancy.occupancy = gpu::occupancy_of(limits, made.occupancy.block);
        made.limits = gpu::occupancy_limits(limits, made.occupancy.block);
        facts_.launches.push_back(std::move(made));
    }
}

ClockReading Clock::read(const analysis::DeviceModel& device, const WhatIf& what_if,
                         std::size_t most_intervals) const {
    const WallClock::time_point start = WallClock::now();
    ClockReading reading = facts_;
    analysis::CyclesRequest request;
    request.most_intervals = most_intervals;
    const analysis::DeviceModel changed = supposed_device(device, what_if);
    const gpu::MultiprocessorLimits limits = limits_of(device);
    for (std::size_t i = 0; i < reading.launches.size(); ++i) {
        gpu::LaunchOccupancy& launch = reading.launches[i].occupancy;
        if (what_if.registers > 0) launch.block.registers_per_thread = what_if.registers;
        launch.occupancy = gpu::occupancy_of(limits, launch.block);
        reading.launches[i].limits = gpu::occupancy_limits(limits, launch.block);
        int resident = std::max(1, launch.occupancy.blocks_per_sm);
        if (what_if.resident_blocks > 0) resident = std::min(resident, what_if.resident_blocks);
        request.launches.push_back({static_cast<std::uint32_t>(resident), scales_[i]});
    }
    reading.estimate = analysis::estimate_cycles(*input_, changed, request);
    reading.estimate_ms = elapsed_ms(start);
    return reading;
}

}  // namespace lanescope::session
