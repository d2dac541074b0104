// A figure of the flow whose arrays have two dimensions: a small matrix for each row, in reading order, and
// lines from the cells that one cell was computed from.
#pragma once

#include <optional>
#include <vector>

#include "ui/flow/flow_light.h"

namespace lanescope::ui {

class FlowMatrices {
  public:
    void fit();
    void arrange(const scene::FlowFigure& figure, const Rect& inside, const WindowState& window);
    void navigate(const WindowState& window);
    bool dragged() const { return dragged_; }
    std::optional<FlowPlace> cell_at(ImVec2 mouse) const;  // one that has a value
    void draw(const FlowLight& light, std::optional<std::uint32_t> current, FlowColour colour,
              const WindowState& window) const;

  private:
    // The cells of a matrix that are shown.
    struct Part {
        std::uint32_t left = 0, top = 0, columns = 1, rows = 1;
        Rect box;  // px
    };
    void choose_parts();
    void place(float width, float height, const WindowState& window);
    Rect box_of(std::uint32_t row, std::uint32_t column) const;
    std::uint32_t width_of(std::uint32_t row) const;
    void draw_titles(std::optional<std::uint32_t> current, const WindowState& window) const;
    void draw_matrix(std::uint32_t row, const FlowLight& light, FlowColour colour,
                     const WindowState& window) const;
    void draw_lines(const FlowLight& light, const WindowState& window) const;

    const scene::FlowFigure* figure_ = nullptr;  // of this frame
    const scene::FlowFigure* parted_ = nullptr;  // of the parts
    std::vector<Part> parts_;                    // by row
    Rect inside_;
    float cell_ = 1, height_ = 0, width_ = 0;
    float zoom_ = 1, pan_x_ = 0, pan_y_ = 0;
    bool dragged_ = false;
};

}  // namespace lanescope::ui
