// The texts of a lesson's page, as Markdown.
#pragma once

#include <string>

#include "lesson/course/registry.h"
#include "session/timing/timings.h"

namespace lanescope::ui {

// "Lesson 3 of 16 · 10 minutes · advanced".
std::string lesson_facts(const lesson::Topic& topic, const lesson::LessonEntry& entry);
// The introduction of a topic, its goals and what to know before.
std::string topic_text(const lesson::Topic& topic, const lesson::Registry& registry);
// Goals, what to know before, and the explanation.
std::string lesson_text(const lesson::LessonEntry& entry, const lesson::Topic& topic,
                        const lesson::Registry& registry);
// What was counted and measured, beside the lesson that it improves on. `timings` may be null.
std::string measured_text(const lesson::LessonEntry& entry, const lesson::Topic& topic,
                          const session::Timings* timings);
std::string sources_text(const lesson::LessonEntry& entry);

// The lesson that a link names: by its name, "sequential", which is looked for in `from` first; with its
// topic, "reduction/sequential"; or the first lesson of a topic, "reduction". Null: there is none.
const lesson::LessonEntry* linked_lesson(const lesson::Registry& registry, const lesson::Topic* from,
                                         const std::string& target);

// The lesson before or after this one in the order of the course; null: there is none.
struct Neighbours {
    const lesson::LessonEntry *before = nullptr, *after = nullptr;
};
Neighbours neighbours_of(const lesson::Registry& registry, const lesson::LessonEntry& entry);

}  // namespace lanescope::ui
