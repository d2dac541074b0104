#include "ui/source/source_breakpoints.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "ui/actions/table.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

bool menu_item(const std::string& words, const std::string& keys = {}, bool possible = true) {
    const bool chosen = ImGui::MenuItem(words.c_str(), keys.c_str(), false, possible);
    name_last_item(words);
    return chosen;
}

}  // namespace

const session::Breakpoint* breakpoint_on(const session::Session& session, std::uint32_t line) {
    const auto& all = session.marks().breakpoints();
    const auto at = std::lower_bound(
        all.begin(), all.end(), line,
        [](const session::Breakpoint& each, std::uint32_t wanted) { return each.line < wanted; });
    return at != all.end() && at->line == line ? &*at : nullptr;
}

std::string hit_words(const session::Session& session, std::uint32_t line, std::size_t max_threads) {
    const session::BreakHit* hit = session.search().hit();
    if (!hit || hit->line != line || !hit->conditional) return {};
    std::string text;
    std::size_t threads = 0;
    for (std::size_t warp = 0; warp < hit->lanes.size(); ++warp)
        for (trace::Mask rest = hit->lanes[warp]; rest != 0; rest &= rest - 1) {
            if (threads++ >= max_threads) continue;
            const std::size_t thread = warp * trace::warp_size + std::size_t(std::countr_zero(rest));
            text += (text.empty() ? "hit by t" : ", t") + std::to_string(thread);
        }
    if (threads > max_threads) text += " and " + std::to_string(threads - max_threads) + " more";
    return text;
}

ImU32 draw_breakpoint_tag(ImDrawList* draw, const Rect& number, const session::Breakpoint* breakpoint,
                          bool hovered, const WindowState& window) {
    if (!breakpoint && !hovered) return 0;
    const float top = number.y + window.px(1.5f), bottom = number.bottom() - window.px(1.5f);
    const float tip = window.px(6), middle = (top + bottom) / 2;
    const ImVec2 points[] = {{number.x, top},
                             {number.right() - tip, top},
                             {number.right(), middle},
                             {number.right() - tip, bottom},
                             {number.x, bottom}};
    const bool solid = breakpoint && breakpoint->enabled;
    if (solid)
        draw->AddConvexPolyFilled(points, 5, theme().active_edge);
    else
        draw->AddPolyline(points, 5, faded(theme().active_edge, breakpoint ? 1.0f : 0.55f),
                          ImDrawFlags_Closed, window.px(1.3f));
    // A breakpoint with a condition has a notch; the condition itself stands behind the code.
    if (solid && !breakpoint->condition.empty())
        draw->AddCircleFilled({number.x + window.px(4.5f), middle}, window.px(2.2f), theme().panel);
    return solid ? theme().panel : theme().text;
}

void LineMenu::open(std::uint32_t line, const session::Session& session) {
    line_ = line;
    opened_ = true;
    const session::Breakpoint* there = breakpoint_on(session, line);
    const std::string text = there ? there->condition : std::string();
    std::memset(condition_, 0, sizeof condition_);
    text.copy(condition_, sizeof condition_ - 1);
    ImGui::OpenPopup("line menu");
}

void LineMenu::draw(const ViewContext& view) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(view.px(10), view.px(10)));
    if (ImGui::BeginPopup("line menu")) {
        const std::string line = "line " + std::to_string(line_);
        const bool runs = view.session.trace() &&
                          session::line_with_code(*view.session.trace(), line_) != 0 &&
                          view.session.playhead().step_state() != nullptr;
        if (menu_item("Run to " + line, with_keys("{line.run_to}"), runs))
            view.requests.commands.push_back(session::RunToLine{line_, false});
        if (menu_item("Run back to " + line, with_keys("{line.run_back}"), runs))
            view.requests.commands.push_back(session::RunToLine{line_, true});
        ImGui::Separator();
        const session::Breakpoint* there = breakpoint_on(view.session, line_);
        if (menu_item(there ? "Remove the breakpoint" : "Set a breakpoint", with_keys("{breakpoint.toggle}")))
            view.requests.commands.push_back(session::ToggleBreakpoint{line_});
        if (there && menu_item(there->enabled ? "Disable the breakpoint" : "Enable the breakpoint")) {
            session::Breakpoint changed = *there;
            changed.enabled = !changed.enabled;
            view.requests.commands.push_back(session::SetBreakpoint{changed});
        }
        if (!view.session.marks().breakpoints().empty() && menu_item("Remove all breakpoints"))
            view.requests.commands.push_back(session::ClearBreakpoints{});
        ImGui::Separator();
        draw_condition(view);
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

void LineMenu::draw_condition(const ViewContext& view) {
    ImGui::TextUnformatted("Stop only if this is true in a lane:");
    ImGui::SetNextItemWidth(view.px(300));
    if (std::exchange(opened_, false)) ImGui::SetKeyboardFocusHere();
    const bool done = ImGui::InputTextWithHint("##condition", "t == 5 && stride > 4", condition_,
                                               sizeof condition_, ImGuiInputTextFlags_EnterReturnsTrue);
    name_last_item("condition");
    const std::string text = condition_;
    const Diagnostics problems = text.empty() ? Diagnostics{} : view.session.values().problems(text);
    if (!problems.empty()) {
        const std::string where = "column " + std::to_string(problems.front().column) + ": ";
        ImGui::PushStyleColor(ImGuiCol_Text, theme().conflict);
        ImGui::TextUnformatted((where + problems.front().message).c_str());
        ImGui::PopStyleColor();
        return;
    }
    ImGui::PushStyleColor(ImGuiCol_Text, theme().text_quiet);
    ImGui::TextUnformatted("Use variables, threadIdx, blockIdx, lane, warp. Enter sets the condition.");
    ImGui::PopStyleColor();
    if (!done) return;
    const std::uint32_t line =
        view.session.trace() ? session::line_with_code(*view.session.trace(), line_) : 0;
    view.requests.commands.push_back(session::SetBreakpoint{{line != 0 ? line : line_, text, true}});
    ImGui::CloseCurrentPopup();
}

}  // namespace lanescope::ui
