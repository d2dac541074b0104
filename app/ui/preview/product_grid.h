// The values under the mask at one pixel, each with its product.
#pragma once

#include "preview/model/preview_model.h"
#include "preview/pixel/products.h"
#include "ui/preview/side_column.h"

namespace lanescope::ui {

class ProductGrid {
  public:
    explicit ProductGrid(const preview::PreviewModel& model) : model_(model) {}

    static bool takes(const preview::MaskSum& mask);  // whether its cells have room for numbers
    // Draws one grid, or the grids along x and along y side by side.
    void numbers(SideColumn& column, const preview::SampleParts& parts) const;
    // For larger masks: draws the pixels under the first mask, with the product at the mouse.
    void pixels(const Rect& box, const preview::SampleParts& parts, const WindowState& window) const;

  private:
    void number_cell(const Rect& box, const preview::MaskSum& mask, const preview::Product& cell,
                     double largest, const WindowState& window) const;
    void cell_tooltip(const preview::MaskSum& mask, const preview::Product& cell,
                      const WindowState& window) const;
    ImU32 colour_under(const preview::Product& cell) const;

    const preview::PreviewModel& model_;
};

}  // namespace lanescope::ui
