// The stage: buffers and shared arrays of the focus block, with the cells that this step reads and writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render/texture.h"
#include "scene/stage/stage_model.h"
#include "scene/stage/step_motion.h"
#include "ui/kit/prediction_input.h"
#include "ui/kit/view.h"
#include "ui/stage/cell_menu.h"

namespace lanescope::ui {

struct StagePicture;

class StageView : public View {
  public:
    StageView() : View("stage") {}

  protected:
    bool has_heading(const ViewContext&) const override { return true; }
    void tools(Heading& heading, const ViewContext& view) override;
    ImU32 surface() const override { return theme().background; }
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    // What the heading is made of.
    struct HeadingKey {
        std::uint64_t generation = ~0ull, position = ~0ull;  // hidden results: before the step
        std::size_t step = 0, instruction = 0, steps = 0;
        bool concealed = false;
        bool operator==(const HeadingKey&) const = default;
    };
    const std::string& place(const session::Session& session);
    const std::string& story(const session::Session& session);
    bool lay_out(const Rect& inside, const session::Session& session, const WindowState& window,
                 LaneColumns& columns);
    void fit_small_blocks(const Rect& inside, const session::Session& session, const WindowState& window,
                          LaneColumns& columns);
    void follow(const Rect& inside);
    void navigate(const Rect& inside, const WindowState& window, LaneColumns& columns);
    void fold_lines(const StagePicture& picture);
    void open_menu(const CellRef& cell, const session::Session& session);
    void hover(const StagePicture& picture, const session::Session& session, Requests& requests);
    void highlight(const StagePicture& picture, const session::Session& session);
    void clamp_scroll(float height);
    // Predict, then reveal: what was typed, and the input.
    void predictions(const StagePicture& picture, const session::Session& session, Requests& requests);
    bool can_predict(const CellRef& cell, const session::Session& session) const;
    session::HiddenPlace place_of(const CellRef& cell) const;
    void predict(const CellRef& cell, const session::Session& session);
    void predict_next(const CellRef* after, int direction, const session::Session& session);
    void mark_stops(const StagePicture& picture, const session::Session& session);

    StageModel model_;
    StepMotion motion_;
    CellLabel label_ = CellLabel::value;
    Rect fitted_;            // the panel for which the size of small blocks was chosen
    float scroll_ = 0;       // height of the content above the top edge, px
    bool hovering_ = false;  // the selection's hovered cell comes from this view
    bool fit_wanted_ = false;
    bool dragged_ = false;
    CellMenu menu_;
    PredictionInput prediction_;
    std::optional<CellRef> predicted_;        // the cell below the input
    std::vector<session::Breakpoint> stops_;  // for which stop_cells_ was made
    std::vector<CellRef> stop_cells_;         // whose writes stop a run
    bool stepped_ = false;                    // the step changed since the last frame
    std::vector<render::Texture> heat_;       // of large arrays, by array
    std::string heading_;
    HeadingKey heading_key_;
    std::string story_;
    HeadingKey story_key_;
    std::uint32_t story_thread_ = ~0u;
};

}  // namespace lanescope::ui
