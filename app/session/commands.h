// The commands that a session accepts. Views append them; only Session::apply carries them out. A command
// that concerns one part of the session calls it; Session::carry_out has the others.
#pragma once

#include <any>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "compile/compiler.h"
#include "lesson/course/registry.h"
#include "session/clock/file_clock.h"
#include "session/document/history.h"
#include "session/launches/launches.h"
#include "session/learner/learner.h"
#include "session/learner/predictions.h"
#include "session/playhead/breakpoint_search.h"
#include "session/playhead/playback.h"
#include "session/playhead/playhead.h"
#include "session/runner/explorer.h"
#include "session/selection/marks.h"
#include "session/selection/selection.h"
#include "session/timing/file_times.h"
#include "session/timing/lesson_timings.h"
#include "simt/launch/schedule.h"
#include "trace/steps.h"

namespace lanescope::session {

class Session;

// --- The open file -----------------------------------------------------------------------------------------

struct OpenFile {
    std::filesystem::path path;
    std::optional<Settings> settings = {};  // for the run; empty: those of the last time
};
struct EditSource {
    std::string text;
    std::optional<std::string> base = {};  // the text that was edited, if the source may have changed since
};                                         // recompiles and reruns; the last good run stays while that fails
struct RevertSource {};                    // back to the file on disk, with its own parameters
// The file of that name becomes the open file. Overwriting a lesson is an error.
struct SaveSource {
    std::filesystem::path path;
};
struct Undo {};  // takes back edits, resets and changed parameters of the open file
struct Redo {};
struct AnswerQuestion {
    bool first;  // see Question
};

// --- Its run -----------------------------------------------------------------------------------------------

struct SetParameter {
    std::string name;
    std::int64_t value;
};
struct ResetParameters {};
struct SetCode {
    compile::Code code;
};
struct UseGpu {  // false: the CPU machine
    bool gpu = false;
};
struct SetSchedule {
    simt::Schedule schedule;
};
// Sets the schedule of single threads that begins with these turns, and moves to the end of the last one.
struct ChooseTurns {
    std::vector<simt::ThreadTurns> turns;
};
struct RunAgain {};  // with everything as it is, for instance after CancelRun
struct CancelRun {};
struct ExploreSchedules {};  // tries all schedules; see exploration()
struct CancelExploration {
    void operator()(Explorer& explorer) const { explorer.cancel(); }
};
// The person agrees that the host code of the open file runs, with these arguments, and it runs.
struct RunProgram {
    std::vector<std::string> arguments;
    bool check = false;  // looks for races in every launch, and between streams
};
struct DeclineProgram {};  // the open file is shown as one of kernels alone
struct RecordLaunch {
    std::uint64_t number;
};  // of the program that is open; runs it again in a job and shows the recording
struct CancelRecording {
    void operator()(Launches& launches) const { launches.cancel(); }
};

// --- The position ------------------------------------------------------------------------------------------

struct StepBy {
    int steps;
    void operator()(Playhead& playhead) const { playhead.step_by(steps); }
};
struct PhaseBy {  // to the start of the next or previous barrier phase
    int phases;
    void operator()(Playhead& playhead) const { playhead.phase_by(phases); }
};
struct SeekStep {
    std::size_t step;
    void operator()(Playhead& playhead) const { playhead.seek(step); }
};
struct SeekStart {  // before the first step
    void operator()(Playhead& playhead) const { playhead.seek_start(); }
};
struct SeekTurn {  // to the block of the turn, and the step that holds it
    std::uint64_t turn;
    void operator()(Playhead& playhead) const { playhead.seek_turn(turn); }
};
struct SetGranularity {
    trace::Granularity granularity;
    void operator()(Playhead& playhead) const { playhead.set_granularity(granularity); }
};
struct StepInstructions {  // a step is one PTX instruction of a turn
    bool on;
    void operator()(Playhead& playhead) const { playhead.step_instructions(on); }
};
struct FocusBlock {
    std::uint32_t block;
    void operator()(Playhead& playhead) const { playhead.focus_block(block); }
};
struct HideResults {  // what each coming step writes stays hidden until Reveal, or one more step forward
    bool hidden;
    void operator()(Playhead& playhead) const { playhead.hide_results(hidden); }
};
struct Reveal {
    void operator()(Playhead& playhead) const { playhead.reveal(); }
};
struct ShowBefore {  // views show the state before each step instead of after it
    bool before;
    void operator()(Playhead& playhead) const { playhead.show_before(before); }
};
struct Play {
    bool playing;
    void operator()(Playback& playback) const { playback.play(playing); }
};
struct SetSpeed {
    float steps_per_second;
    void operator()(Playback& playback) const { playback.set_speed(steps_per_second); }
};
struct Continue {  // to the next or previous step at which a breakpoint stops
    bool back = false;
};
struct RunToLine {
    std::uint32_t line;
    bool back = false;
};
struct StopSearch {
    void operator()(BreakpointSearch& search) const { search.stop(); }
};

// --- What is selected and marked ---------------------------------------------------------------------------

struct PinLane {  // the thread that the variables view follows
    std::uint32_t warp;
    std::uint32_t lane;
    void operator()(Selection& selection) const { selection.pin(warp, lane); }
};
struct HoverLane {
    std::uint32_t warp;
    std::uint32_t lane;
    void operator()(Selection& selection) const { selection.hover_lane(warp, lane); }
};
struct HoverCell {
    std::string symbol;
    std::uint64_t index;
    void operator()(Selection& selection) const { selection.hover_cell(symbol, index); }
};
struct ClearHover {
    void operator()(Selection& selection) const { selection.clear_hover(); }
};
struct SelectLine {
    std::uint32_t line;
    void operator()(Selection& selection) const { selection.line = line; }
};
struct LabelVariable {  // the variable whose value the warps view shows in every lane
    std::string name;
    void operator()(Selection& selection) const { selection.label_variable = name; }
};
struct ToggleBreakpoint {  // on this line, or the next one that has code
    std::uint32_t line;
};
struct ToggleCellBreakpoint {  // on each write of "s[3]"
    std::string cell;
    void operator()(Marks& marks) const { marks.toggle_cell(cell); }
};
struct SetBreakpoint {  // changes the breakpoint of its line or cell, or adds it
    Breakpoint breakpoint;
    void operator()(Marks& marks) const { marks.set(breakpoint); }
};
struct ClearBreakpoints {
    void operator()(Marks& marks) const { marks.clear(); }
};
struct SetWatches {
    std::vector<std::string> watches;
    void operator()(Marks& marks) const { marks.set_watches(watches); }
};

// --- Times -------------------------------------------------------------------------------------------------

struct FindGpu {  // finds out whether kernels can be timed on this machine; see gpu_state()
    void operator()(LessonTimings& timings) const { timings.find_gpu(); }
};
// Times the files of the topic with inputs of so many elements, as in the times that are shown, and the open
// file with its own parameters. See timings().
struct MeasureTimings {
    std::uint64_t elements;
};
struct CancelMeasuring {
    void operator()(LessonTimings& timings) const { timings.cancel(); }
};
struct ShowRecording {  // instead of the measured times
    void operator()(LessonTimings& timings) const { timings.show_recording(); }
};

struct TimeRuns {  // on this machine's GPU, after each good run on the CPU machine; see FileTimes
    bool on;
    void operator()(FileTimes& times) const { times.turn_on(on); }
};
struct WantClock {  // estimates of how long a GPU would take, from now on; see FileClock
    void operator()(FileClock& clock) const { clock.want(); }
};
struct SupposeClock {
    WhatIf what_if;
    void operator()(FileClock& clock) const { clock.suppose(what_if); }
};
struct SweepClock {
    std::string parameter;
    void operator()(FileClock& clock) const { clock.sweep(parameter); }
};
struct CancelClockSweep {
    void operator()(FileClock& clock) const { clock.cancel_sweep(); }
};

// --- Learning ----------------------------------------------------------------------------------------------

struct Predict {  // what a hidden result will be; empty: nothing
    HiddenPlace place;
    std::string typed;
    void operator()(Predictions& predictions) const { predictions.type(place, typed); }
};
struct SeeLesson {  // the person has read it
    const lesson::LessonEntry* lesson;
    void operator()(Learner& learner) const { learner.see(*lesson); }
};
struct TypeAnswer {  // a job judges it
    const lesson::LessonEntry* lesson;
    std::size_t question;  // of the lesson
    std::string typed;
    void operator()(Learner& learner) const { learner.answer(*lesson, question, typed); }
};
struct AskAgain {  // with other numbers
    const lesson::Question* question;
    void operator()(Learner& learner) const { learner.ask_again(*question); }
};
struct JudgeExercise {  // a process judges the text of the open file
    const lesson::Exercise* exercise;
};
struct CancelJudging {
    void operator()(Learner& learner) const { learner.cancel(); }
};
struct ForgetProgress {  // RestoreProgress takes it back
    void operator()(Learner& learner) const { learner.forget(); }
};
struct RestoreProgress {
    void operator()(Learner& learner) const { learner.restore(); }
};

// Holds any of these commands.
class Command {
  public:
    template <class What>
    requires(!std::is_same_v<What, Command>) Command(What what);
    template <class What>
    const What* as() const {  // null: another command
        return std::any_cast<What>(&what_);
    }

  private:
    friend class Session;
    std::any what_;
    void (*carry_out_)(Session& session, const std::any& what);
};
using Commands = std::vector<Command>;

}  // namespace lanescope::session
