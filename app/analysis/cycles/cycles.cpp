#include "analysis/cycles/cycles.h"

#include <algorithm>

#include "analysis/cycles/multiprocessor.h"

namespace lanescope::analysis {

struct Touched {
    double read_bytes = 0, written_bytes = 0;
};

struct CyclesInput {
    explicit CyclesInput(const Code& code) : machine(code) {}

    MachineCode machine;
    std::vector<std::uint32_t> lines;  // of each instruction that ran, else 0
    std::vector<LaunchStreams> launches;
    std::vector<Touched> touched;         // by each launch
    std::uint64_t most_instructions = 0;  // to simulate of each launch
    Refusal refusal;
};

namespace {

constexpr std::uint64_t least_instructions = 20'000;  // that are simulated of each launch

// The sizes of the buffers that the recorded blocks touch.
Touched touched_buffers(const trace::Trace& trace, const LaunchStreams& streams) {
    const std::size_t count = trace.symbols.size();
    std::vector<bool> read(count), written(count);
    std::size_t last = 0;
    for (const MemoryRequest& request : streams.requests) {
        if (request.sectors == 0) continue;
        const std::uint64_t at = std::uint64_t{streams.sectors[request.first]} * 32;
        const auto holds = [&](std::size_t i) {
            const trace::Symbol& symbol = trace.symbols[i];
            return symbol.space == trace::Space::global && at + 31 >= symbol.offset &&
                   at < symbol.offset + symbol.size_bytes;
        };
        if (last >= count || !holds(last))
            for (last = 0; last < count && !holds(last);)
                ++last;
        if (last < count) (request.kind == trace::AccessKind::store ? written : read)[last] = true;
    }
    Touched touched;
    for (std::size_t i = 0; i < count; ++i) {
        if (read[i]) touched.read_bytes += static_cast<double>(trace.symbols[i].size_bytes);
        if (written[i]) touched.written_bytes += static_cast<double>(trace.symbols[i].size_bytes);
    }
    return touched;
}

const Refusal* refused_part(const MachineCode& machine, const std::vector<std::uint32_t>& lines) {
    for (const Refusal& refusal : machine.refusals())
        for (std::uint32_t pc = refusal.first; pc < refusal.end && pc < lines.size(); ++pc)
            if (lines[pc] != 0) return &refusal;
    return nullptr;
}

std::string limit_of(const LaunchCycles& launch) {
    constexpr double busy = 0.7;
    const std::pair<double, const char*> units[] = {
        {launch.dram_share, "DRAM: the bytes that it reads and writes"},
        {launch.l2_share, "L2: the sectors that it asks for"},
        {launch.l1_share, "L1 and shared memory: the passes that its accesses need"},
        {launch.issue_share, "the schedulers: its instructions"},
        {launch.dispatch_share, "the start of its blocks"}};
    const auto most = std::max_element(std::begin(units), std::end(units),
                                       [](const auto& a, const auto& b) { return a.first < b.first; });
    return most->first >= busy ? most->second : "latency: its warps wait, and no unit is busy";
}

}  // namespace

const char* to_text(Stall stall) {
    static constexpr std::array<const char*, stall_count> names{
        "issues",       "global_memory", "shared_memory", "barrier",   "arithmetic",
        "not_selected", "memory_queue",  "shared_queue",  "pipe_busy", "constant_cache",
        "instructions", "branch",        "fence",         "drain"};
    return names[static_cast<std::size_t>(stall)];
}

double LineCycles::total() const {
    double sum = 0;
    for (const double cycles : stalls)
        sum += cycles;
    return sum;
}

double CyclesEstimate::warp_cycles() const {
    double sum = 0;
    for (const LineCycles& line : lines)
        sum += line.total();
    return std::max(sum, 1.0);
}

std::shared_ptr<const CyclesInput> read_cycles_input(const trace::Trace& trace, const Code& code,
                                                     std::uint64_t most_instructions) {
    auto made = std::make_shared<CyclesInput>(code);
    const std::size_t count = std::max<std::size_t>(1, trace.launches.size());
    made->most_instructions = std::max(least_instructions, most_instructions / count);
    for (std::uint32_t i = 0; i < trace.launches.size() && made->refusal.reason.empty(); ++i) {
        made->launches.push_back(
            read_launch(trace, made->machine, i, 2 * made->most_instructions, made->lines));
        made->touched.push_back(touched_buffers(trace, made->launches.back()));
        if (made->launches.back().blocks.empty())
            made->refusal.reason = "none of the blocks of a launch was recorded";
        else if (const Refusal* refusal = refused_part(made->machine, made->lines))
            made->refusal = *refusal;
    }
    if (trace.launches.empty()) made->refusal.reason = "nothing was launched";
    return made;
}

CyclesEstimate estimate_cycles(const CyclesInput& input, const DeviceModel& device,
                               const CyclesRequest& request) {
    CyclesEstimate made;
    made.refused = input.refusal.reason;
    made.refused_line = input.refusal.line;
    if (!made.refused.empty()) return made;
    std::vector<StallCycles> by_line;
    double cycles = 0;
    std::size_t kept = 0;  // intervals
    for (std::size_t i = 0; i < input.launches.size(); ++i) {
        const CyclesRequest::Launch& launch = request.launches[i];
        LaunchContext context{device, input.machine, input.lines};
        context.resident_blocks = launch.resident_blocks;
        context.grid = static_cast<double>(input.launches[i].grid) * launch.scale;
        context.cold = i == 0;
        context.read_bytes = input.touched[i].read_bytes * launch.scale;
        context.written_bytes = input.touched[i].written_bytes * launch.scale;
        context.most_instructions = input.most_instructions;
        context.most_intervals = request.most_intervals - kept;
        LaunchCycles estimate = simulate(input.launches[i], context, by_line);
        estimate.limit = limit_of(estimate);
        kept += estimate.intervals.size();
        cycles += estimate.cycles;
        made.launches.push_back(std::move(estimate));
    }
    made.launch_microseconds =
        device.first_launch_us + static_cast<double>(input.launches.size() - 1) * device.next_launch_us;
    made.microseconds = made.launch_microseconds + cycles / device.clock_ghz / 1000;
    for (std::uint32_t line = 0; line < by_line.size(); ++line)
        if (LineCycles each{line, by_line[line]}; each.total() > 0) made.lines.push_back(each);
    std::stable_sort(made.lines.begin(), made.lines.end(),
                     [](const LineCycles& a, const LineCycles& b) { return a.total() > b.total(); });
    return made;
}

}  // namespace lanescope::analysis
