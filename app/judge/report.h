// Verdicts as text, JSON, JUnit XML and CSV, and results that were written before.
#pragma once

#include <string>
#include <vector>

#include "judge/verdict.h"

namespace lanescope::judge {

std::string verdicts_text(const std::vector<Verdict>& verdicts);
std::string verdicts_json(const std::vector<Verdict>& verdicts);  // an array
std::string verdicts_junit(
    const std::vector<Verdict>& verdicts);  // a suite for each file, a case for each goal
std::string verdicts_csv(const std::vector<Verdict>& verdicts);  // a row for each file, quoted as in RFC 4180

// Reads the output of verdicts_json(). Errors: the text is something else.
Result<std::vector<Verdict>> read_verdicts(const std::string& text, const std::string& file);

// Joins results: sorted by file and exercise; of two for the same file and exercise the later one counts.
std::vector<Verdict> merged(const std::vector<std::vector<Verdict>>& results);

std::string exercises_text(const std::vector<const lesson::Exercise*>& exercises);
std::string exercises_json(const std::vector<const lesson::Exercise*>& exercises);

}  // namespace lanescope::judge
