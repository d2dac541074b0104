// The size and the form of one array of the stage; stage_layout.cpp chooses where it stands.
#pragma once

#include <cstdint>
#include <span>

#include "scene/stage/stage_layout.h"

namespace lanescope::scene {

// What make_layout chooses for an array.
struct ArraySize {
    float unit_px = 0;  // height of a matrix's cell with its gap, a fifth of a bar's; at scale and zoom 1
    std::uint64_t rows = 0;  // of an array in rows of lanes: how many are shown at most
    bool beside = true;      // bars stand beside others; else they have a row of the stage for themselves
    float room = 1;          // of the panel's width that a matrix fills at most
};

constexpr float largest_unit_px = 64, smallest_unit_px = 2;
constexpr float readable_unit_px = 12;  // cells with values; bars that can be compared
constexpr float label_line_px = 20;     // the name above a matrix or bars

// The vertical air around rows of lanes, px.
struct StageAir {
    float arc, array, queue;
};
StageAir stage_air(float share, float scale);  // between roomy (1) and narrow (0)

class ArrayPlanner {
  public:
    explicit ArrayPlanner(const LayoutFrame& frame);

    ArrayPlan plan(const StageArray& array, const ArrayHint& hint, std::uint32_t number,
                   const ArraySize& size) const;
    // Sets the heights of a plan whose top is known.
    void place(ArrayPlan& plan, const StageArray& array, float top, const StageAir& air) const;
    // Where matrices and bars begin and end.
    float flow_left() const;
    float flow_width() const;

  private:
    void shape_lanes(ArrayPlan& plan, const StageArray& array, const ArrayHint& hint,
                     const ArraySize& size) const;
    void shape_matrix(ArrayPlan& plan, const StageArray& array, const ArrayHint& hint, float unit,
                      float room) const;
    void choose_text(ArrayPlan& plan, int widest_chars) const;
    void window_matrix(ArrayPlan& plan, const ArrayHint& hint, float room) const;
    void shape_bars(ArrayPlan& plan, const StageArray& array, const ArrayHint& hint, float unit) const;
    void fold_lanes(ArrayPlan& plan, const StageArray& array, const ArrayHint& hint,
                    const ArraySize& size) const;
    std::uint64_t lane_heat_rows(const ArrayPlan& plan) const;
    bool compact(const ArrayPlan& plan, const StageArray& array) const;
    float row_gap(const ArrayPlan& plan) const;

    const LayoutFrame& frame_;
    float cell_height_ = 0;  // of a row of lanes
};

// Whether the array is drawn as one line, because the block does not touch it.
bool collapsed(const StageArray& array, bool others_touched);

}  // namespace lanescope::scene
