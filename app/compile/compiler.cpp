#include "compile/compiler.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <sstream>

#include "base/files.h"
#include "base/folders.h"
#include "base/process.h"
#include "compile/alias.h"
#include "compile/cache.h"
#include "compile/compiled_course.h"
#include "compile/elsewhere.h"
#include "compile/remote.h"
#include "compile/toolkit.h"
#include "compile/user_headers.h"
#include "compile/worker_protocol.h"

namespace lanescope::compile {

namespace fs = std::filesystem;

namespace {

// Part of every cache key. Raise the number when the same request gives another answer.
constexpr std::string_view format = "compile 5";
constexpr std::size_t max_source_bytes = 16u << 20;
std::string install_hint() {
    return std::string("to get it, run '") + get_compiler_command +
           "', or install the CUDA Toolkit 12 or later; $LANESCOPE_NVRTC can name the library";
}

constexpr const char* missing_words =
    "NVRTC, NVIDIA's compiler library, is not installed; without it only unchanged lessons run";

std::mutex settings_mutex;
fs::path worker_program;

fs::path worker() {
    const std::scoped_lock lock(settings_mutex);
    return worker_program.empty() ? executable_path() : worker_program;
}

using Clock = std::chrono::steady_clock;

// A compilation for another machine; where a function takes a null pointer, the text is this machine's own.
struct Remote {
    const std::vector<NamedText>& headers;
    Clock::time_point deadline;
    const std::atomic<bool>* cancel = nullptr;

    int left_ms() const {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        return std::max(1, static_cast<int>(left.count()));
    }
};

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

Result<ProcessOutcome> run_worker(const Request& request, int timeout_ms, const Remote* remote) {
    const std::string program = worker().string();
    if (remote == nullptr) return run_process({program, "__compile"}, encode(request), timeout_ms);
    return run_process({program, "__compile", remote_mode}, encode(request), remote->left_ms(),
                       max_remote_answer_bytes, remote->cancel);
}

Result<Answer> ask_worker(const Request& request, int timeout_ms, const Remote* remote = nullptr) {
    const std::string& file = request.source.shown;
    if (remote != nullptr) timeout_ms = remote_limit_ms;
    Result<ProcessOutcome> outcome = run_worker(request, timeout_ms, remote);
    if (!outcome) return outcome.diagnostics();
    if (outcome->cancelled) return error_at(file, 0, 0, "the compiler was stopped");
    if (outcome->too_much_output) return error_at(file, 0, 0, "the compiled code is larger than 8 MiB");
    if (outcome->timed_out)
        return error_at(file, 0, 0,
                        "the compiler did not finish within " + std::to_string(timeout_ms) + " ms",
                        "a template or constant expression may not end, or the machine is very busy");
    if (!outcome->succeeded())
        return error_at(file, 0, 0, "the compiler process " + died_of(*outcome), last_words(*outcome));
    std::optional<Answer> answer = decode_answer(outcome->out);
    if (!answer)
        return error_at(file, 0, 0, "the compiler process sent an invalid answer", last_words(*outcome));
    if (!answer->library_loaded) {
        Diagnostics diagnostics = std::move(answer->diagnostics);
        if (diagnostics.empty()) diagnostics.push_back(error("NVRTC cannot be loaded"));
        if (!fs::path(request.library).has_parent_path() && request.kind != Request::Kind::assemble)
            diagnostics.front() = error_at(request.source.shown, 0, 0, missing_words);
        for (Diagnostic& d : diagnostics)
            if (d.hint.empty()) d.hint = install_hint();
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
    if (name.starts_with('-') || name.starts_with('@') || name.starts_with(' '))
        name[0] = '_';  // an option, a file of options, a detail of a message
    return name.empty() ? "kernel.cu" : name;
}

constexpr std::string_view target_option = "--gpu-architecture=";

// Whether the code depends on its target: by a test of its own, or by CUDA's headers, which replace copies
// and barriers that old targets lack by plain ones.
bool tests_target(const std::string& text) {
    static constexpr const char* signs[] = {"__CUDA_ARCH__",   "<cuda_awbarrier",
                                            "<cuda_pipeline",  "<cuda/barrier>",
                                            "<cuda/pipeline>", "<cooperative_groups/memcpy_async.h>"};
    return std::any_of(std::begin(signs), std::end(signs),
                       [&](const char* sign) { return text.find(sign) != std::string::npos; });
}

// The target of PTX: the one that is asked for, else one that suits the texts.
Result<std::string> target_for(const Options& options, const Request& request) {
    if (!options.target.empty()) return options.target;
    if (!options.flags.arch.empty()) return ptx_target(options.flags.arch);
    const auto in_header = [](const NamedText& header) { return tests_target(header.text); };
    const bool tested = tests_target(request.source.text) ||
                        std::any_of(request.headers.begin(), request.headers.end(), in_header);
    return tested ? options.newest : lesson_target;
}

// What decides about the code, whatever the toolkit is.
std::vector<std::string> code_options(const Options& options, const std::string& target) {
    const Flags& flags = options.flags;
    std::vector<std::string> all{
        std::string(target_option) + target, "--std=" + (flags.standard.empty() ? "c++17" : flags.standard),
        options.code == Code::debug ? "--device-debug" : "--generate-line-info",
        options.relocatable && options.target.empty() ? "--relocatable-device-code=true"
                                                      : "--relocatable-device-code=false"};
    for (const std::string& definition : flags.definitions)
        all.push_back("-D" + definition);
    return all;
}

std::string cache_key(const Request& request, const ToolkitFiles& toolkit) {
    return content_hash(std::string(format) + '\n' + toolkit.identity + encode(request));
}

std::optional<DiskCache> open_cache() {
    Result<fs::path> folder = cache_folder();
    if (!folder) return std::nullopt;
    return DiskCache(*folder / "ptx");
}

// The paths of the .file entries.
std::vector<std::string> files_in_ptx(const std::string& ptx) {
    std::vector<std::string> paths;
    for (std::size_t at = ptx.find(".file"); at != std::string::npos; at = ptx.find(".file", at + 1)) {
        const std::size_t open = ptx.find('"', at);
        const std::size_t close = open == std::string::npos ? open : ptx.find('"', open + 1);
        if (close == std::string::npos || ptx.find('\n', at) < close) continue;
        paths.push_back(ptx.substr(open + 1, close - open - 1));
    }
    return paths;
}

// Returns the path that ends with the name given to NVRTC; empty: the PTX has no code of that file.
std::string file_in_ptx(const std::vector<std::string>& paths, const std::string& name) {
    std::string plain = fs::path(name).lexically_normal().string();
    while (plain.starts_with("../"))
        plain.erase(0, 3);
    for (const std::string& path : paths)
        if (const std::string normal = fs::path(path).lexically_normal().string();
            normal == plain || normal.ends_with("/" + plain))
            return path;
    return {};
}

// Whether the person can do something about a warning there: not in the toolkit's headers.
bool is_own(const std::string& file, const Request& request) {
    const auto names = [&](const NamedText& text) { return file == text.shown || file == text.name; };
    return file.empty() || names(request.source) ||
           std::any_of(request.headers.begin(), request.headers.end(), names);
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
    for (const std::string& option : request.options)
        if (option.starts_with(target_option)) output.target = option.substr(target_option.size());
    const std::vector<std::string> paths = files_in_ptx(answer.ptx);
    output.user_file = file_in_ptx(paths, request.source.name);
    if (output.user_file.empty()) output.user_file = "/" + request.source.name;
    for (const NamedText& header : request.headers)
        if (std::string path = file_in_ptx(paths, header.name); !path.empty())
            output.headers.push_back({std::move(path), header.shown, header.text});
    output.ptx = std::move(answer.ptx);
    output.cubin = std::move(answer.cubin);
    for (std::size_t i = 0; i < std::min(answer.symbols.size(), request.instantiations.size()); ++i)
        output.symbols[request.instantiations[i]] = answer.symbols[i];
    output.aliased_ptx = std::move(answer.aliased_ptx);
    std::erase_if(rest, [&](const Diagnostic& each) { return !is_own(each.file, request); });
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
    if (Result<void> fine = check_flags(options.flags); !fine) return fine;
    if (source.size() > max_source_bytes)
        return error_at(file, 0, 0, "the source text is larger than 16 MiB");
    const std::size_t nul = source.find('\0');
    if (nul == std::string::npos) return {};
    const auto line = 1 + std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
    return error_at(file, static_cast<int>(line), 0, "the source text holds a NUL byte",
                    "a .cu file is text");
}

std::optional<Output> cached_output(const DiskCache& cache, const std::string& key, const Request& request) {
    const std::optional<std::string> bytes = cache.get(key);
    std::optional<Answer> answer = bytes ? decode_answer(*bytes) : std::nullopt;
    if (!answer || !answer->compiled) return std::nullopt;
    Result<Output> output = to_output(std::move(*answer), request);
    output->from_cache = true;
    return std::move(*output);
}

Result<Output> compile_request(const Request& request, const ToolkitFiles& toolkit, const Options& options,
                               bool cacheable, const Remote* remote = nullptr) {
    std::optional<DiskCache> cache = cacheable ? open_cache() : std::nullopt;
    const std::string key = cache ? cache_key(request, toolkit) : std::string();
    if (cache)
        if (std::optional<Output> output = cached_output(*cache, key, request)) return std::move(*output);
    Result<Answer> answer = ask_worker(request, options.timeout_ms, remote);
    if (!answer) return answer.diagnostics();
    if (cache && answer->compiled) cache->put(key, encode(*answer));
    return to_output(std::move(*answer), request);
}

}  // namespace

void set_worker(fs::path program) {
    const std::scoped_lock lock(settings_mutex);
    worker_program = std::move(program);
}

namespace {

// A source text as it goes to the compiler, before a toolkit is chosen.
struct Prepared {
    Request request;
    fs::path folder;        // where the text lies
    bool complete = false;  // the request says all that is included: its answer can be kept
};

// The first line that names an included file; 0: the line is in a header.
int line_of_include(const std::string& source, const std::string& name) {
    std::istringstream lines(source);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line.find("include") != line.npos && line.find(name) != line.npos) return number;
    }
    return 0;
}

// What another machine sends names no file of this one.
UserHeaders headers_of(const Remote& remote) {
    return {remote.headers, {}, true};
}

Result<Prepared> prepare(const std::string& source, const std::string& file, const Options& options,
                         const Remote* remote = nullptr) {
    if (Result<void> checked = check(source, file, options); !checked) return checked.diagnostics();
    Prepared prepared;
    std::error_code code;
    prepared.folder = fs::absolute(file.empty() ? fs::path(".") : fs::path(file), code).parent_path();
    if (code) prepared.folder.clear();
    const std::vector<fs::path> more(options.flags.include_folders.begin(),
                                     options.flags.include_folders.end());
    UserHeaders headers =
        remote != nullptr ? headers_of(*remote) : find_user_headers(source, prepared.folder, more);
    if (!headers.refused.empty())
        return error_at(
            file, line_of_include(source, headers.refused.front()), 0,
            "'" + headers.refused.front() +
                "' is not included: it lies outside of the file's folder and is not a source file",
            "copy it beside the file, or give it the ending of a source file, such as .h or .inc");
    prepared.complete = headers.complete;
    Request& request = prepared.request;
    request.source = {plain_name(file), source, file};
    request.headers = std::move(headers.headers);
    const Result<std::string> target = target_for(options, request);
    if (!target) return target.diagnostics();
    request.options = code_options(options, *target);
    request.instantiations = options.instantiations;
    request.alias = options.code == Code::debug && options.target.empty();
    request.target = options.target;
    return prepared;
}

void use_toolkit(Prepared& prepared, const ToolkitFiles& toolkit) {
    Request& request = prepared.request;
    request.library = toolkit.nvrtc.string();
    for (const fs::path& include : toolkit.include_folders)
        request.options.push_back("-I" + include.string());
    // Without computed includes the folder adds nothing: what lies in it is passed by name, and the cache key
    // covers it.
    if (!prepared.complete && !prepared.folder.empty())
        request.options.push_back("-I" + prepared.folder.string());
    request.linker = toolkit.linker.string();
    request.device_runtime = toolkit.device_runtime.string();
}

// What ships with the installed program; a person who names a compiler wants that one.
std::optional<Answer> shipped_answer(const Request& request) {
    const char* chosen = std::getenv("LANESCOPE_NVRTC");
    if (chosen && *chosen) return std::nullopt;
    return CompiledCourse(compiled_folder()).find(request);
}

std::optional<Output> shipped_output(const Request& request) {
    std::optional<Answer> answer = shipped_answer(request);
    if (!answer) return std::nullopt;
    Result<Output> output = to_output(std::move(*answer), request);
    output->from_cache = true;
    return std::move(*output);
}

Result<Output> compile_prepared(Prepared prepared, const Options& options, const Remote* remote = nullptr) {
    const bool cacheable = options.use_cache && prepared.complete;
    if (cacheable)
        if (std::optional<Output> output = shipped_output(prepared.request)) return std::move(*output);
    RemoteSource sent{prepared.request.source.text, prepared.request.source.shown, prepared.request.headers,
                      options};
    sent.options.flags.include_folders.clear();  // what is included goes with it
    if (remote == nullptr)
        if (std::optional<Result<Output>> output = compile_elsewhere(sent)) return std::move(*output);
    Result<ToolkitFiles> toolkit = locate_toolkit();
    if (!toolkit) return toolkit.diagnostics();
    use_toolkit(prepared, *toolkit);
    return compile_request(prepared.request, *toolkit, options, cacheable, remote);
}

}  // namespace

namespace {

// Whether the compiler may miss what it only has for newer targets.
bool may_need_newer_target(const Diagnostics& problems) {
    static constexpr const char* signs[] = {"identifier \"__", "has no member", "incomplete type",
                                            "no instance of", "not supported for this GPU architecture"};
    return std::any_of(problems.begin(), problems.end(), [](const Diagnostic& problem) {
        return std::any_of(std::begin(signs), std::end(signs),
                           [&](const char* sign) { return problem.message.find(sign) != std::string::npos; });
    });
}

// The oldest target for which a text compiles that does not for the one that it got; empty: it is wrong.
std::string newer_target(const std::string& source, const std::string& file, Options options,
                         const Remote* remote) {
    std::string found;
    for (const char* target : {newest_target, "compute_80"}) {
        options.flags.arch = target;
        Result<Prepared> prepared = prepare(source, file, options, remote);
        if (!prepared || !compile_prepared(std::move(*prepared), options, remote)) break;
        found = std::string(target).replace(0, std::strlen("compute_"), "sm_");
    }
    return found;
}

Result<Output> compile_text(const std::string& source, const std::string& file, const Options& options,
                            const Remote* remote) {
    const Clock::time_point start = Clock::now();
    Result<Prepared> prepared = prepare(source, file, options, remote);
    if (!prepared) return prepared.diagnostics();
    Result<Output> output = compile_prepared(std::move(*prepared), options, remote);
    if (!output && options.target.empty() && options.flags.arch.empty() &&
        may_need_newer_target(output.diagnostics()))
        if (const std::string target = newer_target(source, file, options, remote); !target.empty()) {
            Diagnostics problems = output.diagnostics();
            problems.front().hint = "the code needs a newer target: write arch = \"" + target +
                                    "\" into its front matter, or use --arch " + target;
            return problems;
        }
    if (output)
        output->milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    return output;
}

Remote remote_of(const RemoteSource& source, const std::atomic<bool>* cancel) {
    return {source.headers, Clock::now() + std::chrono::milliseconds(remote_limit_ms), cancel};
}

}  // namespace

Result<Output> compile(const std::string& source, const std::string& file, const Options& options) {
    return compile_text(source, file, options, nullptr);
}

Result<Output> compile_remote(const RemoteSource& source, const std::atomic<bool>* cancel) {
    const Remote remote = remote_of(source, cancel);
    return compile_text(source.text, source.file, source.options, &remote);
}

std::optional<Output> known_answer(const RemoteSource& source) {
    const Remote remote = remote_of(source, nullptr);
    Result<Prepared> prepared = prepare(source.text, source.file, source.options, &remote);
    if (!prepared) return std::nullopt;
    if (std::optional<Output> output = shipped_output(prepared->request)) return output;
    const Result<ToolkitFiles> toolkit = locate_toolkit();
    const std::optional<DiskCache> cache = open_cache();
    if (!toolkit || !cache) return std::nullopt;
    use_toolkit(*prepared, *toolkit);
    return cached_output(*cache, cache_key(prepared->request, *toolkit), prepared->request);
}

Result<fs::path> compile_ahead(const std::string& source, const std::string& file, const Options& options,
                               const fs::path& folder) {
    Result<Prepared> prepared = prepare(source, file, options);
    if (!prepared) return prepared.diagnostics();
    if (!prepared->complete)
        return error_at(file, 0, 0, "an #include is computed: what is compiled cannot be known ahead");
    const CompiledCourse course(folder);
    const Request plain = prepared->request;
    if (course.find(plain)) return course.path_of(plain);
    Result<ToolkitFiles> toolkit = locate_toolkit();
    if (!toolkit) return toolkit.diagnostics();
    use_toolkit(*prepared, *toolkit);
    Result<Answer> answer = ask_worker(prepared->request, options.timeout_ms);
    if (!answer) return answer.diagnostics();
    if (!answer->compiled) return to_output(std::move(*answer), prepared->request).diagnostics();
    if (Result<void> kept = course.put(plain, std::move(*answer)); !kept) return kept.diagnostics();
    return course.path_of(plain);
}

namespace {

Result<Output> assembled(const std::string& ptx, const std::string& target, bool device_runtime,
                         int timeout_ms, bool verbose) {
    if (Result<void> fine = check_target(target); !fine) return fine.diagnostics();
    Result<ToolkitFiles> toolkit = locate_toolkit();
    if (!toolkit) return toolkit.diagnostics();
    Request request;
    request.kind = Request::Kind::assemble;
    request.library = toolkit->nvrtc.string();
    request.source = {"kernel.ptx", ptx, "PTX"};
    request.target = target;
    request.linker = toolkit->linker.string();
    if (verbose) request.options = {verbose_option};
    if (device_runtime) request.device_runtime = toolkit->device_runtime.string();
    if (device_runtime && request.device_runtime.empty())
        return error("libcudadevrt.a, which kernels that launch kernels need, is missing",
                     "install the CUDA toolkit or the wheel nvidia-cuda-runtime");
    Options options;
    options.timeout_ms = timeout_ms;
    return compile_request(request, *toolkit, options, true);
}

constexpr int assembling_ms = 60'000;

}  // namespace

Result<std::string> assemble(const std::string& ptx, const std::string& target, bool device_runtime,
                             int timeout_ms) {
    Result<Output> output = assembled(ptx, target, device_runtime, timeout_ms, false);
    if (!output) return output.diagnostics();
    return std::move(output->cubin);
}

Result<MachineCode> machine_code(const std::string& ptx, const std::string& target) {
    const bool launches = ptx.find("__cudaCDP2") != std::string::npos;
    Result<Output> output = assembled(ptx, target, launches, assembling_ms, true);
    if (!output) return output.diagnostics();
    MachineCode made{std::move(output->cubin), {}};
    for (Diagnostic& note : output->warnings)
        made.notes.push_back(std::move(note.message));
    return made;
}

bool toolkit_is_installed() {
    const Result<ToolkitFiles> files = locate_toolkit();
    return files && files->nvrtc.has_parent_path();
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
