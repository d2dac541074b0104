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
        std::optional<double> value;  // none: left as it was
        std::string problem;          // why the typed text is not a value
        bool next = false;            // Tab: the next cell is typed in
    };

    void begin(std::uint32_t row, std::uint32_t column, double value);
    void end() { active_ = false; }  // nothing becomes of it
    bool active() const { return active_; }
    std::uint32_t row() const { return row_; }
    std::uint32_t column() const { return column_; }
    bool at(std::uint32_t row, std::uint32_t column) const {
        return active_ && row == row_ && column == column_;
    }
    // Over the cell, or wider. Says once what became of it.
    std::optional<Outcome> draw(const Rect& cell, const WindowState& window);

  private:
    std::array<char, 32> text_{}, first_{};  // now, and when it began
    std::uint32_t row_ = 0, column_ = 0;
    bool active_ = false, focus_wanted_ = false;
};

}  // namespace lanescope::ui
