#include "gpu/sampled/sampler.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include "gpu/sampled/cupti.h"
#include "gpu/sampled/stall_reasons.h"

namespace lanescope::gpu {

namespace {

constexpr int shortest_period = 5, longest_period = 31;

}  // namespace

int period_for(double milliseconds, int multiprocessors, double wanted) {
    constexpr double cycles_per_ms = 1.5e6;
    const double cycles = std::max(milliseconds, 1e-3) * cycles_per_ms * std::max(multiprocessors, 1);
    const double period = std::log2(std::max(cycles / std::max(wanted, 1.0), 1.0));
    return std::clamp(static_cast<int>(std::lround(period)), shortest_period, longest_period);
}

#ifdef LANESCOPE_HAS_CUPTI

namespace {

constexpr std::size_t most_counters = 4096;  // of different instructions, each time that CUPTI is asked
constexpr std::size_t name_bytes = 128;      // CUPTI_STALL_REASON_STRING_SIZE

// Memory that CUPTI fills: one record for each instruction with samples.
struct CounterRecords {
    CUpti_PCSamplingData data{};
    std::vector<CUpti_PCSamplingPCData> counters;
    std::vector<CUpti_PCSamplingStallReason> reasons;

    explicit CounterRecords(std::size_t reason_count)
        : counters(most_counters), reasons(most_counters * reason_count) {
        for (std::size_t i = 0; i < most_counters; ++i) {
            counters[i] = {};
            counters[i].size = sizeof(CUpti_PCSamplingPCData);
            counters[i].stallReason = reasons.data() + i * reason_count;
        }
        data.size = sizeof data;
        data.collectNumPcs = most_counters;
        data.pPcData = counters.data();
    }
};

}  // namespace

struct Sampler::State {
    std::shared_ptr<const Cupti> cupti;
    std::shared_ptr<ContextLife> life;
    int period_log2 = 0;
    std::vector<std::string> reason_names;      // by CUPTI's index; empty: not asked for
    std::unique_ptr<CounterRecords> left_over;  // what CUPTI still holds when sampling is disabled
    std::unique_ptr<CounterRecords> records;    // what it is asked for
    std::set<char*> kernel_names;  // of kernels: CUPTI leaves them to its user, and records share them
    bool enabled = false;

    ~State() {
        disable();
        for (char* name : kernel_names)
            std::free(name);
    }

    void disable() {
        if (!enabled) return;
        CUpti_PCSamplingDisableParams params{CUpti_PCSamplingDisableParamsSize, nullptr, life->handle};
        cupti->disable(&params);
        enabled = false;
    }

    Result<void> enable() {
        CUpti_PCSamplingEnableParams params{CUpti_PCSamplingEnableParamsSize, nullptr, life->handle};
        if (Result<void> done = cupti->check(cupti->enable(&params), "sampling"); !done) return done;
        enabled = true;
        return {};
    }

    Result<void> read_reasons() {
        std::size_t count = 0;
        CUpti_PCSamplingGetNumStallReasonsParams number{CUpti_PCSamplingGetNumStallReasonsParamsSize, nullptr,
                                                        life->handle, &count};
        if (Result<void> done = cupti->check(cupti->stall_reason_count(&number), "counting stall reasons");
            !done)
            return done;
        std::vector<std::uint32_t> indices(count);
        std::vector<char> text(count * name_bytes);
        std::vector<char*> names(count);
        for (std::size_t i = 0; i < count; ++i)
            names[i] = text.data() + i * name_bytes;
        CUpti_PCSamplingGetStallReasonsParams list{CUpti_PCSamplingGetStallReasonsParamsSize,
                                                   nullptr,
                                                   life->handle,
                                                   count,
                                                   indices.data(),
                                                   names.data()};
        if (Result<void> done = cupti->check(cupti->stall_reasons(&list), "naming stall reasons"); !done)
            return done;
        for (std::size_t i = 0; i < count; ++i) {
            const std::string name(names[i], strnlen(names[i], name_bytes));
            if (reason_names.size() <= indices[i]) reason_names.resize(indices[i] + 1);
            // The reasons "…_not_issued" count a part of the same samples again.
            if (!name.ends_with("_not_issued")) reason_names[indices[i]] = stall_name(name);
        }
        return {};
    }

    Result<void> configure() {
        left_over = std::make_unique<CounterRecords>(reason_names.size());
        records = std::make_unique<CounterRecords>(reason_names.size());
        std::vector<CUpti_PCSamplingConfigurationInfo> wanted;
        const auto add = [&](CUpti_PCSamplingConfigurationAttributeType type) -> auto& {
            wanted.emplace_back();
            wanted.back().attributeType = type;
            return wanted.back().attributeData;
        };
        add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD).samplingPeriodData = {
            static_cast<std::uint32_t>(period_log2)};
        add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE).collectionModeData = {
            CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS};
        add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SCRATCH_BUFFER_SIZE).scratchBufferSizeData = {16u
                                                                                                    << 20};
        add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL)
            .enableStartStopControlData = {1};
        add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER).samplingDataBufferData = {
            &left_over->data};
        CUpti_PCSamplingConfigurationInfoParams params{CUpti_PCSamplingConfigurationInfoParamsSize, nullptr,
                                                       life->handle, wanted.size(), wanted.data()};
        return cupti->check(cupti->configure(&params), "setting up sampling");
    }

    Result<void> begin() {
        CUpti_PCSamplingStartParams params{CUpti_PCSamplingStartParamsSize, nullptr, life->handle};
        return cupti->check(cupti->start(&params), "starting to sample");
    }

    // Adds the records that CUPTI has put into the buffer.
    void take(std::span<const char> cubin, Samples& into, std::map<std::string, SampledLine>& lines) {
        into.dropped += records->data.droppedSamples;
        into.elsewhere += records->data.nonUsrKernelsTotalSamples;
        into.seen += records->data.totalSamples;
        for (std::size_t i = 0; i < std::min(records->data.totalNumPcs, most_counters); ++i) {
            CUpti_PCSamplingPCData& counter = records->counters[i];
            const std::string kernel = counter.functionName ? counter.functionName : "";
            if (counter.functionName) kernel_names.insert(counter.functionName);
            SampledLine place = line_of(cubin, kernel, counter.pcOffset);
            SampledLine& line =
                lines.try_emplace(kernel + '\n' + place.file + '\n' + std::to_string(place.line), place)
                    .first->second;
            for (std::size_t r = 0; r < counter.stallReasonCount; ++r) {
                const CUpti_PCSamplingStallReason& reason = counter.stallReason[r];
                const std::uint32_t index = reason.pcSamplingStallReasonIndex;
                if (reason.samples == 0 || index >= reason_names.size() || reason_names[index].empty())
                    continue;
                line.stalls[reason_names[index]] += reason.samples;
                line.samples += reason.samples;
                into.taken += reason.samples;
            }
        }
    }

    SampledLine line_of(std::span<const char> cubin, const std::string& kernel, std::uint64_t offset) const {
        SampledLine place;
        place.kernel = kernel;
        CUpti_GetSassToSourceCorrelationParams params{};
        params.size = CUpti_GetSassToSourceCorrelationParamsSize;
        params.cubin = cubin.data();
        params.cubinSize = cubin.size();
        params.functionName = kernel.c_str();
        params.pcOffset = offset;
        if (cupti->source_of(&params) != CUPTI_SUCCESS) return place;
        if (params.fileName) {
            const std::filesystem::path name(params.fileName);
            const std::filesystem::path folder(params.dirName ? params.dirName : "");
            place.file = (folder / name).lexically_normal().string();
            place.line = static_cast<int>(params.lineNumber);
        }
        std::free(params.fileName);
        std::free(params.dirName);
        return place;
    }
};

Sampler::Sampler(std::unique_ptr<State> state) : state_(std::move(state)) {}
Sampler::Sampler(Sampler&&) noexcept = default;
Sampler::~Sampler() = default;

Result<Sampler> Sampler::start(const Context& context, int period_log2) {
    Result<std::shared_ptr<const Cupti>> cupti = Cupti::open();
    if (!cupti) return cupti.diagnostics();
    auto state = std::make_unique<State>();
    state->cupti = std::move(*cupti);
    state->life = context.life();
    state->period_log2 = std::clamp(period_log2, shortest_period, longest_period);
    for (Result<void> (State::*step)() :
         {&State::enable, &State::read_reasons, &State::configure, &State::begin})
        if (Result<void> done = ((*state).*step)(); !done) return done.diagnostics();
    return Sampler(std::move(state));
}

Result<Samples> Sampler::stop(std::span<const char> cubin) {
    State& state = *state_;
    Samples samples;
    samples.period_log2 = state.period_log2;
    CUpti_PCSamplingStopParams params{CUpti_PCSamplingStopParamsSize, nullptr, state.life->handle};
    if (Result<void> done = state.cupti->check(state.cupti->stop(&params), "ending the sampling"); !done)
        return done.diagnostics();
    std::map<std::string, SampledLine> lines;
    CUpti_PCSamplingGetDataParams get{CUpti_PCSamplingGetDataParamsSize, nullptr, state.life->handle,
                                      &state.records->data};
    do {
        const CUptiResult status = state.cupti->get_data(&get);
        if (status == CUPTI_ERROR_OUT_OF_MEMORY)
            return error("sampling: the GPU's buffer of samples is full",
                         "a longer period takes fewer samples");
        if (Result<void> done = state.cupti->check(status, "reading the samples"); !done)
            return done.diagnostics();
        state.take(cubin, samples, lines);
    } while (state.records->data.remainingNumPcs > 0);
    state.disable();
    for (auto& [key, line] : lines)
        if (line.samples > 0) samples.lines.push_back(std::move(line));
    std::sort(samples.lines.begin(), samples.lines.end(),
              [](const SampledLine& a, const SampledLine& b) { return a.samples > b.samples; });
    return samples;
}

#else

struct Sampler::State {};

Sampler::Sampler(std::unique_ptr<State> state) : state_(std::move(state)) {}
Sampler::Sampler(Sampler&&) noexcept = default;
Sampler::~Sampler() = default;

Result<Sampler> Sampler::start(const Context&, int) {
    return error("this build cannot tell the time of each line: it was made without the headers of CUPTI",
                 "build it with a CUDA Toolkit that has cupti_pcsampling.h");
}

Result<Samples> Sampler::stop(std::span<const char>) {
    return Samples{};
}

#endif

}  // namespace lanescope::gpu
