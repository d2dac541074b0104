// The launches of a program. A click records a launch, which runs the program again, and shows it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/inspector/launch_rows.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

class LaunchesPanel {
  public:
    void draw(const Rect& inside, const ViewContext& view);

  private:
    void prepare(const session::Session& session);
    float draw_filter(const Rect& row, const WindowState& window);
    float draw_heading(const Rect& row, const WindowState& window) const;
    void draw_list(const Rect& list, const ViewContext& view);
    void draw_row(const Rect& row, const scene::LaunchRow& launch, const ViewContext& view) const;

    std::uint64_t generation_ = ~0ull;
    std::vector<scene::LaunchRow> rows_;
    std::string heading_;
    std::string typed_;
    scene::LaunchFilter filter_;
    std::vector<std::size_t> left_;  // indices of the rows that the filter leaves
    std::optional<std::uint64_t> shown_;
    bool follow_ = false;  // brings the shown launch into view
    float scroll_ = 0;
};

}  // namespace lanescope::ui
