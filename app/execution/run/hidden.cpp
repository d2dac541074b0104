#include "execution/run/hidden.h"

#include <algorithm>

#include "base/cpp_lexer.h"

namespace lanescope::execution {

std::string hollowness(const RunResult& result) {
    const bool wrong = std::any_of(result.problems.begin(), result.problems.end(),
                                   [](const trace::Problem& problem) { return !problem.note; });
    if (!result.proposed || wrong || !result.console.empty() ||
        result.outcome.ending != simt::Ending::finished)
        return {};
    // Zeros that are written over zeros are results, too.
    if (result.report.total.global_store_requests + result.report.total.global_atomic_requests > 0) return {};
    for (const BufferView& buffer : result.buffers)
        for (const lesson::BufferInstance& before : result.instance.buffers)
            if (before.name == buffer.name && before.addresses.empty() && before.contents != buffer.contents)
                return {};
    if (result.buffers.empty() && result.instance.launches.empty()) return {};
    return "the proposed launch shows nothing of its kernel: no buffer changes and nothing is printed";
}

// A target without asynchronous copies gets plain ones.
std::string plain_copies_note(const RunResult& result) {
    if (result.compiled.ptx.find("cp.async") != std::string::npos) return {};
    const std::vector<CppToken> tokens = tokenize_cpp(result.source);
    const bool asks = std::any_of(tokens.begin(), tokens.end(), [](const CppToken& token) {
        return token.is("memcpy_async") || token.is("__pipeline_memcpy_async");
    });
    if (!asks) return {};
    return "asynchronous copies ran as plain copies, because the code is compiled for " +
           result.compiled.target + ": a missing wait does not show; --arch sm_80 compiles real ones";
}

}  // namespace lanescope::execution
