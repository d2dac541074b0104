#include "ui/lesson/lesson_page.h"

#include <algorithm>

#include "base/language.h"
#include "ui/kit/widgets.h"
#include "ui/lesson/page_texts.h"

namespace lanescope::ui {
namespace {

// An input that gets the keyboard moves the page in its own way, and figures above it grow.
constexpr int frames_to_box = 4;
constexpr float page_margin = 18, reading_width = 500, section_gap = 22, box_gap = 20, scrolled_share = 0.8f;

// A lesson's step numbers are valid only for the unchanged file with its default parameters and settings.
bool as_the_lesson_says(const session::Session& session) {
    const execution::RunResult* run = session.run();
    if (!run || session.document().edited() || run->code != compile::Code::debug || run->by_thread ||
        session.document().settings().schedule.kind != simt::Schedule::Kind::round_robin)
        return false;
    const std::vector<lesson::Parameter>& parameters = run->instance.front.parameters;
    return std::all_of(parameters.begin(), parameters.end(), [&](const lesson::Parameter& parameter) {
        const auto value = session.parameters().find(parameter.name);
        return value == session.parameters().end() || value->second == parameter.default_value;
    });
}

std::vector<Paragraph> with_terms(const std::string& text) {
    std::vector<Paragraph> paragraphs = parse_markdown(text);
    mark_terms(paragraphs, glossary());
    return paragraphs;
}

bool begins_topic(const session::Session& session, const lesson::LessonEntry& entry) {
    return session.topic() && &session.topic()->lessons.front() == &entry;
}

void go_to(const execution::PlacedStep& place, Requests& requests) {
    requests.commands.push_back(session::SetGranularity{trace::Granularity::line});
    requests.commands.push_back(session::FocusBlock{place.block});
    requests.commands.push_back(session::SeekStep{place.step});
}

}  // namespace

// --- What the page holds -----------------------------------------------------------------------------------

float LessonPage::wanted_height(const session::Session& session, const WindowState&, float) const {
    if (const std::string path = session.document().path().string(); path != asked_) {
        asked_ = path;
        has_page_ = session.lesson() || open_exercise(session);
    }
    return has_page_ ? 1 : 0;
}

void LessonPage::prepare(const session::Session& session) {
    const std::string path = session.document().path().string();
    if (path != shown_ || entry_ != session.lesson()) {
        shown_ = path;
        entry_ = session.lesson();
        exercise_ = entry_ ? nullptr : open_exercise(session);
        topic_open_ = entry_ && begins_topic(session, *entry_);
        looked_in_ = nullptr;
        look_place_.reset();
        to_top_ = true;
        timings_ = nullptr;
        make_texts(session);
        make_boxes();
    }
    if (session.timings().shown().get() != timings_) make_texts(session);
    find_look(session);
}

void LessonPage::make_texts(const session::Session& session) {
    timings_ = session.timings().shown().get();
    topic_ = text_ = look_ = measured_ = seen_ = sources_ = {};
    const lesson::Topic* topic = session.topic();
    if (!entry_ || !topic) return;
    topic_ = with_terms(topic_text(*topic, session.registry()));
    text_ = with_terms(lesson_text(*entry_, *topic, session.registry()));
    if (!entry_->look.empty())
        look_ = with_terms("## " + std::string(tr("Look here")) + "\n\n" + entry_->look);
    measured_ = with_terms(measured_text(*entry_, *topic, session.timings().shown().get()));
    if (!entry_->seen.empty())
        seen_ = with_terms("## " + std::string(tr("You have seen")) + "\n\n" + entry_->seen);
    sources_ = parse_markdown(sources_text(*entry_));
}

void LessonPage::make_boxes() {
    questions_.clear();
    exercises_.clear();
    box_.reset();
    if (exercise_) exercises_.emplace_back(*exercise_);
    if (!entry_) return;
    for (std::size_t i = 0; i < entry_->questions.size(); ++i)
        questions_.emplace_back(*entry_, i);
    for (const lesson::Exercise& exercise : entry_->exercises)
        exercises_.emplace_back(exercise);
}

void LessonPage::find_look(const session::Session& session) {
    if (session.run() == looked_in_) return;
    looked_in_ = session.run();
    look_place_ = entry_ && looked_in_ && looked_in_->trace
                      ? execution::place_to_look(*entry_, *looked_in_->trace, looked_in_->source)
                      : std::nullopt;
}

// --- Drawing -----------------------------------------------------------------------------------------------

void LessonPage::tools(Heading& heading, const ViewContext& view) {
    if (heading.word_right(tr("All lessons, parameters"))) view.requests.act("page.toggle");
}

void LessonPage::scroll(const Rect& inside, const WindowState& window) {
    if (std::exchange(to_top_, false)) ImGui::SetScrollY(0);
    if (window.signals.page_scroll == 0) return;
    ImGui::SetScrollY(ImGui::GetScrollY() +
                      float(window.signals.page_scroll) * inside.height * scrolled_share);
}

void LessonPage::choose_box(const WindowState& window) {
    if (window.signals.page_box == 0) return;
    const std::size_t boxes = questions_.size() + exercises_.size();
    if (boxes == 0) return;
    box_ = box_ ? (*box_ + std::size_t(window.signals.page_box)) % boxes
                : std::size_t(window.signals.page_box - 1) % boxes;
    if (*box_ < questions_.size()) questions_[*box_].take_keyboard();
    to_box_ = frames_to_box;
}

void LessonPage::mark_box(BoxFlow& flow, std::size_t number, float height) {
    if (box_ != number) return;
    box_y_ = flow.y();
    const float pad = flow.window().px(6), bar = flow.window().px(3);
    flow.draw()->AddRectFilled({flow.left() - pad - bar, flow.y() - pad},
                               {flow.left() - pad, flow.y() + height + pad}, theme().accent);
}

void LessonPage::content(const Rect& inside, const ViewContext& view) {
    prepare(view.session);
    const float margin = view.px(page_margin);
    const float width = std::clamp(inside.width - 2 * margin, 1.0f, view.px(reading_width));
    const float left = std::round(inside.x + std::max((inside.width - width) / 2, margin));
    figures_.show(entry_, view.session, left, view.window);
    ImGui::SetCursorScreenPos(inside.min());
    ImGui::BeginChild("page", ImVec2(inside.width, inside.height), false, ImGuiWindowFlags_NoScrollbar);
    scroll(inside, view.window);
    choose_box(view.window);
    const float scrolled = ImGui::GetScrollY(), top = inside.y + margin - scrolled;
    clicked_.clear();
    const float height = lay_out({left, top}, width, view) + 2 * margin;
    if (ImGui::GetIO().MouseWheel != 0) to_box_ = 0;
    if (to_box_ > 0) {
        if (!figures_.busy()) --to_box_;
        ImGui::SetScrollY(std::max(0.0f, scrolled + box_y_ - inside.y - view.px(4 * page_margin)));
        view.requests.next_frame = true;
    }
    draw_scroll_mark(inside, scrolled, height, view.window);
    ImGui::SetCursorScreenPos({inside.x, top - margin});
    ImGui::Dummy({1, height});
    ImGui::EndChild();
    view.requests.next_frame |= figures_.busy();
    if (!clicked_.empty()) follow_link(clicked_, view);
}

float LessonPage::lay_out(ImVec2 at, float width, const ViewContext& view) {
    BoxFlow flow(ImGui::GetWindowDrawList(), at, width, view.window);
    if (entry_ && view.session.topic()) {
        place_topic(flow, view.session);
        place_title(flow, view.session);
        place_text(flow, text_);
        place_look(flow, view.session, view.requests);
        place_section(flow, measured_);
        place_questions(flow, view.session, view.requests);
    }
    place_exercises(flow, view.session, view.requests);
    if (!entry_ || !view.session.topic()) return flow.height();
    place_section(flow, seen_);
    place_section(flow, sources_);
    place_neighbours(flow, view.session, view.requests);
    return flow.height();
}

void LessonPage::place_text(BoxFlow& flow, const Text& text) {
    flow.gap(lay_out_markdown(flow.draw(), text, {flow.left(), flow.y()}, flow.right() - flow.left(),
                              flow.window(), {&clicked_, &figures_}));
}

void LessonPage::place_section(BoxFlow& flow, const Text& text) {
    if (text.empty()) return;
    flow.gap(flow.window().px(section_gap));
    place_text(flow, text);
}

void LessonPage::place_topic(BoxFlow& flow, const session::Session& session) {
    const WindowState& window = flow.window();
    if (!topic_open_) {
        if (flow.chip(tr("About this topic: ") + session.topic()->title, "topic")) topic_open_ = true;
        flow.end_row();
        return flow.gap(window.px(section_gap));
    }
    place_text(flow, topic_);
    flow.gap(window.px(section_gap / 2));
    flow.draw()->AddRectFilled({flow.left(), flow.y()}, {flow.right(), flow.y() + 1}, theme().line);
    flow.gap(window.px(section_gap));
}

void LessonPage::place_title(BoxFlow& flow, const session::Session& session) const {
    const WindowState& window = flow.window();
    flow.text(fonts().small, theme().text_quiet, lesson_facts(*session.topic(), *entry_));
    flow.gap(window.px(4));
    flow.text(fonts().caption, theme().text_strong, entry_->title);
    flow.gap(window.px(12));
}

void LessonPage::place_look(BoxFlow& flow, const session::Session& session, Requests& requests) {
    if (look_.empty()) return;
    const WindowState& window = flow.window();
    flow.gap(window.px(section_gap));
    place_text(flow, look_);
    flow.gap(window.px(8));
    if (!look_place_) return;
    if (as_the_lesson_says(session)) {
        if (flow.chip(tr("Go to step {1}", {grouped(look_place_->step + 1)}), "look", theme().accent))
            go_to(*look_place_, requests);
    } else if (session.run()) {
        flow.words(tr("This text is about the lesson as it comes, with its own parameters."),
                   theme().text_faint);
    }
    flow.end_row();
}

void LessonPage::place_questions(BoxFlow& flow, const session::Session& session, Requests& requests) {
    if (questions_.empty()) return;
    const WindowState& window = flow.window();
    flow.gap(window.px(section_gap));
    flow.text(fonts().title, theme().text_strong, tr("Questions"));
    flow.gap(window.px(10));
    std::size_t number = 0;
    for (QuestionBox& box : questions_) {
        const float height = box.lay_out(flow.draw(), {flow.left(), flow.y()}, flow.right() - flow.left(),
                                         {session, window, requests}, &clicked_);
        mark_box(flow, number++, height);
        flow.gap(height);
        flow.gap(window.px(box_gap));
    }
}

void LessonPage::place_exercises(BoxFlow& flow, const session::Session& session, Requests& requests) {
    if (exercises_.empty()) return;
    const WindowState& window = flow.window();
    if (entry_) {
        flow.gap(window.px(section_gap - box_gap / 2));
        flow.text(fonts().title, theme().text_strong,
                  exercises_.size() == 1 ? tr("Exercise") : tr("Exercises"));
        flow.gap(window.px(10));
    }
    std::size_t number = questions_.size();
    for (ExerciseBox& box : exercises_) {
        const float height = box.lay_out(flow.draw(), {flow.left(), flow.y()}, flow.right() - flow.left(),
                                         {session, window, requests}, &clicked_);
        mark_box(flow, number++, height);
        flow.gap(height);
        flow.gap(window.px(box_gap));
    }
}

void LessonPage::place_neighbours(BoxFlow& flow, const session::Session& session, Requests& requests) {
    const Neighbours near = neighbours_of(session.registry(), *entry_);
    flow.gap(flow.window().px(section_gap));
    if (near.after && flow.chip(tr("Next: ") + near.after->title, "next lesson", theme().accent))
        requests.commands.push_back(session::OpenFile{near.after->path});
    if (near.before && flow.chip(tr("Back: ") + near.before->title, "lesson before"))
        requests.commands.push_back(session::OpenFile{near.before->path});
    flow.end_row();
}

// --- Links -------------------------------------------------------------------------------------------------

void LessonPage::follow_link(const std::string& target, const ViewContext& view) const {
    const std::string_view figure = figure_link;
    if (target.starts_with(figure)) return follow_figure(target.substr(figure.size()), view);
    if (const lesson::LessonEntry* entry =
            linked_lesson(view.session.registry(), view.session.topic(), target)) {
        if (entry != entry_) view.requests.commands.push_back(session::OpenFile{entry->path});
        return;
    }
    if (const auto exercise = view.session.registry().exercise(target)) {
        view.requests.commands.push_back(session::OpenFile{(*exercise)->starter});
        return;
    }
    const bool address = target.starts_with("https://") || target.starts_with("http://");
    if (address) ImGui::SetClipboardText(target.c_str());
    view.requests.set(&WindowState::notice,
                      {address ? tr("Copied: ") + target : tr("There is no lesson '{1}'.", {target}),
                       view.window.now_s + notice_s});
}

// Shows in the window what the figure shows.
void LessonPage::follow_figure(const std::string& target, const ViewContext& view) const {
    const Result<lesson::Figure> figure = lesson::parse_figure(target);
    if (!figure || !entry_ || !view.session.run()) return;
    const bool flow = figure->kind == lesson::Figure::Kind::flow;
    view.requests.set(&WindowState::stage_tab, flow ? StageTab::flow : StageTab::cells);
    if (flow)
        view.requests.set(&WindowState::flow, &FlowChoices::array,
                          figure->arrays.empty() ? std::string() : figure->arrays.front());
    const std::optional<execution::PlacedStep> place = figure_place(*figure, *entry_, *view.session.run());
    if (place && (!flow || figure->at)) return go_to(*place, view.requests);
    if (flow && !figure->at) return;
    view.requests.set(&WindowState::notice,
                      {tr("The run that is shown has no such step. The figure is of the lesson as it comes."),
                       view.window.now_s + notice_s});
}

}  // namespace lanescope::ui
