// Checks lessons as a whole, with their links and exercises: `lanescope lesson check`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lesson/course/registry.h"

namespace lanescope::judge {

// What to do about the name of a lesson or a topic that does not exist.
std::string lesson_hint(const std::string& name, const std::vector<std::string>& known);

// What is wrong with a lesson, located in its topic's lesson.toml: those of check_texts(), questions without
// an answer, links to lessons that `registry` does not have, unknown `needs`, texts that its translation
// lacks. Runs the lesson.
Diagnostics check_lesson(const lesson::LessonEntry& entry, const lesson::Topic& topic,
                         const lesson::Registry& registry);

// What is wrong with a topic's own texts and `needs`. Runs nothing.
Diagnostics check_topic(const lesson::Topic& topic, const lesson::Registry& registry);

// What is wrong with exercises: a faulty entry, a solution that misses points, a starter file that has all.
// Judges both files of each exercise in processes of their own, `jobs` at a time (0: one for each core).
Diagnostics check_exercises(const std::vector<const lesson::Exercise*>& exercises, unsigned jobs);

}  // namespace lanescope::judge
