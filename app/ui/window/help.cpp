#include "ui/window/help.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/language.h"
#include "ui/actions/table.h"
#include "ui/kit/overlay.h"
#include "ui/kit/text_block.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

const char* phase_words(execution::RunPhase phase) {
    switch (phase) {
        case execution::RunPhase::compiling:
            return tr("Compiling");
        case execution::RunPhase::running:
            return tr("Running");
        case execution::RunPhase::analysing:
            return tr("Analysing");
        case execution::RunPhase::connecting:
            return tr("Connecting");
    }
    return "";
}

std::string program_words(const session::HostCode& host) {
    switch (host.phase()) {
        case session::ProgramPhase::compiling:
            return tr("Compiling the program with nvcc");
        case session::ProgramPhase::running:
            return tr("Running the program");
        case session::ProgramPhase::recording:
            return tr("Running it again to record a launch");
    }
    return {};
}

Rect progress_box(const WindowState& window) {
    const float width = window.px(420), height = window.px(44);
    return {std::round((ImGui::GetIO().DisplaySize.x - width) / 2), window.px(56), width, height};
}

void cancel_chip(const Rect& box, const WindowState& window, Requests& requests) {
    const ImVec2 at(box.right() - chip_width(tr("Cancel"), window) - window.px(9),
                    box.y + (box.height - chip_height(window)) / 2);
    if (chip("cancel", at, tr("Cancel"), window)) requests.commands.push_back(session::CancelRun{});
}

// How long a program takes is not known: the time so far stands beside the phase.
void draw_program_progress(const session::HostCode& host, const WindowState& window, Requests& requests) {
    const Rect box = progress_box(window);
    begin_overlay("##progress", box, window, ImGuiWindowFlags_NoFocusOnAppearing);
    const std::string time =
        window.still ? "" : ", " + std::to_string(static_cast<int>(window.busy_s)) + " s";
    draw_text(ImGui::GetWindowDrawList(), fonts().text,
              {box.x + window.px(14), centre_line(fonts().text, box.y, box.height)}, theme().text,
              program_words(host) + time);
    cancel_chip(box, window, requests);
    ImGui::End();
}

// "12 s · 34,000,000 warp instructions · now at line 25": a run may never end. Empty: nothing is known.
std::string run_words(const session::Runner& runner, const WindowState& window) {
    if (window.still || !window.runs_long() || runner.phase() != execution::RunPhase::running) return {};
    std::string text = std::to_string(static_cast<int>(window.busy_s)) + " s";
    const simt::RunWatch* watch = runner.watch();
    if (watch == nullptr || watch->warp_instructions == 0) return text;
    text += " · " + tr("{1} warp instructions so far", {grouped(watch->warp_instructions)});
    if (watch->line != 0) text += " · " + tr("now at line {1}", {std::to_string(watch->line)});
    return text;
}

}  // namespace

void draw_progress(const session::Session& session, const WindowState& window, Requests& requests) {
    constexpr double unnoticed_s = 0.2;  // shorter runs show no progress
    if (session.host_code().running()) {
        if (window.busy_s >= unnoticed_s || window.still)
            draw_program_progress(session.host_code(), window, requests);
        return;
    }
    const bool counting = !session.runner().busy() && session.runner().counting();
    if ((!session.runner().busy() && !counting) || (window.busy_s < unnoticed_s && !window.still)) return;
    const std::string so_far = counting ? std::string() : run_words(session.runner(), window);
    const Rect box = progress_box(window);
    Rect whole = box;
    if (!so_far.empty()) whole.height += window.px(26);
    begin_overlay("##progress", whole, window,
                  ImGuiWindowFlags_NoFocusOnAppearing);  // the input keeps the keyboard
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float share = std::clamp(session.runner().progress(), 0.0f, 1.0f);
    draw_text(draw, fonts().text, ImVec2(box.x + window.px(14), centre_line(fonts().text, box.y, box.height)),
              theme().text,
              counting ? session.playhead().awaiting() ? tr("Going there") : tr("Counting")
              : session.runner().opening() ? tr("Opening")
                                           : phase_words(session.runner().phase()));
    const Rect bar{box.x + window.px(100), box.y + box.height / 2 - window.px(3), window.px(220),
                   window.px(6)};
    draw->AddRectFilled(bar.min(), bar.max(), theme().line, window.px(3));
    draw->AddRectFilled(bar.min(), ImVec2(bar.x + bar.width * share, bar.bottom()), theme().active_edge,
                        window.px(3));
    cancel_chip(box, window, requests);
    if (!so_far.empty())
        draw_text_within(draw, fonts().text, {box.x + window.px(14), box.bottom() - window.px(2)},
                         theme().text_quiet, so_far, box.width - window.px(28));
    ImGui::End();
}

namespace {

constexpr float keys_width = 258;

void draw_keys(const Rect& inside, const WindowState& window) {
    const std::vector<KeyRow> rows = key_rows();
    ImGui::SetCursorScreenPos(inside.min());
    ImGui::BeginChild("keys", {inside.width, inside.height});
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float row_height =
        std::max(font_size(fonts().text),
                 std::min(window.px(27), inside.height / float(std::max<std::size_t>(rows.size(), 1))));
    float y = ImGui::GetCursorScreenPos().y;
    for (const KeyRow& row : rows) {
        draw_text(draw, fonts().strong, ImVec2(inside.x, y), theme().text, row.keys);
        draw_text_within(draw, fonts().text, ImVec2(inside.x + window.px(keys_width), y), theme().text_quiet,
                         row.help, inside.width - window.px(keys_width + 18));
        y += row_height;
    }
    ImGui::Dummy({inside.width - window.px(18), row_height * float(rows.size())});
    ImGui::EndChild();
}

// Draws a search box and the terms that match its text.
void draw_glossary(const Rect& inside, const WindowState& window) {
    static char wanted[64] = "";
    if (!window.still && ImGui::IsWindowAppearing()) wanted[0] = '\0';
    ImGui::SetCursorScreenPos(inside.min());
    ImGui::SetNextItemWidth(inside.width);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(window.px(10), window.px(6)));
    ImGui::InputTextWithHint("##search", tr("search terms: bank, barrier, sector …"), wanted, sizeof wanted);
    name_last_item("search");
    ImGui::PopStyleVar();
    const float top = inside.y + window.px(42);
    ImGui::SetCursorScreenPos({inside.x, top});
    ImGui::BeginChild("terms", {inside.width, inside.bottom() - top});
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float width = inside.width - window.px(18);
    float y = ImGui::GetCursorScreenPos().y;
    const float begin = y;
    const auto block = [&](ImFont* font, ImU32 colour, const std::string& text) {
        y += draw_text_block(draw, font, {inside.x, y}, colour, text, width);
    };
    for (const std::size_t number : glossary().search(wanted)) {
        const Term& term = glossary().terms()[number];
        block(fonts().strong, theme().text_strong, term.name);
        block(fonts().text, theme().text_quiet, term.text);
        if (!term.source.empty()) block(fonts().small, theme().text_faint, term.source);
        y += window.px(12);
    }
    if (y == begin)
        block(
            fonts().text, theme().text_faint,
            glossary_problems().empty() ? std::string(tr("no term matches")) : to_text(glossary_problems()));
    ImGui::Dummy({width, y - begin});
    ImGui::EndChild();
}

// Returns whether the tab was clicked.
bool page_tab(const char* label, float& x, float y, bool chosen, const WindowState& window) {
    const Rect area{x, y, text_width(fonts().title, label), font_size(fonts().title)};
    const bool clicked = click_area(label, area);
    const bool hot = !window.still && ImGui::IsItemHovered();
    draw_text(ImGui::GetWindowDrawList(), fonts().title, area.min(),
              chosen ? theme().text_strong
              : hot  ? theme().text
                     : theme().text_faint,
              label);
    if (chosen)
        ImGui::GetWindowDrawList()->AddRectFilled({area.x, area.bottom() + window.px(3)},
                                                  {area.right(), area.bottom() + window.px(5)},
                                                  theme().accent);
    x = area.right() + window.px(26);
    return clicked;
}

}  // namespace

void draw_help(const WindowState& window, Requests& requests) {
    if (!window.help.shown) return;
    const float height = window.px(27) * float(key_rows().size()) + window.px(94);
    const Rect box = centred(window.px(778), std::min(height, ImGui::GetIO().DisplaySize.y - window.px(24)));
    begin_overlay("##keys", box, window);
    const float margin = window.px(24);
    float x = box.x + margin;
    const float y = box.y + window.px(18);
    if (page_tab(tr("Keys"), x, y, window.help.page == HelpPage::keys, window))
        requests.set(&WindowState::help, &HelpState::page, HelpPage::keys);
    if (page_tab(tr("Glossary"), x, y, window.help.page == HelpPage::glossary, window))
        requests.set(&WindowState::help, &HelpState::page, HelpPage::glossary);
    if (page_tab(tr("Tour"), x, y, false, window)) requests.act("tour.start");
    const Rect inside{box.x + margin, box.y + window.px(60), box.width - 2 * margin,
                      box.height - window.px(76)};
    if (window.help.page == HelpPage::keys)
        draw_keys(inside, window);
    else
        draw_glossary(inside, window);
    const bool outside =
        ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsMouseHoveringRect(box.min(), box.max());
    if (outside && !window.still) requests.set(&WindowState::help, &HelpState::shown, false);
    ImGui::End();
}

bool TermHover::draw(const WindowState& window) {
    constexpr double rest_s = 0.5;  // a moving mouse shows no hints
    const HoveredText here = std::exchange(hovered_text(), {});
    const bool quiet =
        window.still || window.mouse_rests || window.talk.pointer || window.talk.pen || here.text.empty();
    const Term* term = quiet ? nullptr : term_at(here);
    const std::string cut = quiet || !here.cut ? std::string() : here.text;
    if (term != term_ || cut != cut_) {
        term_ = term;
        cut_ = cut;
        since_s_ = window.now_s;
        clicked_ = false;
    }
    clicked_ |= ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    if ((!term && cut.empty()) || clicked_) return false;
    if (window.now_s - since_s_ < rest_s) return true;
    if (!term) {
        tooltip(cut, window);
        return false;
    }
    tooltip(term->name, term->text + (term->source.empty() ? "" : "\n" + term->source), window);
    return false;
}

const Term* TermHover::term_at(const HoveredText& here) {
    const float mouse = ImGui::GetIO().MousePos.x;
    for (const TermSpan& span : glossary().spans(here.text)) {
        const std::string_view text = here.text;
        const float left = here.x + text_width(here.font, text.substr(0, span.begin));
        const float right = here.x + text_width(here.font, text.substr(0, span.end));
        const bool whole = here.x < -1e5f;  // the text is the term
        if (whole || (mouse >= left && mouse < right)) return &glossary().terms()[span.term];
    }
    return nullptr;
}

}  // namespace lanescope::ui
