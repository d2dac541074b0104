// All that a run needs before its first launch: the code, decoded, and the front matter as numbers.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/value_type.h"
#include "execution/proposal/launch_proposal.h"
#include "execution/run/run.h"

namespace lanescope::ptx {
struct Module;
}
namespace lanescope::simt {
struct Program;
}

namespace lanescope::execution {

struct Compiled {
    std::shared_ptr<const ptx::Module> module;
    std::shared_ptr<const simt::Program> program;
    TypeTable types;
};

struct Prepared {
    RunResult result;  // what is known before the first launch
    Compiled compiled;
    Guesses guesses;  // of a proposed launch
};

// Errors: those of execute().
Result<Prepared> prepare_file(const RunRequest& request);

// The file to which the front matter of the run belongs.
const std::string& front_file(const RunRequest& request, const lesson::FrontMatter& front);

double milliseconds_since(std::chrono::steady_clock::time_point start);

}  // namespace lanescope::execution
