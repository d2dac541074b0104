// What a person has done of the course: lessons seen, questions answered right, exercises judged. One JSON
// file keeps it:
//
//   { "lessons":   ["reduction/modulo"],
//     "questions": { "reduction/modulo": ["1f0c…"] },
//     "exercises": { "reduction/fix_the_race": { "points": 7, "max_points": 7 } } }
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "base/result.h"
#include "lesson/course/registry.h"

namespace lanescope::session {

struct ExercisePoints {
    int points = 0, max_points = 0;  // the best verdict
    bool passed() const { return max_points > 0 && points == max_points; }
    bool operator==(const ExercisePoints&) const = default;
};

struct Progress {
    std::set<std::string> lessons;                           // by key_of()
    std::map<std::string, std::set<std::string>> questions;  // answered right: by lesson, by key_of()
    std::map<std::string, ExercisePoints> exercises;         // by Exercise::id()

    bool empty() const { return lessons.empty() && questions.empty() && exercises.empty(); }
    bool operator==(const Progress&) const = default;

    bool seen(const lesson::LessonEntry& entry) const;
    bool answered(const lesson::LessonEntry& entry, const lesson::Question& question) const;
    const ExercisePoints* of(const lesson::Exercise& exercise) const;  // null: it was never judged
    void add(const Progress& other);  // what either has done; of two verdicts the better one
};

std::string key_of(const lesson::LessonEntry& entry);  // "reduction/modulo"; of an own lesson its path
// Stays the same when questions are added or sorted; a question that is asked in other words is new.
std::string key_of(const lesson::Question& question);

// What a lesson counts: questions that can be typed and exercises.
struct LessonScore {
    int done = 0, all = 0;
};
LessonScore score_of(const Progress& progress, const lesson::LessonEntry& entry);

struct ReadProgress {
    Progress progress;     // everything that could be read
    Diagnostics problems;  // what could not
};
// A missing file is fine: nothing was done yet.
ReadProgress read_progress(const std::filesystem::path& file);
Result<void> write_progress(const Progress& progress, const std::filesystem::path& file);

}  // namespace lanescope::session
