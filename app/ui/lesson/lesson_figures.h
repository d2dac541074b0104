// The figures in a lesson's text, drawn from a run of its file with the default parameters: the flow of
// values, or the arrays after a step. Jobs make them; until then "drawing …" stands in their place.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/jobs.h"
#include "execution/run/step_place.h"
#include "lesson/course/figure.h"
#include "ui/lesson/markdown.h"

namespace lanescope::ui {

// px at scale 1: the height for which a stage is laid out, and how high figures may be. What is higher is
// squeezed, then cut.
struct FigureLimits {
    float stage_px = 320, most_px = 440, matrices_px = 300;
};

class LessonFigures : public FigureSource {
  public:
    explicit LessonFigures(const FigureLimits& limits = {});
    ~LessonFigures() override;
    void limit(const FigureLimits& limits) { limits_ = limits; }

    // The figures of this lesson from now on; `left` is the left edge of the text.
    void show(const lesson::LessonEntry* entry, const session::Session& shown, float left,
              const WindowState& window);
    bool busy() const;  // a figure changes soon

    // What figure_height() found.
    struct State {
        bool made = false;   // it can be drawn
        bool empty = false;  // the step has no arrays; it may have lanes
        bool whole = false;  // and the limits cut nothing off, and cells have room for two digits
        std::optional<Diagnostic> problem;  // why it can never be drawn
    };
    State state(const std::string& target, const WindowState& window);
    // The run of the lesson, at the step of the figure that was made last; null: no figure was asked for yet.
    const session::Session* run() const { return run_.get(); }
    LaneColumns columns(const std::string& target);  // of the cells of a stage

    float figure_height(const std::string& target, float width, const WindowState& window) override;
    bool draw_figure(ImDrawList* draw, const std::string& target, const Rect& area,
                     const WindowState& window) override;

  private:
    struct Drawing;
    Drawing& drawing(const std::string& target);
    void forget_run();
    bool ready(Drawing& figure);  // its step is known
    void make_flow(const std::string& target, Drawing& figure, const WindowState& window);
    void make_stage(Drawing& figure, float width, const WindowState& window);
    void draw_flow_figure(Drawing& figure, const Rect& area, const WindowState& window);
    void draw_stage_figure(ImDrawList* draw, Drawing& figure, const Rect& area, const WindowState& window);

    FigureLimits limits_;
    const lesson::LessonEntry* entry_ = nullptr;
    float left_ = 0;
    std::unique_ptr<session::Session> run_;  // of the lesson; null: no figure was asked for yet
    std::uint64_t generation_ = ~0ull;       // of its run
    std::map<std::string, std::unique_ptr<Drawing>> drawings_;  // by target
    std::shared_ptr<const lesson::Registry> registry_;
    Jobs jobs_;  // last, so that its jobs end before the members that they fill
};

// Where a click on a figure leads in the run that is shown; nothing when the run has no such step.
std::optional<execution::PlacedStep> figure_place(const lesson::Figure& figure,
                                                  const lesson::LessonEntry& entry,
                                                  const execution::RunResult& run);

}  // namespace lanescope::ui
