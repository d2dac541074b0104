#include "ui/kit/view.h"

#include <algorithm>

#include "ui/kit/key_hints.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

constexpr float letter_gap = 0.7f;  // spaced small capitals are easier to read

float spaced_width(const std::string& text, float gap) {
    return text_width(fonts().heading, text) + gap * float(text.size());
}

std::size_t character_bytes(unsigned char first) {
    return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

// `whole`: the text that ends with an ellipsis here; empty: nothing is cut.
void draw_spaced(ImDrawList* draw, ImVec2 at, ImU32 colour, const std::string& text, float gap,
                 const std::string& whole = {}) {
    const HoveredText before = hovered_text();  // single letters must not replace the hovered word
    const ImVec2 begin = at;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t bytes =
            std::min(character_bytes(static_cast<unsigned char>(text[i])), text.size() - i);
        const std::string_view letter(text.data() + i, bytes);
        draw_text(draw, fonts().heading, at, colour, letter);
        at.x += text_width(fonts().heading, letter) + gap;
        i += bytes;
    }
    hovered_text() = before;
    const bool cut = !whole.empty() && whole != text;
    note_text(fonts().heading, begin, cut ? whole : text, at.x - begin.x, cut);
    if (cut) name_cut_text(whole);
}

// Returns as much of the text as fits into `width`, with … at the end if it is cut.
std::string spaced_within(const std::string& text, float width, float gap) {
    if (spaced_width(text, gap) <= width) return text;
    std::size_t end = text.size();
    const auto shorter = [&] { return text.substr(0, end) + "…"; };
    while (end > 0 && spaced_width(shorter(), gap) > width)
        do
            --end;
        while (end > 0 && ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80 || text[end - 1] == ' '));
    return shorter();
}

void draw_edges(ImDrawList* draw, const Rect& rect) {
    const float thickness = 1;
    if (rect.y > 0) draw->AddRectFilled(rect.min(), ImVec2(rect.right(), rect.y + thickness), theme().line);
    if (rect.x > 0) draw->AddRectFilled(rect.min(), ImVec2(rect.x + thickness, rect.bottom()), theme().line);
}

}  // namespace

void Heading::title(const std::string& text) {
    if (text.empty()) return;
    constexpr float most = 0.64f;  // of the width, so that the controls have room
    const float gap = window_.px(letter_gap);
    const float x = rect_.x + window_.px(theme().padding);
    const std::string whole = in_capitals(text);
    const std::string capitals = spaced_within(whole, rect_.width * most, gap);
    draw_spaced(ImGui::GetWindowDrawList(), ImVec2(x, centre_line(fonts().heading, rect_.y, rect_.height)),
                theme().heading, capitals, gap, whole);
    left_ = x + spaced_width(capitals, gap);
}

bool Heading::clickable(const std::string& text, float x, float width, bool chosen) {
    const Rect area{x - window_.px(4), rect_.y, width + window_.px(8), rect_.height};
    const bool clicked = click_area(text.c_str(), area);
    const bool hot = !window_.still && ImGui::IsItemHovered();
    if (const std::string hint = hot ? key_hint(text) : std::string(); !hint.empty()) tooltip(hint, window_);
    draw_spaced(ImGui::GetWindowDrawList(), ImVec2(x, centre_line(fonts().heading, rect_.y, rect_.height)),
                chosen ? theme().accent
                : hot  ? theme().text_strong
                       : theme().heading,
                in_capitals(text), window_.px(letter_gap));
    return clicked;
}

namespace {

constexpr float words_before_px = 18, words_after_px = 12;

}  // namespace

void Heading::keep_room(const std::string& text) {
    kept_px_ = spaced_width(in_capitals(text), window_.px(letter_gap)) +
               window_.px(words_before_px + words_after_px);
}

void Heading::words(const std::vector<std::string>& texts) {
    const float x = left_ + window_.px(words_before_px), end = right_ - window_.px(words_after_px);
    const float gap = window_.px(letter_gap);
    const auto fitting = std::find_if(texts.begin(), texts.end() - 1, [&](const std::string& text) {
        return spaced_width(in_capitals(text), gap) <= end - x;
    });
    const std::string whole = in_capitals(*fitting), capitals = spaced_within(whole, end - x, gap);
    if (capitals == "…") return;
    draw_spaced(ImGui::GetWindowDrawList(), ImVec2(x, centre_line(fonts().heading, rect_.y, rect_.height)),
                theme().heading, capitals, gap, whole);
    left_ = x + spaced_width(capitals, gap);
}

bool Heading::word(const std::string& text, bool chosen) {
    const float width = spaced_width(in_capitals(text), window_.px(letter_gap));
    const float x = left_ + window_.px(12);
    if (x + width + kept_px_ > right_) return false;  // the panel is too narrow for it
    left_ = x + width;
    return clickable(text, x, width, chosen);
}

bool Heading::word_right(const std::string& text, bool chosen) {
    const float width = spaced_width(in_capitals(text), window_.px(letter_gap));
    if (right_ - window_.px(12) - width < left_ + std::max(window_.px(8), kept_px_))
        return false;  // it would cover other controls
    right_ -= window_.px(12) + width;
    return clickable(text, right_, width, chosen);
}

void View::draw(const Rect& rect, const ViewContext& view) {
    if (rect.empty()) return;
    constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                                       ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
                                       ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::SetNextWindowPos(rect.min());
    ImGui::SetNextWindowSize(ImVec2(rect.width, rect.height));
    if (ImGui::Begin(id_.c_str(), nullptr, flags)) {
        ImDrawList* draw = ImGui::GetWindowDrawList();
        name_panel(rect, surface());
        Rect inside = rect;
        if (!view.window.talk.alone && has_heading(view)) {
            const float height = view.px(theme().heading_height);
            const Rect row{rect.x, rect.y, rect.width, height};
            if (surface() != theme().panel) draw->AddRectFilled(row.min(), row.max(), theme().panel);
            draw->AddLine(ImVec2(row.x, row.bottom() - 0.5f), ImVec2(row.right(), row.bottom() - 0.5f),
                          theme().line);
            Heading heading(row, view.window);
            heading.title(title(view.session));
            tools(heading, view);
            inside.y += height;
            inside.height -= height;
        }
        draw->PushClipRect(inside.min(), inside.max(), true);
        content(inside, view);
        draw->PopClipRect();
        if (separated() && !view.window.talk.alone) draw_edges(draw, rect);
    }
    ImGui::End();
}

}  // namespace lanescope::ui
