#include "ui/stage/cell_menu.h"

#include <algorithm>

#include "session/playhead/named_cell.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

constexpr const char* popup = "cell menu";
constexpr const char* job = "life";
constexpr float list_height = 340, list_width = 560;
constexpr float change_column = 74, place_column = 230, origin_column = 390;

std::string place_words(const CellEvent& event, bool several_blocks) {
    std::string text = "t" + std::to_string(event.first_thread);
    if (event.threads > 1) text += " and " + std::to_string(event.threads - 1) + " more";
    if (several_blocks) text = "block " + std::to_string(event.block) + " " + text;
    return text + " · line " + std::to_string(event.line);
}

}  // namespace

void CellMenu::open(const session::Session& session, const CellPlace& cell, std::string name) {
    name_ = std::move(name);
    life_.reset();
    jobs_.cancel(job);
    const std::shared_ptr<const trace::Trace> trace = session.run()->trace;
    const std::shared_ptr<analysis::SharedFlow> flow = session.run()->flow;
    jobs_.start(job, [this, trace, flow, cell](JobContext& context) -> Jobs::Completion {
        const std::shared_ptr<const analysis::Flow> values =
            flow && flow->ready() ? flow->get(&context.cancel_flag()) : nullptr;
        auto life = life_of(trace, values.get(), cell, &context.cancel_flag());
        return [this, life] { life_ = life; };
    });
    ImGui::OpenPopup(popup);
}

void CellMenu::open(const session::Session& session, const std::string& name) {
    const session::StepState* step_state = session.playhead().step_state();
    if (step_state == nullptr || !session.trace()) return;
    const Result<session::NamedCell> cell = session::cell_named(*session.trace(), name);
    if (!cell) return;
    for (const session::NamedCell::Part& part : cell->parts) {
        if (part.launch != trace::none && part.launch != step_state->step.launch) continue;
        const bool shared = part.space == trace::Space::shared;
        return open(session,
                    {part.space, part.launch, shared ? step_state->step.block : trace::none, part.offset,
                     part.bytes, part.element},
                    name);
    }
}

// Draws the name, and what can be done with the cell.
void CellMenu::draw_head(const ViewContext& view) {
    ImGui::PushFont(fonts().strong);
    ImGui::TextUnformatted(name_.c_str());
    ImGui::PopFont();
    const auto word = [&](const char* text, const char* name, float from_right) {
        ImGui::SameLine(view.px(list_width - from_right));
        const bool chosen =
            ImGui::Selectable(text, false, 0, {ImGui::CalcTextSize(text).x, ImGui::GetTextLineHeight()});
        name_last_item(name);
        return chosen;
    };
    if (word("watch in all lanes", "watch", 330)) {
        std::vector<std::string> watches = view.session.marks().watches();
        if (std::find(watches.begin(), watches.end(), name_) == watches.end()) watches.push_back(name_);
        view.requests.commands.push_back(session::SetWatches{watches});
    }
    const auto& all = view.session.marks().breakpoints();
    const bool stops = std::any_of(all.begin(), all.end(),
                                   [&](const session::Breakpoint& each) { return each.cell == name_; });
    if (word(stops ? "do not stop at writes" : "stop at each write", "break on write", 170))
        view.requests.commands.push_back(session::ToggleCellBreakpoint{name_});
}

void CellMenu::draw(const ViewContext& view) {
    jobs_.poll();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(view.px(12), view.px(10)));
    if (ImGui::BeginPopup(popup)) {
        view.requests.next_frame |= jobs_.busy(job);
        draw_head(view);
        ImGui::Separator();
        if (!life_)
            ImGui::TextUnformatted("looking for its writes and reads …");
        else
            draw_events(view);
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

void CellMenu::draw_events(const ViewContext& view) {
    const std::vector<CellEvent>& events = life_->events;
    if (events.empty()) return ImGui::TextUnformatted("no recorded thread writes or reads it");
    const bool several_blocks = std::any_of(events.begin(), events.end(), [&](const CellEvent& event) {
        return event.block != events.front().block;
    });
    const std::vector<trace::Step>& steps = view.session.playhead().steps();
    const session::StepState* now = view.session.playhead().step_state();
    const float height =
        std::min(view.px(list_height), float(events.size() + 1) * ImGui::GetTextLineHeightWithSpacing());
    ImGui::BeginChild("events", ImVec2(view.px(list_width), height));
    for (std::size_t i = 0; i < events.size(); ++i) {
        const CellEvent& event = events[i];
        const bool in_focus = event.block == view.session.playhead().block();
        const std::string step =
            in_focus ? "step " + std::to_string(trace::step_at(steps, event.turn) + 1) : "elsewhere";
        const bool current = now != nullptr && event.turn >= now->step.first && event.turn < now->step.end;
        ImGui::PushID(int(i));
        if (ImGui::Selectable(step.c_str(), current)) {
            view.requests.commands.push_back(session::SeekTurn{event.turn});
            view.requests.commands.push_back(session::PinLane{event.first_thread / trace::warp_size,
                                                              event.first_thread % trace::warp_size});
            ImGui::CloseCurrentPopup();
        }
        name_last_item("event " + std::to_string(i + 1));
        ImGui::PopID();
        const bool read = event.kind == trace::AccessKind::load;
        ImGui::SameLine(view.px(change_column));
        ImGui::PushStyleColor(ImGuiCol_Text, read ? theme().read_edge : theme().write_edge);
        ImGui::TextUnformatted(((read ? "read " : "") + change_text(event)).c_str());
        ImGui::PopStyleColor();
        ImGui::SameLine(view.px(place_column));
        ImGui::TextUnformatted(place_words(event, several_blocks).c_str());
        if (event.origin.empty()) continue;
        ImGui::SameLine(view.px(origin_column));
        ImGui::PushStyleColor(ImGuiCol_Text, theme().text_quiet);
        ImGui::TextUnformatted(event.origin.c_str());
        ImGui::PopStyleColor();
    }
    if (life_->left_out != 0) ImGui::Text("and %s later ones", grouped(life_->left_out).c_str());
    ImGui::EndChild();
}

}  // namespace lanescope::ui
