#include "ui/lecture/notes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/language.h"
#include "execution/run/step_place.h"
#include "lesson/course/markdown_text.h"
#include "scene/stage/step_sentence.h"
#include "scene/words/block_words.h"
#include "ui/kit/text_block.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"
#include "ui/lecture/wrapped_input.h"

namespace lanescope::ui {
namespace {

constexpr std::size_t max_bytes = 600;  // of a note, which must fit into a caption
constexpr double undo_s = 10;
constexpr std::size_t soft_bytes = 400;  // for the breaks of wrapped lines
constexpr float caption_padding = 6, box_width = 460;

bool as_written(const session::Session& session) {
    return session.document().settings().schedule.kind == simt::Schedule::Kind::round_robin;
}

// The number of the note's step, counted in lines; nothing when the run or the focus block has none there.
std::optional<std::size_t> line_step_of(const lesson::StepNote& note, const std::vector<trace::Step>& by_line,
                                        const session::Session& session) {
    if (note.step >= 0)
        return std::size_t(note.step) < by_line.size() ? std::optional(std::size_t(note.step)) : std::nullopt;
    if (!note.at || std::uint32_t(note.at->block) != session.playhead().block()) return std::nullopt;
    const Result<std::size_t> step = execution::step_of_place(*note.at, by_line, session.run()->source);
    return step ? std::optional(*step) : std::nullopt;
}

// Returns the index of the session's step to which a lesson's note belongs.
std::optional<std::size_t> step_of(const lesson::StepNote& note, const std::vector<trace::Step>& steps,
                                   const std::vector<trace::Step>& by_line, const session::Session& session,
                                   const std::optional<NotePlace>& place) {
    const bool of_step = note.step >= 0 || note.at;
    if (of_step && as_written(session)) {
        const std::optional<std::size_t> step = line_step_of(note, by_line, session);
        return step ? std::optional(trace::step_at(steps, by_line[*step].first)) : std::nullopt;
    }
    if (of_step) {
        // A note on lanes in lockstep may be wrong if each thread takes its own turns.
        if (!place || session.document().settings().schedule.kind == simt::Schedule::Kind::threads)
            return std::nullopt;
        const std::optional<std::size_t> at = step_of_place(*session.trace(), by_line, *place);
        return at ? std::optional(trace::step_at(steps, by_line[*at].first)) : std::nullopt;
    }
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (int(steps[i].launch) == note.launch && int(steps[i].phase) == note.phase) return i;
    return std::nullopt;
}

constexpr ImGuiWindowFlags box_flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav;

}  // namespace

namespace {

std::vector<trace::Step> line_steps(const session::Session& session) {
    if (session.playhead().granularity() == trace::Granularity::line) return session.playhead().steps();
    return trace::build_steps(*session.trace(), session.playhead().block(), trace::Granularity::line);
}

}  // namespace

LessonPlaces lesson_places(const session::Session& session) {
    LessonPlaces places;
    if (!session.lesson() || !session.trace() || !as_written(session)) return places;
    const std::vector<trace::Step> by_line = line_steps(session);
    for (const lesson::StepNote& note : session.lesson()->notes) {
        const std::optional<std::size_t> step = line_step_of(note, by_line, session);
        places.push_back(step ? place_of_step(*session.trace(), by_line, *step) : std::nullopt);
    }
    return places;
}

std::vector<PlacedNote> place_notes(const session::Session& session, const NoteBook& own,
                                    const LessonPlaces& places) {
    std::vector<PlacedNote> placed;
    const std::vector<trace::Step>& steps = session.playhead().steps();
    if (steps.empty() || !session.trace()) return placed;
    const std::vector<trace::Step> by_line = line_steps(session);
    std::map<std::size_t, PlacedNote> notes;
    const auto add = [&](std::size_t step, const std::string& text, bool is_own) {
        const std::uint64_t turn = steps[step].first;
        notes[step] = {step, turn, trace::step_at(by_line, turn), text, is_own};
    };
    const std::size_t lessons = session.lesson() ? session.lesson()->notes.size() : 0;
    for (std::size_t i = 0; i < lessons; ++i) {
        const lesson::StepNote& note = session.lesson()->notes[i];
        const auto step =
            step_of(note, steps, by_line, session, i < places.size() ? places[i] : std::nullopt);
        if (step) add(*step, lesson::plain_text(note.text), false);
    }
    for (const auto& [key, text] : own.notes()) {
        const std::optional<NotePlace> place = own.place(key);
        const std::optional<std::size_t> line_step = place ? step_of_place(*session.trace(), by_line, *place)
                                                     : key < by_line.size() ? std::optional(std::size_t(key))
                                                                            : std::nullopt;
        if (!line_step) continue;
        const std::size_t step = trace::step_at(steps, by_line[*line_step].first);
        add(step, text, true);
        notes[step].line_step = key;
    }
    for (auto& [step, note] : notes)
        placed.push_back(std::move(note));
    return placed;
}

void Notes::follow(const session::Session& session, WindowState& window) {
    if (session.document().path().string() != path_) {
        path_ = session.document().path().string();
        window.notes.editing = false;
        changed_ = true;
        book_ = {};
        places_ = {};
        changed_in_ = ~0ull;
        if (const auto file = notes_file(session.document().path()); file && !path_.empty())
            book_.load(*file);
    }
    const std::uint32_t block = session.playhead().block();
    if (!changed_ && session.runner().generation() == generation_ && block == block_ &&
        session.playhead().granularity() == granularity_)
        return;
    changed_ = false;
    generation_ = session.runner().generation(), block_ = block,
    granularity_ = session.playhead().granularity();
    if (LessonPlaces known = lesson_places(session); !known.empty()) places_ = std::move(known);
    placed_ = place_notes(session, book_, places_);
    window.notes.turns.clear();
    for (const PlacedNote& note : placed_)
        window.notes.turns.push_back(note.turn);
}

const PlacedNote* Notes::current(const session::Session& session) const {
    if (!session.playhead().step_state()) return nullptr;
    const auto at = std::find_if(placed_.begin(), placed_.end(), [&](const PlacedNote& note) {
        return note.step == session.playhead().step_state()->index;
    });
    return at == placed_.end() ? nullptr : &*at;
}

const PlacedNote* Notes::next(const session::Session& session) const {
    const session::StepState* here = session.playhead().step_state();
    const auto at = std::find_if(placed_.begin(), placed_.end(), [&](const PlacedNote& note) {
        return here != nullptr && note.step > here->index;
    });
    return at == placed_.end() ? nullptr : &*at;
}

// Stops playback at a step with a note, so that the lecturer can talk about it.
void Notes::halt(session::Session& session) {
    const std::size_t now = session.playhead().step_state() ? session.playhead().step_state()->index : 0;
    if (played_ && now > step_)
        for (const PlacedNote& note : placed_)
            if (note.step > step_ && note.step <= now) {
                session.apply(session::Play{false});
                if (note.step != now) session.apply(session::SeekStep{note.step});
                break;
            }
    step_ = session.playhead().step_state() ? session.playhead().step_state()->index : 0;
    played_ = session.playback().playing();
}

void Notes::update(session::Session& session, WindowState& window) {
    follow(session, window);
    halt(session);
    const PlacedNote* note = current(session);
    window.notes.here = note ? note->text : std::string();
    window.notes.changed = changed_in_ == session.runner().generation() && book_.can_undo();
    describe(session, window);
}

// Where a step has no note, the caption says what the step does.
void Notes::describe(const session::Session& session, const WindowState& window) {
    of_clock_ = false;
    if (!window.lecture || !session.playhead().step_state()) return sentence_.clear();
    const auto reading = session.clock().reading();
    if (window.timeline_rows == TimelineRows::cycles && !window.hidden.timeline && reading) {
        sentence_ = session::wait_words(*reading, session.playhead().step_state()->step.launch);
        of_clock_ = !sentence_.empty();
        described_ = {};
        if (of_clock_) return;
    }
    const DescribedStep step{session.runner().generation(), session.playhead().moves(),
                             session.playhead().results().concealed};
    if (std::exchange(described_, step) == step && !sentence_.empty()) return;
    sentence_ = scene::step_sentence(session);
    if (sentence_.empty()) sentence_ = scene::step_heading(session);
}

float Notes::caption_height(const WindowState& window, float width) const {
    float most = text_block_height(fonts().caption, "X", width);
    for (const PlacedNote& note : placed_)
        most = std::max(
            most, text_block_height(fonts().caption, note.text, width - window.px(4 * caption_padding)));
    if (of_clock_)
        most = std::max(
            most, text_block_height(fonts().caption, sentence_, width - window.px(4 * caption_padding)));
    return most + window.px(2 * caption_padding);
}

void Notes::draw_caption(const Rect& rect, const WindowState& window, const std::string& aside) const {
    if (rect.empty()) return;
    const bool noted = !window.notes.here.empty() && !of_clock_;
    ImGui::SetNextWindowPos(rect.min());
    ImGui::SetNextWindowSize({rect.width, rect.height});
    if (ImGui::Begin("##caption", nullptr,
                     box_flags | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoBringToFrontOnFocus)) {
        ImDrawList* draw = ImGui::GetWindowDrawList();
        draw->AddRectFilled(rect.min(), rect.max(), theme().panel_raised);
        draw->AddRectFilled(rect.min(), {rect.x + window.px(5), rect.bottom()},
                            noted ? theme().accent : theme().line);
        const std::string& words = noted ? window.notes.here : sentence_;
        float width = rect.width - window.px(4 * caption_padding);
        if (!aside.empty()) {
            const float taken = text_width(fonts().text, aside);
            draw_text(draw, fonts().text,
                      {rect.x + window.px(2 * caption_padding) + width - taken,
                       centre_line(fonts().text, rect.y, rect.height)},
                      theme().text_quiet, aside);
            width -= taken + window.px(4 * caption_padding);
        }
        const float height = text_block_height(fonts().caption, words, width);
        draw_text_block(
            draw, fonts().caption,
            {rect.x + window.px(2 * caption_padding), rect.y + std::max((rect.height - height) / 2, 0.0f)},
            noted ? theme().text_strong : theme().text, words, width);
    }
    ImGui::End();
}

void Notes::store(Requests& requests) {
    changed_ = true;
    const auto file = notes_file(path_);
    const Result<void> written = file ? book_.save(*file, path_) : Result<void>(file.diagnostics());
    problem_ = written ? std::string() : to_text(written.diagnostics());
    if (!problem_.empty())
        requests.set(&WindowState::notes, &NotesState::editing,
                     true);  // the box says that the note was not saved
}

void Notes::open_box(const session::Session& session, const PlacedNote* note) {
    open_ = true;
    edited_ = note ? note->line_step : 0;
    edited_place_.reset();
    if (session.trace() && session.playhead().step_state() && (!note || !note->own)) {
        const std::vector<trace::Step> by_line = line_steps(session);
        const std::size_t step = trace::step_at(by_line, session.playhead().step_state()->step.first);
        edited_place_ = place_of_step(*session.trace(), by_line, step);
        edited_ = book_.key_for(step, edited_place_);
    }
    const std::string old = note ? note->text.substr(0, max_bytes) : std::string();
    text_.assign(max_bytes + soft_bytes + 1, '\0');
    wrap_ = WrappedInput(max_bytes);
    std::copy(old.begin(), old.end(), text_.begin());
    ImGui::SetKeyboardFocusHere();
}

void Notes::close_box(const WindowState& window, Requests& requests, const std::string& text) {
    book_.set(edited_, text, edited_place_);
    changed_in_ = generation_;
    removed_at_s_ = text.empty() ? window.now_s : -1e9;
    requests.set(&WindowState::notes, &NotesState::editing, false);
    store(requests);
}

void Notes::take_back(Requests& requests) {
    book_.undo();
    removed_at_s_ = -1e9;
    changed_in_ = ~0ull;
    requests.set(&WindowState::notes, &NotesState::editing, false);
    store(requests);
}

void Notes::undo_chip(ImVec2 at, const WindowState& window, Requests& requests) {
    if (book_.can_undo() && chip("undo", at, tr("Undo"), window)) take_back(requests);
}

void Notes::take_undo(session::Commands& commands, const session::Session& session, Requests& requests) {
    const auto undo = std::find_if(commands.begin(), commands.end(), [](const session::Command& command) {
        return command.as<session::Undo>() != nullptr;
    });
    if (undo == commands.end() || changed_in_ != session.runner().generation() || !book_.can_undo()) return;
    commands.erase(undo);
    take_back(requests);
}

void Notes::draw_box(const Rect& box, const ViewContext& view) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float margin = view.px(14), foot = box.bottom() - margin - chip_height(view.window);
    const float width = box.width - 2 * margin, left = box.x + margin;
    const PlacedNote* note = current(view.session);
    if (!open_) open_box(view.session, note);
    draw_text_within(draw, fonts().strong, {left, box.y + margin},
                     problem_.empty() ? theme().text_strong : theme().conflict,
                     problem_.empty() ? tr("Note on this step") : problem_, width);
    ImGui::SetCursorScreenPos({left, box.y + margin + view.px(26)});
    const bool entered = wrap_.draw("##text", text_, {width, foot - box.y - margin - view.px(34)});
    name_last_item("text");
    float x = left + width - chip_width(tr("Keep (Enter)"), view.window);
    const bool keep = chip("keep", {x, foot}, tr("Keep (Enter)"), view.window, {theme().accent}) || entered;
    x -= chip_width(tr("Cancel (Esc)"), view.window) + view.px(8);
    if (chip("cancel", {x, foot}, tr("Cancel (Esc)"), view.window))
        view.requests.set(&WindowState::notes, &NotesState::editing, false);
    x = left;
    bool remove = false;
    if (note && note->own) {
        remove = chip("remove", {x, foot}, tr("Remove"), view.window);
        x += chip_width(tr("Remove"), view.window) + view.px(8);
    }
    undo_chip({x, foot}, view.window, view.requests);
    if (remove)
        close_box(view.window, view.requests, "");
    else if (keep)
        close_box(view.window, view.requests, without_soft_breaks(text_.data()));
}

void Notes::draw_editor(const ViewContext& view) {
    const bool removed = view.window.now_s - removed_at_s_ < undo_s && book_.can_undo();
    if (!view.window.notes.editing) open_ = false;
    if (!view.window.notes.editing && !removed) return;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float width = std::min(view.px(box_width), display.x),
                height = view.px(view.window.notes.editing ? 176 : 50);
    const Rect box{std::round((display.x - width) / 2), std::round(display.y * 0.55f - height / 2), width,
                   height};
    ImGui::SetNextWindowPos(box.min());
    ImGui::SetNextWindowSize({width, height});
    ImGui::Begin("##note", nullptr, box_flags | ImGuiWindowFlags_NoBackground);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(box.min(), box.max(), theme().panel_raised, view.px(8));
    draw->AddRect(box.min(), box.max(), theme().accent, view.px(8));
    if (view.window.notes.editing) {
        draw_box(box, view);
    } else {
        draw_text(draw, fonts().text, {box.x + view.px(14), centre_line(fonts().text, box.y, height)},
                  theme().text, tr("The note was removed. Ctrl + Z brings it back."));
        undo_chip({box.right() - view.px(14) - chip_width(tr("Undo"), view.window),
                   box.y + (height - chip_height(view.window)) / 2},
                  view.window, view.requests);
    }
    ImGui::End();
}

}  // namespace lanescope::ui
