// The problems of the run, and whether its results are as expected. A click goes to the access.
#pragma once

#include <string>

#include "ui/kit/view.h"

namespace lanescope::ui {

class ProblemsPanel {
  public:
    void draw(const Rect& inside, const session::Session& session, const WindowState& window,
              Requests& requests);

  private:
    float draw_problem(const Rect& row, const trace::Problem& problem, int number, const WindowState& window,
                       Requests& requests);
    float draw_expectations(const Rect& row, const session::RunResult& run, const WindowState& window);

    float scroll_ = 0;
};

}  // namespace lanescope::ui
