// The kernel's output up to the current step, with the thread and the line that printed it; later output is
// grey. Messages of assertions and traps stand where they happened. A click goes to the step.
#pragma once

#include <string>
#include <vector>

#include "scene/inspector/console_lines.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

class ConsolePanel {
  public:
    void draw(const Rect& inside, const ViewContext& view);

  private:
    void draw_line(const Rect& row, const ConsoleLine& line, bool later, bool many_blocks, std::size_t number,
                   const WindowState& window, Requests& requests) const;

    std::uint64_t generation_ = ~0ull, told_ = ~0ull;
    std::vector<ConsoleLine> lines_;
    std::size_t shown_until_ = ~std::size_t{0};  // the number of lines for which the panel was scrolled
    float scroll_ = 0;
};

}  // namespace lanescope::ui
