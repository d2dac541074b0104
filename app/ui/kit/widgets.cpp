#include "ui/kit/widgets.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ui/kit/key_hints.h"
#include "ui/kit/widget_log.h"

namespace lanescope::ui {
namespace {

constexpr const char* ellipsis = "…";

// Returns the longest start of `text` that is at most `width` wide, cut between characters.
std::string_view start_within(ImFont* font, std::string_view text, float width) {
    const char* rest = nullptr;
    font->CalcTextSizeA(font_size(font), width, 0, text.data(), text.data() + text.size(), &rest);
    text = text.substr(0, std::size_t(rest - text.data()));
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

// Draws a rectangle whose corners are cut off by `corner` in both directions.
void draw_octagon(ImDrawList* draw, ImVec2 from, ImVec2 to, float corner, ImU32 colour) {
    if (corner < 1) {
        draw->AddRectFilled(from, to, colour);
        return;
    }
    const ImVec2 points[] = {{from.x + corner, from.y}, {to.x - corner, from.y},  {to.x, from.y + corner},
                             {to.x, to.y - corner},     {to.x - corner, to.y},    {from.x + corner, to.y},
                             {from.x, to.y - corner},   {from.x, from.y + corner}};
    draw->AddConvexPolyFilled(points, 8, colour);
}

}  // namespace

float font_size(const ImFont* font) {
#if IMGUI_VERSION_NUM >= 19200
    return font->LegacySize;
#else
    return font->FontSize;
#endif
}

float text_width(ImFont* font, std::string_view text) {
    return font->CalcTextSizeA(font_size(font), FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

HoveredText& hovered_text() {
    static HoveredText under_mouse;
    return under_mouse;
}

void note_text(ImFont* font, ImVec2 at, std::string_view text, float width, bool cut) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (mouse.y < at.y || mouse.y >= at.y + font_size(font) || mouse.x < at.x || mouse.x >= at.x + width)
        return;
    const ImVec2 low = ImGui::GetWindowDrawList()->GetClipRectMin(),
                 high = ImGui::GetWindowDrawList()->GetClipRectMax();
    const bool clipped = mouse.x < low.x || mouse.y < low.y || mouse.x >= high.x || mouse.y >= high.y;
    if (clipped || !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows |
                                           ImGuiHoveredFlags_AllowWhenBlockedByActiveItem))
        return;
    hovered_text() = {std::string(text), font, at.x, cut};
}

void draw_text(ImDrawList* draw, ImFont* font, ImVec2 at, ImU32 colour, std::string_view text) {
    if (text.empty()) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (mouse.y >= at.y && mouse.y < at.y + font_size(font) && mouse.x >= at.x)
        note_text(font, at, text, text_width(font, text));
    if (widgets_are_named()) name_text({at.x, at.y, text_width(font, text), font_size(font)}, text);
    draw->AddText(font, font_size(font), ImVec2(std::round(at.x), std::round(at.y)), colour, text.data(),
                  text.data() + text.size());
}

bool draw_text_within(ImDrawList* draw, ImFont* font, ImVec2 at, ImU32 colour, std::string_view text,
                      float width) {
    if (text_width(font, text) <= width) {
        draw_text(draw, font, at, colour, text);
        return false;
    }
    const float room = width - text_width(font, ellipsis);
    if (room <= 0) return true;
    draw_text(draw, font, at, colour, std::string(start_within(font, text, room)) + ellipsis);
    note_text(font, at, text, width, true);
    name_cut_text(text);
    return true;
}

void ChangeForms::add(ImFont* font, const Rect& box, const std::string& before, const std::string& after) {
    constexpr float edge = 3;
    const bool stacked = (before + after).find('\n') != std::string::npos;
    ImFont* above = fonts().mono_tiny;
    const float both = font_size(font) + font_size(above) - 3;
    one_line_ = one_line_ && !stacked && text_width(font, before + "→" + after) <= box.width - 2 * edge;
    two_lines_ =
        two_lines_ && !stacked && both <= box.height - 2 && text_width(above, before + "→") <= box.width - 2;
}

ChangeForm ChangeForms::best() const {
    return one_line_ ? ChangeForm::one_line : two_lines_ ? ChangeForm::two_lines : ChangeForm::after;
}

void draw_change(ImDrawList* draw, ImFont* font, const Rect& box, const std::string& before,
                 const std::string& after, ImU32 quiet, ImU32 strong, ChangeForm form) {
    const std::string lead = before + "→";
    if (form == ChangeForm::one_line) {
        const float width = text_width(font, after), whole = text_width(font, lead) + width;
        const float x = std::round(box.x + (box.width - whole) / 2), y = centre_line(font, box.y, box.height);
        draw_text(draw, font, {x, y}, quiet, lead);
        draw_text(draw, font, {x + whole - width, y}, strong, after);
        return;
    }
    ImFont* above = fonts().mono_tiny;
    const float height = font_size(font) + font_size(above) - 3;
    const float top = std::round(box.y + (box.height - height) / 2);
    draw_text_centred(draw, above, {box.x, top, box.width, font_size(above)}, quiet, lead);
    draw_text_centred(draw, font, {box.x, top + height - font_size(font), box.width, font_size(font)}, strong,
                      after);
}

float centre_line(ImFont* font, float top, float height) {
    return top + (height - font_size(font)) / 2;
}

void draw_text_centred(ImDrawList* draw, ImFont* font, const Rect& box, ImU32 colour, std::string_view text) {
    const float over = text_width(font, text) - box.width;
    if (over > 0 && text.find(' ') != text.npos) {  // a sentence; the text of a cell may lie on its edge
        draw_text_within(draw, font, {box.x, centre_line(font, box.y, box.height)}, colour, text, box.width);
        return;
    }
    const float x = box.x - over / 2;
    draw_text(draw, font, ImVec2(x, centre_line(font, box.y, box.height)), colour, text);
}

std::string in_capitals(std::string_view text) {
    std::string capitals(text);
    for (std::size_t i = 0; i < capitals.size(); ++i) {
        capitals[i] = upper_case(capitals[i]);
        // In UTF-8: "à" to "þ" lie 32 behind their capitals, without "÷"; "œ" is one behind its own.
        if (i == 0) continue;
        const auto lead = static_cast<unsigned char>(capitals[i - 1]),
                   letter = static_cast<unsigned char>(capitals[i]);
        if (lead == 0xc3 && letter >= 0xa0 && letter < 0xbf && letter != 0xb7)
            capitals[i] = char(letter - 0x20);
        if (lead == 0xc5 && letter == 0x93) capitals[i] = char(letter - 1);
    }
    return capitals;
}

ImTextureID imgui_texture(unsigned gl_name) {
#if IMGUI_VERSION_NUM >= 19140
    return ImTextureID(gl_name);
#else
    return reinterpret_cast<ImTextureID>(std::uintptr_t(gl_name));
#endif
}

void draw_cell_box(ImDrawList* draw, const Rect& box, ImU32 fill, ImU32 edge, float edge_px, float rounding) {
    const float x = std::round(box.x), y = std::round(box.y);
    const float right = std::round(box.right()), bottom = std::round(box.bottom());
    const float corner = std::round(rounding * 0.6f), inset = std::max(std::round(edge_px), 1.0f);
    const ImDrawListFlags flags = draw->Flags;
    draw->Flags &= ~ImDrawListFlags_AntiAliasedFill;
    draw_octagon(draw, {x, y}, {right, bottom}, corner, edge);
    draw_octagon(draw, {x + inset, y + inset}, {right - inset, bottom - inset},
                 std::max(corner - inset / 2, 0.0f), fill);
    draw->Flags = flags;
}

void draw_hatching(ImDrawList* draw, const Rect& box, ImU32 colour, float step) {
    draw->PushClipRect(box.min(), box.max(), true);
    for (float at = box.x - box.height; at < box.right(); at += step)
        draw->AddLine({at, box.bottom()}, {at + box.height, box.y}, colour, 1);
    draw->PopClipRect();
}

float draw_estimate(ImDrawList* draw, ImFont* font, ImVec2 at, ImU32 colour, std::string_view text,
                    const WindowState& window) {
    const float width = text_width(font, text);
    const ImU32 hatching = faded(theme().time, 0.3f);
    draw_hatching(draw, {at.x, at.y, width, font_size(font)}, hatching, window.px(5));
    draw_text(draw, font, at, legible(colour, over(hatching, theme().panel)), text);
    return width;
}

void draw_scroll_mark(const Rect& inside, float scroll, float content_height, const WindowState& window) {
    if (content_height <= inside.height) return;
    name_scrolling();
    const float width = window.px(3), x = inside.right() - width - window.px(2);
    const float top = inside.y + inside.height * scroll / content_height,
                length = inside.height * inside.height / content_height;
    ImGui::GetWindowDrawList()->AddRectFilled({x, top}, {x + width, top + length}, theme().line, width / 2);
}

bool hovered(const Rect& rect, const WindowState& window) {
    // A mouse that rests while keys step points at nothing: the hall looks at the picture.
    if (window.still || (window.lecture && window.mouse_rests)) return false;
    return ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows) &&
           ImGui::IsMouseHoveringRect(rect.min(), rect.max());
}

// Whether a tooltip would cover the place pointed at, or tell about a place that the mouse only happens to be
// on.
static bool hushed(const WindowState& window) {
    const bool pointing = window.talk.pointer || window.talk.spotlight || window.talk.pen;
    return window.mouse_rests || (window.lecture && pointing);
}

void tooltip(const std::string& text, const WindowState& window) {
    if (hushed(window)) return;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(window.px(8), window.px(6)));
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(window.px(360));
    ImGui::TextUnformatted(text.c_str(), text.c_str() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

void tooltip(const std::string& title, const std::string& text, const WindowState& window) {
    if (hushed(window)) return;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(window.px(10), window.px(8)));
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(window.px(400));
    ImGui::PushFont(fonts().strong);
    ImGui::TextUnformatted(title.c_str(), title.c_str() + title.size());
    ImGui::PopFont();
    ImGui::TextUnformatted(text.c_str(), text.c_str() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

void draw_diamond(ImDrawList* draw, ImVec2 centre, float size, ImU32 colour) {
    const auto shape = [&](float half, ImU32 fill) {
        draw->AddQuadFilled(ImVec2(centre.x - half, centre.y), ImVec2(centre.x, centre.y - half),
                            ImVec2(centre.x + half, centre.y), ImVec2(centre.x, centre.y + half), fill);
    };
    shape(size / 2 + 1.5f, theme().background);
    shape(size / 2, colour);
}

void draw_triangle(ImDrawList* draw, Triangle direction, ImVec2 centre, float size, ImU32 colour) {
    const float h = size / 2, w = size * 0.43f;
    ImVec2 a, b, c;
    switch (direction) {
        case Triangle::right:
            a = {-w, -h}, b = {w, 0}, c = {-w, h};
            break;
        case Triangle::left:
            a = {w, h}, b = {-w, 0}, c = {w, -h};
            break;
        case Triangle::down:
            a = {h, -w}, b = {0, w}, c = {-h, -w};
            break;
        case Triangle::up:
            a = {-h, w}, b = {0, -w}, c = {h, w};
            break;
    }
    const float lower = size * 0.07f;  // the middle of lower-case letters lies below the middle of their line
    const auto place = [&](ImVec2 p) { return ImVec2(centre.x + p.x, centre.y + lower + p.y); };
    draw->AddTriangleFilled(place(a), place(b), place(c), colour);
}

bool click_area(const char* id, const Rect& rect, std::string_view name) {
    if (rect.empty()) return false;
    const float more_x = std::max(least_clickable_px - rect.width, 0.0f) / 2,
                more_y = std::max(least_clickable_px - rect.height, 0.0f) / 2;
    const Rect area{rect.x - more_x, rect.y - more_y, rect.width + 2 * more_x, rect.height + 2 * more_y};
    ImGui::SetCursorScreenPos(area.min());
    name_button(name.empty() ? id : name, area);
    return ImGui::InvisibleButton(id, ImVec2(area.width, area.height));
}

float slider(const char* id, const Rect& box, float share, const WindowState& window) {
    click_area(id, box);
    const bool held = !window.still && ImGui::IsItemActive(), hot = !window.still && ImGui::IsItemHovered();
    const float moved =
        held ? std::clamp((ImGui::GetIO().MousePos.x - box.x) / std::max(box.width, 1.0f), 0.0f, 1.0f) : -1;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float thick = window.px(3), middle = box.y + box.height / 2, knob = window.px(5.5f);
    const float x = box.x + knob + (box.width - 2 * knob) * std::clamp(share, 0.0f, 1.0f);
    const auto track = [&](float from, float to, ImU32 colour) {
        draw->AddRectFilled({from, middle - thick / 2}, {to, middle + thick / 2}, colour, thick / 2);
    };
    track(box.x, box.right(), theme().line);
    track(box.x, x, theme().active_edge);
    draw->AddCircleFilled({x, middle}, knob, held || hot ? theme().text_strong : theme().active_edge);
    return moved;
}

float chip_height(const WindowState& window) {
    return window.px(26);
}

float chip_width(const std::string& label, const WindowState& window, bool arrow) {
    return text_width(fonts().text, label) + window.px(arrow ? 38 : 24);
}

bool right_word(const char* id, Rect& row, const std::string& text, const WindowState& window) {
    const float width = text_width(fonts().text, text);
    const Rect box{row.right() - width, row.y, width, row.height};
    row.width -= width + window.px(12);
    const bool clicked = click_area(id, box);
    const bool hot = !window.still && ImGui::IsItemHovered();
    if (const std::string hint = hot ? key_hint(text) : std::string(); !hint.empty()) tooltip(hint, window);
    draw_text(ImGui::GetWindowDrawList(), fonts().text, {box.x, centre_line(fonts().text, row.y, row.height)},
              hot ? theme().text_strong : theme().accent, text);
    return clicked;
}

bool chip(const char* id, ImVec2 at, const std::string& label, const WindowState& window,
          const ChipLook& look) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const Rect box{at.x, at.y, chip_width(label, window, look.arrow), chip_height(window)};
    const bool clicked = look.clickable && click_area(id, box, look.name);
    const bool hot = look.clickable && !window.still && ImGui::IsItemHovered();
    if (const std::string hint = hot ? key_hint(label) : std::string(); !hint.empty()) tooltip(hint, window);
    const float radius = box.height / 2;
    draw->AddRectFilled(box.min(), box.max(), hot ? theme().line : theme().panel_raised, radius);
    draw->AddRect(box.min(), box.max(), theme().line, radius);
    const ImU32 colour = look.text ? look.text : theme().text;
    draw_text(draw, fonts().text, ImVec2(box.x + window.px(12), centre_line(fonts().text, box.y, box.height)),
              colour, label);
    if (look.arrow)
        draw_triangle(draw, Triangle::down, ImVec2(box.right() - window.px(16), box.y + box.height / 2),
                      window.px(8), colour);
    return clicked;
}

bool key_pressed(ImGuiKey key) {
    return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key));
}

bool list_is_open() {
    return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

int choice_popup(const char* id, const std::vector<std::string>& labels, int current,
                 const WindowState& window) {
    int chosen = -1;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(window.px(8), window.px(8)));
    if (ImGui::BeginPopup(id)) {
        if (key_pressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
        for (int i = 0; i < int(labels.size()); ++i) {
            ImGui::PushID(i);
            if (ImGui::Selectable(labels[std::size_t(i)].c_str(), i == current)) chosen = i;
            name_last_item(labels[std::size_t(i)]);
            ImGui::PopID();
        }
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
    return chosen;
}

int choice(const char* id, const Rect& box, const std::vector<std::string>& labels, int current,
           const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    ImGui::PushID(id);
    if (click_area("box", box, id)) ImGui::OpenPopup("list");
    const bool hot = !window.still && ImGui::IsItemHovered();
    draw->AddRectFilled(box.min(), box.max(), hot ? theme().line : theme().panel_raised,
                        window.px(theme().rounding));
    draw->AddRect(box.min(), box.max(), theme().line, window.px(theme().rounding));
    const float arrow_x = box.right() - window.px(12);
    if (current >= 0 && current < int(labels.size())) {
        const std::string& label = labels[std::size_t(current)];
        const float room = arrow_x - window.px(16) - box.x;
        const float x =
            std::max(arrow_x - window.px(10) - text_width(fonts().text, label), box.x + window.px(8));
        draw_text_within(draw, fonts().text, ImVec2(x, centre_line(fonts().text, box.y, box.height)),
                         theme().text, label, room);
    }
    draw_triangle(draw, Triangle::down, ImVec2(arrow_x, box.y + box.height / 2), window.px(8), theme().text);
    ImGui::SetNextWindowPos(ImVec2(box.x, box.bottom() + window.px(2)));
    ImGui::SetNextWindowSizeConstraints(ImVec2(box.width, 0), ImVec2(FLT_MAX, window.px(420)));
    const int chosen = choice_popup("list", labels, current, window);
    ImGui::PopID();
    return chosen;
}

}  // namespace lanescope::ui
