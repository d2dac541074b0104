// The section of the preview's image, and of the values outside it.
#pragma once

#include "preview/model/preview_model.h"
#include "ui/preview/path_popup.h"
#include "ui/preview/side_column.h"

namespace lanescope::ui {

class ImageSection {
  public:
    explicit ImageSection(preview::PreviewModel& model) : model_(model) {}
    void draw(SideColumn& column);

  private:
    void name_line(SideColumn& column);
    void open_popup(const WindowState& window);
    void border_line(SideColumn& column);

    preview::PreviewModel& model_;
    TypedPath path_{};
};

}  // namespace lanescope::ui
