// What a Session holds. Only counting.cpp, session.cpp, session_files.cpp, session_marks.cpp,
// session_runs.cpp, timing_jobs.cpp, turn_choice.cpp and values.cpp include it.
#pragma once

#include <map>

#include "session/break_search.h"
#include "session/device_source.h"
#include "session/drafts.h"
#include "session/history.h"
#include "session/session.h"

namespace lanescope::session {

inline constexpr const char* gpu_tag = "gpu";
inline constexpr const char* measure_tag = "measure";

struct MeasuredFile {
    std::string file;
    lesson::ParameterValues parameters;
};

// A run with what stepping through it needs, made off the frame loop.
struct PreparedTrace {
    RunResult result;
    std::uint32_t block = 0;
    trace::Granularity granularity{};
    std::unique_ptr<trace::Replay> replay;  // with its index of turns
    std::vector<trace::Step> steps;         // of that block, at that granularity
    std::vector<float> lanes_on;

    PreparedTrace(RunResult run, std::uint32_t wanted_block, trace::Granularity wanted);
    // Of an uncounted trace: counts it at once where its first step is as long as the trace. Errors:
    // count_trace's.
    Result<void> make_first_step_near(JobContext& context);
};

// Of the jobs.
inline constexpr const char* open_tag = "open";
inline constexpr const char* run_tag = "run";
inline constexpr const char* device_tag = "run on the GPU";
inline constexpr const char* explore_tag = "explore";
inline constexpr const char* count_tag = "count";
inline constexpr const char* free_tag = "free";

struct Session::State {
    lesson::Registry registry;
    const lesson::LessonEntry* lesson = nullptr;

    std::filesystem::path path;
    std::string source, saved_source;
    std::filesystem::file_time_type disk_time{};
    double next_disk_check_s = 0;
    double now_s = 0;  // of the newest update
    History history;
    Drafts drafts;
    bool draft_due = false;  // the draft is older than the source
    double draft_s = 0;      // when it is to be written
    Question question;
    std::vector<FileMemory> memories;        // newest first
    std::optional<std::size_t> wanted_step;  // once the file's first run is there

    lesson::ParameterValues overrides, parameters;
    compile::Code code = compile::Code::debug;
    simt::Schedule schedule;
    DeviceSource* source_of_devices = nullptr;
    bool on_gpu = false;
    bool device_busy = false;      // a run on the device has not ended yet
    bool device_outdated = false;  // and its result is not wanted any more
    Diagnostics diagnostics;

    std::unique_ptr<RunResult> run;
    std::unique_ptr<Exploration> exploration;
    std::unique_ptr<trace::Replay> replay;
    std::vector<trace::Step> steps;
    std::vector<float> lanes_on;
    std::size_t step = 0;
    std::unique_ptr<StepState> step_state;
    std::uintmax_t counted_at_once_bytes = 32u << 20;  // takes a fraction of a second
    std::optional<Command> awaited;                    // goes to a place that is not near yet: counting.cpp
    std::optional<std::uint64_t> chosen;  // thread turns to whose end the next run's position goes
    bool before_first_turn = false;       // of threads: none is chosen yet, and the moment has no turns
    std::shared_ptr<const Timings> recording, measured;
    Diagnostics timing_problems;
    bool prefer_recording = false;
    GpuState gpu = GpuState::unknown;
    std::string no_gpu;
    trace::Granularity granularity = trace::Granularity::line;
    Selection selection;
    bool by_instruction = false;
    std::size_t instruction = 0;  // of the current turn
    MarksByFile marks;
    std::unique_ptr<BreakSearch> search;
    std::uint32_t searched_line = 0;  // of RunToLine; 0: any breakpoint
    bool searching_back = false;
    std::unique_ptr<BreakHit> hit;
    std::string search_note;
    std::map<std::string, Result<LaneExpression>> expressions;  // by text, as parsed
    bool playing = false;
    bool hiding = false, concealed = false;  // reveal.cpp
    float speed = 4;
    double next_step_s = 0;
    std::uint64_t generation = 0;

    // Last, so that running jobs end before what their completions touch.
    Jobs jobs{3};  // a run waits neither for the search through schedules nor for times

    // session_files.cpp
    void open(const std::filesystem::path& file);
    void open_trace(const std::filesystem::path& file);
    void leave_file();
    void become(const std::filesystem::path& file, std::string text, std::string on_disk);
    void save(const std::filesystem::path& file);
    void revert();
    void check_disk();
    void edit(const std::string& text, const std::optional<std::string>& base);
    void set_parameter(const std::string& name, std::int64_t value);
    Snapshot snapshot() const;
    void restore(const Snapshot& wanted);
    void undo();
    void redo();
    void answer(bool first);
    void offer_draft();
    void keep_draft();
    FileMemory memory() const;
    const FileMemory* remembered(const std::filesystem::path& file) const;
    void memorise();
    void start_run();
    void start_changed_run();
    void start_exploring();
    RunRequest request() const;
    void start_run_on_device();
    void end_run_on_device(Result<RunResult> result);
    void cancel_run();
    void use_gpu(bool wanted);
    PreparedTrace prepare(RunResult result) const;
    void finish_run(Result<RunResult> result);
    void adopt(PreparedTrace prepared);
    void drop_run();
    void clamp_selection();
    bool shows(std::uint32_t block) const;
    bool fits(const PreparedTrace& prepared) const;
    void seek(std::size_t index_of_step);
    void step_by(int count);
    void phase_by(int count);
    void set_granularity(trace::Granularity wanted);
    void focus_block(std::uint32_t block);
    bool show_steps(std::uint32_t block, trace::Granularity kind);
    void play(bool wanted);
    void hover_lane(std::uint32_t warp, std::uint32_t lane);
    void hover_cell(const std::string& symbol, std::uint64_t cell);
    bool advance_playback(double time_s);

    // counting.cpp
    void start_counting();
    void stop_counting();
    bool is_near(const trace::Step& step) const;
    void await(Command command);
    bool arrive();
    void free_run();

    // turn_choice.cpp
    void choose_turns(std::vector<simt::ThreadTurns> turns);
    void go_to_chosen();
    void show_start();
    std::size_t taken() const;

    // reveal.cpp
    void read_details();
    void conceal();
    void blank_results();
    void reveal();
    void hide_results(bool wanted);

    // timing_jobs.cpp
    void load_recording();
    void find_gpu();
    void start_measuring(std::uint64_t elements);
    std::vector<MeasuredFile> files_to_measure(std::uint64_t elements) const;
    void add_measured(Timings timings);

    // session_marks.cpp
    FileMarks& marks_here();
    void set_breakpoint(Breakpoint breakpoint);
    void toggle_breakpoint(std::uint32_t line);
    void start_search(std::vector<Breakpoint> breakpoints, bool back, std::uint32_t line = 0);
    void run_to_line(std::uint32_t line, bool back);
    void stop_search();
    bool advance_search(std::chrono::microseconds budget);
    void show_hit();
    std::uint32_t line_with_code(std::uint32_t line) const;
    void set_instruction_steps(bool on);
    void step_instructions(int count);
    void show_instruction(bool last);

    // values.cpp
    std::string default_label() const;
    const Result<LaneExpression>& expression(const std::string& text);
};

}  // namespace lanescope::session
