#include "gpu/sampled/find_cupti.h"

#include <dlfcn.h>

#include <cstdlib>

namespace lanescope::gpu {

namespace fs = std::filesystem;

std::vector<std::string> cupti_places() {
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

std::optional<fs::path> find_cupti() {
    for (const std::string& place : cupti_places()) {
        void* library = dlopen(place.c_str(), RTLD_LAZY | RTLD_LOCAL);
        if (library == nullptr) continue;
        void* function = dlsym(library, "cuptiGetResultString");
        Dl_info info{};
        const bool known = function != nullptr && dladdr(function, &info) != 0 && info.dli_fname;
        const fs::path path = known ? fs::path(info.dli_fname) : fs::path(place);
        dlclose(library);
        if (function != nullptr) return path;
    }
    return std::nullopt;
}

}  // namespace lanescope::gpu
