#include "program/build.h"

#include <cxxabi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <future>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/cpp_lexer.h"
#include "base/files.h"
#include "base/folders.h"
#include "base/process.h"
#include "base/temporary_folder.h"
#include "base/text_file.h"
#include "compile/alias.h"
#include "compile/user_headers.h"
#include "program/safe_names.h"

namespace lanescope::program {

namespace {

namespace fs = std::filesystem;

constexpr int compile_timeout_ms = 10 * 60 * 1000;
constexpr std::uint64_t message_limit_bytes = 256ull << 20;
constexpr const char* types_name =
    "shared_types.ptx";  // programs that were compiled without it are compiled again

// Debug code, so that every variable has a place; PTX for the machine; the host's lines; the shared runtime.
std::vector<std::string> machine_flags(bool debug = true, int capability = machine_capability) {
    const std::string target = "compute_" + std::to_string(capability);
    return {debug ? "-G" : "-lineinfo", "-g", "--cudart=shared",
            "-gencode=arch=" + target + ",code=" + target};
}

fs::path executable_in(const fs::path& folder, const char* name) {
    std::error_code failed;
    const fs::path file = folder / name;
    return fs::is_regular_file(file, failed) && access(file.c_str(), X_OK) == 0 ? file : fs::path();
}

// Takes ":12" from the end of "a.cu:12"; 0: there is none.
int last_number(std::string& place) {
    const std::size_t colon = place.rfind(':');
    const std::string digits = colon == place.npos ? "" : place.substr(colon + 1);
    if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) return 0;
    place.resize(colon);
    return std::atoi(digits.c_str());
}

std::string demangled(const std::string& symbol) {
    int status = 0;
    char* name = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
    std::string made = status == 0 && name != nullptr ? name : symbol;
    std::free(name);
    return made;
}

// "int f(int)" or "_Z1fi" of a linker, which quotes it; empty: the line does not say that it is missing.
std::string undefined_symbol(const std::string& line) {
    for (const char* words :
         {"undefined reference to ", "Undefined reference to ", "Unresolved extern function "}) {
        const std::size_t at = line.find(words);
        if (at == std::string::npos) continue;
        const std::size_t open = line.find_first_of("`'\"", at), close = line.find_first_of("'\"", open + 1);
        if (open != std::string::npos && close != std::string::npos)
            return demangled(line.substr(open + 1, close - open - 1));
    }
    return {};
}

Diagnostic not_defined(const std::string& symbol, std::string place) {
    Diagnostic made =
        error("'" + symbol + "' is used, and nothing defines it",
              "is it in another file? build all files with `lanescope build -- nvcc …` or `lanescope "
              "build -- make`, and run the program with `lanescope record --check -- …`");
    // "/usr/bin/ld: a.cu:12", "a.cu:12", "a.cu:(.text+0x1f)"
    if (const std::size_t linker = place.rfind(": "); linker != place.npos) place = place.substr(linker + 2);
    if (const std::size_t section = place.find(":("); section != place.npos) place.resize(section);
    made.line = last_number(place);
    if (!fs::path(place).extension().empty() && fs::path(place).extension() != ".o") made.file = place;
    return made;
}

// "a.cu(12): error: …" of nvcc, and "a.cu:12:5: error: …" of the host compiler.
Diagnostics messages_of(const std::string& text) {
    Diagnostics found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (const std::string symbol = undefined_symbol(line); !symbol.empty()) {
            const std::string message = not_defined(symbol, line.substr(0, line.find(": undefined"))).message;
            const bool known = std::any_of(found.begin(), found.end(),
                                           [&](const Diagnostic& each) { return each.message == message; });
            if (!known) found.push_back(not_defined(symbol, line.substr(0, line.find(": undefined"))));
            continue;
        }
        std::size_t at = line.find(": error");
        if (at == std::string::npos) at = line.find(": fatal error");
        if (at == std::string::npos || line.starts_with("collect2: ")) continue;
        std::string place = line.substr(0, at);
        Diagnostic made = error("");
        const std::size_t message = line.find(": ", at + 2);
        made.message = message == std::string::npos ? line.substr(at + 2) : line.substr(message + 2);
        if (const std::size_t open = place.rfind('('); open != std::string::npos && place.ends_with(')')) {
            made.line = std::atoi(place.c_str() + open + 1);
            made.file = place.substr(0, open);
        } else {
            made.column = last_number(place);
            made.line = last_number(place);
            if (made.line == 0) std::swap(made.line, made.column);
            made.file = place;
        }
        found.push_back(std::move(made));
    }
    return found;
}

Diagnostics compiler_errors(const fs::path& file, const SafeNames& names, const ProcessOutcome& outcome) {
    if (outcome.cancelled) return {error("cancelled")};
    if (outcome.timed_out) return {error_at(file.string(), 0, 0, "nvcc did not end within ten minutes")};
    if (outcome.too_much_output)
        return {error_at(file.string(), 0, 0, "nvcc printed more than 256 MiB of messages and was ended")};
    // With -E the rest of the output is the file's text.
    std::string text = names.with_own_names(outcome.err.empty() ? outcome.out : outcome.err);
    Diagnostics found = messages_of(text);
    if (found.empty()) {
        constexpr std::size_t most = 2000;
        if (text.size() > most) text = text.substr(0, most) + " …";
        found.push_back(error_at(file.string(), 0, 0, "nvcc failed: " + text));
    }
    return found;
}

// Whether the linker finds CUDA's libraries in the folder where nvcc looks for them. NVIDIA's wheels have
// them in lib/, and without the names that the linker asks for.
bool is_wheel_toolkit(const fs::path& root) {
    std::error_code failed;
    return !fs::exists(root / "lib64", failed) && !fs::exists(root / "targets", failed) &&
           fs::exists(root / "lib/libcudadevrt.a", failed);
}

// Links libcudart.so to lib/libcudart.so.13, and so on, in a folder of the cache. Empty: it cannot be made.
fs::path linked_names(const fs::path& root) {
    const Result<fs::path> cache = cache_folder();
    if (!cache) return {};
    const fs::path folder = *cache / "libraries" / content_hash(root.string());
    std::error_code failed;
    fs::create_directories(folder, failed);
    for (fs::directory_iterator file(root / "lib", failed), end; !failed && file != end;
         file.increment(failed)) {
        const std::string name = file->path().filename().string();
        const std::size_t version = name.find(".so.");
        std::error_code exists;  // of an earlier call
        if (name.starts_with("lib") && version != name.npos)
            fs::create_symlink(file->path(), folder / name.substr(0, version + 3), exists);
    }
    return folder;
}

// What nvcc needs when it comes from wheels: the compiler that it starts for linking searches $LIBRARY_PATH.
Environment library_path(const fs::path& nvcc) {
    std::error_code failed;
    const fs::path root = fs::canonical(nvcc, failed).parent_path().parent_path();
    if (!is_wheel_toolkit(root)) return {};
    std::string folders = linked_names(root).string() + ":" + (root / "lib").string();
    if (const char* given = std::getenv("LIBRARY_PATH"); given != nullptr && *given != '\0')
        folders = std::string(given) + ":" + folders;
    return {{"LIBRARY_PATH", folders}};
}

// nvcc writes the names of its own files into commands, too.
Environment environment_of(const SafeNames& names) {
    if (names.folder().empty()) return {};
    return {{"TMPDIR", names.folder().string()}};
}

// The libraries whose headers the preprocessed text has included, as words for the linker.
std::vector<std::string> library_words(const std::string& text, const std::vector<std::string>& given) {
    std::vector<std::string> words;
    for (const auto& [header, word] : {std::pair{"/cublas_api.h\"", "-lcublas"},
                                       {"/cublasLt.h\"", "-lcublasLt"},
                                       {"/curand.h\"", "-lcurand"},
                                       {"/cufft.h\"", "-lcufft"}})
        if (text.find(header) != text.npos && std::find(given.begin(), given.end(), word) == given.end())
            words.emplace_back(word);
    return words;
}

// What is compiled, wherever the files with plain names lie.
std::string identity_of(std::string text, const std::vector<std::string>& command, const SafeNames& names) {
    for (const std::string& word : command)
        text += '\0' + word;
    for (const auto& [plain, own] : names.own_names())
        text += '\0' + own;
    const std::string folder = names.folder().string();
    for (std::size_t at = text.find(folder); !folder.empty() && at != text.npos; at = text.find(folder, at))
        text.erase(at, folder.size());
    return content_hash(text);
}

// What the preprocessor sees: the text of the file and of all its headers.
Result<std::string> preprocessed(const std::vector<std::string>& command, const fs::path& file,
                                 const SafeNames& names, const std::atomic<bool>* cancel) {
    std::vector<std::string> wanted = command;
    wanted.push_back("-E");
    const Result<ProcessOutcome> outcome =
        run_process(wanted, "", compile_timeout_ms, message_limit_bytes, cancel, environment_of(names));
    if (!outcome) return outcome.diagnostics();
    if (!outcome->succeeded()) return compiler_errors(file, names, *outcome);
    return outcome->out;
}

// nvcc takes a header with these line ends for one line, and names no reason.
Result<void> check_headers(const fs::path& file, const std::vector<std::string>& arguments) {
    const Result<std::string> source = read_text_file(file);
    if (!source) return {};  // nvcc says what is wrong with it
    std::vector<fs::path> folders;
    for (const std::string& word : arguments)
        if (word.starts_with("-I")) folders.emplace_back(word.substr(2));
    for (const compile::NamedText& header :
         compile::find_user_headers(*source, file.parent_path(), folders).headers) {
        const Result<TextFile> read = read_text(header.shown);
        if (!read || SafeNames::nvcc_reads(read->form)) continue;
        const bool mac = read->form.line_end == TextForm::LineEnd::cr;
        return error_at(header.shown, 0, 0,
                        mac ? "nvcc cannot read the line ends of the old Mac OS" : "nvcc cannot read UTF-16",
                        "save the file as UTF-8 with the line ends of Unix or Windows");
    }
    return {};
}

bool is_linked_file(const std::string& word) {
    const std::string ending = fs::path(word).extension();
    return !word.starts_with('-') && (ending == ".cu" || ending == ".cpp" || ending == ".cc" ||
                                      ending == ".c" || ending == ".o" || ending == ".a" || ending == ".so");
}

// Writes PTX of the altered text. It is an extra: without it, types are what the code's accesses say.
void write_shared_types(const fs::path& file, std::vector<std::string> command, const fs::path& to,
                        const std::atomic<bool>* cancel) {
    const Result<std::string> source = read_text_file(file);
    const std::string altered = source ? compile::with_shared_aliases(*source) : "";
    const Result<TemporaryFolder> folder = TemporaryFolder::create();
    if (altered.empty() || !folder) return;
    const fs::path text = folder->path() / "types.cu", made = folder->path() / "types.ptx";
    if (!write_file(text, altered)) return;
    command.erase(std::remove_if(command.begin() + 1, command.end(), is_linked_file), command.end());
    command.insert(command.end(),
                   {"-I", file.parent_path().string(), "-ptx", text.string(), "-o", made.string()});
    SafeNames names;
    const Result<std::vector<std::string>> plain = names.words(command);
    if (!plain) return;
    const Result<ProcessOutcome> outcome =
        run_process(*plain, "", compile_timeout_ms, message_limit_bytes, cancel, environment_of(names));
    if (!outcome || !outcome->succeeded()) return;
    if (const Result<std::string> ptx = read_file(made)) (void)write_file(to, *ptx);
}

// A kernel that launches kernels needs code that is linked on the device.
bool wants_relocatable_code(const Diagnostics& problems) {
    return std::any_of(problems.begin(), problems.end(), [](const Diagnostic& problem) {
        return problem.message.find("separate compilation mode") != std::string::npos;
    });
}

}  // namespace

bool is_cuda_program(std::string_view source) {
    const std::vector<CppToken> tokens = tokenize_cpp(source);
    const bool uses_cuda = std::any_of(tokens.begin(), tokens.end(), [](const CppToken& token) {
        return token.is("<<<") || token.is("__global__") ||
               (token.is_identifier() &&
                (token.text.starts_with("cuda") || token.is("thrust") || token.is("cub")));
    });
    if (!uses_cuda) return false;
    int depth = 0;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (tokens[i].is("{") && !(i >= 2 && tokens[i - 2].is("extern"))) ++depth;  // not extern "C" {
        if (tokens[i].is("}") && depth > 0) --depth;
        if (depth == 0 && tokens[i].is("main") && tokens[i + 1].is("(") && i > 0 &&
            tokens[i - 1].is_identifier())
            return true;
    }
    return false;
}

bool is_cuda_program(const fs::path& file, std::string_view source) {
    if (is_cuda_program(source)) return true;
    std::string whole(source);
    for (const compile::NamedText& header : compile::find_user_headers(whole, file.parent_path()).headers)
        whole += "\n" + header.text;
    return whole.size() > source.size() && is_cuda_program(whole);
}

Result<fs::path> runtime_folder() {
    const fs::path beside = executable_path().parent_path();
    for (const fs::path& folder : {beside / "cudart", beside / "../lib/lanescope/cudart"}) {
        std::error_code failed;
        if (fs::exists(folder / "libcudart.so.13", failed)) return fs::canonical(folder, failed);
    }
    return error(
        "the runtime library for programs is missing: " + (beside / "cudart/libcudart.so.13").string(),
        "install Lanescope again");
}

Result<fs::path> watch_library() {
    const fs::path beside = executable_path().parent_path(), name = "liblanescope-watch.so";
    for (const fs::path& file : {beside / name, beside / "../lib/lanescope" / name}) {
        std::error_code failed;
        if (fs::exists(file, failed)) return fs::canonical(file, failed);
    }
    return error("the library that watches programs is missing: " + (beside / name).string(),
                 "install Lanescope again");
}

std::vector<fs::path> cuda_library_folders() {
    if (const char* chosen = std::getenv("LANESCOPE_GPU_RUNTIME"); chosen != nullptr && *chosen != '\0')
        return {chosen};
    const Result<fs::path> nvcc = find_nvcc();
    if (!nvcc) return {};
    std::error_code failed;
    const fs::path root = fs::canonical(*nvcc, failed).parent_path().parent_path();
    std::vector<fs::path> found;
    for (const char* folder : {"lib64", "targets/x86_64-linux/lib", "lib"})
        if (fs::is_directory(root / folder, failed)) found.push_back(root / folder);
    return found;
}

Result<fs::path> find_nvcc() {
    std::istringstream folders(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
    for (std::string folder; std::getline(folders, folder, ':');)
        if (const fs::path found = executable_in(folder, "nvcc"); !found.empty()) return found;
    const fs::path program = executable_path().parent_path(), packages = python_packages_of(program);
    std::vector<fs::path> roots{packages.empty() ? packages : packages / "nvidia/cu13",
                                read_build_tree(program).cuda, "/usr/local/cuda", "/opt/cuda"};
    for (const fs::path& root : roots)
        if (!root.empty())
            if (const fs::path found = executable_in(root / "bin", "nvcc"); !found.empty()) return found;
    return error(
        "a program with main() is compiled by nvcc, and there is none",
        packages.empty()
            ? "install the CUDA Toolkit, or put its bin folder into PATH"
            : "pip install 'lanescope[programs]', or put the bin folder of a CUDA Toolkit into PATH");
}

Environment build_environment() {
    std::string flags;
    if (const char* given = std::getenv("NVCC_APPEND_FLAGS")) flags = std::string(given) + " ";
    for (const std::string& flag : machine_flags())
        flags += (flags.empty() || flags.back() == ' ' ? "" : " ") + flag;
    Environment environment{{"NVCC_APPEND_FLAGS", flags}};
    if (const Result<fs::path> nvcc = find_nvcc()) {
        environment.merge(library_path(*nvcc));
        // A build finds nvcc where it is not in PATH.
        const char* path = std::getenv("PATH");
        environment["PATH"] = (path == nullptr ? "" : std::string(path) + ":") + nvcc->parent_path().string();
    }
    return environment;
}

fs::path shared_types_beside(const fs::path& program) {
    return program.parent_path() / types_name;
}

fs::path own_names_beside(const fs::path& program) {
    return program.parent_path() / "own_names.json";
}

Result<fs::path> compile_program(const fs::path& file, const CompileOptions& options) {
    const Result<fs::path> nvcc = find_nvcc();
    if (!nvcc) return nvcc.diagnostics();
    const Result<fs::path> cache = cache_folder();
    if (!cache) return cache.diagnostics();
    std::error_code failed;
    const fs::path absolute = fs::absolute(file, failed).lexically_normal();  // what debug information names
    std::vector<std::string> given{nvcc->string(), absolute.string()};
    given.insert(given.end(), options.arguments.begin(), options.arguments.end());
    SafeNames names;
    Result<std::vector<std::string>> safe = names.words(given);
    if (!safe) return safe.diagnostics();
    std::vector<std::string>& command = *safe;
    if (const Result<void> fine = check_headers(absolute, options.arguments); !fine)
        return fine.diagnostics();
    const Result<std::string> text = preprocessed(command, file, names, options.cancel);
    if (!text) return text.diagnostics();
    const std::vector<std::string> flags = machine_flags(options.debug, options.capability),
                                   libraries = library_words(*text, options.arguments);
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(), libraries.begin(), libraries.end());
    const fs::path folder = *cache / "programs" / identity_of(*text + types_name, command, names);
    const fs::path made = folder / file.stem();
    if (!executable_in(folder, made.filename().c_str()).empty()) return made;
    fs::create_directories(folder, failed);
    const fs::path unfinished = folder / ("unfinished-" + std::to_string(getpid()));
    const auto compile = [&](const std::vector<std::string>& more) -> Result<void> {
        std::vector<std::string> whole = command;
        whole.insert(whole.end(), more.begin(), more.end());
        whole.insert(whole.end(), {"-o", unfinished.string()});
        SafeNames output;  // the cache may lie in a folder of any name
        const Result<std::vector<std::string>> plain = output.words(whole);
        if (!plain) return plain.diagnostics();
        Environment environment = environment_of(output.folder().empty() ? names : output);
        environment.merge(library_path(*nvcc));
        const Result<ProcessOutcome> outcome =
            run_process(*plain, "", compile_timeout_ms, message_limit_bytes, options.cancel, environment);
        if (!outcome) return outcome.diagnostics();
        if (outcome->succeeded()) return output.finish();
        return compiler_errors(file, names, *outcome);
    };
    std::future<void> types;  // beside the program itself, because each takes nvcc seconds
    if (options.debug)
        types = std::async(std::launch::async, [&, all = given] {
            std::vector<std::string> wanted = all;
            wanted.insert(wanted.end(), flags.begin(), flags.end());
            write_shared_types(absolute, std::move(wanted), shared_types_beside(made), options.cancel);
        });
    Result<void> compiled = compile({});
    if (!compiled && wants_relocatable_code(compiled.diagnostics()))
        compiled = compile({"-rdc=true", "-lcudadevrt"});
    if (types.valid()) types.wait();
    if (!compiled) {
        fs::remove_all(folder, failed);
        const Diagnostics targets = unknown_targets(options.arguments, folder);
        return targets.empty() ? compiled.diagnostics() : targets;
    }
    if (!names.own_names().empty())
        if (const Result<void> kept = write_file(
                own_names_beside(made), nlohmann::json(names.own_names())
                                            .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
            !kept)
            return kept.diagnostics();
    fs::rename(unfinished, made, failed);
    if (failed) return error_at(made.string(), 0, 0, "the program cannot be put there: " + failed.message());
    return made;
}

}  // namespace lanescope::program
