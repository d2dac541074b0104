// What a lesson's own runs measure, for its questions and claims.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"
#include "execution/run/run.h"
#include "lesson/course/registry.h"

namespace lanescope::judge {

// The runs of one lesson that its measures need, each made once.
class MeasuredLesson {
  public:
    // `entry` outlives the object. A cancelled run is an error.
    explicit MeasuredLesson(const lesson::LessonEntry& entry, const std::atomic<bool>* cancel = nullptr)
        : entry_(entry), cancel_(cancel) {}

    // Errors: the file does not run; there is no such place, name or element.
    Result<lesson::MeasuredValue> measure(const lesson::Measure& measure);
    Result<std::shared_ptr<const execution::RunResult>> run(const lesson::ParameterValues& set,
                                                            const std::string& schedule);

  private:
    using Key = std::pair<lesson::ParameterValues, std::string>;

    const lesson::LessonEntry& entry_;
    const std::atomic<bool>* cancel_;
    std::optional<std::string> source_;
    std::map<Key, std::shared_ptr<const execution::RunResult>> runs_;
};

// "1023", "71.2", "as expected".
std::string to_text(const lesson::MeasuredValue& value);

}  // namespace lanescope::judge
