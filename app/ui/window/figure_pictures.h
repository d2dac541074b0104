// Pictures of the figures in lessons, for slides: the same figures as on the lesson's page, in larger type.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "execution/run/step_place.h"
#include "image/image.h"
#include "lesson/course/registry.h"

namespace lanescope::ui {

// The room that a figure has, in pixels of a slide. Pictures have more pixels, so that they stay sharp.
struct FigureRoom {
    int width = 0, height = 0;
};

struct FigurePicture {
    image::Image image;
    int width = 0, height = 0;  // on the slide, at most those of the room
    float type_px = 0;          // size of its text on the slide
};

class FigurePictures {
  public:
    // Errors: no OpenGL 4.5.
    static Result<FigurePictures> open(std::shared_ptr<const lesson::Registry> registry,
                                       const FigureRoom& room);
    FigurePictures(FigurePictures&&) noexcept;
    ~FigurePictures();

    // `target` as in a lesson's text, "stage?line=31". The type is as large as the room allows. With `lanes`,
    // the lanes of the warps stand below the arrays: where the lesson's lecture shows them, where the step
    // has no arrays, and where they have room in large type. Errors: what the lesson's page shows instead of
    // the figure.
    Result<FigurePicture> draw(const lesson::LessonEntry& entry, const std::string& target, bool lanes);
    // The step of a note; nothing if the lesson's run has none there.
    std::optional<execution::PlacedStep> place(const lesson::LessonEntry& entry,
                                               const lesson::StepNote& note);

  private:
    struct State;
    explicit FigurePictures(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::ui
