// What a Session holds. Only session.cpp, session_runs.cpp, timing_jobs.cpp and values.cpp include it.
#pragma once

#include "session/device_source.h"
#include "session/session.h"

namespace lanescope::session {

inline constexpr const char* gpu_tag = "gpu";
inline constexpr const char* measure_tag = "measure";

struct MeasuredFile {
    std::string file;
    lesson::ParameterValues parameters;
};

// Of the jobs.
inline constexpr const char* run_tag = "run";
inline constexpr const char* device_tag = "run on the GPU";
inline constexpr const char* explore_tag = "explore";

struct Session::State {
    lesson::Registry registry;
    const lesson::LessonEntry* lesson = nullptr;

    std::filesystem::path path;
    std::string source, saved_source;
    std::filesystem::file_time_type disk_time{};
    double next_disk_check_s = 0;

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
    std::unique_ptr<trace::TurnIndex> index;
    std::vector<trace::Step> steps;
    std::vector<float> lanes_on;
    std::size_t step = 0;
    std::unique_ptr<Moment> moment;
    std::shared_ptr<const Timings> recording, measured;
    Diagnostics timing_problems;
    bool prefer_recording = false;
    GpuState gpu = GpuState::unknown;
    std::string no_gpu;
    trace::Granularity granularity = trace::Granularity::line;
    Selection selection;
    bool playing = false;
    float speed = 4;
    double next_step_s = 0;
    std::uint64_t generation = 0;

    // Last, so that running jobs end before what their completions touch.
    Jobs jobs{3};  // a run waits neither for the search through schedules nor for times

    void open(const std::filesystem::path& file);
    void save(const std::filesystem::path& file);
    void check_disk(double now_s);
    void start_run();
    void start_changed_run();
    void start_exploring();
    RunRequest request() const;
    void start_run_on_device();
    void end_run_on_device(Result<RunResult> result);
    void cancel_run();
    void use_gpu(bool wanted);
    void finish_run(Result<RunResult> result);
    void adopt(RunResult result);
    void drop_run();
    void clamp_selection();
    bool shows(std::uint32_t block) const;
    void rebuild_steps();
    void seek(std::size_t index_of_step);
    void step_by(int count);
    void phase_by(int count);
    void set_granularity(trace::Granularity wanted);
    void focus_block(std::uint32_t block);
    void play(bool wanted);
    void hover_lane(std::uint32_t warp, std::uint32_t lane);
    void hover_cell(const std::string& symbol, std::uint64_t cell);
    bool advance_playback(double now_s);

    // timing_jobs.cpp
    void load_recording();
    void find_gpu();
    void start_measuring(std::uint64_t elements);
    std::vector<MeasuredFile> files_to_measure(std::uint64_t elements) const;
    void add_measured(Timings timings);

    // values.cpp
    std::string default_label() const;
};

}  // namespace lanescope::session
