// One exercise: its task, hints that unfold one by one, and the verdict on the text in the editor, goal by
// goal. While the starter file (or a file that names the exercise) is open, the box judges it; elsewhere it
// opens the starter.
//
// The page keeps one box for each exercise of the open lesson, or one for open_exercise() if the open file is
// not a lesson, and calls lay_out() as for a QuestionBox.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/lesson/box_flow.h"

namespace lanescope::ui {

// The exercise that the open file is an attempt at: its starter or solution, or a file whose front matter
// names it. Null: there is none.
const lesson::Exercise* open_exercise(const session::Session& session);

class ExerciseBox {
  public:
    // `exercise` outlives the box.
    explicit ExerciseBox(const lesson::Exercise& exercise);

    float lay_out(ImDrawList* draw, ImVec2 at, float width, const ViewContext& view,
                  std::string* clicked = nullptr);
    const lesson::Exercise& exercise() const { return *exercise_; }

  private:
    void follow(const session::Session& session, Requests& requests);
    void title(BoxFlow& flow, const session::Session& session) const;
    void buttons(BoxFlow& flow, const session::Session& session, Requests& requests);
    void hints(BoxFlow& flow, std::string* clicked);
    void goals(BoxFlow& flow) const;
    void verdict(BoxFlow& flow, const session::Session& session, Requests& requests);
    // `current`: the verdict is on the text in the editor, so that its lines and steps can be shown.
    void goal(BoxFlow& flow, const judge::Verdict& verdict, std::size_t number, bool current,
              Requests& requests);
    void compare_chip(BoxFlow& flow, Requests& requests) const;
    std::string part(const char* name) const { return "exercise " + exercise_->name + "/" + name; }

    const lesson::Exercise* exercise_;
    std::vector<Paragraph> task_;
    std::vector<std::vector<Paragraph>> hints_;
    std::size_t hints_shown_ = 0;
    std::string looked_at_;                  // the open file for which open_ holds
    bool open_ = false;                      // the open file is an attempt at this exercise
    bool judging_ = false;                   // at the last frame
    std::optional<judge::GoalPlace> going_;  // where to go once the run with its schedule is there
};

}  // namespace lanescope::ui
