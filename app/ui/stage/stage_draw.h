// Draws the content that a StageModel has prepared.
#pragma once

#include <imgui.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "render/texture.h"
#include "scene/stage/stage_model.h"
#include "scene/stage/step_motion.h"
#include "ui/kit/lane_grid.h"
#include "ui/kit/view.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

// Fonts of the cells, largest first, and their sizes for the layout.
struct CellFonts {
    std::array<ImFont*, 5> fonts{};
    std::array<TextSize, 5> sizes{};
};
const CellFonts& cell_fonts();

struct StagePicture {
    ImDrawList* draw = nullptr;
    const StageModel& model;
    const trace::Trace& trace;
    LaneGrid grid;
    Rect inside;       // without the legend's strip
    float scroll = 0;  // content y at the top of `inside`
    const WindowState& window;
    std::uint32_t focus_thread = 0;
    std::vector<render::Texture>& heat;  // the view's textures, by array
    bool before = false;                 // values are those before the step
    double age_s = no_motion;            // of the motion that follows a step
    const std::string& story;            // what the step does in one thread, for the legend

    float window_y(float content_y) const { return std::round(inside.y + content_y - scroll); }
    bool visible(float top, float bottom) const { return bottom >= scroll && top <= scroll + inside.height; }
    Rect cell_rect(const ArrayPlan& plan, std::uint64_t index) const;
    // How high an arc over so many columns of a row is.
    float arc_height(const ArrayPlan& plan, float columns) const;
};

void draw_arrays(const StagePicture& picture);
void draw_label(const StagePicture& picture, const ArrayPlan& plan, const StageArray& array, bool any_set);
void draw_bars(const StagePicture& picture, const ArrayPlan& plan, const StageArray& array,
               const ShownArray& shown);
void draw_bands(const StagePicture& picture);   // behind the cells
void draw_arrows(const StagePicture& picture);  // over the cells
void draw_motion(const StagePicture& picture);  // values on their way

// Where a value is after a share of its way.
struct TravelPath {
    ImVec2 from, from_control, to_control, to;
    ImVec2 at(float share) const;
};
void draw_travelling(ImDrawList* draw, ImFont* font, ImVec2 middle, const std::string& text,
                     const WindowState& window);
// Seconds since the values of the step began to travel; no_motion when nothing moves.
double age_of_motion(StepMotion& motion, const session::Session& session, const WindowState& window);
void draw_queues(const StagePicture& picture);  // below the cells: lanes that wait for atomic operations
// Frames the cells that one thread accesses, or one cell.
void draw_thread_cells(const StagePicture& picture, std::uint32_t thread);
void draw_footprints(const StagePicture& picture);  // of the block and of the focus thread, over the cells
void draw_outside(const StagePicture& picture);     // accesses beside the arrays
void draw_bank_cells(const StagePicture& picture);  // of WindowState::bank_words
void draw_linked(const StagePicture& picture, const LinkedCells& linked);
void draw_cell_frame(const StagePicture& picture, const CellRef& cell);
// Draws the legend below the cells, or below `inside` if the cells need all of it.
void draw_legend(const StagePicture& picture);
float legend_height(const StageModel& model, const WindowState& window);

// Adds a word with a small triangle to a heading. Returns whether it was clicked, to open its menu.
bool menu_word(Heading& heading, const std::string& text, const WindowState& window);
bool menu_word_right(Heading& heading, const std::string& text, const WindowState& window);

// Returns the colour of a number between the smallest (0) and the largest (1) of an array.
ImU32 heat_colour(float share);

}  // namespace lanescope::ui
