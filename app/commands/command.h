// What all subcommands share: exit codes, how they fail, values of their options.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanescope {

// check_failed: an expectation failed or a problem was found; bad_input: bad input or usage; no_engine:
// engine not available.
enum Exit { fine = 0, check_failed = 1, bad_input = 2, no_engine = 3 };

// Tells what is wrong on standard error; returns `code`.
int fail(const Diagnostics& diagnostics, int code = bad_input);
int fail(const Diagnostic& diagnostic, int code = bad_input);

// Why the engine of `--engine gpu` is not there, as `run`, `render` and `preview` say it.
Diagnostics no_gpu(Diagnostics why);

std::filesystem::path kernels_folder();

// Of numbers. CLI11's own checks name the largest double in their messages.
CLI::Validator from(double lowest);

// Of --set. Errors: a text that is no NAME=VALUE.
Result<std::map<std::string, std::int64_t>> parameters_of(const std::vector<std::string>& settings);

}  // namespace lanescope
