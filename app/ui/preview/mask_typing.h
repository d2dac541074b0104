// A number typed into a cell of the mask.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "ui/kit/view.h"

namespace lanescope::ui {

class MaskTyping {
  public:
    struct Outcome {
        std::optional<double> value;  // empty: the value stays
        std::string problem;          // why the typed text cannot be a value
        bool next = false;            // Tab was pressed: the next cell gets the input
    };

    void begin(std::uint32_t row, std::uint32_t column, double value);
    void end() { active_ = false; }  // drops the typed text
    bool active() const { return active_; }
    std::uint32_t row() const { return row_; }
    std::uint32_t column() const { return column_; }
    bool at(std::uint32_t row, std::uint32_t column) const {
        return active_ && row == row_ && column == column_;
    }
    // Draws the input over the cell, or wider. Returns the outcome once, in the frame in which the typing
    // ends.
    std::optional<Outcome> draw(const Rect& cell, const WindowState& window);

  private:
    std::array<char, 32> text_{}, first_{};  // the text now, and the text at the start
    std::uint32_t row_ = 0, column_ = 0;
    bool active_ = false, focus_wanted_ = false;
};

}  // namespace lanescope::ui
