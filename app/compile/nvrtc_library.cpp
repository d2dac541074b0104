#include "compile/nvrtc_library.h"

#include <dlfcn.h>
#include <nvrtc.h>

#include <filesystem>
#include <system_error>

namespace lanescope::compile {

struct NvrtcLibrary::Functions {
    decltype(&nvrtcVersion) version = nullptr;
    decltype(&nvrtcGetErrorString) error_string = nullptr;
    decltype(&nvrtcCreateProgram) create = nullptr;
    decltype(&nvrtcDestroyProgram) destroy = nullptr;
    decltype(&nvrtcCompileProgram) compile = nullptr;
    decltype(&nvrtcGetProgramLogSize) log_size = nullptr;
    decltype(&nvrtcGetProgramLog) log = nullptr;
    decltype(&nvrtcGetPTXSize) ptx_size = nullptr;
    decltype(&nvrtcGetPTX) ptx = nullptr;
    decltype(&nvrtcGetCUBINSize) cubin_size = nullptr;
    decltype(&nvrtcGetCUBIN) cubin = nullptr;
    decltype(&nvrtcGetNumSupportedArchs) architecture_count = nullptr;
    decltype(&nvrtcGetSupportedArchs) architectures = nullptr;
    decltype(&nvrtcAddNameExpression) add_name = nullptr;
    decltype(&nvrtcGetLoweredName) lowered_name = nullptr;
};

namespace {

template <class F>
bool find(void* library, const char* name, F& function) {
    function = reinterpret_cast<F>(dlsym(library, name));
    return function != nullptr;
}

// The sizes of NVRTC's texts include the final NUL.
template <class Size, class Get>
std::string text_of(nvrtcProgram program, Size size, Get get) {
    std::size_t bytes = 0;
    if (size(program, &bytes) != NVRTC_SUCCESS || bytes == 0) return {};
    std::string text(bytes, '\0');
    if (get(program, text.data()) != NVRTC_SUCCESS) return {};
    text.resize(bytes - 1);
    return text;
}

std::string bytes_of(nvrtcProgram program, decltype(&nvrtcGetCUBINSize) size, decltype(&nvrtcGetCUBIN) get) {
    std::size_t count = 0;
    if (size(program, &count) != NVRTC_SUCCESS || count == 0) return {};
    std::string bytes(count, '\0');
    return get(program, bytes.data()) == NVRTC_SUCCESS ? bytes : std::string();
}

// NVRTC opens this library by its bare name when it compiles. That fails for a toolkit outside the system's
// search path, such as the Python wheels, unless the library is already loaded.
void load_builtins(const std::filesystem::path& nvrtc) {
    std::error_code code;
    std::filesystem::directory_iterator file(nvrtc.parent_path(), code), end;
    for (; !code && file != end; file.increment(code))
        if (file->path().filename().string().starts_with("libnvrtc-builtins.so."))
            dlopen(file->path().c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

Result<NvrtcLibrary> NvrtcLibrary::load(const std::string& path) {
    load_builtins(path);
    // Never closed, because NVRTC starts threads and registers exit handlers.
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* reason = dlerror();
        return error("NVRTC cannot be loaded: " + std::string(reason ? reason : path));
    }
    auto f = std::make_shared<Functions>();
    const bool complete =
        find(library, "nvrtcVersion", f->version) && find(library, "nvrtcGetErrorString", f->error_string) &&
        find(library, "nvrtcCreateProgram", f->create) && find(library, "nvrtcDestroyProgram", f->destroy) &&
        find(library, "nvrtcCompileProgram", f->compile) &&
        find(library, "nvrtcGetProgramLogSize", f->log_size) && find(library, "nvrtcGetProgramLog", f->log) &&
        find(library, "nvrtcGetPTXSize", f->ptx_size) && find(library, "nvrtcGetPTX", f->ptx) &&
        find(library, "nvrtcGetCUBINSize", f->cubin_size) && find(library, "nvrtcGetCUBIN", f->cubin) &&
        find(library, "nvrtcGetNumSupportedArchs", f->architecture_count) &&
        find(library, "nvrtcGetSupportedArchs", f->architectures) &&
        find(library, "nvrtcAddNameExpression", f->add_name) &&
        find(library, "nvrtcGetLoweredName", f->lowered_name);
    if (!complete) return error(path + " is not NVRTC: it lacks required functions");
    return NvrtcLibrary(std::move(f));
}

std::string NvrtcLibrary::version() const {
    int major = 0;
    int minor = 0;
    if (functions_->version(&major, &minor) != NVRTC_SUCCESS) return "unknown";
    return std::to_string(major) + "." + std::to_string(minor);
}

std::vector<int> NvrtcLibrary::architectures() const {
    int count = 0;
    if (functions_->architecture_count(&count) != NVRTC_SUCCESS || count <= 0) return {};
    std::vector<int> all(static_cast<std::size_t>(count));
    return functions_->architectures(all.data()) == NVRTC_SUCCESS ? all : std::vector<int>();
}

Result<NvrtcLibrary::Outcome> NvrtcLibrary::compile(const std::string& text, const std::string& name,
                                                    const std::vector<NamedText>& headers,
                                                    const std::vector<std::string>& options,
                                                    const std::vector<std::string>& instantiations) const {
    std::vector<const char*> texts, names, flags;
    for (const NamedText& header : headers) {
        texts.push_back(header.text.c_str());
        names.push_back(header.name.c_str());
    }
    for (const std::string& option : options)
        flags.push_back(option.c_str());
    nvrtcProgram program = nullptr;
    const nvrtcResult made = functions_->create(&program, text.c_str(), name.c_str(),
                                                static_cast<int>(headers.size()), texts.data(), names.data());
    if (made != NVRTC_SUCCESS)
        return error("NVRTC cannot create a program: " + std::string(functions_->error_string(made)));
    for (const std::string& expression : instantiations)
        functions_->add_name(program, expression.c_str());
    const nvrtcResult compiled = functions_->compile(program, static_cast<int>(flags.size()), flags.data());
    Outcome outcome;
    outcome.ok = compiled == NVRTC_SUCCESS;
    outcome.log = text_of(program, functions_->log_size, functions_->log);
    if (outcome.ok) {
        outcome.ptx = text_of(program, functions_->ptx_size, functions_->ptx);
        outcome.cubin = bytes_of(program, functions_->cubin_size, functions_->cubin);
    } else if (outcome.log.empty())
        outcome.log = "nvrtc: error: " + std::string(functions_->error_string(compiled));
    for (const std::string& expression : instantiations) {
        const char* symbol = nullptr;
        if (!outcome.ok || functions_->lowered_name(program, expression.c_str(), &symbol) != NVRTC_SUCCESS)
            break;
        outcome.symbols.push_back(symbol);
    }
    functions_->destroy(&program);
    return outcome;
}

}  // namespace lanescope::compile
