// Judges typed answers to a lesson's questions by what a run of the lesson measures.
#pragma once

#include <atomic>
#include <string>

#include "base/result.h"
#include "judge/measured_lesson.h"

namespace lanescope::judge {

// Whether a typed text names the value: numbers with or without separators of thousands, a percent sign, or
// the question's unit; a real number in as many digits as were typed; texts in any case.
bool is_answer(const std::string& typed, const lesson::MeasuredValue& value, const std::string& unit = {});

struct AnswerVerdict {
    bool right = false;
    std::string measured;  // what the run says
};
// Errors: the question has no measure; those of MeasuredLesson.
Result<AnswerVerdict> judge_answer(const lesson::LessonEntry& entry, const lesson::Question& question,
                                   const std::string& typed, const std::atomic<bool>* cancel = nullptr);

}  // namespace lanescope::judge
