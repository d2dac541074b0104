#include "gpu/counted/range_counter.h"

#include <utility>

#include "gpu/counted/range_cupti.h"

namespace lanescope::gpu {

#ifdef LANESCOPE_HAS_RANGE_PROFILER

struct RangeCounter::State {
    RangeCupti cupti;
    std::shared_ptr<ContextLife> life;
    int ordinal = 0;
    std::size_t launches = 0, passes = 0;
    std::vector<std::string> counters;  // that this GPU has
    std::vector<std::uint8_t> available, config, data;
    CUpti_Profiler_Host_Object* host = nullptr;
    CUpti_RangeProfiler_Object* profiler = nullptr;

    ~State() {
        disable();
        if (!host) return;
        CUpti_Profiler_Host_Deinitialize_Params end{};
        end.structSize = CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE;
        end.pHostObject = host;
        cupti.end_host(&end);
    }

    Result<void> check(CUptiResult status, const std::string& what) const {
        return cupti.library.check(status, what);
    }

    void disable() {
        if (!profiler) return;
        CUpti_RangeProfiler_Disable_Params params{};
        params.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE;
        params.pRangeProfilerObject = profiler;
        cupti.disable(&params);
        profiler = nullptr;
    }

    std::vector<const char*> names() const {
        std::vector<const char*> all;
        for (const std::string& counter : counters)
            all.push_back(counter.c_str());
        return all;
    }

    Result<void> find_available() {
        CUpti_Profiler_Initialize_Params begin{};
        begin.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE;
        if (Result<void> done = check(cupti.initialize(&begin), "counting"); !done) return done;
        CUpti_Profiler_GetCounterAvailability_Params params{};
        params.structSize = CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE;
        params.ctx = life->handle;
        if (Result<void> done = check(cupti.availability(&params), "asking for the GPU's counters"); !done)
            return done;
        available.resize(params.counterAvailabilityImageSize);
        params.pCounterAvailabilityImage = available.data();
        return check(cupti.availability(&params), "asking for the GPU's counters");
    }

    Result<void> make_host() {
        CUpti_Device_GetChipName_Params chip{};
        chip.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE;
        chip.deviceIndex = static_cast<std::size_t>(ordinal);
        if (Result<void> done = check(cupti.chip_name(&chip), "naming the GPU's chip"); !done) return done;
        CUpti_Profiler_Host_Initialize_Params params{};
        params.structSize = CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE;
        params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
        params.pChipName = chip.pChipName;
        params.pCounterAvailabilityImage = available.data();
        if (Result<void> done = check(cupti.make_host(&params), "preparing the counters"); !done) return done;
        host = params.pHostObject;
        return {};
    }

    Result<void> choose_counters() {
        std::erase_if(counters, [&](const std::string& counter) {
            CUpti_Profiler_Host_GetMetricProperties_Params params{};
            params.structSize = CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE;
            params.pHostObject = host;
            params.pMetricName = counter.c_str();
            return cupti.properties(&params) != CUPTI_SUCCESS;
        });
        if (counters.empty()) return error("this GPU has none of the counters that are asked for");
        std::vector<const char*> all = names();
        CUpti_Profiler_Host_ConfigAddMetrics_Params params{};
        params.structSize = CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE;
        params.pHostObject = host;
        params.ppMetricNames = all.data();
        params.numMetrics = all.size();
        return check(cupti.add_metrics(&params), "choosing the counters");
    }

    Result<void> make_config() {
        CUpti_Profiler_Host_GetConfigImageSize_Params size{};
        size.structSize = CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE;
        size.pHostObject = host;
        if (Result<void> done = check(cupti.config_size(&size), "setting up the counters"); !done)
            return done;
        config.resize(size.configImageSize);
        CUpti_Profiler_Host_GetConfigImage_Params image{};
        image.structSize = CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE;
        image.pHostObject = host;
        image.configImageSize = config.size();
        image.pConfigImage = config.data();
        if (Result<void> done = check(cupti.config_image(&image), "setting up the counters"); !done)
            return done;
        CUpti_Profiler_Host_GetNumOfPasses_Params number{};
        number.structSize = CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE;
        number.configImageSize = config.size();
        number.pConfigImage = config.data();
        if (Result<void> done = check(cupti.passes(&number), "setting up the counters"); !done) return done;
        passes = number.numOfPasses;
        return {};
    }

    Result<void> enable() {
        CUpti_RangeProfiler_Enable_Params params{};
        params.structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE;
        params.ctx = life->handle;
        if (Result<void> done = check(cupti.enable(&params), "counting"); !done) return done;
        profiler = params.pRangeProfilerObject;
        return {};
    }

    Result<void> make_data() {
        std::vector<const char*> all = names();
        CUpti_RangeProfiler_GetCounterDataSize_Params size{};
        size.structSize = CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE;
        size.pRangeProfilerObject = profiler;
        size.pMetricNames = all.data();
        size.numMetrics = all.size();
        size.maxNumOfRanges = launches;
        size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(launches);
        if (Result<void> done = check(cupti.data_size(&size), "making room for the counters"); !done)
            return done;
        data.resize(size.counterDataSize);
        CUpti_RangeProfiler_CounterDataImage_Initialize_Params params{};
        params.structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE;
        params.pRangeProfilerObject = profiler;
        params.counterDataSize = data.size();
        params.pCounterData = data.data();
        return check(cupti.make_data(&params), "making room for the counters");
    }

    // Each launch is a range of its own, which the profiler replays.
    Result<void> begin() {
        CUpti_RangeProfiler_SetConfig_Params params{};
        params.structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE;
        params.pRangeProfilerObject = profiler;
        params.configSize = config.size();
        params.pConfig = config.data();
        params.counterDataImageSize = data.size();
        params.pCounterDataImage = data.data();
        params.range = CUPTI_AutoRange;
        params.replayMode = CUPTI_KernelReplay;
        params.maxRangesPerPass = launches;
        params.numNestingLevels = 1;
        params.minNestingLevel = 1;
        params.targetNestingLevel = 1;
        if (Result<void> done = check(cupti.set_config(&params), "setting up the counters"); !done)
            return done;
        CUpti_RangeProfiler_Start_Params start{};
        start.structSize = CUpti_RangeProfiler_Start_Params_STRUCT_SIZE;
        start.pRangeProfilerObject = profiler;
        return check(cupti.start(&start), "starting to count");
    }

    Result<void> end() {
        CUpti_RangeProfiler_Stop_Params stop{};
        stop.structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE;
        stop.pRangeProfilerObject = profiler;
        if (Result<void> done = check(cupti.stop(&stop), "ending the counting"); !done) return done;
        CUpti_RangeProfiler_DecodeData_Params decode{};
        decode.structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE;
        decode.pRangeProfilerObject = profiler;
        if (Result<void> done = check(cupti.decode(&decode), "reading the counters"); !done) return done;
        if (decode.numOfRangeDropped == 0) return {};
        return error("the profiler lost the counters of " + std::to_string(decode.numOfRangeDropped) +
                     " launches");
    }

    Result<CounterValues> values_of(std::size_t launch) const {
        std::vector<const char*> all = names();
        std::vector<double> values(all.size());
        CUpti_Profiler_Host_EvaluateToGpuValues_Params params{};
        params.structSize = CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE;
        params.pHostObject = host;
        params.pCounterDataImage = data.data();
        params.counterDataImageSize = data.size();
        params.rangeIndex = launch;
        params.ppMetricNames = all.data();
        params.numMetrics = all.size();
        params.pMetricValues = values.data();
        if (Result<void> done = check(cupti.evaluate(&params), "reading the counters"); !done)
            return done.diagnostics();
        CounterValues named;
        for (std::size_t i = 0; i < values.size(); ++i)
            named[counters[i]] = values[i];
        return named;
    }
};

Result<RangeCounter> RangeCounter::start(const Context& context, std::span<const std::string> counters,
                                         std::size_t launches) {
    Result<RangeCupti> cupti = RangeCupti::open();
    if (!cupti) return cupti.diagnostics();
    auto state = std::make_unique<State>();
    state->cupti = std::move(*cupti);
    state->life = context.life();
    state->ordinal = context.device().ordinal;
    state->launches = launches;
    state->counters.assign(counters.begin(), counters.end());
    for (Result<void> (State::*step)() :
         {&State::find_available, &State::make_host, &State::choose_counters, &State::make_config,
          &State::enable, &State::make_data, &State::begin})
        if (Result<void> done = ((*state).*step)(); !done) return done.diagnostics();
    return RangeCounter(std::move(state));
}

Result<std::vector<CounterValues>> RangeCounter::stop() {
    State& state = *state_;
    if (Result<void> ended = state.end(); !ended) return ended.diagnostics();
    CUpti_RangeProfiler_GetCounterDataInfo_Params info{};
    info.structSize = CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE;
    info.pCounterDataImage = state.data.data();
    info.counterDataImageSize = state.data.size();
    if (Result<void> done = state.check(state.cupti.data_info(&info), "reading the counters"); !done)
        return done.diagnostics();
    std::vector<CounterValues> launches;
    for (std::size_t i = 0; i < info.numTotalRanges; ++i) {
        Result<CounterValues> values = state.values_of(i);
        if (!values) return values.diagnostics();
        launches.push_back(std::move(*values));
    }
    state.disable();
    return launches;
}

std::size_t RangeCounter::passes() const {
    return state_->passes;
}

#else

struct RangeCounter::State {};

Result<RangeCounter> RangeCounter::start(const Context&, std::span<const std::string>, std::size_t) {
    return error("this build cannot read the GPU's counters: it was made without the headers of CUPTI",
                 "build it with a CUDA Toolkit that has cupti_range_profiler.h");
}

Result<std::vector<CounterValues>> RangeCounter::stop() {
    return std::vector<CounterValues>{};
}

std::size_t RangeCounter::passes() const {
    return 0;
}

#endif

RangeCounter::RangeCounter(std::unique_ptr<State> state) : state_(std::move(state)) {}
RangeCounter::RangeCounter(RangeCounter&&) noexcept = default;
RangeCounter::~RangeCounter() = default;

}  // namespace lanescope::gpu
