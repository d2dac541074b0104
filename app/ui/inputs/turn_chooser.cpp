#include "ui/inputs/turn_chooser.h"

#include <algorithm>

#include "base/language.h"
#include "lesson/course/markdown_text.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

constexpr float turn_row_step = 26, gap = 5;

struct Button {
    std::string label;
    std::uint32_t block = 0, thread = 0;
    bool can_go = false;
    const char* why = "";  // why it cannot go
};

// Returns the thread's name in schedules and in --schedule.
std::string thread_label(std::uint32_t block, std::uint32_t thread, bool blocks) {
    return blocks ? std::to_string(block) + "." + std::to_string(thread) : std::to_string(thread);
}

bool several_blocks(const execution::ThreadTurn& turn) {
    return turn.states.size() > turn.block_threads;
}

Button button_of(const execution::ThreadTurn& turn, std::size_t number) {
    Button button;
    button.block = std::uint32_t(number / turn.block_threads);
    button.thread = std::uint32_t(number % turn.block_threads);
    button.label = "t" + thread_label(button.block, button.thread, several_blocks(turn));
    switch (turn.states[number]) {
        case simt::ThreadState::absent:
            button.why = "its block has not started";
            break;
        case simt::ThreadState::waiting:
            button.why = "it waits for other threads";
            break;
        case simt::ThreadState::ended:
            button.why = "it has ended";
            break;
        default:
            button.can_go = true;
    }
    return button;
}

// Places the buttons in rows from the top of `inside`. Returns their height.
float place_buttons(const execution::ThreadTurn& turn, const Rect& inside, const WindowState& window,
                    std::vector<Rect>* places) {
    float x = inside.x, y = inside.y;
    const float row = window.px(turn_row_step);
    for (std::size_t i = 0; i < turn.states.size(); ++i) {
        const float width = chip_width(button_of(turn, i).label, window);
        if (x + width > inside.right() && x > inside.x) x = inside.x, y += row;
        if (places) places->push_back({x, y, width, row});
        x += width + window.px(gap);
    }
    return y + row - inside.y;
}

void label(const Rect& row, const std::string& text, ImU32 colour) {
    draw_text_within(ImGui::GetWindowDrawList(), fonts().text,
                     {row.x, centre_line(fonts().text, row.y, row.height)}, colour, text, row.width);
}

bool by_thread(const session::Session& session) {
    return session.run() != nullptr && session.run()->turn_log != nullptr;
}

bool chooses_turns(const session::Session& session) {
    return session.run() != nullptr && session::can_choose_turns(*session.run());
}

// Schedules of single threads only where these can be chosen.
const std::vector<lesson::NamedSchedule>& named(const session::Session& session) {
    static const std::vector<lesson::NamedSchedule> none;
    if (session.lesson() == nullptr || session.run() == nullptr) return none;
    const std::vector<lesson::NamedSchedule>& all = session.lesson()->schedules;
    const bool threads = std::any_of(all.begin(), all.end(), [](const lesson::NamedSchedule& each) {
        return each.schedule.starts_with("threads:");
    });
    return !threads || chooses_turns(session) ? all : none;
}

void draw_named(Rect& row, const ViewContext& view) {
    const std::string current = simt::to_text(view.session.document().settings().schedule);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    for (const lesson::NamedSchedule& each : named(view.session)) {
        if (click_area(each.name.c_str(), row)) {
            Result<simt::Schedule> schedule = simt::parse_schedule(each.schedule);
            if (schedule && schedule->kind == simt::Schedule::Kind::threads)
                view.requests.commands.push_back(session::ChooseTurns{schedule->turns});
            else if (schedule)
                view.requests.commands.push_back(session::SetSchedule{std::move(*schedule)});
        }
        const bool hot = !view.window.still && ImGui::IsItemHovered(), chosen = current == each.schedule;
        if (hot) tooltip("click: run this schedule: " + each.schedule, view.window);
        if (chosen)
            draw->AddRectFilled({row.x - view.px(8), row.y + view.px(4)},
                                {row.x - view.px(5), row.bottom() - view.px(4)}, theme().accent);
        label(row, lesson::plain_text(each.text), hot || chosen ? theme().text_strong : theme().text);
        row.y += row.height;
    }
}

// Draws the turns chosen so far, and "Undo".
void draw_history(const Rect& at, const ViewContext& view) {
    Rect row = at;
    const execution::TurnLog& log = *view.session.run()->turn_log;
    const std::vector<simt::ThreadTurns> turns = session::turns_taken(view.session.playhead());
    if (!turns.empty() && right_word("undo", row, tr("Undo"), view.window))
        view.requests.commands.push_back(session::ChooseTurns{undone(turns)});
    const bool blocks = !log.turns.empty() && several_blocks(log.turns.front());
    const bool short_names = !blocks && !log.turns.empty() && log.turns.front().block_threads <= 10;
    const float each = text_width(fonts().text, blocks ? "0.00 " : short_names ? "0 " : "00 ");
    const float room = row.width - text_width(fonts().text, "so far … ");
    const std::string words = turns_words(turns, blocks, std::size_t(std::max(room / each, 1.0f)));
    label(row, turns.empty() ? tr("no thread has run yet") : "so far " + words, theme().text_quiet);
    if (!turns.empty() && hovered(row, view.window))
        tooltip("--schedule threads:" + simt::to_text(turns), view.window);
}

void draw_buttons(const Rect& at, const execution::ThreadTurn& next, const ViewContext& view) {
    std::vector<Rect> places;
    place_buttons(next, at, view.window, &places);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Button button = button_of(next, i);
        const Rect& place = places[i];
        ImGui::PushID(int(i));
        const ImVec2 corner{place.x, place.y + (place.height - chip_height(view.window)) / 2};
        const bool clicked =
            chip("thread", corner, button.label, view.window,
                 {button.can_go ? theme().accent : theme().text_faint, false, button.can_go, button.label});
        ImGui::PopID();
        if (hovered(place, view.window))
            tooltip(button.can_go ? button.label + " takes one turn" : button.label + ": " + button.why,
                    view.window);
        if (!clicked || !button.can_go) continue;
        std::vector<simt::ThreadTurns> turns = session::turns_taken(view.session.playhead());
        simt::append_turn(turns, button.block, button.thread);
        view.requests.commands.push_back(session::ChooseTurns{std::move(turns)});
    }
}

}  // namespace

std::string turns_words(const std::vector<simt::ThreadTurns>& turns, bool blocks, std::size_t most) {
    std::vector<std::string> words;
    for (const simt::ThreadTurns& each : turns)
        words.insert(words.end(), std::size_t(each.count), thread_label(each.block, each.thread, blocks));
    std::string text = words.size() > most ? "…" : "";
    for (std::size_t i = words.size() > most ? words.size() - most : 0; i < words.size(); ++i)
        text += (text.empty() ? "" : " ") + words[i];
    return text;
}

std::vector<simt::ThreadTurns> undone(std::vector<simt::ThreadTurns> turns) {
    if (!turns.empty() && --turns.back().count == 0) turns.pop_back();
    return turns;
}

float turn_chooser_height(const session::Session& session, const WindowState& window, float width) {
    const bool turns = chooses_turns(session);
    const float rows = window.px(turn_row_step) * float((turns ? 1 : 0) + named(session).size());
    if (!turns || !by_thread(session)) return rows;
    const execution::ThreadTurn* next = session::next_turn(session.playhead());
    const float buttons =
        next ? place_buttons(*next, {0, 0, width, 0}, window, nullptr) : window.px(turn_row_step);
    return rows + buttons + window.px(turn_row_step);
}

void draw_turn_chooser(const Rect& inside, const ViewContext& view) {
    Rect row{inside.x, inside.y, inside.width, view.px(turn_row_step)};
    draw_named(row, view);
    if (!chooses_turns(view.session)) return;
    Rect head = row;
    if (!by_thread(view.session)) {
        if (right_word("choose", head, tr("Choose the next thread"), view.window))
            view.requests.commands.push_back(session::ChooseTurns{});
        return;
    }
    const execution::ThreadTurn* next = session::next_turn(view.session.playhead());
    if (next && right_word("finish", head, tr("Finish"), view.window))
        view.requests.commands.push_back(session::SeekStep{view.session.playhead().steps().size() - 1});
    if (!next && right_word("again", head, tr("Start over"), view.window))
        view.requests.commands.push_back(session::ChooseTurns{});
    label(head, next ? tr("Which thread is next?") : tr("All threads ended"), theme().text);
    row.y += row.height;
    if (next) {
        draw_buttons(row, *next, view);
        row.y += place_buttons(*next, row, view.window, nullptr);
    }
    draw_history(row, view);
}

}  // namespace lanescope::ui
