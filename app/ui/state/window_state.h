// The window's own state, without the session: modes, tabs, toggles, dialogues, clock.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "scene/layout/layout_figure.h"
#include "scene/source/line_marks.h"
#include "scene/words/cell_text.h"
#include "session/session.h"
#include "ui/state/brightness.h"
#include "ui/state/scenes.h"

namespace lanescope::ui {

struct GpuStreams;

// The panel in the middle shows the memory cells of a block, all threads, what was computed from what, or
// which element is where.
enum class StageTab : std::uint8_t { cells, threads, flow, layout };
// The second line in the cells of the flow.
enum class FlowLabel : std::uint8_t { inputs, thread, nothing };
// Which cells a row of the flow shows, and where: all, those that are written, or each above the middle of
// what it was computed from.
enum class FlowLayout : std::uint8_t { rows, changes, tree };
// Automatic: by writes, or by origin where all values are copies.
enum class FlowColour : std::uint8_t { automatic, writes, origin, warp, thread };
// What a row of the timeline stands for. Cycles: a resident warp of one multiprocessor, by the estimated
// clock.
enum class TimelineRows : std::uint8_t { warps, multiprocessors, cycles };
constexpr int timeline_rows_count = 3;
// The requested tab of the inspector; with `automatic` the view chooses.
enum class InspectorTab : std::uint8_t {
    automatic,
    launches,
    host,
    variables,
    access,
    problems,
    timings,
    clock,
    console
};

// Whether values travel along their arrows after a step.
enum class MotionWish : std::uint8_t { system, on, off };

// The open page of the help.
enum class HelpPage : std::uint8_t { keys, glossary };
// The dialogue that lies over the panels and has the keyboard; one at a time.
enum class Dialog : std::uint8_t {
    none,
    menu,
    open_file,
    save_as,
    palette,
    form,
    get_compiler,
    run_program,
    engine
};

// The 32 columns that stage and warps share; see ui/kit/lane_grid.h.
struct LaneColumns {
    float zoom = 1;
    float fit = 1;     // zoom at which short arrays and small blocks are large enough to read from afar
    float tall = 1;    // the same for the height of their cells, of which a low panel has less
    float pan_px = 0;  // distance by which the columns are moved to the left
    bool operator==(const LaneColumns&) const = default;
};

// Panels that the user has hidden; a lecture and a comparison have their own panels.
struct HiddenPanels {
    bool left = false;  // lessons, parameters and the lesson's text
    bool warps = false, source = false, inspector = false, timeline = false;
    bool operator==(const HiddenPanels&) const = default;
};

// The part of the preview page's state that keys and menus depend on.
struct PreviewState {
    bool open = false;
    bool editing = false;  // a kernel's source is open
    std::filesystem::path image = {};
};

// One line over the panels that says why a key did nothing; it disappears by itself.
struct Notice {
    std::string text;
    double until_s = 0;
};
constexpr double notice_s = 4;

constexpr float least_clickable_px = 20;  // width and height of what the mouse can click, in any window

// What views are asked for in one frame. App::frame empties it when they have drawn, so that none outlives
// the frame.
struct FrameSignals {
    bool flush_typing = false;           // the typed text goes to the session
    bool predict = false;                // the input of the first hidden result gets the keyboard
    bool focus_parameters = false;       // the first input of the parameters gets it
    bool add_watch = false;              // the box for a new watch gets it
    bool reset_layout = false;           // the panels get the sizes that they had at first
    int page_scroll = 0;                 // screens that the lesson's page moves down
    int page_box = 0;                    // questions and exercises that it goes on
    bool wipe = false;                   // the pen's lines go
    std::filesystem::path compare_with;  // the file that the comparison opens; empty: its own choice
    bool operator==(const FrameSignals&) const = default;
};

struct MotionState {
    MotionWish wish = MotionWish::system;
    bool system_moves = true;  // the system's user did not ask for less motion
    double at_s = -1;  // of a picture: this moment of the motion after a step; negative: no picture of it
};

struct HelpState {
    bool shown = false;
    HelpPage page = HelpPage::keys;
};

// The panel of the source.
struct SourceState {
    bool editing = false;      // the source is open in the editor
    bool edit_opened = false;  // the next opened file starts in the editor
    bool typing = false;       // the editor has the keyboard
    bool ptx = false;          // PTX beside the source
    HeatMetric heat = HeatMetric::executions;
    std::vector<std::uint32_t> differing =
        {};  // in a comparison: the lines that the other file lacks, ascending
};

// The cells of the stage.
struct CellChoices {
    CellColour colour = CellColour::automatic;
    RealFormat reals = RealFormat::decimal;
    bool origins_shown = false;  // they have the colours of their inputs
    // Words of shared memory in the bank under the mouse, in bytes, ascending: their cells stand out.
    std::vector<std::uint64_t> bank_words;
};

struct FlowChoices {
    std::string array;  // its columns; empty: the array with the most to see
    FlowLabel label = FlowLabel::inputs;
    FlowLayout layout = FlowLayout::rows;
    FlowColour colour = FlowColour::automatic;
    bool unfolded = false;  // all columns, however narrow
};

struct LayoutChoices {
    std::string array;  // empty: the one that the step uses
    LayoutPart part = LayoutPart::automatic;
};

struct InspectorState {
    InspectorTab tab = InspectorTab::automatic;  // until the panel has shown it
    bool roofline = false;                       // the tab "Timings" shows the roofline instead of the bars
    bool counters = false;  // the tab "Access" shows what a GPU measured instead of the step's requests
};

struct GpuState {
    // One for each launch of the run; empty if the trace has all data.
    std::vector<std::shared_ptr<const GpuStreams>> streams;
    std::string place;    // where the GPU engine finds its GPU, as --gpu says it; empty: this machine
    std::string records;  // how the records of the last run on a GPU are drawn; empty: there was none
};

// What a lecture shows below the stage: what the lesson says, the source and the timeline, the lanes of the
// warps, or a tab of the inspector.
enum class LectureBand : std::uint8_t { of_lesson, source, lanes, tabs };

// What a lecturer shows over the panels.
struct TalkState {
    LectureBand band = LectureBand::of_lesson;
    bool audience = false;   // a second window, for the projector, shows the lecture's picture alone
    bool alone = false;      // of a picture: nothing but the stage, without its heading
    bool black = false;      // nothing is drawn: all eyes on the lecturer
    bool pointer = false;    // a bright dot with a trail follows the mouse
    bool spotlight = false;  // everything outside a circle around the mouse is dimmed
    bool pen = false;        // the mouse draws lines on the picture
};

struct NotesState {
    bool editing = false;              // the box for a note on this step is open
    std::vector<std::uint64_t> turns;  // first turns of the steps that have notes, ascending
    std::string here;                  // the note on the current step, or empty
    bool changed = false;              // changing a note was the last thing that can be undone
};

// The state that views read besides the session. Only the window changes it; views request changes
// (Requests).
struct WindowState {
    FrameSignals signals;
    // The frame
    double now_s = 0;
    double busy_s = 0;  // how long a run has been on its way; 0: none is
    Brightness brightness = Brightness::dark;
    float scale = 1.0f;        // of all sizes and fonts
    float zoom = 1.0f;         // the user's factor on top of the scale that fits the window
    bool still = false;        // headless picture: no hover, no animation
    bool mouse_rests = false;  // since the last key: what lies below the mouse by chance explains nothing
    MotionState motion;
    std::string web_address;  // of the version for browsers, to which links lead; empty: not known
    std::string note;         // one line for the user about this machine, e.g. a missing font
    Notice notice;
    // What covers or replaces panels
    PreviewState preview;
    Dialog dialog = Dialog::none;
    HelpState help;
    bool exporting = false;  // the dialogue that writes pictures and pages is open
    bool comparing = false;  // two runs side by side instead of one
    bool lecture = false;
    int tour_stop = -1;  // index of the guided tour's stop; negative: no tour
    HiddenPanels hidden;
    bool page = false;  // the left column holds the lesson's page
    // Panels
    StageTab stage_tab = StageTab::cells;
    LaneColumns lanes;
    CellChoices cells;
    FlowChoices flow;
    LayoutChoices layout;
    std::string map_colour = "state";  // "state", "line", or the variable whose value gives the colour
    std::string lane_colour;  // the lane expression whose value colours the lanes; empty: their state
    TimelineRows timeline_rows = TimelineRows::warps;
    SourceState source;
    InspectorState inspector;
    GpuState gpu;
    TalkState talk;
    NotesState notes;

    // The run has been on its way for so long that what is shown is an older one's.
    bool runs_long() const { return busy_s > 0.7; }
    bool moves() const {
        return !still &&
               (motion.wish == MotionWish::on || (motion.wish == MotionWish::system && motion.system_moves));
    }
    float px(float at_scale_1) const { return at_scale_1 * scale; }
    // The same for a row or a box that can be clicked.
    float click_px(float at_scale_1) const { return std::max(px(at_scale_1), least_clickable_px); }
};

// What a lecture shows below the stage: what the lecturer chose, else what the lesson says.
LectureBand lecture_band(const WindowState& window, const session::Session& session);

// Closes everything that covers the panels, and goes to the first stop.
void start_tour(WindowState& window);

}  // namespace lanescope::ui
