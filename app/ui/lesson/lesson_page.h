// The page of a lesson: its topic's introduction, goals, explanation with figures, where to look, questions,
// exercises, a summary, and links to other lessons. For the starter file of an exercise, this exercise.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/language.h"
#include "execution/run/step_place.h"
#include "ui/kit/view.h"
#include "ui/lesson/exercise_box.h"
#include "ui/lesson/lesson_figures.h"
#include "ui/lesson/question_box.h"

namespace lanescope::ui {

class LessonPage : public View {
  public:
    LessonPage() : View("##lesson page") {}
    // 0 if the open file has no page.
    float wanted_height(const session::Session& session, const WindowState& window,
                        float width) const override;

  protected:
    std::string title(const session::Session&) const override { return tr("Lesson"); }
    void tools(Heading& heading, const ViewContext& view) override;
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    using Text = std::vector<Paragraph>;
    void prepare(const session::Session& session);
    void make_texts(const session::Session& session);
    void make_boxes();
    void find_look(const session::Session& session);
    void scroll(const Rect& inside, const WindowState& window);
    void choose_box(const WindowState& window);
    // Marks the chosen box, which begins at the end of the flow and is `height` high.
    void mark_box(BoxFlow& flow, std::size_t number, float height);

    // Draws the page and returns its height.
    float lay_out(ImVec2 at, float width, const ViewContext& view);
    void place_text(BoxFlow& flow, const Text& text);
    void place_section(BoxFlow& flow, const Text& text);
    void place_topic(BoxFlow& flow, const session::Session& session);
    void place_title(BoxFlow& flow, const session::Session& session) const;
    void place_look(BoxFlow& flow, const session::Session& session, Requests& requests);
    void place_questions(BoxFlow& flow, const session::Session& session, Requests& requests);
    void place_exercises(BoxFlow& flow, const session::Session& session, Requests& requests);
    void place_neighbours(BoxFlow& flow, const session::Session& session, Requests& requests);

    void follow_link(const std::string& target, const ViewContext& view) const;
    void follow_figure(const std::string& target, const ViewContext& view) const;

    mutable std::string asked_;  // path of the file for which has_page_ holds
    mutable bool has_page_ = false;
    const lesson::LessonEntry* entry_ = nullptr;  // of the open file
    const lesson::Exercise* exercise_ = nullptr;  // of that file, if it is not a lesson
    std::string shown_;                           // path of the file for which the boxes were made
    const void* timings_ = nullptr;               // that the texts quote
    Text topic_, text_, look_, measured_, seen_, sources_;
    bool topic_open_ = false;  // the introduction of the topic is shown
    std::vector<QuestionBox> questions_;
    std::vector<ExerciseBox> exercises_;
    const execution::RunResult* looked_in_ = nullptr;  // the run in which look_place_ was found
    std::optional<execution::PlacedStep> look_place_;
    LessonFigures figures_;
    std::string clicked_;  // the target of the link that was clicked in this frame
    bool to_top_ = false;
    std::optional<std::size_t> box_;  // that the keyboard chose: of the questions, then the exercises
    int to_box_ = 0;                  // frames in which it still comes into sight
    float box_y_ = 0;                 // its upper edge in the window
};

}  // namespace lanescope::ui
