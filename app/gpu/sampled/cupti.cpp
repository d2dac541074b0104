#include "gpu/sampled/cupti.h"

#ifdef LANESCOPE_HAS_CUPTI

#include <dlfcn.h>

#include <utility>
#include <vector>

#include "gpu/sampled/find_cupti.h"

namespace lanescope::gpu {

Result<CuptiLibrary> CuptiLibrary::open(const std::string& needs) {
    std::string why;
    for (const std::string& path : cupti_places()) {
        CuptiLibrary library;
        library.path = path;
        library.handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library.handle && library.find("cuptiGetResultString", library.result_string)) return library;
        if (why.empty()) why = library.handle ? path + " is not CUPTI" : dlerror();
    }
    return error(needs + " NVIDIA's library CUPTI: " + why,
                 "it comes with the CUDA Toolkit; LANESCOPE_CUPTI=/path/to/libcupti.so names another one");
}

void* CuptiLibrary::symbol(const char* name) const {
    return dlsym(handle, name);
}

Result<std::shared_ptr<const Cupti>> Cupti::open() {
    Result<CuptiLibrary> library = CuptiLibrary::open("the time of each line needs");
    if (!library) return library.diagnostics();
    auto cupti = std::make_shared<Cupti>();
    cupti->library_ = std::move(*library);
    const CuptiLibrary& from = cupti->library_;
    const bool complete = from.find("cuptiPCSamplingEnable", cupti->enable) &&
                          from.find("cuptiPCSamplingDisable", cupti->disable) &&
                          from.find("cuptiPCSamplingSetConfigurationAttribute", cupti->configure) &&
                          from.find("cuptiPCSamplingStart", cupti->start) &&
                          from.find("cuptiPCSamplingStop", cupti->stop) &&
                          from.find("cuptiPCSamplingGetData", cupti->get_data) &&
                          from.find("cuptiPCSamplingGetNumStallReasons", cupti->stall_reason_count) &&
                          from.find("cuptiPCSamplingGetStallReasons", cupti->stall_reasons) &&
                          from.find("cuptiGetSassToSourceCorrelation", cupti->source_of);
    if (complete) return std::shared_ptr<const Cupti>(std::move(cupti));
    return error(from.path + " cannot sample program counters", "CUPTI of CUDA 12 or later can");
}

Result<void> CuptiLibrary::check(CUptiResult status, const std::string& what) const {
    if (status == CUPTI_SUCCESS) return {};
    if (status == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ||
        status == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES)
        return error(
            what + ": the driver lets only administrators profile this GPU",
            "load the module nvidia with the option NVreg_RestrictProfilingToAdminUsers=0, or run as root");
    if (status == CUPTI_ERROR_HARDWARE_BUSY)
        return error(what + ": another program is profiling this GPU", "try again when it has ended");
    const char* words = nullptr;
    result_string(status, &words);
    return error(what + ": " + (words ? words : "error " + std::to_string(status)));
}

}  // namespace lanescope::gpu

#endif
