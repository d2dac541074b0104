#include "ui/window/help.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/actions/table.h"
#include "ui/kit/overlay.h"
#include "ui/kit/text_block.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

void draw_progress(const session::Session& session, double busy_s, const WindowState& shared,
                   Requests& requests) {
    constexpr double unnoticed_s = 0.2;  // shorter runs come and go without a word
    const bool counting = !session.runner().busy() && session.runner().counting();
    if ((!session.runner().busy() && !counting) || (busy_s < unnoticed_s && !shared.still)) return;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const float width = shared.px(420), height = shared.px(44);
    const Rect box{std::round((window.x - width) / 2), shared.px(56), width, height};
    begin_overlay("##progress", box, shared,
                  ImGuiWindowFlags_NoFocusOnAppearing);  // who types goes on typing
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float share = std::clamp(session.runner().progress(), 0.0f, 1.0f);
    draw_text(draw, fonts().text, ImVec2(box.x + shared.px(14), centre_line(fonts().text, box.y, box.height)),
              theme().text,
              counting            ? session.playhead().awaiting() ? "Going there" : "Counting"
              : session.runner().opening() ? "Opening"
              : share > 0         ? "Running"
                                  : "Compiling");
    const Rect bar{box.x + shared.px(100), box.y + box.height / 2 - shared.px(3), shared.px(220),
                   shared.px(6)};
    draw->AddRectFilled(bar.min(), bar.max(), theme().line, shared.px(3));
    draw->AddRectFilled(bar.min(), ImVec2(bar.x + bar.width * share, bar.bottom()), theme().active_edge,
                        shared.px(3));
    const ImVec2 at(box.right() - chip_width("Cancel", shared) - shared.px(9),
                    box.y + (height - chip_height(shared)) / 2);
    if (chip("cancel", at, "Cancel", shared)) requests.commands.push_back(session::CancelRun{});
    ImGui::End();
}

namespace {

constexpr float keys_width = 216;

void draw_keys(const Rect& inside, const WindowState& shared) {
    const std::vector<KeyRow> rows = key_rows();
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float row_height =
        std::min(shared.px(27), inside.height / float(std::max<std::size_t>(rows.size(), 1)));
    float y = inside.y;
    for (const KeyRow& row : rows) {
        draw_text(draw, fonts().strong, ImVec2(inside.x, y), theme().text, row.keys);
        draw_text_within(draw, fonts().text, ImVec2(inside.x + shared.px(keys_width), y), theme().text_quiet,
                         row.help, inside.width - shared.px(keys_width));
        y += row_height;
    }
}

// One search box, and every term that fits what is typed.
void draw_glossary(const Rect& inside, const WindowState& shared) {
    static char wanted[64] = "";
    if (!shared.still && ImGui::IsWindowAppearing()) wanted[0] = '\0';
    ImGui::SetCursorScreenPos(inside.min());
    ImGui::SetNextItemWidth(inside.width);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(shared.px(10), shared.px(6)));
    ImGui::InputTextWithHint("##search", "search terms: bank, barrier, sector …", wanted, sizeof wanted);
    ImGui::PopStyleVar();
    const float top = inside.y + shared.px(42);
    ImGui::SetCursorScreenPos({inside.x, top});
    ImGui::BeginChild("terms", {inside.width, inside.bottom() - top});
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float width = inside.width - shared.px(18);
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
        y += shared.px(12);
    }
    if (y == begin)
        block(fonts().text, theme().text_faint,
              glossary_problems().empty() ? "no such term" : to_text(glossary_problems()));
    ImGui::Dummy({width, y - begin});
    ImGui::EndChild();
}

// True when clicked.
bool page_tab(const char* label, float& x, float y, bool chosen, const WindowState& shared) {
    const Rect area{x, y, text_width(fonts().title, label), font_size(fonts().title)};
    const bool clicked = click_area(label, area);
    const bool hot = !shared.still && ImGui::IsItemHovered();
    draw_text(ImGui::GetWindowDrawList(), fonts().title, area.min(),
              chosen ? theme().text_strong
              : hot  ? theme().text
                     : theme().text_faint,
              label);
    if (chosen)
        ImGui::GetWindowDrawList()->AddRectFilled({area.x, area.bottom() + shared.px(3)},
                                                  {area.right(), area.bottom() + shared.px(5)},
                                                  theme().accent);
    x = area.right() + shared.px(26);
    return clicked;
}

}  // namespace

void draw_help(const WindowState& shared, Requests& requests) {
    if (!shared.show_help) return;
    const float height = shared.px(27) * float(key_rows().size()) + shared.px(94);
    const Rect box = centred(shared.px(736), std::min(height, ImGui::GetIO().DisplaySize.y - shared.px(24)));
    begin_overlay("##keys", box, shared);
    const float margin = shared.px(24);
    float x = box.x + margin;
    const float y = box.y + shared.px(18);
    if (page_tab("Keys", x, y, shared.help_page == HelpPage::keys, shared))
        requests.set(&WindowState::help_page, HelpPage::keys);
    if (page_tab("Glossary", x, y, shared.help_page == HelpPage::glossary, shared))
        requests.set(&WindowState::help_page, HelpPage::glossary);
    if (page_tab("Tour", x, y, false, shared)) requests.act("tour.start");
    const Rect inside{box.x + margin, box.y + shared.px(60), box.width - 2 * margin,
                      box.height - shared.px(76)};
    if (shared.help_page == HelpPage::keys)
        draw_keys(inside, shared);
    else
        draw_glossary(inside, shared);
    const bool outside =
        ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsMouseHoveringRect(box.min(), box.max());
    if (outside && !shared.still) requests.set(&WindowState::show_help, false);
    ImGui::End();
}

bool TermHover::draw(const WindowState& shared) {
    constexpr double rest_s = 0.5;  // who only passes by is not told
    const HoveredText here = std::exchange(hovered_text(), {});
    const Term* term = shared.still || shared.pointer || here.text.empty() ? nullptr : term_at(here);
    if (term != term_) {
        term_ = term;
        since_s_ = shared.now_s;
    }
    if (!term) return false;
    if (shared.now_s - since_s_ < rest_s) return true;
    tooltip(term->name, term->text + (term->source.empty() ? "" : "\n" + term->source), shared);
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
