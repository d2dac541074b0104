// The state that all views share: the open file, its last good run, the position in it, the selection.
// Views read a const Session and append commands; nothing else changes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/jobs.h"
#include "lesson/registry.h"
#include "session/breakpoints.h"
#include "session/document.h"
#include "session/run/explore.h"
#include "session/run/run.h"
#include "session/timing/timings.h"
#include "trace/replay.h"
#include "trace/steps.h"

namespace lanescope::session {

// --- Commands ----------------------------------------------------------------------------------------------

struct OpenFile {
    std::filesystem::path path;
};
struct SetParameter {
    std::string name;
    std::int64_t value;
};
struct ResetParameters {};
struct SetCode {
    compile::Code code;
};
struct UseGpu {  // or the CPU machine
    bool gpu = false;
};
struct SetSchedule {
    simt::Schedule schedule;
};
// The schedule of single threads that begins with these turns; the position goes to the end of the last of
// them.
struct ChooseTurns {
    std::vector<simt::ThreadTurns> turns;
};
struct EditSource {
    std::string text;
    std::optional<std::string> base = {};  // what was changed, where that may not be the source any more
};                                         // recompiles and reruns; the last good run stays while it fails
struct RevertSource {};                    // back to the file on disk, with its own parameters
// The file of that name is the open one then. A lesson is never overwritten: that is an error.
struct SaveSource {
    std::filesystem::path path;
};
struct Undo {};  // edits, resets, changed parameters, and files that were closed with any of these
struct Redo {};
struct AnswerQuestion {
    bool first;  // see Question
};
struct StepBy {
    int steps;
};
struct PhaseBy {
    int phases;
};  // to the start of the next or previous barrier phase
struct SeekStep {
    std::size_t step;
};
struct SeekTurn {
    std::uint64_t turn;
};  // the step that holds it
struct SetGranularity {
    trace::Granularity granularity;
};
struct Play {
    bool playing;
};
struct SetSpeed {
    float steps_per_second;
};
struct FocusBlock {
    std::uint32_t block;
};
struct PinLane {
    std::uint32_t warp;
    std::uint32_t lane;
};  // the thread that the variables view follows
struct HoverLane {
    std::uint32_t warp;
    std::uint32_t lane;
};
struct HoverCell {
    std::string symbol;
    std::uint64_t index;
};
struct ClearHover {};
struct SelectLine {
    std::uint32_t line;
};
struct LabelVariable {
    std::string name;
};  // the variable whose value the warps view shows in every lane
struct HideResults {
    bool hidden;
};  // of each step that comes: what it wrote is told after Reveal, or one more step forward
struct Reveal {};
struct ToggleBreakpoint {
    std::uint32_t line;
};  // on this line, or the next one that has code
struct SetBreakpoint {
    Breakpoint breakpoint;
};  // changes the one on its line, or makes it
struct ClearBreakpoints {};
struct Continue {
    bool back = false;
};  // to the next or previous step at which a breakpoint stops
struct RunToLine {
    std::uint32_t line;
    bool back = false;
};
struct StopSearch {};
struct SetWatches {
    std::vector<std::string> watches;
};
struct StepInstructions {
    bool on;
};  // a step is one PTX instruction of a turn
struct CancelRun {};
struct ExploreSchedules {};  // tries all schedules; see exploration()
struct CancelExploration {};
struct FindGpu {};  // whether kernels can be timed on this machine; see gpu_state()
// The files of the topic with inputs of so many elements, as the times that are shown have them, and the open
// file; a file that is not of the course with its parameters as they are. See timings().
struct MeasureTimings {
    std::uint64_t elements;
};
struct CancelMeasuring {};  // when the file at hand is done
struct ShowRecording {};    // instead of what was measured

using Command =
    std::variant<OpenFile, SetParameter, ResetParameters, SetCode, UseGpu, SetSchedule, EditSource,
                 RevertSource, SaveSource, StepBy, PhaseBy, SeekStep, SeekTurn, SetGranularity, Play,
                 SetSpeed, FocusBlock, PinLane, HoverLane, HoverCell, ClearHover, SelectLine, LabelVariable,
                 ToggleBreakpoint, SetBreakpoint, ClearBreakpoints, Continue, RunToLine, StopSearch,
                 SetWatches, StepInstructions, CancelRun, ChooseTurns, ExploreSchedules, CancelExploration,
                 FindGpu, MeasureTimings, CancelMeasuring, ShowRecording, HideResults, Reveal, Undo, Redo,
                 AnswerQuestion>;
using Commands = std::vector<Command>;

// --- What views read ---------------------------------------------------------------------------------------

struct Selection {
    std::uint32_t block = 0;           // focus block (of launches that have it; else 0)
    std::uint32_t warp = 0, lane = 0;  // pinned thread
    bool lane_hovered = false;
    std::uint32_t hovered_warp = 0, hovered_lane = 0;
    std::string hovered_symbol;  // empty: no cell is hovered
    std::uint64_t hovered_index = 0;
    std::uint32_t line = 0;      // 0: none
    std::string label_variable;  // shown in every lane
};

// Everything about the current step, made once when the position changes.
struct StepState {
    std::size_t index = 0;  // step number, from 0; the first step is 0
    trace::Step step;
    const trace::Launch* launch = nullptr;
    std::vector<trace::TurnDetail> details;  // of the focus block's turns of this step
    std::vector<std::array<trace::LaneInfo, trace::warp_size>>
        warps;                  // per warp of the block, after the step
    analysis::Metrics metrics;  // of this step
    // While single instructions are stepped: those of the step's turn in the order in which they ran, and
    // which of them this is. `details` holds this one's events only; memory and variables are those after the
    // turn.
    std::vector<std::uint32_t> pcs;
    std::size_t instruction = 0;
};

// A variable that the warps and variables views can show.
struct NamedVariable {
    std::string name;
    std::string type;
    bool per_lane = true;  // false: one value for the block (shared scalars)
};

struct LaneValue {
    bool visible = false;  // the name is in scope where the lane is
    bool set = false;
    std::string text;      // "24"; "not set" is shown by the view
    double number = 0;     // for colour scales
    bool changed = false;  // in this step
    std::string failure;   // of an expression: "division by zero"
    bool hidden = false;   // depends on what the step wrote, which is not told yet: the text is "?"
};

// Where a person was in a file, kept from one run of the program to the next.
struct FileMemory {
    std::filesystem::path path;
    std::size_t step = 0;
    lesson::ParameterValues parameters;  // those that differ from the file's
};

enum class GpuState : std::uint8_t { unknown, usable, missing };
class DeviceSource;

class Session {
  public:
    explicit Session(std::filesystem::path kernels_folder);
    ~Session();

    void apply(const Command& command);
    // Polls jobs and moves playback. `now_s` is a monotonic clock. True when something changed.
    bool update(double now_s);
    // Waits for the running job (headless use). False when it failed: diagnostics() says why.
    bool wait();
    // Shows this result as if it had been run; for opened traces and tests.
    void adopt(RunResult result);
    // Trace files of more bytes are shown before they are played and counted.
    void count_later_above(std::uintmax_t file_bytes);
    void adopt(Exploration exploration);
    void adopt(std::shared_ptr<const Timings> timings);

    const lesson::Registry& registry() const;
    const lesson::LessonEntry* lesson() const;  // of the open file; null when it is not of the course
    const lesson::Topic* topic() const;

    const std::filesystem::path& path() const;
    const std::string& source() const;  // as edited
    bool edited() const;
    bool busy() const;             // a run, or a trace that is being opened
    bool opening() const;          // the latter
    float progress() const;        // 0 … 1 while busy or counting
    bool counting() const;         // a large trace is shown while it is still played and counted
    bool awaiting() const;         // the position goes on to where it was sent once that part was played
    bool shows_last_good() const;  // the newest attempt failed: what is shown is an older run
    // What Undo and Redo would take back or do again, in a few words; empty: nothing.
    std::string undo_label() const;
    std::string redo_label() const;
    const Question& question() const;
    // Where unsaved texts are kept while they are typed; without a call nowhere.
    void keep_drafts(const std::filesystem::path& folder);
    bool has_draft(const std::filesystem::path& file) const;
    // Files that were open, the newest first, the open one included; OpenFile goes on where they were left.
    void restore(std::vector<FileMemory> recent);
    std::vector<FileMemory> recent() const;
    const Diagnostics& diagnostics() const;  // of the newest attempt; empty when it succeeded
    compile::Code code() const;
    const simt::Schedule& schedule() const;
    void set_device_source(DeviceSource* source);  // outlives the session, or is taken back with null
    bool on_gpu() const;                           // the next run is the GPU's
    // Whether the open file's grids are small enough to choose thread by thread who goes next;
    // turn_choice.cpp.
    bool can_choose_turns() const;
    bool at_start() const;  // nobody was chosen yet: the moment is the one before the first step
    // Of a run by single threads: its turns up to the current position. Just after ChooseTurns without any,
    // none.
    std::vector<simt::ThreadTurns> turns_taken() const;
    // Every thread of the grid that runs next, after those turns; null when there is no such run or it has
    // ended.
    const ThreadTurn* next_turn() const;
    // Of the file and parameters as they are; null when it was not asked for, or something changed since.
    const Exploration* exploration() const;
    bool exploring() const;
    float explore_progress() const;  // 0 … 1 while exploring
    // What was measured on this machine's GPU, else the recording; null when there is neither.
    std::shared_ptr<const Timings> timings() const;
    const Diagnostics& timing_problems() const;  // why the recording cannot be read, or measuring failed
    bool measuring() const;
    float measure_progress() const;  // 0 … 1 while measuring
    GpuState gpu_state() const;
    const std::string& no_gpu() const;                  // why kernels cannot be timed here
    const lesson::ParameterValues& parameters() const;  // as set, defaults included

    const RunResult* run() const;  // last good run; null at first. Its report is there when it is `counted`
    const trace::Trace* trace() const;
    const trace::Replay* replay() const;  // positioned after the current step
    const trace::TurnIndex* turn_index() const;
    const std::vector<trace::Step>& steps() const;
    const std::vector<float>& lanes_on() const;  // per step, 0 … 1
    const StepState* step_state() const;         // null while there is no run
    const Selection& selection() const;
    trace::Granularity granularity() const;
    bool playing() const;
    float speed() const;
    bool hiding() const;     // results are hidden until they are asked for
    bool concealed() const;  // those of the current step are: replay() stands before it
    // What turns from this one on wrote, printed or broke is not to be told yet; ~0: nothing is hidden.
    std::uint64_t revealed_until() const;
    std::uint64_t generation() const;  // changes whenever the run changes: caches key on it

    bool by_instruction() const;
    const std::vector<Breakpoint>& breakpoints() const;  // of the open file, ascending line
    const std::vector<std::string>& watches() const;     // of the open file
    // Why an expression cannot be evaluated here, with its column; empty when it can.
    Diagnostics expression_problems(const std::string& expression) const;
    bool searching() const;         // for the next step at which a breakpoint stops
    float search_progress() const;  // 0 … 1
    const BreakHit* hit() const;    // where the last search stopped, while the position is there
    const std::string& search_note()
        const;  // "line 12 is not reached after this step"; empty after other moves
    std::uint32_t line_with_code(std::uint32_t line) const;  // this line or the next one with code, 0: none
    // Breakpoints and watches of all files, to be kept between runs of the program.
    const MarksByFile& marks() const;
    void set_marks(MarksByFile marks);

    // Variables of the function that most lanes of the focus block are in, kernel's own first.
    std::vector<NamedVariable> variables() const;
    // The value of a variable, or of any lane expression ("s[t] + s[t + stride]"), in one lane after the
    // step.
    LaneValue value(const std::string& name, std::uint32_t warp, std::uint32_t lane) const;
    // "24 lanes wait for line 12: the branch on line 9 split this warp"; empty when there is nothing to say.
    std::string explain_warp(std::uint32_t warp) const;
    // "t5 waits for line 12: the branch on line 9 split this warp"
    std::string explain_lane(std::uint32_t warp, std::uint32_t lane) const;

    struct State;  // state.h

  private:
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::session
