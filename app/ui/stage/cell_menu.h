// The menu of a cell: its life, step by step, a watch, and a breakpoint on its writes. The stage, the flow
// and the lanes of the warps open it.
#pragma once

#include <memory>
#include <string>

#include "base/jobs.h"
#include "scene/stage/cell_life.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

class CellMenu {
  public:
    // `name`: "s[3]", as a watch and as the menu's title.
    void open(const session::Session& session, const CellPlace& cell, std::string name);
    // The cell that a text names: "s[3]" of the current launch and block. Does nothing if there is none.
    void open(const session::Session& session, const std::string& name);
    // Call this in each frame.
    void draw(const ViewContext& view);

  private:
    void draw_head(const ViewContext& view);
    void draw_events(const ViewContext& view);

    std::string name_;
    std::shared_ptr<const CellLife> life_;
    Jobs jobs_;  // last, so that its jobs end before what they fill
};

}  // namespace lanescope::ui
