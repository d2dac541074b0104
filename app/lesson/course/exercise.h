// Exercises: a starter file with blanks, and the goals that a submission must reach. [[lesson.exercise]] in
// lesson.toml describes them; kernels/REFERENCE.md documents the format.
//
// The front matter of the starter file decides about data, launches and expectations. A submission gives only
// code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lesson/front_matter.h"
#include "lesson/instance.h"

namespace lanescope::lesson {

enum class GoalKind : std::uint8_t {
    result,
    no_problem,
    conflicts,
    wavefronts,
    operations,
    depth,
    phases,
    coalescing,
    sectors,
    loads,
    stores,
    divergence,
    efficiency,
    atomics,
    global_atomics,
    atomic_passes,
    shared_bytes,
    instructions,
    uses,
    avoids,
};

// What a kernel uses, counted over its run.
enum class Feature : std::uint8_t { shared, shuffle, atomics, barrier, constant, local };
const char* to_text(Feature feature);  // as lesson.toml names it, and as a message does
const char* words_for(Feature feature);

struct GoalForm {
    GoalKind kind{};
    const char* name;  // "conflicts"
    enum class Bound : std::uint8_t { none, at_most, at_least } bound{};
    const char* unit;  // "barrier phases", what the bound counts
    const char* one;   // "barrier phase"
    bool of_size;      // the count tells the size of the input: it is not shown for a hidden one
};
std::span<const GoalForm> goal_forms();
const GoalForm& form_of(GoalKind kind);

struct Goal {
    GoalKind kind{};
    int points = 1;
    Expression bound;                   // over the parameters and the sizes of the buffers; or a real number
    std::vector<std::string> problems;  // no_problem: only these kinds; empty: all
    std::string buffer;                 // depth: whose values are followed; loads, stores: empty: of all;
                                        // uses: what values pass through; empty: the feature
    Feature feature{};                  // uses, avoids
    double parallel = 0.1;              // result: the least share of the work (judge/sharing.h); 0: any
    enum class Cases : std::uint8_t { all, given, hidden } cases{};
    int line = 0;
};
std::string name_of(const Goal& goal);  // "conflicts", "uses shuffle"
std::string wish_of(
    const Goal& goal);  // what it asks for: "at most log2(n) barrier phases", "no bank conflict"

// Parameters and contents that a submission is also tried with and that no message names, but for `about`.
struct HiddenCase {
    ParameterValues set;
    std::int64_t seed = 0;                       // of random contents; 0: those of the front matter
    std::map<std::string, Expression> contents;  // `init` of a buffer
    std::string about;  // what verdicts may tell of it: "fewer elements than threads"
    int line = 0;
};

struct Exercise {
    std::string topic, lesson, name;  // "reduction", "modulo", "fix_the_race"; without a lesson empty
    std::string title, text;          // text: Markdown
    int level = 1;                    // 1 to 3
    std::filesystem::path starter, solution;
    std::vector<std::string> hints;
    std::vector<HiddenCase> hidden;
    std::vector<std::string> schedules;  // as for --schedule
    std::vector<Goal> goals;
    std::filesystem::path file;  // the lesson.toml
    int line = 0;

    std::string id() const { return topic + "/" + name; }
    int points() const;
};

// One run of an exercise, before its schedule is chosen.
struct ExerciseCase {
    bool hidden = false;
    FrontMatter front;
    ParameterValues set;
    std::string about = {};
};

struct PreparedExercise {
    std::string file;                 // the starter file, to which the front matter belongs
    std::vector<ExerciseCase> cases;  // the given one, with the default parameters, then the hidden ones
};

// Reads the starter file and checks that every case and every bound makes sense. Errors are located in the
// lesson.toml or in the starter file.
Result<PreparedExercise> prepare(const Exercise& exercise);

// The value of a goal's bound in a case. Error: it does not evaluate.
Result<double> bound_of(const Goal& goal, const Instance& instance, const std::string& file);

// Returns the exercise that a source's front matter names, even if the front matter is damaged; empty if it
// names none.
std::string exercise_named_by(std::string_view source);

}  // namespace lanescope::lesson
