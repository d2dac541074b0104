// What all subcommands share: exit codes, error output, option values.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "lesson/course/registry.h"

namespace lanescope {

// check_failed: an expectation failed or a problem was found; bad_input: bad input or usage; no_engine:
// engine not available.
enum Exit { fine = 0, check_failed = 1, bad_input = 2, no_engine = 3 };

// Prints what is wrong on standard error, as JSON if $LANESCOPE_MESSAGES is "json"; returns `code`.
int fail(const Diagnostics& diagnostics, int code = bad_input);
int fail(const Diagnostic& diagnostic, int code = bad_input);

// Returns `why` with the words that the engine 'gpu' is not available, for `run`, `render` and `preview`.
Diagnostics no_gpu(Diagnostics why);

// The course and the person's own lessons.
std::shared_ptr<const lesson::Registry> lessons();

// Completes a file's name on the command line: kernels/… and assets/… that are not in the working folder are
// those that ship with the program, so that what `lanescope list` prints works from everywhere.
CLI::Validator or_shipped();

// Accepts numbers of at least `lowest`. CLI11's own checks name the largest double in their messages.
CLI::Validator from(double lowest);

// Returns the values that --set gives. Errors: a text that is not NAME=VALUE.
Result<std::map<std::string, std::int64_t>> parameters_of(const std::vector<std::string>& settings);

}  // namespace lanescope
