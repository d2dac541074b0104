// The part of CUPTI that counts, opened at run time.
#pragma once

#if __has_include(<cupti_range_profiler.h>)
#include "gpu/sampled/cupti.h"

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#define LANESCOPE_HAS_RANGE_PROFILER 1

namespace lanescope::gpu {

struct RangeCupti {
    CuptiLibrary library;
    decltype(&::cuptiProfilerInitialize) initialize = nullptr;
    decltype(&::cuptiProfilerGetCounterAvailability) availability = nullptr;
    decltype(&::cuptiDeviceGetChipName) chip_name = nullptr;
    decltype(&::cuptiProfilerHostInitialize) make_host = nullptr;
    decltype(&::cuptiProfilerHostDeinitialize) end_host = nullptr;
    decltype(&::cuptiProfilerHostGetMetricProperties) properties = nullptr;
    decltype(&::cuptiProfilerHostConfigAddMetrics) add_metrics = nullptr;
    decltype(&::cuptiProfilerHostGetConfigImageSize) config_size = nullptr;
    decltype(&::cuptiProfilerHostGetConfigImage) config_image = nullptr;
    decltype(&::cuptiProfilerHostGetNumOfPasses) passes = nullptr;
    decltype(&::cuptiProfilerHostEvaluateToGpuValues) evaluate = nullptr;
    decltype(&::cuptiRangeProfilerEnable) enable = nullptr;
    decltype(&::cuptiRangeProfilerDisable) disable = nullptr;
    decltype(&::cuptiRangeProfilerGetCounterDataSize) data_size = nullptr;
    decltype(&::cuptiRangeProfilerCounterDataImageInitialize) make_data = nullptr;
    decltype(&::cuptiRangeProfilerSetConfig) set_config = nullptr;
    decltype(&::cuptiRangeProfilerStart) start = nullptr;
    decltype(&::cuptiRangeProfilerStop) stop = nullptr;
    decltype(&::cuptiRangeProfilerDecodeData) decode = nullptr;
    decltype(&::cuptiRangeProfilerGetCounterDataInfo) data_info = nullptr;

    // Errors, one line: those of CuptiLibrary::open; a library without range profiling.
    static Result<RangeCupti> open();
};

}  // namespace lanescope::gpu

#endif
