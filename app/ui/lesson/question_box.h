// One question of a lesson: what is asked, the input for an answer that a run can judge, the link to the step
// where to look, and the answer, which unfolds.
//
// The page keeps one box for each question of the open lesson and calls lay_out() in every frame, as it does
// with lay_out_markdown(): first with a null list for the height, then with the list of the window. Links in
// the texts are the page's matter: `clicked` gets their target.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "execution/run/step_place.h"
#include "ui/lesson/box_flow.h"

namespace lanescope::ui {

class QuestionBox {
  public:
    // `entry` outlives the box.
    QuestionBox(const lesson::LessonEntry& entry, std::size_t number);

    // Draws the box, as wide as `width`, unless `draw` is null. Returns its height, px.
    float lay_out(ImDrawList* draw, ImVec2 at, float width, const ViewContext& view,
                  std::string* clicked = nullptr);
    void unfold(bool open = true) { unfolded_ = open; }
    // The input for the answer, if there is one, gets the keyboard when it is drawn next.
    void take_keyboard() { takes_keyboard_ = true; }

  private:
    const lesson::Question& question() const { return entry_->questions[number_]; }
    void follow(const session::Session& session);
    void ask(unsigned attempt);
    void input_row(BoxFlow& flow, const session::Session& session, Requests& requests);
    void input(const Rect& box, const WindowState& window, bool& entered);
    void verdict(BoxFlow& flow, const session::TypedAnswer* typed) const;
    void links(BoxFlow& flow, Requests& requests, bool no_answer);

    const lesson::LessonEntry* entry_;
    std::size_t number_;
    unsigned attempt_ = 0;  // the question's numbers
    std::vector<Paragraph> ask_, answer_;
    char typed_[96] = {};
    bool unfolded_ = false, takes_keyboard_ = false;
    bool was_right_ = false;
    std::string judged_;                               // the answer whose verdict was shown last
    bool verdict_came_ = false;                        // a verdict has just come: it must be in sight
    bool restored_ = false;                            // what was typed before the box existed
    const execution::RunResult* looked_in_ = nullptr;  // for place_
    std::optional<lesson::StepPlace> at_;              // of the numbers asked with
    std::optional<execution::PlacedStep> place_;       // where to look, in the run that is shown
};

}  // namespace lanescope::ui
