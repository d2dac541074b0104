// The warps of the focus block: 32 lanes each, in the columns of the stage, with their states, the active
// mask and the values of a variable.
#pragma once

#include "base/language.h"
#include "scene/stage/step_motion.h"
#include "scene/warps/warps_layout.h"
#include "scene/warps/warps_model.h"
#include "ui/kit/prediction_input.h"
#include "ui/kit/view.h"
#include "ui/stage/cell_menu.h"

namespace lanescope::ui {

class WarpsView : public View {
  public:
    WarpsView() : View("warps") {}

  protected:
    std::string title(const session::Session&) const override { return tr("Warps"); }
    void tools(Heading& heading, const ViewContext& view) override;
    ImU32 surface() const override { return theme().background; }
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    struct Picture;  // warps_view.cpp

    void choose_colour(Heading& heading, const ViewContext& view);
    void choose_label(Heading& heading, const ViewContext& view);
    void choose_block(Heading& heading, const ViewContext& view);
    void navigate(const Rect& inside, const WindowState& window);
    ChangeForm change_form(const Picture& picture, const WarpRow& row);
    std::string common_value(const Picture& picture, const ShownWarp& warp) const;
    void draw_row(const Picture& picture, const WarpRow& row);
    void draw_names(const Picture& picture, const WarpRow& row, const ShownWarp& warp);
    void draw_lane(const Picture& picture, const WarpRow& row, const ShownWarp& warp, unsigned lane);
    void draw_travelling_values(const Picture& picture, const WarpRow& row, const ShownWarp& warp) const;
    void draw_exchanges(const Picture& picture, const WarpRow& row, const ShownWarp& warp);
    void draw_frames(const Picture& picture, const WarpRow& row);
    // Predict, then reveal: what was typed for the lanes, and the input.
    void predictions(const Picture& picture, Requests& requests);
    bool can_predict(std::uint32_t thread) const;
    void predict(const session::Session& session, std::uint32_t thread);
    void predict_next(const Picture& picture, std::optional<std::uint32_t> after, int direction);
    void interact(const Picture& picture, const session::Session& session, Requests& requests);

    WarpsModel model_;
    WarpsLayout layout_;
    bool hovering_ = false;
    float scroll_ = 0;
    StepMotion motion_;
    PredictionInput prediction_;
    CellMenu menu_;  // of the cell that the label names in a lane
};

}  // namespace lanescope::ui
