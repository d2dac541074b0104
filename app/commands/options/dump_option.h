// --dump NAME=FILE, which `run` and `record` share.
#pragma once

#include <string>
#include <vector>

#include "base/outputs.h"
#include "base/result.h"

namespace CLI {
class App;
}

namespace lanescope {

namespace execution {
struct RunResult;
}

void add_dump_option(CLI::App& app, std::vector<std::string>& dumps);

// Adds the files, which check_outputs() checks before the run. Errors: those of session::parse_dump.
Result<void> add_dumps(std::vector<Output>& outputs, const std::vector<std::string>& dumps);

// Writes the files; tells on standard error what was never written.
Result<void> write_dumps(const execution::RunResult& result, const std::vector<std::string>& dumps);

}  // namespace lanescope
