// Watch expressions: each with its value in all 32 lanes of the pinned warp; "8→13" where the step changed
// it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "scene/inspector/watch_rows.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

class WatchesPanel {
  public:
    // Draws from `y` downwards. Returns the lower end.
    float draw(const Rect& inside, float y, const ViewContext& view);

  private:
    void prepare(const session::Session& session);
    float draw_stops(const Rect& inside, float y, const ViewContext& view);
    float draw_watch(const Rect& inside, float y, std::size_t number, const ViewContext& view);
    float draw_values(const Rect& inside, float y, const WatchRow& row, const ViewContext& view) const;
    float draw_problem(const Rect& inside, float y, const WatchRow& row, const WindowState& window) const;
    float draw_input(const Rect& inside, float y, const ViewContext& view);

    std::uint64_t generation_ = ~0ull, first_turn_ = 0, end_turn_ = 0;
    std::size_t instruction_ = 0;
    std::uint32_t warp_ = ~0u;
    bool before_ = false;     // values are those before the step
    bool concealed_ = false;  // values that depend on the step's results are "?"
    std::vector<std::string> texts_;
    std::vector<WatchRow> rows_;
    char typed_[256] = {};
    std::size_t edited_ = ~std::size_t{0};  // the watch that is edited; beyond the last: a new one
};

}  // namespace lanescope::ui
