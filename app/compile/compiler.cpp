#include "compile/compiler.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>

#include "base/files.h"
#include "base/process.h"
#include "compile/alias.h"
#include "compile/cache.h"
#include "compile/toolkit.h"
#include "compile/user_headers.h"
#include "compile/worker_protocol.h"

namespace lanescope::compile {

namespace fs = std::filesystem;

namespace {

// Part of every cache key. Raise the number when the same request gives another answer.
constexpr std::string_view format = "compile 2";
constexpr std::size_t max_source_bytes = 16u << 20;
constexpr const char* install_hint =
    "install the CUDA toolkit 12 or newer, or its wheels: pip install nvidia-cuda-nvrtc nvidia-cuda-runtime "
    "nvidia-cuda-cccl; or set $LANESCOPE_NVRTC to the library";

std::mutex settings_mutex;
fs::path worker_program;

fs::path worker() {
    const std::scoped_lock lock(settings_mutex);
    return worker_program.empty() ? executable_path() : worker_program;
}

std::string died_of(const ProcessOutcome& outcome) {
    if (outcome.signal != 0) return "ended by signal " + std::to_string(outcome.signal);
    return "ended with code " + std::to_string(outcome.exit_code);
}

// Returns the last line that the child wrote to its error stream, for messages.
std::string last_words(const ProcessOutcome& outcome) {
    std::string text = outcome.err;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    const std::size_t line = text.rfind('\n');
    if (line != std::string::npos) text.erase(0, line + 1);
    return text.substr(0, 300);
}

Result<Answer> ask_worker(const Request& request, int timeout_ms) {
    const std::string& file = request.source.shown;
    Result<ProcessOutcome> outcome =
        run_process({worker().string(), "__compile"}, encode(request), timeout_ms);
    if (!outcome) return outcome.diagnostics();
    if (outcome->timed_out)
        return error_at(file, 0, 0,
                        "the compiler did not finish within " + std::to_string(timeout_ms) + " ms",
                        "a template or constant expression may not end, or the machine is very busy");
    if (outcome->signal != 0 || outcome->exit_code != 0)
        return error_at(file, 0, 0, "the compiler process " + died_of(*outcome), last_words(*outcome));
    std::optional<Answer> answer = decode_answer(outcome->out);
    if (!answer)
        return error_at(file, 0, 0, "the compiler process sent an invalid answer", last_words(*outcome));
    if (!answer->library_loaded) {
        Diagnostics diagnostics = std::move(answer->diagnostics);
        if (diagnostics.empty()) diagnostics.push_back(error("NVRTC cannot be loaded"));
        for (Diagnostic& d : diagnostics)
            if (d.hint.empty()) d.hint = install_hint;
        return diagnostics;
    }
    return std::move(*answer);
}

// NVRTC writes the name into the debug information and into assert's messages, so it has no folder and no
// characters to escape.
std::string plain_name(const std::string& file) {
    std::string name = fs::path(file).filename().string();
    for (char& c : name)
        if (c == '"' || c == '\\' || c == '(' || c == ')' || static_cast<unsigned char>(c) < ' ') c = '_';
    return name.empty() ? "kernel.cu" : name;
}

std::vector<std::string> compiler_options(const Options& options, const ToolkitFiles& toolkit,
                                          const fs::path& folder) {
    const std::string target =
        options.target.empty() ? "compute_" + std::to_string(options.arch) : options.target;
    std::vector<std::string> out = {"--gpu-architecture=" + target, "--std=c++17"};
    out.push_back(options.code == Code::debug ? "--device-debug" : "--generate-line-info");
    out.push_back(options.relocatable && options.target.empty() ? "--relocatable-device-code=true"
                                                                : "--relocatable-device-code=false");
    for (const fs::path& include : toolkit.include_folders)
        out.push_back("-I" + include.string());
    if (!folder.empty()) out.push_back("-I" + folder.string());
    return out;
}

std::string cache_key(const Request& request, const ToolkitFiles& toolkit) {
    return content_hash(std::string(format) + '\n' + toolkit.identity + encode(request));
}

std::optional<DiskCache> open_cache() {
    Result<fs::path> folder = cache_folder();
    if (!folder) return std::nullopt;
    return DiskCache(*folder / "ptx");
}

// Returns the path of the .file entry that ends with the name given to NVRTC.
std::string file_in_ptx(const std::string& ptx, const std::string& name) {
    for (std::size_t at = ptx.find(".file"); at != std::string::npos; at = ptx.find(".file", at + 1)) {
        const std::size_t open = ptx.find('"', at);
        const std::size_t close = open == std::string::npos ? open : ptx.find('"', open + 1);
        if (close == std::string::npos || ptx.find('\n', at) < close) continue;
        const std::string path = ptx.substr(open + 1, close - open - 1);
        if (path == name || path.ends_with("/" + name)) return path;
    }
    return "/" + name;
}

Result<Output> to_output(Answer answer, const Request& request) {
    Diagnostics errors, rest;
    for (Diagnostic& d : answer.diagnostics)
        (d.severity == Severity::error ? errors : rest).push_back(std::move(d));
    if (!answer.compiled) {
        if (errors.empty())
            errors.push_back(error_at(request.source.shown, 0, 0, "NVRTC failed without saying why"));
        errors.insert(errors.end(), rest.begin(), rest.end());
        return errors;
    }
    Output output;
    output.user_file = file_in_ptx(answer.ptx, request.source.name);
    output.ptx = std::move(answer.ptx);
    output.cubin = std::move(answer.cubin);
    for (std::size_t i = 0; i < std::min(answer.symbols.size(), request.instantiations.size()); ++i)
        output.symbols[request.instantiations[i]] = answer.symbols[i];
    output.aliased_ptx = std::move(answer.aliased_ptx);
    output.warnings = std::move(rest);
    return output;
}

Result<void> check_target(const std::string& target) {
    const std::size_t digits =
        target.find_first_not_of("0123456789", std::min<std::size_t>(3, target.size()));
    const std::string suffix = digits == std::string::npos ? "" : target.substr(digits);
    const bool fine = target.starts_with("sm_") && target.size() >= 5 && target.size() <= 7 && digits >= 5 &&
                      (suffix.empty() || suffix == "a" || suffix == "f");
    if (fine) return {};
    return error("'" + target + "' is not a GPU architecture", "use a name such as sm_90");
}

Result<void> check(const std::string& source, const std::string& file, const Options& options) {
    if (!options.target.empty())
        if (Result<void> fine = check_target(options.target); !fine) return fine;
    if (options.arch < 50 || options.arch > 999)
        return error("compute_" + std::to_string(options.arch) + " is not a supported GPU architecture",
                     "use 75 to 90");
    if (source.size() > max_source_bytes)
        return error_at(file, 0, 0, "the source text is larger than 16 MiB");
    const std::size_t nul = source.find('\0');
    if (nul == std::string::npos) return {};
    const auto line = 1 + std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
    return error_at(file, static_cast<int>(line), 0, "the source text holds a NUL byte",
                    "a .cu file is text");
}

Result<Output> compile_request(const Request& request, const ToolkitFiles& toolkit, const Options& options,
                               bool cacheable) {
    std::optional<DiskCache> cache = cacheable ? open_cache() : std::nullopt;
    const std::string key = cache ? cache_key(request, toolkit) : std::string();
    if (cache) {
        if (std::optional<std::string> bytes = cache->get(key))
            if (std::optional<Answer> answer = decode_answer(*bytes); answer && answer->compiled) {
                Result<Output> output = to_output(std::move(*answer), request);
                output->from_cache = true;
                return output;
            }
    }
    Result<Answer> answer = ask_worker(request, options.timeout_ms);
    if (!answer) return answer.diagnostics();
    if (cache && answer->compiled) cache->put(key, encode(*answer));
    return to_output(std::move(*answer), request);
}

}  // namespace

void set_worker(fs::path program) {
    const std::scoped_lock lock(settings_mutex);
    worker_program = std::move(program);
}

Result<Output> compile(const std::string& source, const std::string& file, const Options& options) {
    const auto start = std::chrono::steady_clock::now();
    if (Result<void> checked = check(source, file, options); !checked) return checked.diagnostics();
    Result<ToolkitFiles> toolkit = locate_toolkit();
    if (!toolkit) return toolkit.diagnostics();
    std::error_code code;
    fs::path folder = fs::absolute(file.empty() ? fs::path(".") : fs::path(file), code).parent_path();
    if (code) folder.clear();
    UserHeaders headers = find_user_headers(source, folder);
    Request request;
    request.library = toolkit->nvrtc.string();
    // Without computed includes the folder is not needed, because its headers are passed by name and the
    // cache key covers them.
    request.options = compiler_options(options, *toolkit, headers.complete ? fs::path() : folder);
    request.source = {plain_name(file), source, file};
    request.headers = std::move(headers.headers);
    request.instantiations = options.instantiations;
    request.alias = options.code == Code::debug && options.target.empty();
    request.target = options.target;
    request.linker = toolkit->linker.string();
    request.device_runtime = toolkit->device_runtime.string();
    Result<Output> output =
        compile_request(request, *toolkit, options, options.use_cache && headers.complete);
    if (output)
        output->milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return output;
}

Result<std::string> assemble(const std::string& ptx, const std::string& target, bool device_runtime,
                             int timeout_ms) {
    if (Result<void> fine = check_target(target); !fine) return fine.diagnostics();
    Result<ToolkitFiles> toolkit = locate_toolkit();
    if (!toolkit) return toolkit.diagnostics();
    Request request;
    request.kind = Request::Kind::assemble;
    request.library = toolkit->nvrtc.string();
    request.source = {"kernel.ptx", ptx, "PTX"};
    request.target = target;
    request.linker = toolkit->linker.string();
    if (device_runtime) request.device_runtime = toolkit->device_runtime.string();
    if (device_runtime && request.device_runtime.empty())
        return error("libcudadevrt.a, which kernels that launch kernels need, is missing",
                     "install the CUDA toolkit or the wheel nvidia-cuda-runtime");
    Options options;
    options.timeout_ms = timeout_ms;
    Result<Output> output = compile_request(request, *toolkit, options, true);
    if (!output) return output.diagnostics();
    return std::move(output->cubin);
}

Result<Toolkit> find_toolkit() {
    Result<ToolkitFiles> files = locate_toolkit();
    if (!files) return files.diagnostics();
    static std::mutex mutex;
    static std::string known_identity, known_version;
    const std::scoped_lock lock(mutex);
    if (known_identity != files->identity) {
        Request request;
        request.kind = Request::Kind::version;
        request.library = files->nvrtc.string();
        Result<Answer> answer = ask_worker(request, 20'000);
        if (!answer) return answer.diagnostics();
        known_identity = files->identity;
        known_version = answer->version;
    }
    return Toolkit{files->nvrtc, files->include_folders, known_version, files->linker};
}

}  // namespace lanescope::compile
