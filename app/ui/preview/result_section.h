// The facts about a whole run: loads, the difference from the exact result, levels before and after.
#pragma once

#include "preview/model/preview_model.h"
#include "ui/preview/preview_modes.h"
#include "ui/preview/side_column.h"

namespace lanescope::ui {

class ResultSection {
  public:
    ResultSection(preview::PreviewModel& model, PreviewModes& modes) : model_(model), modes_(modes) {}
    void draw(SideColumn& column);

  private:
    void loads(SideColumn& column) const;
    void against_exact(SideColumn& column) const;
    void histogram(SideColumn& column);

    preview::PreviewModel& model_;
    PreviewModes& modes_;
};

}  // namespace lanescope::ui
