// The cells of the preview's mask. The user clicks a value to type it, or drags it up and down.
#pragma once

#include <cstdint>
#include <string>

#include "preview/model/preview_model.h"
#include "ui/preview/mask_typing.h"
#include "ui/preview/side_column.h"

namespace lanescope::ui {

// Returns "0.114", or "2" for a whole number.
std::string mask_number(double value, int digits);

class MaskGrid {
  public:
    explicit MaskGrid(preview::PreviewModel& model) : model_(model) {}

    void draw(SideColumn& column);
    bool typing() const { return typing_.active(); }
    // Whether a change of one cell also changes the cells that mirror it.
    bool symmetric() const { return symmetric_; }
    void set_symmetric(bool wanted) { symmetric_ = wanted; }

  private:
    void cell(std::uint32_t r, std::uint32_t c, const Rect& box, double largest, const WindowState& window);
    void take_mouse(std::uint32_t r, std::uint32_t c, double largest, const WindowState& window);
    void type(std::uint32_t r, std::uint32_t c, const Rect& box, const WindowState& window);
    void set(std::uint32_t r, std::uint32_t c, double value);

    preview::PreviewModel& model_;
    MaskTyping typing_;
    bool symmetric_ = true, dragged_ = false;
};

}  // namespace lanescope::ui
