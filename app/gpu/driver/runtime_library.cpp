#include "gpu/driver/runtime_library.h"

#include <dlfcn.h>

#include <string>
#include <vector>

namespace lanescope::gpu {

namespace {

namespace fs = std::filesystem;

std::optional<RuntimeLibrary> asked(const fs::path& path) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return std::nullopt;
    std::optional<RuntimeLibrary> found;
    const auto function = reinterpret_cast<int (*)(int*)>(dlsym(library, "cudaRuntimeGetVersion"));
    int version = 0;
    if (function && function(&version) == 0 && version > 0) {
        Dl_info info{};
        const bool known = dladdr(reinterpret_cast<void*>(function), &info) != 0 && info.dli_fname;
        found = RuntimeLibrary{known ? fs::path(info.dli_fname) : path, version};
    }
    dlclose(library);
    return found;
}

}  // namespace

std::optional<RuntimeLibrary> find_runtime_library(const fs::path& nvrtc) {
    const std::vector<std::string> names{"libcudart.so.13", "libcudart.so.12", "libcudart.so"};
    std::error_code code;
    if (nvrtc.has_parent_path()) {
        for (const std::string& name : names)
            if (const fs::path path = nvrtc.parent_path() / name; fs::is_regular_file(path, code))
                if (std::optional<RuntimeLibrary> found = asked(path)) return found;
    }
    for (const std::string& name : names)
        if (std::optional<RuntimeLibrary> found = asked(name)) return found;
    return std::nullopt;
}

}  // namespace lanescope::gpu
