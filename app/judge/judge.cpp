#include "judge/judge.h"

#include <algorithm>
#include <chrono>

#include "base/number_text.h"
#include "compile/compiler.h"
#include "compile/user_headers.h"
#include "execution/run/launch_arguments.h"
#include "judge/tally.h"
#include "simt/launch/schedule.h"

namespace lanescope::judge {

namespace {

using Clock = std::chrono::steady_clock;

struct PlannedSchedule {
    std::string name;
    simt::Schedule schedule;
};

class Judging {
  public:
    Judging(const lesson::Exercise& exercise, const Submission& submission, const JudgeLimits& limits)
        : exercise_(exercise), submission_(submission), limits_(limits) {
        for (const lesson::Goal& goal : exercise.goals)
            tallies_.emplace_back(goal);
    }

    Result<Verdict> run(const std::function<void()>& compiled) {
        Result<lesson::PreparedExercise> prepared = lesson::prepare(exercise_);
        if (!prepared) return prepared.diagnostics();
        prepared_ = std::move(*prepared);
        take_target();
        if (const Result<void> planned = plan_schedules(); !planned) return planned.diagnostics();
        if (const std::string why = foreign_text(); !why.empty())
            return refused(exercise_, submission_.file, why);
        if (const Result<void> fine = compile_it(); !fine)
            return refused(exercise_, submission_.file, words_of(fine.diagnostics()));
        if (compiled) compiled();
        if (const Result<void> ran = run_all(); !ran) return ran.diagnostics();
        if (!error_.empty()) return refused(exercise_, submission_.file, error_);
        return verdict();
    }

  private:
    // A submission may state the target that its code needs; all else is the exercise's.
    void take_target() {
        std::string arch = submission_.arch;
        if (const auto own = lesson::parse_front_matter(submission_.source, submission_.file);
            own && arch.empty())
            arch = own->compiler.arch;
        if (arch.empty()) return;
        for (lesson::ExerciseCase& each : prepared_.cases)
            each.front.compiler.arch = arch;
    }

    Result<void> plan_schedules() {
        for (const std::string& name : exercise_.schedules) {
            Result<simt::Schedule> parsed = simt::parse_schedule(name);
            if (!parsed)
                return error_at(exercise_.file.string(), exercise_.line, 0,
                                "'" + exercise_.id() + "': " + parsed.diagnostics().front().message,
                                parsed.diagnostics().front().hint);
            schedules_.push_back({name, std::move(*parsed)});
        }
        return {};
    }

    // Text of other files could be anything that lies on this machine, such as the solution.
    std::string foreign_text() const {
        std::error_code failed;
        const std::filesystem::path folder =
            std::filesystem::absolute(submission_.file, failed).parent_path();
        const compile::UserHeaders found = compile::find_user_headers(submission_.source, folder);
        std::string name;
        if (!found.headers.empty()) name = found.headers.front().name;
        if (!found.refused.empty()) name = found.refused.front();
        if (!name.empty()) return "it includes '" + name + "'; a submission must be one file";
        return found.complete ? "" : "it has an #include whose name is computed; write the name";
    }

    Result<void> compile_it() const {
        compile::Options options;
        const lesson::FrontMatter& front = prepared_.cases.front().front;
        Result<compile::Flags> flags = execution::flags_of(front, prepared_.file, {});
        if (!flags) return flags.diagnostics();
        options.flags = std::move(*flags);
        options.instantiations = lesson::template_kernels(front);
        options.timeout_ms = static_cast<int>(std::max(1.0, seconds_left()) * 1000);
        const Result<compile::Output> output =
            compile::compile(submission_.source, submission_.file, options);
        if (!output) return output.diagnostics();
        return {};
    }

    Result<void> run_all() {
        for (const lesson::ExerciseCase& each : prepared_.cases)
            for (const PlannedSchedule& schedule : schedules_) {
                if (seconds_left() <= 0) {
                    error_ = out_of_time();
                    return {};
                }
                const Result<bool> go_on = run_one(each, schedule);
                if (!go_on) return go_on.diagnostics();
                if (!*go_on) return {};
            }
        return {};
    }

    // Returns whether further runs make sense.
    Result<bool> run_one(const lesson::ExerciseCase& each, const PlannedSchedule& schedule) {
        execution::RunRequest request;
        request.file = submission_.file;
        request.source = submission_.source;
        request.parameters = each.set;
        request.schedule = schedule.schedule;
        request.front = each.front;
        request.front_file = prepared_.file;
        request.limits.warp_instructions = limits_.warp_instructions;
        request.limits.seconds = seconds_left();
        request.limits.memory_bytes = 1ull << 30;
        request.limits.console_bytes = 1 << 16;
        request.trace_bytes = 512ull << 20;
        const Result<execution::RunResult> run = execution::execute(request);
        if (!run) {
            error_ = seconds_left() <= 0 ? out_of_time()
                     : each.hidden       ? "it cannot be run for a hidden input"
                                         : words_of(run.diagnostics());
            return false;
        }
        const RunPlace place{each.hidden, schedule.name, each.about};
        for (Tally& tally : tallies_)
            if (const Result<void> added = tally.add(*run, place, exercise_.file.string()); !added)
                return added.diagnostics();
        if (run->trace && (run->trace->truncated || run->narrowed)) {
            error_ = "the run" + judge::words_of(place) + " is too long to be counted";
            return false;
        }
        return run->outcome.ending != simt::Ending::timeout &&
               run->outcome.ending != simt::Ending::step_limit;
    }

    Verdict verdict() const {
        Verdict verdict;
        verdict.file = submission_.file;
        verdict.exercise = exercise_.id();
        verdict.max_points = exercise_.points();
        const auto missed = std::find_if(tallies_.begin(), tallies_.end(), [](const Tally& tally) {
            return tally.goal().kind == lesson::GoalKind::result && !tally.ok();
        });
        const bool right = missed == tallies_.end();
        const std::string first =
            right || missed->verdict().got == "wrong" ? "the result is right" : "the threads share the work";
        for (const Tally& tally : tallies_) {
            GoalVerdict goal = tally.verdict();
            if (!right && goal.ok && tally.goal().kind != lesson::GoalKind::result) {
                goal.ok = false;
                goal.points = 0;
                goal.reason = "counts once " + first + " (" + goal.reason + ")";
            }
            verdict.points += goal.points;
            verdict.goals.push_back(std::move(goal));
        }
        return verdict;
    }

    double seconds_left() const {
        return limits_.seconds - std::chrono::duration<double>(Clock::now() - start_).count();
    }

    std::string out_of_time() const { return "it did not end within " + seconds_text(limits_.seconds); }

    // Where the files of the exercise lie is not said.
    std::string words_of(const Diagnostics& diagnostics) const {
        for (const Diagnostic& each : diagnostics)
            if (each.severity == Severity::error)
                return each.file == prepared_.file && each.file != submission_.file
                           ? each.message + (each.hint.empty() ? "" : " (" + each.hint + ")")
                           : to_text(each);
        return "it cannot be run";
    }

    const lesson::Exercise& exercise_;
    const Submission& submission_;
    JudgeLimits limits_;
    Clock::time_point start_ = Clock::now();
    lesson::PreparedExercise prepared_;
    std::vector<PlannedSchedule> schedules_;
    std::vector<Tally> tallies_;
    std::string error_;  // a mistake of the submission that ended everything
};

}  // namespace

Result<Verdict> judge(const lesson::Exercise& exercise, const Submission& submission,
                      const JudgeLimits& limits, const std::function<void()>& compiled) {
    return Judging(exercise, submission, limits).run(compiled);
}

}  // namespace lanescope::judge
