#include "ui/lesson/exercise_box.h"

#include "base/language.h"
#include "simt/launch/schedule.h"

namespace lanescope::ui {

using session::Attempt;

namespace {

constexpr float exercise_margin_px = 20;

// Paths of the person's machine say less than the name.
std::string with_short_names(std::string text, const std::string& path) {
    const std::string name = std::filesystem::path(path).filename().string();
    for (std::size_t at = text.find(path); !path.empty() && at != text.npos;
         at = text.find(path, at + name.size()))
        text.replace(at, path.size(), name);
    return text;
}

std::string of_points(int points, int most) {
    return tr(most == 1 ? tr_later("{1} of 1 point") : tr_later("{1} of {2} points"),
              {std::to_string(points), std::to_string(most)});
}

// The reason of a goal without what other goals tell in the same words: of a problem that ends the run, or
// that two goals forbid. `shortened` says whether words were left out.
std::string own_reason(const judge::Verdict& verdict, std::size_t number, bool& shortened) {
    const std::vector<judge::GoalVerdict>& goals = verdict.goals;
    const std::string& reason = goals[number].reason;
    shortened = !reason.empty() && !goals[number].ok;
    if (!shortened) return reason;
    for (std::size_t i = 0; i < number; ++i)
        if (!goals[i].ok && goals[i].reason == reason && goals[i].place.line != 0) return tr("as above");
    for (std::size_t i = number + 1; i < goals.size(); ++i) {
        const std::string& other = goals[i].reason;
        const bool again = !other.empty() && reason.ends_with(": " + other);
        if (again) return reason.substr(0, reason.size() - other.size() - 2) + tr(", see below");
    }
    shortened = false;
    return reason;
}

}  // namespace

const lesson::Exercise* open_exercise(const session::Session& session) {
    if (const lesson::Exercise* at = session.registry().exercise_at(session.document().path())) return at;
    const std::string named = lesson::exercise_named_by(session.document().text());
    if (named.empty()) return nullptr;
    const auto found = session.registry().exercise(named);
    return found ? *found : nullptr;
}

ExerciseBox::ExerciseBox(const lesson::Exercise& exercise)
    : exercise_(&exercise), task_(parse_markdown(exercise.text)) {
    mark_terms(task_, glossary());
    for (const std::string& hint : exercise.hints)
        hints_.push_back(parse_markdown(hint));
}

void ExerciseBox::follow(const session::Session& session, Requests& requests) {
    const std::string path = session.document().path().string();
    if (path != looked_at_) {
        looked_at_ = path;
        going_.reset();
        open_ = open_exercise(session) == exercise_;
    }
    // The request for the schedule may still be on its way to the session.
    const bool there = going_ && simt::to_text(session.document().settings().schedule) == going_->schedule;
    if (!there || session.runner().busy() || !session.run()) return;
    requests.commands.push_back(session::SetGranularity{trace::Granularity::line});
    requests.commands.push_back(session::FocusBlock{going_->block});
    requests.commands.push_back(session::SeekStep{going_->step - 1});
    going_.reset();
}

float ExerciseBox::lay_out(ImDrawList* draw, ImVec2 at, float width, const ViewContext& view,
                           std::string* clicked) {
    if (draw) follow(view.session, view.requests);
    BoxFlow flow(draw, at, width, view.window);
    if (draw) ImGui::PushID(this);
    flow.indent(view.px(exercise_margin_px));
    title(flow, view.session);
    flow.gap(view.px(4));
    flow.markdown(task_, clicked);
    flow.gap(view.px(8));
    const Attempt& attempt = view.session.learner().attempt();
    const bool attempted = attempt.exercise == exercise_;
    if (!attempted || !attempt.verdict) goals(flow);  // a verdict lists them
    hints(flow, clicked);
    const float buttons_at = flow.y();
    buttons(flow, view.session, view.requests);
    if (attempted) verdict(flow, view.session, view.requests);
    if (draw) ImGui::PopID();
    const bool judging = attempted && attempt.judging;
    if (draw && judging_ && !judging) {
        flow.bring_into_sight(buttons_at);
        view.requests.next_frame = true;
    }
    if (draw) judging_ = judging;
    return flow.height();
}

void ExerciseBox::title(BoxFlow& flow, const session::Session& session) const {
    const session::ExercisePoints* best = session.learner().progress().of(*exercise_);
    const bool passed = best && best->passed();
    flow.mark(passed ? "✓" : "○", passed ? theme().good : theme().accent,
              flow.window().px(exercise_margin_px));
    flow.text(fonts().strong, theme().text_strong, exercise_->title);
    std::string facts = tr("Exercise, level {1}", {std::to_string(exercise_->level)}) + " · ";
    if (passed)
        facts += tr("passed with all {1} points", {std::to_string(best->max_points)});
    else if (best)
        facts += tr("best attempt {1}", {of_points(best->points, best->max_points)});
    else
        facts += tr("{1} points", {std::to_string(exercise_->points())});
    flow.text(fonts().small, theme().text_quiet, facts);
}

void ExerciseBox::goals(BoxFlow& flow) const {
    std::string words;
    for (const lesson::Goal& goal : exercise_->goals)
        words += (words.empty() ? tr("Goals: ") : "; ") + lesson::wish_of(goal) + " (" +
                 std::to_string(goal.points) + ")";
    flow.text(fonts().small, theme().text_quiet, words);
    flow.gap(flow.window().px(8));
}

void ExerciseBox::hints(BoxFlow& flow, std::string* clicked) {
    for (std::size_t i = 0; i < hints_shown_; ++i) {
        flow.text(fonts().small, theme().barrier,
                  tr("Hint {1} of {2}", {std::to_string(i + 1), std::to_string(hints_.size())}));
        flow.markdown(hints_[i], clicked);
        flow.gap(flow.window().px(8));
    }
}

void ExerciseBox::buttons(BoxFlow& flow, const session::Session& session, Requests& requests) {
    const Attempt& attempt = session.learner().attempt();
    const bool judging = attempt.judging && attempt.exercise == exercise_;
    if (!open_) {
        if (flow.chip(tr("Open the starter"), part("open"), theme().accent)) {
            requests.set(&WindowState::source, &SourceState::edit_opened, true);
            requests.commands.push_back(session::OpenFile{exercise_->starter});
        }
    } else if (judging) {
        if (flow.chip(tr("Cancel"), part("cancel"))) requests.commands.push_back(session::CancelJudging{});
        flow.words(tr("judging your code …"), theme().text_quiet);
    } else {
        if (flow.chip(tr("Judge it"), part("judge"), theme().accent))
            requests.after_typing.push_back(session::JudgeExercise{exercise_});
    }
    if (hints_shown_ < hints_.size() &&
        flow.chip(tr("Hint {1} of {2}", {std::to_string(hints_shown_ + 1), std::to_string(hints_.size())}),
                  part("hint")))
        ++hints_shown_;
    const session::ExercisePoints* best = session.learner().progress().of(*exercise_);
    if (open_ && ((best && best->passed()) || (!hints_.empty() && hints_shown_ == hints_.size())))
        compare_chip(flow, requests);
    if (open_ && !exercise_->lesson.empty() && flow.chip(tr("Back to the lesson"), part("lesson")))
        requests.commands.push_back(
            session::OpenFile{exercise_->file.parent_path() / (exercise_->lesson + ".cu")});
    flow.end_row();
}

void ExerciseBox::compare_chip(BoxFlow& flow, Requests& requests) const {
    if (exercise_->solution.empty() || !flow.chip(tr("Compare with the solution"), part("compare"))) return;
    requests.set(&WindowState::signals, &FrameSignals::compare_with, exercise_->solution);
    requests.act("compare.toggle");
}

void ExerciseBox::verdict(BoxFlow& flow, const session::Session& session, Requests& requests) {
    const Attempt& attempt = session.learner().attempt();
    const WindowState& window = flow.window();
    if (attempt.judging) return;
    flow.gap(window.px(10));
    if (attempt.cancelled) return flow.text(fonts().text, theme().text_quiet, tr("Judging was cancelled."));
    if (!attempt.problem.empty())
        return flow.text(fonts().text, theme().conflict,
                         tr("✗ Your code could not be judged: ") +
                             with_short_names(attempt.problem, attempt.submission.file));
    if (!attempt.verdict) return;
    const judge::Verdict& verdict = *attempt.verdict;
    const bool current = open_ && session.document().text() == attempt.submission.source;
    if (open_ && !current) {
        flow.text(fonts().small, theme().barrier,
                  tr("Your code has changed since this verdict. Judge it again."));
        flow.gap(window.px(4));
    }
    if (!verdict.error.empty()) {
        flow.text(fonts().strong, theme().conflict, tr("✗ Your code was not run"));
        return flow.text(fonts().mono, theme().text,
                         with_short_names(verdict.error, attempt.submission.file));
    }
    const std::string points = of_points(verdict.points, verdict.max_points);
    if (verdict.full())
        flow.text(fonts().strong, theme().good, tr("✓ Passed: ") + points);
    else
        flow.text(fonts().strong, theme().conflict, tr("✗ Not yet: ") + points);
    flow.gap(window.px(4));
    for (std::size_t i = 0; i < verdict.goals.size(); ++i)
        goal(flow, verdict, i, current, requests);
}

void ExerciseBox::goal(BoxFlow& flow, const judge::Verdict& verdict, std::size_t number, bool current,
                       Requests& requests) {
    const judge::GoalVerdict& goal = verdict.goals[number];
    const WindowState& window = flow.window();
    const float margin = window.px(exercise_margin_px);
    flow.indent(margin);
    flow.mark(goal.ok ? "✓" : "✗", goal.ok ? theme().good : theme().conflict, margin);
    const std::string wish =
        number < exercise_->goals.size() ? lesson::wish_of(exercise_->goals[number]) : goal.goal;
    flow.text(fonts().text, theme().text_strong, wish + " (" + of_points(goal.points, goal.max_points) + ")");
    bool shortened = false;
    const std::string reason = own_reason(verdict, number, shortened);
    if (!reason.empty()) flow.text(fonts().text, theme().text_quiet, reason);
    const judge::GoalPlace place = shortened ? judge::GoalPlace{} : goal.place;
    const std::string name = part("goal ") + std::to_string(number + 1);
    if (!goal.ok && current && place.step != 0 &&
        flow.chip(tr("Go to step {1}", {std::to_string(place.step)}), name)) {
        if (const auto schedule = simt::parse_schedule(place.schedule)) {
            requests.after_typing.push_back(session::SetSchedule{*schedule});
            going_ = place;
            going_->schedule = simt::to_text(*schedule);
        }
    }
    if (!goal.ok && current && place.line != 0 &&
        flow.chip(tr("Show line {1}", {std::to_string(place.line)}), name + " line"))
        requests.commands.push_back(session::SelectLine{place.line});
    flow.end_row();
    flow.gap(window.px(6));
    flow.indent(-margin);
}

}  // namespace lanescope::ui
