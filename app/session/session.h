// What all views share: the open file, its last good run, the position in it, what is selected. Each part
// owns its state; Session composes the parts and routes commands to them. Views read a const Session and
// append commands.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/jobs.h"
#include "lesson/course/registry.h"
#include "session/clock/file_clock.h"
#include "session/commands.h"
#include "session/document/document.h"
#include "session/document/recent_files.h"
#include "session/launches/host_code.h"
#include "session/launches/launches.h"
#include "session/learner/learner.h"
#include "session/learner/predictions.h"
#include "session/playhead/breakpoint_search.h"
#include "session/playhead/lane_values.h"
#include "session/playhead/playback.h"
#include "session/playhead/playhead.h"
#include "session/playhead/thread_turns.h"
#include "session/runner/explorer.h"
#include "session/runner/runner.h"
#include "session/selection/marks.h"
#include "session/selection/selection.h"
#include "session/timing/file_times.h"
#include "session/timing/lesson_timings.h"

namespace lanescope::session {

// What the program keeps from one start to the next.
struct Memory {
    std::vector<FileMemory> recent;  // the newest first
    MarksByFile marks;
    std::filesystem::path drafts;         // the folder for unsaved texts; empty: they are not kept
    std::filesystem::path progress = {};  // the file of the person's progress; empty: it is not kept
};

struct Options {
    // Trace files of more bytes are shown before they are played and counted.
    std::uintmax_t count_later_above_bytes = Runner::counted_at_once_bytes;
    GpuTimer gpu = {};
};

class Session {
  public:
    explicit Session(const std::filesystem::path& kernels_folder, Options options = {});
    explicit Session(std::shared_ptr<const lesson::Registry> registry, Options options = {});
    ~Session();

    void apply(const Command& command);
    // Polls jobs and moves playback. `now_s` is a monotonic clock. True when something changed.
    bool update(double now_s);
    // Waits for all pending work (headless use). False when it failed: diagnostics() or file_problem() say
    // why.
    bool wait();

    // Show a result, outcomes or times as if this session had made them.
    void set_run(execution::RunResult result);
    void set_exploration(execution::Exploration exploration) { explorer_.set(std::move(exploration)); }
    void set_timings(std::shared_ptr<const Timings> timings) { timings_.set(std::move(timings)); }
    // A program that ran: the person has agreed to that. OpenFile of its file shows it; `request` ran it.
    void set_program(OpenedProgram program, ProgramRequest request);
    void forbid_host_code() { host_code_.forbid(); }
    void set_device_source(DeviceSource* source) { runner_.set_device_source(source); }  // see Runner
    void restore(Memory memory);
    Memory memory() const;  // the open file included

    const lesson::Registry& registry() const { return *registry_; }
    const std::shared_ptr<const lesson::Registry>& shared_registry() const { return registry_; }
    const lesson::LessonEntry* lesson() const {
        return lesson_;
    }  // of the open file; null: not of the course
    const lesson::Topic* topic() const;
    // The open file is a lesson of the course or belongs to one of its exercises: it is never overwritten.
    bool of_course() const { return of_course_; }
    const lesson::ParameterValues& parameters() const { return parameters_; }  // as set, defaults included
    // Why the newest attempt to run failed; empty when it succeeded.
    const Diagnostics& diagnostics() const {
        return runner_.diagnostics().empty() ? explorer_.diagnostics() : runner_.diagnostics();
    }
    // Why a file was not saved, opened or edited, beside the run that is shown; null: nothing failed. That
    // the open file is not saved holds until a save succeeds or another file is open; the others also end
    // when a run starts.
    struct FileProblem {
        enum class Kind { save, open, edit } kind{};
        Diagnostic why;
    };
    const FileProblem* file_problem() const {
        return not_opened_ ? &*not_opened_ : unsaved_ ? &*unsaved_ : nullptr;
    }
    // The file that a save under this name writes: a missing ending is added. Errors: a lesson; what
    // check_outputs() refuses.
    Result<std::filesystem::path> save_target(std::filesystem::path file) const;
    // The newest attempt failed or was cancelled, so an older run is shown.
    bool shows_last_good() const;

    const Document& document() const { return document_; }
    const Runner& runner() const { return runner_; }
    const Explorer& explorer() const { return explorer_; }
    const Playhead& playhead() const { return playhead_; }
    const Playback& playback() const { return playback_; }
    const BreakpointSearch& search() const { return search_; }
    const Selection& selection() const { return selection_; }
    const Marks& marks() const { return marks_; }
    const LaneValues& values() const { return values_; }
    const LessonTimings& timings() const { return timings_; }
    const FileTimes& file_times() const { return file_times_; }
    const FileClock& clock() const { return clock_; }
    const Learner& learner() const { return learner_; }
    const Launches& launches() const { return launches_; }
    const HostCode& host_code() const { return host_code_; }
    const Predictions& predictions() const { return predictions_; }

    // Shorthands for what nearly every view needs: the last good run and its trace; null while there is none.
    const execution::RunResult* run() const { return playhead_.run(); }
    const trace::Trace* trace() const { return run() ? run()->trace.get() : nullptr; }

  private:
    friend class Command;
    template <class What>
    void carry_out_in_part(const What& what);

    void carry_out(const OpenFile& wanted);
    void carry_out(const EditSource& wanted);
    void carry_out(const RevertSource&);
    void carry_out(const SaveSource& wanted);
    void carry_out(const Undo&) { undo_or_redo(&Document::undo); }
    void carry_out(const Redo&) { undo_or_redo(&Document::redo); }
    void carry_out(const AnswerQuestion& answer);
    void carry_out(const SetParameter& wanted);
    void carry_out(const ResetParameters&);
    void carry_out(const SetCode& wanted);
    void carry_out(const UseGpu& wanted);
    void carry_out(const SetSchedule& wanted);
    void carry_out(const ChooseTurns& wanted);
    void carry_out(const RunAgain&) { start_run(); }
    void carry_out(const CancelRun&);
    void carry_out(const ExploreSchedules&) { explorer_.start(request()); }
    void carry_out(const RunProgram& wanted);
    void carry_out(const DeclineProgram&);
    void carry_out(const RecordLaunch& wanted);
    void carry_out(const Continue& wanted);
    void carry_out(const RunToLine& wanted);
    void carry_out(const ToggleBreakpoint& wanted);
    void carry_out(const MeasureTimings& wanted);
    void carry_out(const JudgeExercise& wanted);

    void take_launches();
    void run_program();
    void follow_schedule(const std::string& before);
    void take_program(OpenedProgram program);
    void show_recording(Runner::Finished finished);
    void undo_or_redo(bool (Document::*move)());
    void set(Settings settings, const std::string& label);
    Settings settings_now() const;
    void follow_engine();

    void not_opened(FileProblem::Kind kind, const Diagnostics& why);
    FileMemory file_memory() const;
    void file_changed();
    void drop_run();
    void follow_clock();
    void follow_times();
    void start_run();
    void start_changed_run();
    execution::RunRequest request() const;
    bool take_finished();
    void show(PreparedTrace prepared, bool another = false);
    void count_when_needed();

    std::shared_ptr<const lesson::Registry> registry_;
    std::vector<std::shared_ptr<const lesson::Registry>> earlier_registries_;  // views may keep entries
    const lesson::LessonEntry* lesson_ = nullptr;
    bool of_course_ = false;
    lesson::ParameterValues parameters_;
    RecentFiles recent_;
    Document document_;
    Playhead playhead_;
    Playback playback_{playhead_};
    BreakpointSearch search_{playhead_};
    LaneValues values_{playhead_};
    Predictions predictions_{playhead_, values_};
    Selection selection_;
    Marks marks_;
    // A run waits neither for the search through schedules nor for times, estimates, answers, exercises or
    // programs.
    std::unique_ptr<Jobs> jobs_ = std::make_unique<Jobs>(9);
    Runner runner_{*jobs_};
    Explorer explorer_{*jobs_};
    LessonTimings timings_;
    FileTimes file_times_;
    FileClock clock_{*jobs_};
    Learner learner_{*jobs_};
    Launches launches_{*jobs_};
    HostCode host_code_{*jobs_};
    std::optional<FileProblem> unsaved_, not_opened_;  // the second one is newer, or also of an edit
    std::string program_text_;                         // of the program's file when it ran
};

// The time on a GPU of the run that is shown: measured here, else recorded for exactly its text and
// parameters.
struct MeasuredTime {
    std::shared_ptr<const Timings> timings;  // of what; `record` points into it
    const TimingRecord* record = nullptr;    // null: there is none
};
MeasuredTime measured_time_of(const Session& session);

// Calls the part that the command takes.
template <class What>
void Session::carry_out_in_part(const What& what) {
    const auto call = [&](auto&... parts) {
        static_assert((std::is_invocable_v<const What&, decltype(parts)> + ...) == 1,
                      "a command names one part, or Session::carry_out takes it");
        const auto call_one = [&](auto& part) {
            if constexpr (std::is_invocable_v<const What&, decltype(part)>) what(part);
        };
        (call_one(parts), ...);
    };
    call(playhead_, playback_, search_, selection_, marks_, explorer_, timings_, file_times_, clock_,
         predictions_, learner_, launches_);
}

template <class What>
requires(!std::is_same_v<What, Command>) Command::Command(What what)
    : what_(std::move(what)), carry_out_([](Session& session, const std::any& any) {
          const What& command = *std::any_cast<What>(&any);
          if constexpr (requires { session.carry_out(command); })
              session.carry_out(command);
          else
              session.carry_out_in_part(command);
      }) {}

}  // namespace lanescope::session
