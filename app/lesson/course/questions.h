// Questions of a lesson with their answers, and claims of its texts: what a run must measure for them to be
// right. kernels/REFERENCE.md documents the format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "lesson/expression.h"
#include "lesson/instance.h"

namespace lanescope::lesson {

// A line of a kernel, named by its number or by code that no other line behind the front matter contains.
struct CodeLine {
    int number = 0;    // from 1; 0: `code` names the line
    std::string code;  // "s[2 * t] +="
};
// Errors: the source has no such line, or several.
Result<int> line_in(std::string_view source, const CodeLine& line);
std::string to_text(const CodeLine& line);  // "line 33", "the line with 's[2 * t] +='"

// A step, named by what the block does there, so that it stays the same when the file changes elsewhere.
struct StepPlace {
    CodeLine line;
    int visit = 1;  // of the block's steps on that line, from 1; -1 is the last one, -2 the one before
    int block = 0;
};

// What a run measures. A name that is not listed here is a field of the metrics.
enum class MeasureKind : std::uint8_t {
    lanes,       // threads that execute the step
    warps,       // with such a thread
    value,       // of an expression, after the step, in one thread
    step,        // the number of the step, from 1
    phase,       // barriers that the block has passed before the step
    steps,       // of the block
    phases,      // barrier phases of the run
    operations,  // on data
    depth,       // of a buffer
    problems,    // their number
    result,      // "as expected", "wrong"
    console,     // what the kernel printed
    efficiency,  // simt_efficiency, in per cent
    line,        // the number of a line
    number,      // an expression over the parameters
    buffer,      // an element of a buffer at the end
    metric,      // a field of the metrics: of a step, a line or the run
};

using MeasuredValue = std::variant<std::int64_t, double, std::string>;

struct Measure {
    MeasureKind kind{};
    std::string name;  // "lanes", "divergent_branches"
    std::string of;    // "s[3]", "out", "race"
    Expression number;
    std::optional<StepPlace> at;
    std::optional<CodeLine> line;
    int block = 0, thread = 0;
    ParameterValues set;
    std::string schedule;  // as for --schedule; empty: that of the lesson, else round robin
    MeasuredValue right;
    int toml_line = 0;
};
std::vector<std::string> measure_names();  // without the fields of the metrics

// A number of a question that another try changes: `visit`, `thread` or a parameter in `set` of the measure,
// or any other name. "{stride}" or "{2 * n}" in the texts and in `of` stand for its value.
struct QuestionNumber {
    std::string name;
    std::int64_t first = 0;             // of the first try
    std::vector<std::int64_t> choices;  // of the others; empty: from `least` to `most`
    std::int64_t least = 0, most = 0;
};

struct Question {
    std::string id;           // by which a translation names it; unique within the lesson
    std::string ask, answer;  // Markdown; a question without an answer is only asked
    std::string unit;         // of what is typed: "threads"
    std::optional<StepPlace> at;
    std::optional<Measure> measure;  // the answer can be typed
    std::vector<QuestionNumber> numbers;
    int toml_line = 0;
};

// The question with the numbers of a try, from 0, in its texts and its measure; the same at each call. Two
// successive tries differ. `right` stays that of the first one. Errors: an expression in braces cannot be
// evaluated; of a question that was read without errors none.
Result<Question> asked(const Question& question, unsigned attempt = 0);
constexpr unsigned checked_tries = 4;  // by the reader, and by `lesson check` with a run

struct Claim {
    std::string id;    // as a question's
    std::string says;  // words of the lesson's texts: "127 additions"
    Measure measure;
    std::string file = {};  // of translated words; empty: the lesson.toml
    int line = 0;           // of `says`, in that file
};

}  // namespace lanescope::lesson
