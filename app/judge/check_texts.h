// Checks that what a lesson says is true.
#pragma once

#include <string>

#include "base/result.h"
#include "lesson/course/registry.h"

namespace lanescope::judge {

// What is wrong with a lesson's places, answers and claims, located in its lesson.toml, `file`. Runs the
// lesson.
Diagnostics check_texts(const lesson::LessonEntry& entry, const std::string& file);

}  // namespace lanescope::judge
