// NVIDIA's profiling library CUPTI, opened at run time; without it nothing is sampled.
#pragma once

#if __has_include(<cupti_pcsampling.h>)
#include <cupti_pcsampling.h>
#include <cupti_result.h>

#include <memory>
#include <string>

#include "base/result.h"

#define LANESCOPE_HAS_CUPTI 1

namespace lanescope::gpu {

class Cupti {
  public:
    // Opens $LANESCOPE_CUPTI, or libcupti of the toolkit in CUDA_HOME, CUDA_PATH or /usr/local/cuda, or the
    // system's. Error, one line: no such library, or one without program-counter sampling.
    static Result<std::shared_ptr<const Cupti>> open();

    // Ok, or "what: CUPTI's words", with the remedy where permissions forbid sampling.
    Result<void> check(CUptiResult status, const std::string& what) const;

    decltype(&::cuptiGetResultString) result_string = nullptr;
    decltype(&::cuptiPCSamplingEnable) enable = nullptr;
    decltype(&::cuptiPCSamplingDisable) disable = nullptr;
    decltype(&::cuptiPCSamplingSetConfigurationAttribute) configure = nullptr;
    decltype(&::cuptiPCSamplingStart) start = nullptr;
    decltype(&::cuptiPCSamplingStop) stop = nullptr;
    decltype(&::cuptiPCSamplingGetData) get_data = nullptr;
    decltype(&::cuptiPCSamplingGetNumStallReasons) stall_reason_count = nullptr;
    decltype(&::cuptiPCSamplingGetStallReasons) stall_reasons = nullptr;
    decltype(&::cuptiGetSassToSourceCorrelation) source_of = nullptr;

  private:
    Result<void> bind(void* library, const std::string& path);
};

}  // namespace lanescope::gpu

#endif
