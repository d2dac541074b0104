// One pixel in the preview's right column: its products, their sum, and the loads of their values.
#pragma once

#include "preview/model/preview_model.h"
#include "preview/pixel/pixel_products.h"
#include "ui/preview/preview_modes.h"
#include "ui/preview/product_grid.h"
#include "ui/preview/side_column.h"

namespace lanescope::ui {

class PixelSection {
  public:
    PixelSection(preview::PreviewModel& model, PreviewModes& modes)
        : model_(model), modes_(modes), grid_(model) {}
    void draw(SideColumn& column);

  private:
    void head(SideColumn& column);
    void place_line(SideColumn& column);
    void tools(SideColumn& column);
    void channels(const Rect& line, const WindowState& window);
    void sum(const Rect& box, const SideColumn& column, const preview::SampleParts& parts) const;
    void result(const Rect& line, const WindowState& window) const;
    std::vector<std::string> load_lines() const;
    bool shared_tiles() const;

    preview::PreviewModel& model_;
    PreviewModes& modes_;
    preview::PixelProducts products_;
    ProductGrid grid_;
};

}  // namespace lanescope::ui
