#include "compile/worker.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

#include "base/worker.h"
#include "compile/compiler.h"
#include "compile/compiler_log.h"
#include "compile/confine.h"
#include "compile/cub_header.h"
#include "compile/host_code.h"
#include "compile/host_headers.h"
#include "compile/link_library.h"
#include "compile/nvrtc_library.h"
#include "compile/remote.h"
#include "compile/user_headers.h"

namespace lanescope::compile {

namespace {

constexpr int max_attempts = 7;
constexpr std::size_t max_errors = 50;
constexpr std::size_t max_missing_headers = 32;
constexpr std::size_t max_consequences = 3;  // errors beside missing headers: most follow from them

constexpr const char* linker_hint =
    "install the CUDA toolkit or the wheel nvidia-nvjitlink, or set $LANESCOPE_NVJITLINK to the library";

// The name of: identifier "uint" is undefined; namespace "std" has no member "size_t". Empty for other
// messages.
std::string_view missing_name(std::string_view message) {
    for (const std::string_view before : {"identifier \"", "namespace \"std\" has no member \""}) {
        const std::size_t begin = message.find(before);
        if (begin == message.npos) continue;
        message.remove_prefix(begin + before.size());
        return message.substr(0, message.find('"'));
    }
    return {};
}

// The name of: cannot open source file "torch/types.h". Empty for other messages.
std::string missing_header(std::string_view message) {
    constexpr std::string_view before = "cannot open source file \"";
    if (!message.starts_with(before)) return {};
    message.remove_prefix(before.size());
    return std::string(message.substr(0, message.find('"')));
}

// Compiles one text; hiding its host code may take several attempts.
class Attempts {
  public:
    Attempts(const NvrtcLibrary& library, const Request& request)
        : library_(library), request_(request), options_(request.options) {
        MarkMacros macros;
        for (const NamedText& header : request.headers)
            collect_mark_macros(tokenize_cpp(header.text), macros);
        collect_mark_macros(tokenize_cpp(request.source.text), macros);
        source_.emplace(request.source.text, macros);
        for (const NamedText& header : request.headers)
            headers_.emplace_back(header.text, macros);
        const bool has_toolkit =
            std::any_of(request.options.begin(), request.options.end(),
                        [](const std::string& option) { return option.starts_with("-I"); });
        system_headers_ = host_headers(!has_toolkit);
        add_host_library_headers(request.source.text);
        for (const NamedText& header : request.headers)
            add_host_library_headers(header.text);
    }

    void run(Answer& answer) {
        for (int attempt = 1;; ++attempt) {
            Result<NvrtcLibrary::Outcome> outcome = compile(source_->hidden().text());
            if (!outcome) {
                answer.diagnostics = outcome.diagnostics();
                return;
            }
            Diagnostics found = parse_compiler_log(outcome->log);
            if (!outcome->ok && wants_device_runtime(found)) {
                make_relocatable();
                continue;
            }
            if (!outcome->ok && wants_implicit_headers(found)) {
                options_.push_back(std::string("--pre-include=") + implicit_header);
                continue;
            }
            if (!outcome->ok && leave_out_missing(found)) {
                --attempt;
                continue;
            }
            if (outcome->ok || attempt >= max_attempts || !learn(found)) {
                answer.compiled = outcome->ok;
                answer.ptx = std::move(outcome->ptx);
                answer.cubin = std::move(outcome->cubin);
                answer.symbols = std::move(outcome->symbols);
                answer.diagnostics = report(std::move(found), outcome->ok);
                if (outcome->ok && request_.alias) add_aliased(answer);
                if (outcome->ok && relocatable_) link_device_runtime(answer);
                return;
            }
        }
    }

  private:
    // Kernels that launch kernels compile only to relocatable code, which must be linked. Other machine code
    // is better if it is not relocatable.
    bool wants_device_runtime(const Diagnostics& found) const {
        const auto says_so = [](const Diagnostic& d) {
            return d.message.find("separate compilation mode") != std::string::npos ||
                   d.message.find("device-side kernel launch") != std::string::npos;
        };
        return !request_.target.empty() && !relocatable_ && std::any_of(found.begin(), found.end(), says_so);
    }

    // nvcc includes cuda_runtime.h before every file, and with it names of C's library. They are added only
    // where a file needs them, so that other files keep their code.
    bool wants_implicit_headers(const Diagnostics& found) {
        if (implicit_headers_) return false;
        implicit_headers_ = std::any_of(found.begin(), found.end(), [](const Diagnostic& d) {
            return is_implicit_name(missing_name(d.message));
        });
        return implicit_headers_;
    }

    // Host code may include headers that are not here, such as PyTorch's. The compiler stops at the first;
    // without them it finds out whether the kernels need them.
    bool leave_out_missing(const Diagnostics& found) {
        bool left_out = false;
        for (const Diagnostic& each : found) {
            const std::string name = missing_header(each.message);
            const bool known = std::any_of(missing_.begin(), missing_.end(), [&](const Diagnostic& one) {
                return one.message == each.message;
            });
            if (name.empty() || known || missing_.size() >= max_missing_headers) continue;
            missing_.push_back(each);
            system_headers_.push_back({name, "\n", name});
            left_out = true;
        }
        return left_out;
    }

    void make_relocatable() {
        relocatable_ = true;
        for (std::string& option : options_)
            if (option == "--relocatable-device-code=false") option = "--relocatable-device-code=true";
    }

    void link_device_runtime(Answer& answer) const {
        Result<LinkLibrary::Linked> linked = linked_with_device_runtime(answer.cubin);
        answer.compiled = linked.ok();
        if (linked) {
            answer.cubin = std::move(linked->cubin);
            return;
        }
        for (Diagnostic problem : linked.diagnostics()) {
            problem.file = request_.source.shown;
            answer.diagnostics.push_back(std::move(problem));
        }
    }

    Result<LinkLibrary::Linked> linked_with_device_runtime(const std::string& cubin) const {
        if (request_.device_runtime.empty())
            return error("a kernel launches kernels, which needs libcudadevrt.a, but that library is missing",
                         "install the CUDA toolkit or the wheel nvidia-cuda-runtime");
        Result<LinkLibrary> linker = LinkLibrary::load(request_.linker);
        if (!linker)
            return error(
                "a kernel launches kernels, which needs nvJitLink: " + linker.diagnostics()[0].message,
                linker_hint);
        return linker->link(LinkLibrary::Input::cubin, cubin, request_.target, request_.device_runtime);
    }

    void add_host_library_headers(const std::string& text) {
        const auto known = [&](const std::string& name) {
            return std::any_of(system_headers_.begin(), system_headers_.end(),
                               [&](const NamedText& header) { return header.name == name; });
        };
        for (const std::string& name : included_names(text)) {
            if (name == cub_header_name && !known(name))
                system_headers_.push_back({name, std::string(cub_header_text), name});
            if (is_host_library_header(name) && !known(name)) system_headers_.push_back({name, "\n", name});
        }
    }

    Result<NvrtcLibrary::Outcome> compile(const std::string& text) const {
        std::vector<NamedText> headers;
        for (std::size_t i = 0; i < headers_.size(); ++i)
            headers.push_back({request_.headers[i].name, headers_[i].hidden().text(), {}});
        for (const NamedText& header : system_headers_) {
            const bool users_own = std::any_of(request_.headers.begin(), request_.headers.end(),
                                               [&](const NamedText& own) { return own.name == header.name; });
            if (!users_own) headers.push_back(header);
        }
        return library_.compile(text, request_.source.name, headers, options_, request_.instantiations);
    }

    // Adds no aliased PTX if there is no shared variable or if the altered text does not compile.
    void add_aliased(Answer& answer) const {
        const std::string plain = source_->hidden().text();
        const std::string altered = source_->aliased().text();
        if (altered == plain) return;
        Result<NvrtcLibrary::Outcome> outcome = compile(altered);
        if (outcome && outcome->ok) answer.aliased_ptx = std::move(outcome->ptx);
    }

    HostCode* unit(const std::string& name) {
        if (name == request_.source.name) return &*source_;
        for (std::size_t i = 0; i < headers_.size(); ++i)
            if (request_.headers[i].name == name) return &headers_[i];
        return nullptr;
    }

    bool learn(const Diagnostics& found) {
        std::map<std::string, Diagnostics> by_file;
        for (const Diagnostic& d : found)
            by_file[d.file].push_back(d);
        bool learnt = false;
        for (const auto& [name, diagnostics] : by_file)
            if (HostCode* code = unit(name)) learnt = code->learn(diagnostics) || learnt;
        return learnt;
    }

    // Returns the diagnostics with the user's lines and names. Drops errors beyond a limit and adds a note
    // with their number. Headers that are missing are errors only where the code does not compile without
    // them.
    Diagnostics report(Diagnostics found, bool compiled) {
        for (Diagnostic& each : missing_) {
            if (!compiled) continue;
            each.severity = Severity::warning;
            each.message = "'" + missing_header(each.message) +
                           "' is left out: it is not here, and the kernels compile without it";
        }
        found.insert(found.begin(), missing_.begin(), missing_.end());
        Diagnostics out;
        std::size_t errors = 0;
        const bool needed = !compiled && !missing_.empty();
        const std::size_t most = needed ? missing_.size() + max_consequences : max_errors;
        for (Diagnostic& d : found) {
            if (needed && d.severity != Severity::error) continue;
            // It is about "template void run<int>(int*);" in host code, whose template the compiler does not
            // see.
            if (d.message.find("redeclared without __device__") != std::string::npos) continue;
            if (d.severity == Severity::error && ++errors > most) continue;
            if (out.size() >= 4 * max_errors && d.severity != Severity::error) continue;
            if (const HostCode* code = unit(d.file)) {
                code->translate(d);
                d.file = shown_name(d.file);
            }
            if (d.message.starts_with("cannot open source file") && d.hint.empty())
                d.hint = "put it beside the file, or name its folder with -I";
            out.push_back(std::move(d));
        }
        if (errors > most) {
            Diagnostic more = error(std::to_string(errors - most) + " more errors are not listed");
            more.severity = Severity::note;
            more.file = request_.source.shown;
            out.push_back(std::move(more));
        }
        return out;
    }

    std::string shown_name(const std::string& name) const {
        if (name == request_.source.name) return request_.source.shown;
        for (const NamedText& header : request_.headers)
            if (header.name == name) return header.shown;
        return name;
    }

    const NvrtcLibrary& library_;
    const Request& request_;
    std::vector<std::string> options_;
    bool relocatable_ = false;       // set if the code turns out to need it
    bool implicit_headers_ = false;  // the same
    std::optional<HostCode> source_;
    std::vector<HostCode> headers_;
    std::vector<NamedText> system_headers_;
    Diagnostics missing_;  // where a header that is not here is included
};

// The folders of the libraries and of headers. A library without a folder is searched by the loader.
std::vector<std::filesystem::path> readable_for(const Request& request) {
    std::vector<std::filesystem::path> paths;
    for (const std::string& file : {request.library, request.linker, request.device_runtime}) {
        std::error_code failed;
        const std::filesystem::path real = std::filesystem::canonical(file, failed);
        if (!failed && std::filesystem::path(file).has_parent_path()) {
            paths.push_back(real.parent_path());
            paths.push_back(std::filesystem::path(file).parent_path());
        }
    }
    for (const std::string& option : request.options)
        if (option.starts_with("-I")) paths.emplace_back(option.substr(2));
    const char* search = std::getenv("LD_LIBRARY_PATH");
    std::istringstream folders(search != nullptr ? search : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (!folder.empty()) paths.emplace_back(folder);
    return paths;
}

void limit(__rlimit_resource resource, rlim_t most) {
    const rlimit both{most, most};
    setrlimit(resource, &both);
}

// A source that makes the compiler grow endlessly must not take the machine's memory.
void limit_memory([[maybe_unused]] rlim_t bytes) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    limit(RLIMIT_AS, bytes);
#endif
    limit(RLIMIT_CORE, 0);
}

// Returns why NVRTC cannot generate machine code for this GPU; empty if it can.
Diagnostics unknown_target(const NvrtcLibrary& library, const std::string& target) {
    const std::vector<int> known = library.architectures();
    if (target.empty() || known.empty()) return {};
    const int wanted = std::atoi(target.c_str() + 3);
    if (std::find(known.begin(), known.end(), wanted) != known.end()) return {};
    const bool newer = wanted > known.back();
    return {error("the CUDA toolkit " + library.version() + " cannot generate code for " + target +
                      "; it supports sm_" + std::to_string(known.front()) + " to sm_" +
                      std::to_string(known.back()),
                  newer ? "install a newer toolkit for this GPU, or set $LANESCOPE_NVRTC to its NVRTC"
                        : "install an older toolkit for this GPU, or set $LANESCOPE_NVRTC to its NVRTC")};
}

Answer assemble(const Request& request) {
    Answer answer;
    Result<LinkLibrary> linker = LinkLibrary::load(request.linker);
    if (!linker) {
        answer.diagnostics = {error(linker.diagnostics()[0].message, linker_hint)};
        return answer;
    }
    answer.library_loaded = true;
    answer.version = linker->version();
    const bool verbose = std::count(request.options.begin(), request.options.end(), verbose_option) != 0;
    Result<LinkLibrary::Linked> linked = linker->link(LinkLibrary::Input::ptx, request.source.text,
                                                      request.target, request.device_runtime, verbose);
    answer.compiled = linked.ok();
    if (!linked) {
        answer.diagnostics = linked.diagnostics();
        return answer;
    }
    answer.diagnostics = std::move(linked->notes);
    answer.cubin = std::move(linked->cubin);
    return answer;
}

// The text of a request from another machine must find only what the request names: the toolkit's headers.
// The libraries are loaded before, so that no other folder has to be readable. Returns what is wrong.
Diagnostics confine_remote(const Request& request) {
    const Result<NvrtcLibrary> loaded = NvrtcLibrary::load(request.library);
    if (!loaded) return loaded.diagnostics();
    constexpr rlim_t cpu_seconds = 30, open_files = 256;
    limit(RLIMIT_CPU, cpu_seconds);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_NOFILE, open_files);
    std::vector<std::filesystem::path> headers;
    for (const std::string& option : request.options)
        if (option.starts_with("-I")) headers.emplace_back(option.substr(2));
    if (confine_to(headers, Libraries::loaded) != 0 && forbid_other_processes()) return {};
    return {error("this machine cannot confine the compiler, so it does not compile texts of other machines",
                  "it needs Linux 5.13 or later with Landlock and seccomp; lanescope doctor says more")};
}

}  // namespace

Answer answer_request(const Request& request) {
    if (request.kind == Request::Kind::assemble) return assemble(request);
    Answer answer;
    Result<NvrtcLibrary> library = NvrtcLibrary::load(request.library);
    if (!library) {
        answer.diagnostics = library.diagnostics();
        return answer;
    }
    answer.library_loaded = true;
    answer.version = library->version();
    if (request.kind == Request::Kind::version) return answer;
    answer.diagnostics = unknown_target(*library, request.target);
    if (answer.diagnostics.empty()) Attempts(*library, request).run(answer);
    return answer;
}

namespace {

int worker_main(bool remote) {
    const WorkerStreams streams(WorkerStreams::Printed::to_errors);
    if (streams.out() < 0) return 1;
    constexpr rlim_t remote_bytes = 2ull << 30, own_bytes = 6ull << 30;
    limit_memory(remote ? remote_bytes : own_bytes);
    const std::optional<Request> request = decode_request(streams.request());
    if (!request) return 2;
    // NVRTC prefixes names in the debug information with the working folder, so it must be the same
    // everywhere.
    if (chdir("/") != 0) return 1;
    Answer answer;
    if (!remote) (void)confine_to(readable_for(*request));
    if (remote) answer.diagnostics = confine_remote(*request);
    if (answer.diagnostics.empty()) answer = answer_request(*request);
    const bool sent = streams.answer(encode(answer));
    // _exit skips the library's exit handlers, which cost time and have nothing to save.
    _exit(sent ? 0 : 1);
}

}  // namespace

int compile_worker_main() {
    return worker_main(false);
}

int remote_worker_main() {
    return worker_main(true);
}

}  // namespace lanescope::compile
