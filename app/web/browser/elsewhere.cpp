// Asks the page's server (lanescope serve) by a request that the worker waits for. Answers are kept as long
// as the page is open, so that another parameter compiles nothing.
#include <emscripten.h>

#include <cstdlib>
#include <map>
#include <string>

#include "compile/elsewhere.h"

// clang-format off
// Returns the status of HTTP; 0: the server does not answer; -1: the page names no server. The text is malloc's.
EM_JS(int, lanescope_ask_compiler, (const char* body, char** text), {
    const answer = Module.askCompiler ? Module.askCompiler(UTF8ToString(body)) : { status: -1, text: "" };
    HEAPU32[text >> 2] = stringToNewUTF8(answer.text);
    return answer.status;
});
// clang-format on

namespace lanescope::compile {

namespace {

constexpr std::size_t most_kept = 64;

std::map<std::string, Output>& kept() {
    static std::map<std::string, Output> answers;
    return answers;
}

}  // namespace

std::optional<Result<Output>> compile_elsewhere(const RemoteSource& source) {
    const std::string body = to_json(source);
    if (const auto known = kept().find(body); known != kept().end()) return Result<Output>(known->second);
    char* text = nullptr;
    const int status = lanescope_ask_compiler(body.c_str(), &text);
    const std::string answer = text != nullptr ? text : "";
    std::free(text);
    if (status < 0) return std::nullopt;
    if (status == 0)
        return Result<Output>(
            error_at(source.file, 0, 0, "the compiler's server does not answer",
                     "start 'lanescope serve' there again; unchanged lessons work without it"));
    Result<Output> output = remote_output(answer);
    if (output) {
        if (kept().size() >= most_kept) kept().clear();
        kept()[body] = *output;
    }
    return output;
}

}  // namespace lanescope::compile
