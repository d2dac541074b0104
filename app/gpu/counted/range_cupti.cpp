#include "gpu/counted/range_cupti.h"

#ifdef LANESCOPE_HAS_RANGE_PROFILER

namespace lanescope::gpu {

Result<RangeCupti> RangeCupti::open() {
    Result<CuptiLibrary> library = CuptiLibrary::open("the GPU's counters need");
    if (!library) return library.diagnostics();
    RangeCupti cupti;
    cupti.library = std::move(*library);
    const CuptiLibrary& from = cupti.library;
    const bool complete = from.find("cuptiProfilerInitialize", cupti.initialize) &&
                          from.find("cuptiProfilerGetCounterAvailability", cupti.availability) &&
                          from.find("cuptiDeviceGetChipName", cupti.chip_name) &&
                          from.find("cuptiProfilerHostInitialize", cupti.make_host) &&
                          from.find("cuptiProfilerHostDeinitialize", cupti.end_host) &&
                          from.find("cuptiProfilerHostGetMetricProperties", cupti.properties) &&
                          from.find("cuptiProfilerHostConfigAddMetrics", cupti.add_metrics) &&
                          from.find("cuptiProfilerHostGetConfigImageSize", cupti.config_size) &&
                          from.find("cuptiProfilerHostGetConfigImage", cupti.config_image) &&
                          from.find("cuptiProfilerHostGetNumOfPasses", cupti.passes) &&
                          from.find("cuptiProfilerHostEvaluateToGpuValues", cupti.evaluate) &&
                          from.find("cuptiRangeProfilerEnable", cupti.enable) &&
                          from.find("cuptiRangeProfilerDisable", cupti.disable) &&
                          from.find("cuptiRangeProfilerGetCounterDataSize", cupti.data_size) &&
                          from.find("cuptiRangeProfilerCounterDataImageInitialize", cupti.make_data) &&
                          from.find("cuptiRangeProfilerSetConfig", cupti.set_config) &&
                          from.find("cuptiRangeProfilerStart", cupti.start) &&
                          from.find("cuptiRangeProfilerStop", cupti.stop) &&
                          from.find("cuptiRangeProfilerDecodeData", cupti.decode) &&
                          from.find("cuptiRangeProfilerGetCounterDataInfo", cupti.data_info);
    if (complete) return cupti;
    return error(from.path + " cannot read counters of single launches", "CUPTI of CUDA 12.6 or later can");
}

}  // namespace lanescope::gpu

#endif
