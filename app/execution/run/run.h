// One run of one file: front matter, compilation, engine, analysis, verdict. The command line and the window
// both use it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/code.h"
#include "analysis/flow/flow.h"
#include "analysis/metrics.h"
#include "analysis/schedule.h"
#include "base/result.h"
#include "compile/compiler.h"
#include "execution/run/turn_log.h"
#include "gpu/traced/trace_device.h"
#include "lesson/instance.h"
#include "lesson/launch_words.h"
#include "simt/launch/launch.h"
#include "simt/launch/schedule.h"
#include "trace/streams.h"
#include "trace/trace.h"

namespace lanescope::execution {

struct RunRequest {
    std::string file;  // name in diagnostics; images are found beside it
    std::string source;
    lesson::ParameterValues parameters;  // overrides
    // Instead of the source's own: the front matter of another file, whose name its diagnostics have.
    std::optional<lesson::FrontMatter> front;
    std::string front_file;
    compile::Code code = compile::Code::debug;
    compile::Flags flags;        // before those that the front matter states
    std::string kernel;          // which kernel a launch is proposed for; empty: the first
    lesson::LaunchWords launch;  // what is stated of that launch
    simt::Schedule schedule;
    simt::Limits limits;
    bool traced = true;
    std::vector<std::uint32_t> recorded_blocks;  // empty: all; a launch that has none of them records block 0
    std::uint64_t trace_bytes = 1ull << 30;
    // Runs instrumented code, always with a trace and with its own schedule; null: the CPU machine. Outlives
    // the run.
    gpu::TraceDevice* device = nullptr;
    std::shared_ptr<simt::RunWatch> watch = {};  // of the CPU machine; null: nothing reads it
};

struct BufferView {  // a buffer after the last launch
    std::string name;
    std::string type;
    std::uint64_t count = 0;
    std::vector<std::byte> contents;
    std::vector<bool> set;
};

struct RunResult {
    std::string file;
    std::string source;
    // The file whose lines are steps, and its text, if it is another: what a PTX file was compiled from.
    std::string lines_file, lines_text;
    compile::Code code = compile::Code::debug;
    bool report_ready = true;  // false: the trace is shown, and its report is still to come
    bool narrowed = false;     // fewer blocks are recorded than were asked for, because of the trace's limit
    bool by_thread = false;    // every thread was scheduled on its own
    std::shared_ptr<const TurnLog> turn_log;  // of such a run, if its grids are small; else null
    bool proposed = false;                    // the file had no front matter; the launch was proposed
    std::string hollow;  // why a proposed launch shows nothing of its kernel; empty: it shows something
    lesson::Instance instance;
    compile::Output compiled;
    std::shared_ptr<const trace::Trace> trace;           // null when not traced
    std::shared_ptr<const analysis::Code> instructions;  // of the trace, for all analyses; null without one
    std::shared_ptr<analysis::SharedFlow> flow;          // of the trace; null without one
    analysis::Report report;
    // Per launch; of runs on a GPU that recorded its clocks, else empty.
    std::vector<std::shared_ptr<const analysis::Schedule>> schedules;
    simt::Outcome outcome;                                         // of the last launch that ran
    std::uint64_t warp_instructions = 0, thread_instructions = 0;  // of all launches, recorded or not
    std::vector<std::uint32_t> child_launches;                     // numbers of the launches by kernels
    std::vector<int> launch_lines;  // of each launch on the machine: the [[launch]] that led to it
    std::vector<BufferView> buffers;
    std::vector<lesson::ExpectOutcome> expectations;
    std::vector<trace::Problem> problems;
    std::string device;                 // the GPU that ran it; empty: the CPU machine
    std::string driver;                 // of that GPU
    std::uint32_t multiprocessors = 0;  // of that GPU; 0: not known
    std::vector<std::string> notes;     // what a trace from a device lacks, a sentence each
    std::shared_ptr<const gpu::DeviceRecords>
        device_records;  // of the last launch; null: the CPU machine ran it
    std::string
        races_incomplete;  // where races were not looked for; empty: they were looked for in the whole trace
    std::string console;
    double compile_ms = 0, run_ms = 0;  // wall time

    // Sets a trace that was not recorded here; its PTX is parsed when an analysis asks for it.
    void set_trace(std::shared_ptr<const trace::Trace> opened);

    bool on_device() const;  // a GPU ran it
    // What no run on a GPU finds, whatever its trace has; empty for a run of the CPU machine.
    std::string unseen() const;
    const std::string& text_of_lines() const { return lines_file.empty() ? source : lines_text; }

    // Whether every expectation is met, a proposed launch shows something of its kernel, and exactly the
    // expected kinds of problems were found. A run on a GPU need not find problems that only the CPU machine
    // finds.
    bool fine() const;
};

// What a run does at the moment; the share (0 … 1) is that of the launches that have ended.
enum class RunPhase : std::uint8_t { compiling, running, analysing, connecting };
using RunProgress = std::function<void(RunPhase, float)>;

// Errors: everything that stops a run before its first launch (bad front matter, compiler errors, unsupported
// code). Faults while it runs are problems of the result.
Result<RunResult> execute(const RunRequest& request, const std::atomic<bool>* cancel = nullptr,
                          const RunProgress& progress = {});

// A file that is compiled once and run again and again.
class PreparedRun {
  public:
    static Result<PreparedRun> make(const RunRequest& request);  // errors: those of execute()
    PreparedRun(PreparedRun&&) noexcept;
    ~PreparedRun();

    // result() then holds the results. Errors: those of execute(); the schedule's chooser stopped the run.
    Result<void> run(const simt::Schedule& schedule, double seconds, const std::atomic<bool>* cancel);
    // The same with a trace, which is searched for races and then forgotten. Null: the trace or the time did
    // not suffice.
    Result<std::optional<std::vector<trace::Problem>>> find_races(const simt::Schedule& schedule,
                                                                  double seconds,
                                                                  const std::atomic<bool>* cancel);
    const RunResult& result() const;

  private:
    struct State;
    Result<void> run(const simt::Schedule& schedule, double seconds, const std::atomic<bool>* cancel,
                     std::optional<std::vector<trace::Problem>>* races);
    explicit PreparedRun(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::execution
