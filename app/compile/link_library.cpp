#include "compile/link_library.h"

#include <dlfcn.h>

#include <cstdint>
#include <sstream>
#include <vector>

namespace lanescope::compile {

// The functions of nvJitLink.h, whose package the build does not require.
struct LinkLibrary::Functions {
    using Handle = void*;
    int (*create)(Handle*, std::uint32_t, const char**) = nullptr;
    int (*destroy)(Handle*) = nullptr;
    int (*add_data)(Handle, int, const void*, std::size_t, const char*) = nullptr;
    int (*add_file)(Handle, int, const char*) = nullptr;
    int (*complete)(Handle) = nullptr;
    int (*cubin_size)(Handle, std::size_t*) = nullptr;
    int (*cubin)(Handle, void*) = nullptr;
    int (*error_size)(Handle, std::size_t*) = nullptr;
    int (*error_log)(Handle, char*) = nullptr;
    int (*info_size)(Handle, std::size_t*) = nullptr;
    int (*info_log)(Handle, char*) = nullptr;
    int (*version)(unsigned*, unsigned*) = nullptr;
};

namespace {

constexpr int input_library = 6;

// Toolkits before 13 export the functions with the version of the first toolkit that had them.
template <class F>
bool find(void* library, const std::string& name, F& function) {
    for (const std::string& spelling : {name, "__" + name + "_12_0"})
        if (void* found = dlsym(library, spelling.c_str())) {
            function = reinterpret_cast<F>(found);
            return true;
        }
    return false;
}

std::vector<std::string> lines_of(const std::string& log) {
    std::vector<std::string> found;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);)
        if (line.find_first_not_of(" \t\r") != std::string::npos && line[0] != '\0')
            found.emplace_back(line.c_str());
    return found;
}

Diagnostics problems_of(const std::string& log, int code) {
    constexpr std::size_t most = 20;
    Diagnostics problems;
    for (const std::string& line : lines_of(log))
        if (problems.size() < most) problems.push_back(error("nvJitLink: " + line));
    if (problems.empty())
        problems.push_back(
            error("nvJitLink failed with code " + std::to_string(code) + " without saying why"));
    return problems;
}

}  // namespace

Result<LinkLibrary> LinkLibrary::load(const std::string& path) {
    // Never closed, because nvJitLink starts threads and registers exit handlers.
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* reason = dlerror();
        return error("nvJitLink cannot be loaded: " + std::string(reason ? reason : path));
    }
    auto f = std::make_shared<Functions>();
    const bool complete =
        find(library, "nvJitLinkCreate", f->create) && find(library, "nvJitLinkDestroy", f->destroy) &&
        find(library, "nvJitLinkAddData", f->add_data) && find(library, "nvJitLinkAddFile", f->add_file) &&
        find(library, "nvJitLinkComplete", f->complete) &&
        find(library, "nvJitLinkGetLinkedCubinSize", f->cubin_size) &&
        find(library, "nvJitLinkGetLinkedCubin", f->cubin) &&
        find(library, "nvJitLinkGetErrorLogSize", f->error_size) &&
        find(library, "nvJitLinkGetErrorLog", f->error_log);
    if (!complete) return error(path + " is not nvJitLink: it lacks required functions");
    find(library, "nvJitLinkVersion", f->version);
    find(library, "nvJitLinkGetInfoLogSize", f->info_size);
    find(library, "nvJitLinkGetInfoLog", f->info_log);
    return LinkLibrary(std::move(f));
}

std::string LinkLibrary::version() const {
    unsigned major = 0, minor = 0;
    if (!functions_->version || functions_->version(&major, &minor) != 0) return "unknown";
    return std::to_string(major) + "." + std::to_string(minor);
}

Result<LinkLibrary::Linked> LinkLibrary::link(Input kind, const std::string& input, const std::string& target,
                                              const std::string& device_runtime, bool verbose) const {
    const std::string arch = "-arch=" + target;
    std::vector<const char*> options = {arch.c_str(), "-lineinfo"};
    if (verbose) options.push_back("-verbose");
    Functions::Handle handle = nullptr;
    int code = functions_->create(&handle, static_cast<std::uint32_t>(options.size()), options.data());
    if (code != 0)
        return error("nvJitLink " + version() + " cannot generate code for " + target,
                     "use a CUDA toolkit that supports this GPU");
    code = functions_->add_data(handle, static_cast<int>(kind), input.data(),
                                // includes the final NUL of PTX text
                                input.size() + (kind == Input::ptx ? 1 : 0), "kernel");
    if (code == 0 && !device_runtime.empty())
        code = functions_->add_file(handle, input_library, device_runtime.c_str());
    if (code == 0) code = functions_->complete(handle);
    std::size_t size = 0;
    if (code == 0) code = functions_->cubin_size(handle, &size);
    Linked linked;
    linked.cubin.resize(size);
    if (code == 0) code = functions_->cubin(handle, linked.cubin.data());
    const auto log_of = [&](auto log_size, auto log) {
        std::string text;
        if (log_size && log && log_size(handle, &size) == 0 && size != 0) {
            text.resize(size);
            log(handle, text.data());
        }
        return text;
    };
    const std::string log = code != 0 ? log_of(functions_->error_size, functions_->error_log)
                            : verbose ? log_of(functions_->info_size, functions_->info_log)
                                      : std::string();
    functions_->destroy(&handle);
    if (code != 0) return problems_of(log, code);
    for (const std::string& line : lines_of(log)) {
        Diagnostic note = error(line);
        note.severity = Severity::note;
        linked.notes.push_back(std::move(note));
    }
    return linked;
}

}  // namespace lanescope::compile
