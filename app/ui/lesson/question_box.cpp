#include "ui/lesson/question_box.h"

#include <cstring>
#include <utility>

#include "base/language.h"
#include "ui/kit/widget_log.h"

namespace lanescope::ui {

using session::TypedAnswer;

namespace {

constexpr float margin_px = 20, input_px = 130;

}  // namespace

QuestionBox::QuestionBox(const lesson::LessonEntry& entry, std::size_t number)
    : entry_(&entry), number_(number) {
    ask(0);
}

void QuestionBox::ask(unsigned attempt) {
    attempt_ = attempt;
    const Result<lesson::Question> asked = lesson::asked(question(), attempt);
    const lesson::Question& texts = asked ? *asked : question();
    ask_ = parse_markdown(texts.ask);
    answer_ = parse_markdown(texts.answer);
    mark_terms(ask_, glossary());
    mark_terms(answer_, glossary());
    at_ = texts.at;
    looked_in_ = nullptr;
    place_.reset();
}

// Finds the step in the run that is shown, and unfolds the answer once it was typed right.
void QuestionBox::follow(const session::Session& session) {
    if (const unsigned tries = session.learner().tries_of(question()); tries != attempt_) {
        ask(tries);
        typed_[0] = '\0';
        judged_.clear();
        unfolded_ = false;
    }
    const bool open = session.lesson() == entry_;
    const execution::RunResult* run = open ? session.run() : nullptr;
    if (run != looked_in_) {
        looked_in_ = run;
        place_.reset();
        if (run && run->trace && at_)
            if (const auto found = execution::find_place(*at_, *run->trace, run->source)) place_ = *found;
    }
    const TypedAnswer* typed = session.learner().answer_of(question());
    const bool right = typed && typed->state == TypedAnswer::State::right;
    if (right && !was_right_) {
        unfolded_ = true;
        if (restored_) ImGui::SetWindowFocus(nullptr);  // nothing is left to type
    }
    if (typed && !restored_) typed->typed.copy(typed_, sizeof typed_ - 1);
    const bool judged = typed && typed->state != TypedAnswer::State::judging;
    if (judged && restored_ && typed->typed != judged_) verdict_came_ = true;
    if (judged) judged_ = typed->typed;
    restored_ = true;
    was_right_ = right;
}

float QuestionBox::lay_out(ImDrawList* draw, ImVec2 at, float width, const ViewContext& view,
                           std::string* clicked) {
    follow(view.session);
    BoxFlow flow(draw, at, width, view.window);
    if (draw) ImGui::PushID(this);
    flow.indent(view.px(margin_px));
    const bool done = view.session.learner().progress().answered(*entry_, question());
    flow.mark(done ? "✓" : "?", done ? theme().good : theme().accent, view.px(margin_px));
    flow.markdown(ask_, clicked);
    flow.gap(view.px(6));
    const TypedAnswer* typed = view.session.learner().answer_of(question());
    if (question().measure) input_row(flow, view.session, view.requests);
    verdict(flow, typed);
    links(flow, view.requests, question().answer.empty());
    if (unfolded_) {
        flow.gap(view.px(8));
        const float top = flow.y();
        flow.indent(view.px(12));
        if (attempt_ > 0 && question().answer.find('{') == std::string::npos)
            flow.text(fonts().text, theme().text_quiet, tr("With the first numbers:"));
        flow.markdown(answer_, clicked);
        flow.indent(-view.px(12));
        if (draw)
            draw->AddRectFilled({flow.left(), top}, {flow.left() + view.px(3), flow.y()},
                                done ? theme().good : theme().line);
    }
    if (draw) ImGui::PopID();
    if (draw && verdict_came_) {
        flow.bring_into_sight(at.y);
        view.requests.next_frame = true;
        verdict_came_ = false;
    }
    return flow.height();
}

void QuestionBox::input_row(BoxFlow& flow, const session::Session& session, Requests& requests) {
    const std::string name = "question " + std::to_string(number_ + 1);
    bool entered = false;
    const Rect box = flow.place(flow.window().px(input_px));
    if (flow.draws()) input(box, flow.window(), entered);
    if (!question().unit.empty()) flow.words(question().unit, theme().text_quiet);
    const TypedAnswer* typed = session.learner().answer_of(question());
    const bool judging = typed && typed->state == TypedAnswer::State::judging;
    entered |= flow.chip(tr("Check"), name + "/check", typed_[0] ? theme().accent : theme().text_faint);
    if (judging) flow.words(tr("running the lesson …"), theme().text_quiet);
    if (!question().numbers.empty() && typed && !judging && flow.chip(tr("Other numbers"), name + "/again"))
        requests.commands.push_back(session::AskAgain{&question()});
    flow.end_row();
    const std::string text = typed_;
    takes_keyboard_ |= entered;  // for another try, unless the answer is right
    if (entered && text.find_first_not_of(' ') != std::string::npos)
        requests.commands.push_back(session::TypeAnswer{entry_, number_, text});
}

void QuestionBox::input(const Rect& box, const WindowState& window, bool& entered) {
    if (window.still) {  // headless pictures have no text widget
        ImDrawList* draw = ImGui::GetWindowDrawList();
        draw->AddRectFilled(box.min(), box.max(), theme().panel_raised, window.px(theme().rounding));
        draw->AddRect(box.min(), box.max(), theme().line, window.px(theme().rounding));
        draw_text_within(draw, fonts().text,
                         {box.x + window.px(8), centre_line(fonts().text, box.y, box.height)},
                         typed_[0] ? theme().text : theme().text_faint,
                         typed_[0] ? typed_ : tr("your answer"), box.width - window.px(16));
        return;
    }
    ImGui::SetCursorScreenPos(box.min());
    ImGui::SetNextItemWidth(box.width);
    if (std::exchange(takes_keyboard_, false)) ImGui::SetKeyboardFocusHere();
    entered |= ImGui::InputTextWithHint("##answer", tr("your answer"), typed_, sizeof typed_,
                                        ImGuiInputTextFlags_EnterReturnsTrue);
    name_last_item("question " + std::to_string(number_ + 1) + "/answer");
}

void QuestionBox::verdict(BoxFlow& flow, const TypedAnswer* typed) const {
    if (!typed || typed->state == TypedAnswer::State::judging) return;
    flow.gap(flow.window().px(6));
    switch (typed->state) {
        case TypedAnswer::State::right:
            flow.text(fonts().strong, theme().good, tr("✓ Right: the run measures {1}.", {typed->typed}));
            break;
        case TypedAnswer::State::wrong:
            flow.text(fonts().text, theme().conflict,
                      tr("✗ {1} is not what the run measures.", {typed->typed}) + " " +
                          (place_ ? tr("Look at the step, then try again.") : tr("Try again.")));
            break;
        default:
            flow.text(fonts().text, theme().conflict,
                      tr("✗ The answer could not be judged: ") + typed->problem);
    }
}

void QuestionBox::links(BoxFlow& flow, Requests& requests, bool no_answer) {
    if (no_answer && !place_) return;
    flow.gap(flow.window().px(6));
    const std::string name = "question " + std::to_string(number_ + 1);
    if (place_ && flow.chip("Go to step " + grouped(place_->step + 1), name + "/step")) {
        requests.commands.push_back(session::SetGranularity{trace::Granularity::line});
        requests.commands.push_back(session::FocusBlock{place_->block});
        requests.commands.push_back(session::SeekStep{place_->step});
    }
    if (!no_answer && flow.chip(unfolded_ ? tr("Hide the answer") : tr("Show the answer"), name + "/show"))
        unfolded_ = !unfolded_;
    flow.end_row();
}

}  // namespace lanescope::ui
