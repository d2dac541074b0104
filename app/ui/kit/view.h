// Base of all views: a titled panel at a given rectangle. A view reads the session and appends commands.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scene/cell_text.h"
#include "session/session.h"
#include "ui/kit/scenes.h"
#include "ui/kit/theme.h"

namespace lanescope::ui {

struct GpuStreams;

struct Rect {
    float x = 0, y = 0, width = 0, height = 0;
    float right() const { return x + width; }
    float bottom() const { return y + height; }
    bool empty() const { return width < 1 || height < 1; }
    ImVec2 min() const { return {x, y}; }
    ImVec2 max() const { return {x + width, y + height}; }
};

// What the panel in the middle shows: memory cells of a block, or all threads.
enum class StageTab : std::uint8_t { cells, threads };
// What the rows of the timeline are.
enum class TimelineRows : std::uint8_t { warps, multiprocessors };
// Which of the inspector's tabs somebody asks for; automatic: the view's own choice.
enum class InspectorTab : std::uint8_t { automatic, variables, access, problems, timings, console };
// What the bars beside the lines of the source measure.
enum class HeatMetric : std::uint8_t { executions, divergence, conflicts, sectors };

// Which page of the help is open.
enum class HelpPage : std::uint8_t { keys, glossary };
// What lies over the panels and has the keyboard: one at a time.
enum class Dialog : std::uint8_t { none, menu, open_file, save_as, palette, form };

// Transient state of the window that views share and that is not the session's (modes, toggles, clock).
struct WindowState {
    double now_s = 0;
    bool lecture = false;
    bool show_help = false;
    bool editing = false;            // the source is being typed
    bool edit_opened = false;        // so is that of the file that is opened next
    bool comparing = false;          // two runs side by side instead of one
    bool exporting = false;          // the dialogue that writes pictures and pages is open
    bool typing_source = false;      // and has the keyboard
    session::Commands after_typing;  // asked for while it is typed: they come after what was typed so far
    Dialog dialog = Dialog::none;
    bool focus_parameters = false;  // the first input of the parameters takes the keyboard
    bool wants_frame = false;       // a view waits for something that time brings
    InspectorTab show_tab = InspectorTab::automatic;
    float scale = 1.0f;      // of all sizes and fonts
    float zoom = 1.0f;       // what the person chose on top of the scale that fits
    bool still = false;      // headless picture: no hover, no animation
    float lane_zoom = 1.0f;  // of the 32 columns that stage and warps share (see lane_grid.h)
    float lane_fit = 1.0f;   // zoom at which short arrays and small blocks are large enough to read from afar
    float lane_pan_px = 0;   // how far those columns are moved to the left
    std::string note;  // one line about the machine that the person should know, e.g. a font that is missing

    StageTab stage_tab = StageTab::cells;
    std::string map_colour = "state";  // "state", "line", or a variable of which the value is the colour
    TimelineRows timeline_rows = TimelineRows::warps;
    std::vector<std::shared_ptr<const GpuStreams>>
        gpu_streams;  // of the run's launches; empty: the trace has it all
    // Lecture
    bool black = false;                      // nothing is drawn: all eyes on the lecturer
    bool pointer = false;                    // a bright dot with a trail follows the mouse
    bool spotlight = false;                  // all but a circle around the mouse is dimmed
    bool edit_note = false;                  // the box for a note on this step is open
    std::vector<std::uint64_t> noted_turns;  // first turns of the steps that have notes, ascending
    std::string step_note;                   // that of the current step; empty: none

    HelpPage help_page = HelpPage::keys;
    int tour_stop = -1;     // the guided tour's, from 0; negative: there is none
    bool show_ptx = false;  // beside the source
    HeatMetric heat = HeatMetric::executions;
    RealFormat reals = RealFormat::decimal;
    std::string lane_colour;  // a lane expression of which the value colours the lanes; empty: their state
    std::uint32_t condition_line = 0;  // whose breakpoint's condition is typed; 0: none
    bool add_watch = false;            // the box for a new watch shall take the keyboard
    std::string problem;  // what a view could not show as it was asked to; a picture fails with it

    float px(float at_scale_1) const { return at_scale_1 * scale; }
};

// The heading's row while a view adds its controls: words after the title, or from the right edge leftwards.
class Heading {
  public:
    Heading(const Rect& rect, const WindowState& shared)
        : rect_(rect), shared_(shared), left_(rect.x), right_(rect.right()) {}
    void title(const std::string& text);                      // in capitals
    bool word(const std::string& text, bool chosen = false);  // after what is there; true when clicked
    bool word_right(const std::string& text, bool chosen = false);
    void words(
        const std::string& text);  // that cannot be clicked, in capitals; cut where the free space ends
    float left() const { return left_; }  // free space: [left, right)
    float right() const { return right_; }
    float middle() const { return rect_.y + rect_.height / 2; }

  private:
    bool clickable(const std::string& text, float x, float width, bool chosen);

    Rect rect_;
    const WindowState& shared_;
    float left_, right_;
};

class View {
  public:
    virtual ~View() = default;
    View(const View&) = delete;
    View& operator=(const View&) = delete;

    // Owns Begin/End: panel background, heading, clipping.
    void draw(const Rect& rect, const session::Session& session, WindowState& shared,
              session::Commands& commands);
    virtual ImU32 surface() const {
        return theme().panel;
    }  // what lies behind the content; the window clears it
    // What the view would like to have, heading included, px; 0: it takes what it gets.
    virtual float wanted_height(const session::Session&, const WindowState&, float /*width*/) const {
        return 0;
    }

    // Two views of one kind in one window need names of their own.
    void rename(std::string id) { id_ = std::move(id); }

  protected:
    explicit View(std::string id) : id_(std::move(id)) {}
    // Heading in capitals, left; empty for none. Called every frame.
    virtual std::string title(const session::Session&) const { return {}; }
    virtual bool has_heading(const session::Session& session) const { return !title(session).empty(); }
    // Small controls in the heading.
    virtual void tools(Heading&, const session::Session&, WindowState&, session::Commands&) {}
    virtual bool separated() const { return true; }  // a line above and at the left
    virtual void content(const Rect& inside, const session::Session& session, WindowState& shared,
                         session::Commands& commands) = 0;

  private:
    std::string id_;
};

}  // namespace lanescope::ui
