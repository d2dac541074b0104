// The lesson's text: what to look at and questions to try, or what the kernel does and why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "session/run/step_place.h"
#include "ui/kit/view.h"
#include "ui/lesson/exercise_box.h"
#include "ui/lesson/markdown.h"
#include "ui/lesson/question_box.h"

namespace lanescope::ui {

class LessonTextView : public View {
  public:
    LessonTextView() : View("##lesson text") {}
    float wanted_height(const session::Session& session, const WindowState& window,
                        float width) const override;

  protected:
    std::string title(const session::Session&) const override { return {}; }
    bool has_heading(const session::Session&) const override { return true; }
    void tools(Heading& heading, const session::Session& session, const WindowState& window,
               Requests& requests) override;
    void content(const Rect& inside, const session::Session& session, const WindowState& window,
                 Requests& requests) override;

  private:
    void make_boxes(const lesson::LessonEntry* entry) const;
    // Draws texts and boxes unless `draw` is null. Returns their height.
    float lay_out(ImDrawList* draw, ImVec2 at, float width, const session::Session& session,
                  const WindowState& window, Requests& requests, std::string* clicked) const;
    void prepare(const session::Session& session) const;

    enum class Part : std::uint8_t { questions, explanation };
    Part part_ = Part::questions;
    mutable std::string looked_up_;                          // the file for which exercise_ was looked for
    mutable const lesson::Exercise* exercise_ = nullptr;     // of that file, if it is not a lesson
    mutable const session::RunResult* looked_in_ = nullptr;  // the run in which place_to_look_ was found
    mutable std::optional<session::PlacedStep> place_to_look_,
        look_;                          // look_: while the run is as the lesson says
    mutable std::string prepared_for_;  // path and part of the text
    mutable const void* prepared_timings_ = nullptr;
    mutable std::vector<Paragraph> paragraphs_;
    mutable std::vector<QuestionBox> questions_;  // of the open lesson
    mutable std::vector<ExerciseBox> exercises_;  // of the open lesson, or the open exercise
    float scroll_ = 0;
};

}  // namespace lanescope::ui
