// The pinned thread's variables, frame by frame, with the values of each variable in the 32 lanes of its
// warp.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "scene/inspector/variable_rows.h"
#include "ui/inspector/watches_view.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

class VariablesPanel {
  public:
    void draw(const Rect& inside, const ViewContext& view);

  private:
    void prepare(const session::Session& session);
    float draw_row(const Rect& inside, float y, const VariableRow& row, const ViewContext& view, int id);

    std::uint64_t generation_ = ~0ull, first_turn_ = 0, end_turn_ = 0;
    std::uint32_t warp_ = ~0u, lane_ = ~0u;
    bool concealed_ = false, before_ = false;
    std::string thread_;
    std::vector<VariableFrame> frames_;
    WatchesPanel watches_;
    float scroll_ = 0;
};

}  // namespace lanescope::ui
