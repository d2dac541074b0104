#include "gpu/sampled/cupti.h"

#ifdef LANESCOPE_HAS_CUPTI

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace lanescope::gpu {

namespace {

namespace fs = std::filesystem;

// The places to look at, in order. A bare name is the loader's to find.
std::vector<std::string> candidates() {
    if (const char* chosen = std::getenv("LANESCOPE_CUPTI"); chosen && *chosen) return {chosen};
    std::vector<fs::path> roots;
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* value = std::getenv(name); value && *value) roots.emplace_back(value);
    roots.emplace_back("/usr/local/cuda");
    roots.emplace_back("/opt/cuda");
    std::vector<std::string> found;
    std::error_code failed;
    for (const fs::path& root : roots)
        for (const char* folder : {"extras/CUPTI/lib64", "lib64", "lib", "targets/x86_64-linux/lib"})
            for (const char* name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"})
                if (const fs::path path = root / folder / name; fs::exists(path, failed))
                    found.push_back(path.string());
    found.insert(found.end(), {"libcupti.so.13", "libcupti.so.12", "libcupti.so"});
    return found;
}

template <class Function>
bool find(void* library, const char* name, Function& into) {
    into = reinterpret_cast<Function>(dlsym(library, name));
    return into != nullptr;
}

}  // namespace

Result<std::shared_ptr<const Cupti>> Cupti::open() {
    std::string why;
    for (const std::string& path : candidates()) {
        // Never closed: its threads outlive any use of it.
        void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            if (why.empty()) why = dlerror();
            continue;
        }
        auto cupti = std::make_shared<Cupti>();
        if (Result<void> bound = cupti->bind(library, path); !bound) return bound.diagnostics();
        return std::shared_ptr<const Cupti>(std::move(cupti));
    }
    return error("the time of each line needs NVIDIA's library CUPTI: " + why,
                 "it comes with the CUDA Toolkit; LANESCOPE_CUPTI=/path/to/libcupti.so names another one");
}

Result<void> Cupti::bind(void* library, const std::string& path) {
    const bool complete =
        find(library, "cuptiGetResultString", result_string) &&
        find(library, "cuptiPCSamplingEnable", enable) && find(library, "cuptiPCSamplingDisable", disable) &&
        find(library, "cuptiPCSamplingSetConfigurationAttribute", configure) &&
        find(library, "cuptiPCSamplingStart", start) && find(library, "cuptiPCSamplingStop", stop) &&
        find(library, "cuptiPCSamplingGetData", get_data) &&
        find(library, "cuptiPCSamplingGetNumStallReasons", stall_reason_count) &&
        find(library, "cuptiPCSamplingGetStallReasons", stall_reasons) &&
        find(library, "cuptiGetSassToSourceCorrelation", source_of);
    if (complete) return {};
    return error(path + " cannot sample program counters", "CUPTI of CUDA 12 or later can");
}

Result<void> Cupti::check(CUptiResult status, const std::string& what) const {
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
