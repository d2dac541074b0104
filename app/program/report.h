// What a program did, as text and as JSON.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "program/check.h"
#include "program/run.h"

namespace lanescope::program {

// Launches of the same kernel with the same sizes are one row; what went wrong follows. `again` is the
// command that shows a launch in steps, with its number left out. `checked`: findings follow, so that
// problems and errors are left out.
std::string report_text(const ProgramRun& run, const std::string& again, bool checked = false);

// The same for the checked programs of one command: a row for each. Findings follow.
std::string report_text(std::span<const ProgramRun> runs);

// "exit status 1", "ended by signal 11".
std::string ending_words(const ProgramRun& run);
// Why a program did not call the shared runtime, and what to do.
std::string why_unused(const ProgramRun& run);

// Keys: program, launches, host, buffers, errors, warnings, lost_output, lost_error; app/REPORT.md
// describes them.
// `findings`: of a checked run; null: it was not checked.
std::string report_json(const ProgramRun& run, const std::string& name,
                        const std::vector<Finding>* findings = nullptr);

// The same for the checked programs of one command. Keys: program (the command's), programs, findings,
// schedules, schedules_left_out.
std::string report_json(std::span<const ProgramRun> runs, const std::string& name,
                        const std::vector<Finding>& findings);

}  // namespace lanescope::program
