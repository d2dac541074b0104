#include "ui/compare/compare_pane.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "lesson/instance.h"
#include "ui/compare/compare_mode.h"
#include "ui/inputs/parameters_view.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"
#include "ui/state/stage_modes.h"

namespace lanescope::ui {
namespace {

constexpr float head_height = 70, row_height = 34, box_height = 22, box_width = 74;

const char* letter(session::Side side) {
    return side == session::Side::a ? "A" : "B";
}

std::string title_of(const session::Session& session) {
    if (session.lesson()) return session.lesson()->title;
    return session.document().path().filename().string();
}

}  // namespace

ComparePaneHead::ComparePaneHead(session::Side side, Comparison& shown)
    : View(std::string("##compare head ") + letter(side)), side_(side), shown_(shown) {}

void ComparePaneHead::content(const Rect& inside, const ViewContext& view) {
    file_row({inside.x, inside.y, inside.width, view.px(row_height)}, view.session, view.window);
    parameter_row({inside.x, inside.y + view.px(row_height), inside.width, view.px(row_height)}, view);
}

// Returns "same file, other parameters", then the topic's other lessons, nearest first, then all other files.
std::vector<ComparePaneHead::Choice> ComparePaneHead::choices() const {
    std::vector<Choice> list = {{"same file, other parameters", shown_.a->document().path()}};
    const lesson::Topic* own = shown_.a->topic();
    if (own) {
        std::vector<std::pair<std::ptrdiff_t, Choice>> near;
        const lesson::LessonEntry* begin = own->lessons.data();
        const std::ptrdiff_t at = shown_.a->lesson() - begin;
        for (const lesson::LessonEntry& entry : own->lessons)
            if (&entry - begin != at)
                near.push_back({std::abs(&entry - begin - at), {entry.title, entry.path}});
        std::stable_sort(near.begin(), near.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (auto& [distance, choice] : near)
            list.push_back(std::move(choice));
    }
    for (const lesson::Topic& topic : shown_.a->registry().topics)
        for (const lesson::LessonEntry& entry : topic.lessons)
            if (!own || topic.name != own->name)
                list.push_back({topic.title + ": " + entry.title, entry.path});
    return list;
}

void ComparePaneHead::file_row(const Rect& row, const session::Session& session, const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float padding = window.px(theme().padding), size = window.px(22);
    const Rect badge{row.x + padding, row.y + (row.height - size) / 2, size, size};
    draw->AddRectFilled(badge.min(), badge.max(), theme().selected, window.px(4));
    draw_text_centred(draw, fonts().strong, badge, theme().text_strong, letter(side_));
    const float x = badge.right() + window.px(10);
    const std::string title = session.document().path().empty() ? "choose a file" : title_of(session);
    if (side_ == session::Side::a) {
        draw_text_within(draw, fonts().strong, {x, centre_line(fonts().strong, row.y, row.height)},
                         theme().text_strong, title, row.right() - padding - x);
        return;
    }
    const ImVec2 at(x, row.y + (row.height - chip_height(window)) / 2);
    if (chip("file", at, title, window, {theme().text_strong, true, true})) ImGui::OpenPopup("other file");
    if (hovered({at.x, at.y, chip_width(title, window, true), chip_height(window)}, window))
        tooltip("choose the file to compare with", window);
    ImGui::SetNextWindowPos({at.x, at.y + chip_height(window) + window.px(2)});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, window.px(460)});
    std::vector<Choice> list = choices();
    std::vector<std::string> labels;
    int current = -1;
    for (const Choice& each : list) {
        if (each.path == session.document().path() && current < 0) current = int(labels.size());
        labels.push_back(each.label);
    }
    const int chosen = choice_popup("other file", labels, current, window);
    if (chosen >= 0) shown_.open_b = list[std::size_t(chosen)].path;
    if (session.runner().busy())
        draw_text(draw, fonts().text,
                  {at.x + chip_width(title, window, true) + window.px(10),
                   centre_line(fonts().text, row.y, row.height)},
                  theme().text_quiet, "running …");
}

void ComparePaneHead::parameter_row(const Rect& row, const ViewContext& view) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float padding = view.px(theme().padding);
    const auto say = [&](const std::string& text, ImU32 colour) {
        draw_text_within(draw, fonts().text, {row.x + padding, centre_line(fonts().text, row.y, row.height)},
                         colour, text, row.width - 2 * padding);
    };
    if (!view.session.diagnostics().empty())
        return say(view.session.diagnostics().front().message, theme().conflict);
    if (const auto* problem = view.session.file_problem()) return say(problem->why.message, theme().conflict);
    if (!refused_.empty()) say(refused_, theme().conflict);
    if (!view.session.run()) return;
    float x = refused_.empty() ? row.x + padding : row.x + padding * 2 + text_width(fonts().text, refused_);
    const Rect line{row.x, row.y + (row.height - view.click_px(box_height)) / 2, row.width,
                    view.click_px(box_height)};
    for (const lesson::Parameter& parameter : view.session.run()->instance.front.parameters) {
        const auto set = view.session.parameters().find(parameter.name);
        const std::int64_t value =
            set == view.session.parameters().end() ? parameter.default_value : set->second;
        const float label = text_width(fonts().text, parameter.name);
        if (x + label + view.px(box_width + 8) > row.right()) break;
        const bool changed = value != parameter.default_value;
        draw_text(draw, fonts().text, {x, centre_line(fonts().text, row.y, row.height)},
                  changed ? theme().accent : theme().text_quiet, parameter.name);
        const Rect box{x + label + view.px(6), line.y, view.px(box_width), line.height};
        x = number_input(box, parameter, value, view.window, view.requests) + view.px(14);
    }
}

// Returns the input's right end.
float ComparePaneHead::number_input(const Rect& box, const lesson::Parameter& parameter, std::int64_t value,
                                    const WindowState& window, Requests& requests) {
    if (!parameter.choices.empty()) {
        std::vector<std::string> labels;
        for (const std::int64_t each : parameter.choices)
            labels.push_back(std::to_string(each));
        const auto at = std::find(parameter.choices.begin(), parameter.choices.end(), value);
        const int current = at == parameter.choices.end() ? -1 : int(at - parameter.choices.begin());
        const int chosen = choice(parameter.name.c_str(), box, labels, current, window);
        if (chosen >= 0 && chosen != current)
            requests.commands.push_back(
                session::SetParameter{parameter.name, parameter.choices[std::size_t(chosen)]});
        return box.right();
    }
    std::string text = typed_.contains(parameter.name) ? typed_[parameter.name] : std::to_string(value);
    ImGui::SetCursorScreenPos(box.min());
    ImGui::SetNextItemWidth(box.width);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        {window.px(8), (box.height - font_size(fonts().text)) / 2});
    if (ImGui::InputText(("##" + parameter.name).c_str(), &text, ImGuiInputTextFlags_AutoSelectAll))
        typed_[parameter.name] = text;
    name_last_item(parameter.name);
    ImGui::PopStyleVar();
    if (!ImGui::IsItemDeactivatedAfterEdit()) return box.right();
    typed_.erase(parameter.name);
    const auto setting = lesson::parse_setting(parameter.name + "=" + text);
    const std::string range = setting ? refusal(parameter, setting->second) : "must be a whole number";
    refused_ = range.empty() ? std::string() : parameter.name + ": " + range;
    if (refused_.empty() && setting->second != value)
        requests.commands.push_back(session::SetParameter{parameter.name, setting->second});
    return box.right();
}

// --- The side as a whole -----------------------------------------------------------------------------------

ComparePane::ComparePane(session::Side side, Comparison& shown)
    : side_(side), shown_(shown), head_(side, shown) {
    const std::string name = letter(side);
    stage_.rename("##compare stage " + name);
    flow_.rename("##compare flow " + name);
    warps_.rename("##compare warps " + name);
    source_.rename("##compare source " + name);
}

void ComparePane::draw(const Rect& rect, const ViewContext& view) {
    const WindowState before = std::exchange(own_, view.window);
    own_.lecture = own_.source.editing = own_.source.typing = false;
    const StageTab tab =
        mode_of(view.window.stage_tab).in_comparison ? view.window.stage_tab : StageTab::cells;
    own_.stage_tab = tab;
    if (set_up_) {  // keeps the choices of this pane
        own_.lanes = before.lanes;
        own_.flow = before.flow;
        own_.source.heat = before.source.heat, own_.cells.reals = before.cells.reals;
        own_.lane_colour = before.lane_colour;
    }
    if (!std::exchange(set_up_, true)) own_.lanes = {};
    Requests mine;
    const float head = std::round(view.px(head_height)), room = rect.height - head;
    own_.source.differing = side_ == session::Side::a ? shown_.differing_a : shown_.differing_b;
    const bool talk = view.window.lecture;
    const LargeType type(talk);
    const float stage = std::round(room * (talk ? 0.62f : 0.46f)),
                warps = talk ? 0 : std::round(room * 0.24f);
    head_.draw({rect.x, rect.y, rect.width, head}, {view.session, own_, mine});
    if (tab == StageTab::flow) {
        flow_.draw({rect.x, rect.y + head, rect.width, stage + warps}, {view.session, own_, mine});
    } else {
        stage_.draw({rect.x, rect.y + head, rect.width, stage}, {view.session, own_, mine});
        warps_.draw({rect.x, rect.y + head + stage, rect.width, warps}, {view.session, own_, mine});
    }
    source_.draw({rect.x, rect.y + head + stage + warps, rect.width, room - stage - warps},
                 {view.session, own_, mine});
    for (const WindowChange& change : std::exchange(mine.changes, {}))
        change(own_);
    // Both sides show the same.
    if (own_.stage_tab != tab) view.requests.set(&WindowState::stage_tab, StageTab(own_.stage_tab));
    if (std::erase(mine.actions, "source.edit") > 0) shown_.edit = side_;
    view.requests.append(std::move(mine));
}

}  // namespace lanescope::ui
