// A compilation on another machine: what the browser's program asks `lanescope serve` for, and the answer, as
// JSON. Both sides use these functions. remote.cpp starts no process and reads no file.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compiler.h"
#include "compile/worker_protocol.h"

namespace lanescope::compile {

// The server's limits.
inline constexpr std::size_t max_remote_source_bytes = 1u << 20;  // the text and its headers
inline constexpr std::size_t max_remote_answer_bytes = 8u << 20;
inline constexpr const char* too_large_message = "the source text with its headers is larger than 1 MiB";
inline constexpr int remote_limit_ms = 10'000;

struct RemoteSource {
    std::string text, file;
    std::vector<NamedText> headers;  // the user's own, which find_user_headers() finds on the other machine
    Options options;                 // code, newest, flags without folders, instantiations, relocatable
};

// {"file": "scan.cu", "source": "…", "code": "debug" or "optimized", "definitions": ["N=4"], "standard":
// "c++20", "architecture": "compute_90", "newest": "compute_90", "relocatable": true, "instantiations": […],
// "headers": [{"name", "shown", "text"}]}; all but "source" may be absent. Text that is not UTF-8 is
// replaced.
std::string to_json(const RemoteSource& source);

// Errors: not this JSON; a key that is not known, so that nothing is silently ignored; a value of another
// type; more than max_remote_source_bytes. Reads what a stranger sent.
Result<RemoteSource> remote_source(std::string_view json);

// {"compiled": true, "ptx", "aliased_ptx", "target", "user_file", "headers": [{"in_ptx", "shown", "text"}],
// "symbols": {instantiation: name}, "from_cache", "milliseconds", "diagnostics": [{"severity", "file",
// "line", "column", "message", "hint"}]}; where it did not compile, only "compiled" and "diagnostics".
std::string to_json(const Result<Output>& output);

// Also reads a refusal, {"message", "hint"}. Errors: what the compiler or the refusal says; not this JSON.
Result<Output> remote_output(std::string_view json);

// --- The server's side, in compiler.cpp

// Compiles what another machine sent. Its child reads only CUDA's headers, and has less time and memory than
// that of compile(): remote_limit_ms for all attempts. Answers are cached like those of compile(). Errors:
// also code larger than max_remote_answer_bytes; a kernel without Landlock or seccomp.
Result<Output> compile_remote(const RemoteSource& source, const std::atomic<bool>* cancel = nullptr);

// The answer, if it is known without the compiler.
std::optional<Output> known_answer(const RemoteSource& source);

// The entry point of the child, which is started with the words "__compile remote".
int remote_worker_main();

}  // namespace lanescope::compile
