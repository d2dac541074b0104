#include "session/learner/learner.h"

#include <memory>

#include "base/damaged_file.h"
#include "judge/mark.h"

namespace lanescope::session {

namespace fs = std::filesystem;

namespace {

constexpr double judge_seconds = 60;

}  // namespace

void Learner::keep_in(const fs::path& file) {
    file_ = file;
    ReadProgress read = read_progress(file);
    progress_ = std::move(read.progress);
    if (read.problems.empty()) return;
    const Result<std::string> copy = keep_damaged(file);
    const std::string name = file.filename().string();
    notice_ = name + " is damaged: a part of your progress could not be read. " +
              (!copy ? "The file is left as it is, and nothing is kept."
                     : "The damaged file is kept as " + *copy + ".");
    if (!copy) file_.clear();  // what is there is not lost
}

// --- What was done -----------------------------------------------------------------------------------------

void Learner::see(const lesson::LessonEntry& entry) {
    if (progress_.lessons.insert(key_of(entry)).second) keep();
}

void Learner::answer(const lesson::LessonEntry& entry, std::size_t number, const std::string& typed) {
    if (number >= entry.questions.size()) return;
    const lesson::Question& question = entry.questions[number];
    answers_[&question] = {TypedAnswer::State::judging, typed, {}};
    const Result<lesson::Question> asked = lesson::asked(question, tries_of(question));
    if (!asked) return;
    jobs_.start(answer_job + key_of(question), [this, &entry, &question, asked = *asked,
                                                typed](JobContext& context) {
        auto verdict = std::make_shared<const Result<judge::AnswerVerdict>>(
            judge::judge_answer(entry, asked, typed, &context.cancel_flag()));
        return Jobs::Completion([this, &entry, &question, verdict] { finish(entry, question, *verdict); });
    });
}

void Learner::ask_again(const lesson::Question& question) {
    jobs_.cancel(answer_job + key_of(question));
    answers_.erase(&question);
    ++tries_[&question];
}

unsigned Learner::tries_of(const lesson::Question& question) const {
    const auto found = tries_.find(&question);
    return found == tries_.end() ? 0 : found->second;
}

void Learner::finish(const lesson::LessonEntry& entry, const lesson::Question& question,
                     const Result<judge::AnswerVerdict>& verdict) {
    TypedAnswer& answer = answers_[&question];
    if (!verdict) {
        answer.state = TypedAnswer::State::failed;
        answer.problem = to_text(verdict.diagnostics().front());
        return;
    }
    answer.state = verdict->right ? TypedAnswer::State::right : TypedAnswer::State::wrong;
    if (!verdict->right) return;
    if (progress_.questions[key_of(entry)].insert(key_of(question)).second) keep();
}

const TypedAnswer* Learner::answer_of(const lesson::Question& question) const {
    const auto found = answers_.find(&question);
    return found == answers_.end() ? nullptr : &found->second;
}

void Learner::judge(const lesson::Exercise& exercise, judge::Submission submission) {
    attempt_ = {&exercise, std::move(submission), true, false, {}, {}};
    jobs_.start(exercise_job,
                [this, marked = judge::Marked{attempt_.submission, &exercise}](JobContext& context) {
                    auto verdict = std::make_shared<const Result<judge::Verdict>>(
                        judge::mark_one(marked, judge_seconds, &context.cancel_flag()));
                    return Jobs::Completion([this, verdict] { finish(*verdict); });
                });
}

void Learner::finish(const Result<judge::Verdict>& verdict) {
    attempt_.judging = false;
    if (!verdict) {
        attempt_.problem = to_text(verdict.diagnostics().front());
        return;
    }
    attempt_.verdict = *verdict;
    Progress done;
    done.exercises[attempt_.exercise->id()] = {verdict->points, verdict->max_points};
    const Progress before = progress_;
    progress_.add(done);
    if (progress_ != before) keep();
}

void Learner::cancel() {
    if (!attempt_.judging) return;
    jobs_.cancel(exercise_job);
    attempt_.judging = false;
    attempt_.cancelled = true;
}

bool Learner::busy() const {
    if (attempt_.judging) return true;
    for (const auto& [question, answer] : answers_)
        if (answer.state == TypedAnswer::State::judging) return true;
    return false;
}

void Learner::wait() {
    if (attempt_.judging) jobs_.wait(exercise_job);
    for (const auto& [question, answer] : answers_)
        if (answer.state == TypedAnswer::State::judging) jobs_.wait(answer_job + key_of(*question));
    jobs_.poll();
}

// --- What is kept ------------------------------------------------------------------------------------------

// Another window may have kept something since.
void Learner::keep() {
    if (file_.empty()) return;
    const ReadProgress there = read_progress(file_);
    if (there.problems.empty() && !forgotten_) progress_.add(there.progress);
    if (const Result<void> written = write_progress(progress_, file_); !written)
        notice_ = "Your progress in the course is not kept: " + to_text(written.diagnostics().front());
}

void Learner::forget() {
    if (progress_.empty()) return;
    forgotten_ = std::move(progress_);
    progress_ = {};
    answers_.clear();
    keep();
}

void Learner::restore() {
    if (!forgotten_) return;
    progress_.add(*forgotten_);
    forgotten_.reset();
    keep();
}

}  // namespace lanescope::session
