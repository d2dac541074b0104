// The commands that a session accepts. Views append them; only Session::apply carries them out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compile/compiler.h"
#include "lesson/registry.h"
#include "session/document/history.h"
#include "session/learner/predictions.h"
#include "session/playhead/breakpoints.h"
#include "simt/launch/schedule.h"
#include "trace/steps.h"

namespace lanescope::session {

struct OpenFile {
    std::filesystem::path path;
    std::optional<Settings> settings = {};  // for the run; empty: those of the last time
};
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
struct EditSource {
    std::string text;
    std::optional<std::string> base = {};  // the text that was edited, if the source may have changed since
};                                         // recompiles and reruns; the last good run stays while that fails
struct RevertSource {};                    // back to the file on disk, with its own parameters
// The file of that name becomes the open file. Overwriting a lesson is an error.
struct SaveSource {
    std::filesystem::path path;
};
struct Undo {};  // takes back edits, resets, changed parameters, and closing a file that had any of these
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
struct SeekStart {};  // before the first step
struct SeekTurn {
    std::uint64_t turn;
};  // to the step that holds the turn
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
};  // what each coming step writes stays hidden until Reveal, or one more step forward
struct Reveal {};
struct ShowBefore {
    bool before;
};  // views show the state before each step instead of after it
struct ToggleBreakpoint {
    std::uint32_t line;
};  // on this line, or the next one that has code
struct ToggleCellBreakpoint {
    std::string cell;
};  // on each write of "s[3]"
struct SetBreakpoint {
    Breakpoint breakpoint;
};  // changes the breakpoint of its line or cell, or adds it
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
};                   // a step is one PTX instruction of a turn
struct RunAgain {};  // with everything as it is, for instance after CancelRun
struct CancelRun {};
struct ExploreSchedules {};  // tries all schedules; see exploration()
struct CancelExploration {};
struct FindGpu {};  // finds out whether kernels can be timed on this machine; see gpu_state()
// Times the files of the topic with inputs of so many elements, as in the times that are shown, and the open
// file with its own parameters. See timings().
struct MeasureTimings {
    std::uint64_t elements;
};
struct CancelMeasuring {};
struct ShowRecording {};  // instead of the measured times

struct Predict {
    HiddenPlace place;
    std::string typed;
};  // what a hidden result will be; empty: nothing
struct SeeLesson {
    const lesson::LessonEntry* lesson;
};  // the person has read it
struct TypeAnswer {
    const lesson::LessonEntry* lesson;
    std::size_t question;  // of the lesson
    std::string typed;
};  // a job judges it
struct JudgeExercise {
    const lesson::Exercise* exercise;
};  // a process judges the text of the open file
struct CancelJudging {};
struct RecordLaunch {
    std::uint64_t number;
};  // of the program that is open; runs it again in a job and shows the recording
struct CancelRecording {};
// The person agrees that the host code of the open file runs, with these arguments, and it runs.
struct RunProgram {
    std::vector<std::string> arguments;
    bool check = false;  // looks for races in every launch, and between streams
};
struct DeclineProgram {};  // the open file is shown as one of kernels alone
struct ForgetProgress {};  // RestoreProgress takes it back
struct RestoreProgress {};

using AnyCommand =
    std::variant<OpenFile, SetParameter, ResetParameters, SetCode, UseGpu, SetSchedule, EditSource,
                 RevertSource, SaveSource, StepBy, PhaseBy, SeekStep, SeekStart, SeekTurn, SetGranularity,
                 Play, SetSpeed, FocusBlock, PinLane, HoverLane, HoverCell, ClearHover, SelectLine,
                 LabelVariable, ToggleBreakpoint, ToggleCellBreakpoint, SetBreakpoint, ClearBreakpoints,
                 Continue, RunToLine, StopSearch, SetWatches, StepInstructions, RunAgain, CancelRun,
                 ChooseTurns, ExploreSchedules, CancelExploration, FindGpu, MeasureTimings, CancelMeasuring,
                 ShowRecording, HideResults, Reveal, ShowBefore, Undo, Redo, AnswerQuestion, Predict,
                 SeeLesson, TypeAnswer, JudgeExercise, CancelJudging, RecordLaunch, CancelRecording,
                 RunProgram, DeclineProgram, ForgetProgress, RestoreProgress>;

// Moved and destroyed by functions of its own: a variant's would be made again in every file that keeps
// commands in a vector.
struct Command : AnyCommand {
    using AnyCommand::AnyCommand;
    Command(const Command& other);
    Command(Command&& other) noexcept;
    Command& operator=(const Command& other);
    Command& operator=(Command&& other) noexcept;
    ~Command();
};
using Commands = std::vector<Command>;

}  // namespace lanescope::session
