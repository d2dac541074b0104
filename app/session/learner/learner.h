// What the person learns with the course: typed answers and exercises, which jobs judge, and the progress
// that is kept of them.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/jobs.h"
#include "judge/answer.h"
#include "judge/judge.h"
#include "session/learner/progress.h"

namespace lanescope::session {

// The newest answer that was typed to a question.
struct TypedAnswer {
    enum class State : std::uint8_t { judging, right, wrong, failed } state{};
    std::string typed;
    std::string problem;  // why it could not be judged
};

// The newest attempt at an exercise.
struct Attempt {
    const lesson::Exercise* exercise = nullptr;  // null: there is none
    judge::Submission submission;
    bool judging = false, cancelled = false;
    std::optional<judge::Verdict> verdict;
    std::string problem;  // why there is no verdict: a fault of the exercise or of the machine
};

class Learner {
  public:
    explicit Learner(Jobs& jobs) : jobs_(jobs) {}

    // Reads what is kept in the file, and keeps everything there from now on. A damaged file is copied beside
    // itself first; notice() says so. Without this call nothing is kept.
    void keep_in(const std::filesystem::path& file);

    // Lessons and exercises must outlive the jobs.
    void see(const lesson::LessonEntry& entry);
    void answer(const lesson::LessonEntry& entry, std::size_t question, const std::string& typed);
    // Asks with other numbers; the answer so far is forgotten.
    void ask_again(const lesson::Question& question);
    void judge(const lesson::Exercise& exercise, judge::Submission submission);
    void cancel();  // the judging of an exercise
    void forget();
    void restore();  // what forget() took

    const Progress& progress() const { return progress_; }
    bool can_restore() const { return forgotten_.has_value(); }
    const TypedAnswer* answer_of(const lesson::Question& question) const;  // null: none was typed
    unsigned tries_of(const lesson::Question& question) const;             // how often it was asked again
    const Attempt& attempt() const { return attempt_; }
    bool busy() const;
    // What the person must know about the file of the progress; empty: all is well.
    const std::string& notice() const { return notice_; }
    void wait();

  private:
    void finish(const lesson::LessonEntry& entry, const lesson::Question& question,
                const Result<judge::AnswerVerdict>& verdict);
    void finish(const Result<judge::Verdict>& verdict);
    void keep();

    static constexpr const char* exercise_job = "exercise";
    static constexpr const char* answer_job = "answer";

    Jobs& jobs_;
    std::filesystem::path file_;
    Progress progress_;
    std::optional<Progress> forgotten_;
    std::map<const lesson::Question*, TypedAnswer> answers_;
    std::map<const lesson::Question*, unsigned> tries_;
    Attempt attempt_;
    std::string notice_;
};

}  // namespace lanescope::session
