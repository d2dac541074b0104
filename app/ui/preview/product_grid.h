// The values under the mask at one pixel, each with its product.
#pragma once

#include "preview/model/preview_model.h"
#include "preview/pixel/products.h"
#include "ui/preview/side_column.h"

namespace lanescope::ui {

class ProductGrid {
  public:
    explicit ProductGrid(const preview::PreviewModel& model) : model_(model) {}

    static bool takes(const preview::MaskSum& mask);  // small enough for numbers in its cells
    // One grid, or those along x and along y beside each other.
    void numbers(SideColumn& column, const preview::SampleParts& parts) const;
    // For larger masks: the pixels under the first one, with the product at the mouse.
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
