// What the window shows and in which mode, apart from the session: tabs, toggles, dialogues, clock.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scene/source/line_marks.h"
#include "scene/words/cell_text.h"
#include "session/session.h"
#include "ui/state/brightness.h"
#include "ui/state/scenes.h"

namespace lanescope::ui {

struct GpuStreams;

// What the panel in the middle shows: memory cells of a block, or all threads.
enum class StageTab : std::uint8_t { cells, threads };
// What the rows of the timeline are.
enum class TimelineRows : std::uint8_t { warps, multiprocessors };
// The tab of the inspector that was asked for; automatic: the view's own choice.
enum class InspectorTab : std::uint8_t { automatic, variables, access, problems, timings, console };

// Which page of the help is open.
enum class HelpPage : std::uint8_t { keys, glossary };
// What lies over the panels and has the keyboard: one at a time.
enum class Dialog : std::uint8_t { none, menu, open_file, save_as, palette, form };

// The 32 columns that stage and warps share: see ui/kit/lane_grid.h.
struct LaneColumns {
    float zoom = 1;
    float fit = 1;     // zoom at which short arrays and small blocks are large enough to read from afar
    float pan_px = 0;  // how far they are moved to the left
    bool operator==(const LaneColumns&) const = default;
};

// The page of image convolutions, as far as keys and menus must know it.
struct PreviewState {
    bool open = false;
    bool editing = false;  // a kernel's source is open
};

// One line over the panels that goes by itself: why a key did nothing.
struct Notice {
    std::string text;
    double until_s = 0;
};
constexpr double notice_s = 4;

// What views read beside the session. The window alone changes it; views ask for changes: see Requests.
struct WindowState {
    double now_s = 0;
    Brightness brightness = Brightness::dark;
    PreviewState preview;
    Notice notice;
    bool lecture = false;
    bool show_help = false;
    bool editing = false;        // the source is being typed
    bool edit_opened = false;    // so is that of the file that is opened next
    bool comparing = false;      // two runs side by side instead of one
    bool exporting = false;      // the dialogue that writes pictures and pages is open
    bool typing_source = false;  // and has the keyboard
    bool flush_typing = false;   // what was typed goes to the session in this frame
    Dialog dialog = Dialog::none;
    bool focus_parameters = false;  // the first input of the parameters takes the keyboard
    InspectorTab show_tab = InspectorTab::automatic;
    float scale = 1.0f;  // of all sizes and fonts
    float zoom = 1.0f;   // what the person chose on top of the scale that fits
    bool still = false;  // headless picture: no hover, no animation
    LaneColumns lanes;
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
    bool removed_note = false;               // a note was removed, and nothing was done since

    HelpPage help_page = HelpPage::keys;
    int tour_stop = -1;     // the guided tour's, from 0; negative: there is none
    bool show_ptx = false;  // beside the source
    HeatMetric heat = HeatMetric::executions;
    RealFormat reals = RealFormat::decimal;
    std::string lane_colour;  // a lane expression of which the value colours the lanes; empty: their state
    bool add_watch = false;   // the box for a new watch shall take the keyboard

    float px(float at_scale_1) const { return at_scale_1 * scale; }
};

// Closes what covers the panels and goes to the first stop.
void start_tour(WindowState& window);

}  // namespace lanescope::ui
