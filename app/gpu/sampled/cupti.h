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

// The opened library. Each use finds the functions that it needs.
struct CuptiLibrary {
    std::string path;
    void* handle = nullptr;  // never closed: the library's threads outlive any use of it
    decltype(&::cuptiGetResultString) result_string = nullptr;

    // Opens $LANESCOPE_CUPTI, or libcupti of the toolkit in CUDA_HOME, CUDA_PATH or /usr/local/cuda, or the
    // system's. `needs` begins the error: "the time of each line needs". Error, one line: no such library.
    static Result<CuptiLibrary> open(const std::string& needs);

    // False: the library has no such function.
    template <class Function>
    bool find(const char* name, Function& into) const {
        into = reinterpret_cast<Function>(symbol(name));
        return into != nullptr;
    }
    // Ok, or "what: CUPTI's words", with the remedy where permissions forbid profiling.
    Result<void> check(CUptiResult status, const std::string& what) const;

  private:
    void* symbol(const char* name) const;
};

// The part of CUPTI that samples program counters.
class Cupti {
  public:
    // Errors, one line: those of CuptiLibrary::open; a library without program-counter sampling.
    static Result<std::shared_ptr<const Cupti>> open();

    Result<void> check(CUptiResult status, const std::string& what) const {
        return library_.check(status, what);
    }

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
    CuptiLibrary library_;
};

}  // namespace lanescope::gpu

#endif
