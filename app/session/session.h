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
#include "session/explore.h"
#include "session/run.h"
#include "session/timings.h"
#include "trace/replay.h"
#include "trace/steps.h"

namespace lanescope::session {

// --- Commands
// ---------------------------------------------------------------------------------------------------

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
struct EditSource {
    std::string text;
};                       // recompiles and reruns; the last good run stays while it fails
struct RevertSource {};  // back to the file on disk
struct SaveSource {
    std::filesystem::path path;
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
struct CancelRun {};
struct ExploreSchedules {};  // tries all schedules; see exploration()
struct CancelExploration {};
struct FindGpu {};  // whether kernels can be timed on this machine; see gpu_state()
// The files of the topic with inputs of so many elements, as the times that are shown have them, and the open file; a file
// that is not of the course with its parameters as they are. See timings().
struct MeasureTimings {
    std::uint64_t elements;
};
struct CancelMeasuring {};  // when the file at hand is done
struct ShowRecording {};    // instead of what was measured

using Command =
    std::variant<OpenFile, SetParameter, ResetParameters, SetCode, UseGpu, SetSchedule, EditSource, RevertSource,
                 SaveSource, StepBy, PhaseBy, SeekStep, SeekTurn, SetGranularity, Play, SetSpeed, FocusBlock,
                 PinLane, HoverLane, HoverCell, ClearHover, SelectLine, LabelVariable, CancelRun,
                 ExploreSchedules, CancelExploration, FindGpu, MeasureTimings, CancelMeasuring, ShowRecording>;
using Commands = std::vector<Command>;

// --- What views read
// --------------------------------------------------------------------------------------------

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
struct Moment {
    std::size_t index = 0;  // step number, from 0; the first step is 0
    trace::Step step;
    const trace::Launch* launch = nullptr;
    std::vector<trace::TurnDetail> details;  // of the focus block's turns of this step
    std::vector<std::array<trace::LaneInfo, trace::warp_size>>
        warps;                  // per warp of the block, after the step
    analysis::Metrics metrics;  // of this step
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
    void adopt(Exploration exploration);
    void adopt(std::shared_ptr<const Timings> timings);

    const lesson::Registry& registry() const;
    const lesson::LessonEntry* lesson() const;  // of the open file; null when it is not of the course
    const lesson::Topic* topic() const;

    const std::filesystem::path& path() const;
    const std::string& source() const;  // as edited
    bool edited() const;
    bool busy() const;
    float progress() const;                  // 0 … 1 while busy
    const Diagnostics& diagnostics() const;  // of the newest attempt; empty when it succeeded
    compile::Code code() const;
    const simt::Schedule& schedule() const;
    void set_device_source(DeviceSource* source);  // outlives the session, or is taken back with null
    bool on_gpu() const;                           // the next run is the GPU's
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
    const std::string& no_gpu() const;  // why kernels cannot be timed here
    const lesson::ParameterValues& parameters() const;  // as set, defaults included

    const RunResult* run() const;  // last good run; null at first
    const trace::Trace* trace() const;
    const trace::Replay* replay() const;  // positioned after the current step
    const trace::TurnIndex* turn_index() const;
    const std::vector<trace::Step>& steps() const;
    const std::vector<float>& lanes_on() const;  // per step, 0 … 1
    const Moment* moment() const;                // null while there is no run
    const Selection& selection() const;
    trace::Granularity granularity() const;
    bool playing() const;
    float speed() const;
    std::uint64_t generation() const;  // changes whenever the run changes: caches key on it

    // Variables of the function that most lanes of the focus block are in, kernel's own first.
    std::vector<NamedVariable> variables() const;
    // The value of a variable, or of "array[variable]", in one lane after the current step.
    LaneValue value(const std::string& name, std::uint32_t warp, std::uint32_t lane) const;
    // "24 lanes wait for line 12: the branch on line 9 split this warp"; empty when there is nothing to say.
    std::string explain_warp(std::uint32_t warp) const;

    struct State;  // state.h

  private:
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::session
