// The facts about a whole run: loads, the difference from the exact result, levels before and after.
#pragma once

#include "preview/model/preview_model.h"
#include "ui/preview/path_popup.h"
#include "ui/preview/preview_modes.h"
#include "ui/preview/side_column.h"

namespace lanescope::ui {

class ResultSection {
  public:
    ResultSection(preview::PreviewModel& model, PreviewModes& modes) : model_(model), modes_(modes) {}
    void draw(SideColumn& column);
    void ask_to_save() { save_wanted_ = true; }  // the popup opens in the next frame

  private:
    void save_popup(const WindowState& window);
    void loads(SideColumn& column) const;
    void against_exact(SideColumn& column) const;
    void histogram(SideColumn& column);

    preview::PreviewModel& model_;
    PreviewModes& modes_;
    bool save_wanted_ = false;
    TypedPath path_{};
    std::string note_;  // why the file was not written
    ReplaceQuestion replacing_;
};

}  // namespace lanescope::ui
