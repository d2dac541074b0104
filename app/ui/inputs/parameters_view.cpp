#include "ui/inputs/parameters_view.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/file_kind.h"
#include "base/language.h"
#include "lesson/instance.h"
#include "ui/inputs/outcomes.h"
#include "ui/inputs/turn_chooser.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

constexpr float program_rows_height = 84;
constexpr float parameter_row_step = 30, box_height = 21, note_height = 17;

// A lesson whose file is a program, too, has a button for it; without nvcc it says what is missing.
bool offers_program(const session::Session& session) {
    const session::HostCode& code = session.host_code();
    return code.of_course() && (code.stand() == session::HostCode::Stand::no_compiler ||
                                code.stand() == session::HostCode::Stand::offered ||
                                code.stand() == session::HostCode::Stand::declined);
}

bool has_random_schedule(const session::Session& session) {
    return session.document().settings().schedule.kind == simt::Schedule::Kind::seed;
}

std::string range_of(const lesson::Parameter& parameter) {
    if (parameter.min && parameter.max)
        return std::to_string(*parameter.min) + " … " + std::to_string(*parameter.max);
    if (parameter.min) return tr("at least ") + std::to_string(*parameter.min);
    if (parameter.max) return tr("at most ") + std::to_string(*parameter.max);
    return {};
}

}  // namespace

std::string refusal(const lesson::Parameter& parameter, std::int64_t value) {
    const bool below = parameter.min && value < *parameter.min,
               above = parameter.max && value > *parameter.max;
    return below || above ? tr("must be ") + range_of(parameter) : std::string();
}

// Rows with a label at the left and a control at the right.
struct ParametersView::Rows {
    const Rect& inside;
    const WindowState& window;
    float y;

    Rect next(const std::string& label, float width) {
        ImDrawList* draw = ImGui::GetWindowDrawList();
        const float padding = window.px(theme().padding), height = window.click_px(box_height);
        const Rect box{inside.right() - padding - width, y + window.px((parameter_row_step - box_height) / 2),
                       width, height};
        const float room = box.x - inside.x - padding - window.px(6);
        const bool cut = draw_text_within(
            draw, fonts().text, ImVec2(inside.x + padding, centre_line(fonts().text, box.y, height)),
            theme().text, label, room);
        if (cut && hovered({inside.x, box.y, box.x - inside.x, height}, window)) tooltip(label, window);
        y += window.px(parameter_row_step);
        return box;
    }
    void note(const std::string& text, ImU32 colour) {
        const float width = text_width(fonts().small, text);
        draw_text(ImGui::GetWindowDrawList(), fonts().small,
                  ImVec2(inside.right() - window.px(theme().padding) - width, y - window.px(3)), colour,
                  text);
        y += window.px(note_height);
    }
    // The box is as wide as the longest label, so that it does not jump.
    Rect fitted(const std::string& label, const std::vector<std::string>& labels) {
        float width = window.px(60);
        for (const std::string& each : labels)
            width = std::max(width, text_width(fonts().text, each) + window.px(38));
        return next(label, std::min(width, inside.width * 0.62f));
    }
};

void ParametersView::prepare(const session::Session& session) const {
    const std::uint64_t key =
        session.runner().generation() ^ std::hash<std::string>()(session.document().text());
    if (key == prepared_for_) return;
    prepared_for_ = key;
    if (session.run() && session.run()->source == session.document().text()) {
        parameters_ = session.run()->instance.front.parameters;
        return;
    }
    if (auto front =
            lesson::parse_front_matter(session.document().text(), session.document().path().string()))
        parameters_ = front->parameters;
}

// Typed values belong to the file in which they were typed.
void ParametersView::forget_other_files(const session::Session& session) {
    if (typed_for_ == session.document().path()) return;
    typed_for_ = session.document().path();
    typed_.clear();
    refused_.clear();
}

// Returns what stands below the input: why its value was refused, or which value the views still show.
std::string ParametersView::note_on(const std::string& name, const session::Session& session) const {
    if (const auto refused = refused_.find(name); refused != refused_.end()) return refused->second;
    if (!session.shows_last_good() || session.runner().busy()) return {};
    const lesson::ParameterValues& ran = session.run()->instance.parameters;
    const auto wanted = session.parameters().find(name), shown = ran.find(name);
    if (wanted == session.parameters().end() || shown == ran.end() || wanted->second == shown->second)
        return {};
    return tr("the views still show {1}", {std::to_string(shown->second)});
}

float ParametersView::wanted_height(const session::Session& session, const WindowState& window,
                                    float width) const {
    if (session.document().path().empty()) return 0;
    if (session.host_code().runs()) return window.px(theme().heading_height + program_rows_height);
    prepare(session);
    const float rows = float(parameters_.size()) + 2 + (has_random_schedule(session) ? 1 : 0) +
                       (offers_program(session) ? 1 : 0);
    const auto notes =
        std::count_if(parameters_.begin(), parameters_.end(),
                      [&](const lesson::Parameter& each) { return !note_on(each.name, session).empty(); });
    return window.px(theme().heading_height + rows * parameter_row_step + float(notes) * note_height + 14) +
           turn_chooser_height(session, window, width - window.px(2 * theme().padding)) +
           outcomes_height(session, window);
}

void ParametersView::tools(Heading& heading, const ViewContext& view) {
    prepare(view.session);
    const bool known = kind_of(view.session.document().path()) != FileKind::trace &&
                       !view.session.document().path().empty() && !view.session.host_code().runs();
    const bool stopped = (view.session.runner().cancelled() && !view.session.runner().busy()) ||
                         (view.session.host_code().cancelled() && !view.session.host_code().running());
    if (stopped && heading.word_right(tr("Run again"), true))
        view.requests.act("run.again");  // before the others, which leave when there is no room
    if (known && heading.word_right(tr("Form"))) view.requests.act("form.open");
    const bool changed =
        std::any_of(parameters_.begin(), parameters_.end(), [&](const lesson::Parameter& parameter) {
            const auto value = view.session.parameters().find(parameter.name);
            return value != view.session.parameters().end() && value->second != parameter.default_value;
        });
    if (changed && heading.word_right(tr("Reset"))) {
        typed_.clear();
        refused_.clear();
        view.requests.commands.push_back(session::ResetParameters{});
    }
}

void ParametersView::content(const Rect& inside, const ViewContext& view) {
    if (view.session.document().path().empty()) return;
    forget_other_files(view.session);
    prepare(view.session);
    ImGui::SetCursorScreenPos(inside.min());
    ImGui::BeginChild("rows", ImVec2(inside.width, inside.height));
    Rows rows{inside, view.window, inside.y + view.px(4) - ImGui::GetScrollY()};
    move_focus(view.window, view.requests);
    if (view.session.host_code().runs()) {
        program_rows(rows, view.session, view.requests);
        ImGui::EndChild();
        return;
    }
    for (const lesson::Parameter& parameter : parameters_)
        parameter_row(rows, parameter, view.session, view.requests);
    code_row(rows, view.session, view.requests);
    schedule_rows(rows, view.session, view.requests);
    if (offers_program(view.session)) {
        if (chip("program", {inside.x + view.px(theme().padding), rows.y + view.px(3)}, tr("Run the program"),
                 view.window, {.name = "run the program"}))
            view.requests.act("program.run");
        rows.y += view.px(parameter_row_step);
    }
    const float padding = view.px(theme().padding), room = inside.width - 2 * padding;
    draw_turn_chooser({inside.x + padding, rows.y, room, 0}, view);
    rows.y += turn_chooser_height(view.session, view.window, room);
    const float height = outcomes_height(view.session, view.window);
    draw_outcomes({inside.x + padding, rows.y, room, height}, view);
    rows.y += height;
    ImGui::SetCursorScreenPos(ImVec2(inside.x, rows.y));
    ImGui::Dummy(ImVec2(1, 1));
    ImGui::EndChild();
}

// A program has arguments instead of parameters.
void ParametersView::program_rows(Rows& rows, const session::Session& session, Requests& requests) {
    const WindowState& window = rows.window;
    const float padding = window.px(theme().padding), height = window.px(28);
    const Rect row{rows.inside.x + padding, rows.y, rows.inside.width - 2 * padding, height};
    const std::string line = session::line_of(session.host_code().request().arguments);
    draw_text_within(ImGui::GetWindowDrawList(), fonts().text,
                     {row.x, centre_line(fonts().text, row.y, height)},
                     line.empty() ? theme().text_quiet : theme().text,
                     line.empty() ? std::string(tr("no arguments")) : tr("arguments: ") + line, row.width);
    const float y = row.bottom() + window.px(4);
    if (chip("program", {row.x, y}, tr("Run again …"), window, {.name = "run the program again"}))
        requests.act("program.run");
    const std::string kernels = tr("Kernels only");
    if (chip("kernels", {row.x + chip_width(tr("Run again …"), window) + window.px(8), y}, kernels, window,
             {.name = "kernels only"}))
        requests.act("program.kernels");
}

// Tab goes to the first input, then from each input to the next; it skips lists of choices.
void ParametersView::move_focus(const WindowState& window, Requests& requests) {
    if (!window.signals.focus_parameters) return;
    std::vector<std::string> inputs;
    for (const lesson::Parameter& parameter : parameters_)
        if (parameter.choices.empty()) inputs.push_back(parameter.name);
    if (inputs.empty()) return;
    const auto current = std::find(inputs.begin(), inputs.end(), typing_in_);
    focus_ = current == inputs.end() || current + 1 == inputs.end() ? inputs.front() : *(current + 1);
    ImGui::SetWindowFocus();
    requests.next_frame = true;
}

void ParametersView::parameter_row(Rows& rows, const lesson::Parameter& parameter,
                                   const session::Session& session, Requests& requests) {
    const auto set = session.parameters().find(parameter.name);
    const std::int64_t value = set == session.parameters().end() ? parameter.default_value : set->second;
    std::string label = parameter.label.empty() ? parameter.name : parameter.label;
    if (label.find(parameter.name) == label.npos) label += " " + parameter.name;
    if (parameter.choices.empty()) {
        number_input(rows.next(label, rows.window.px(92)), parameter, value, rows.window, requests);
        note_row(rows, parameter.name, session);
        return;
    }
    std::vector<std::string> labels;
    for (const std::int64_t choice : parameter.choices)
        labels.push_back(std::to_string(choice));
    const auto current = std::find(parameter.choices.begin(), parameter.choices.end(), value);
    const int index = current == parameter.choices.end() ? -1 : int(current - parameter.choices.begin());
    const int chosen =
        choice(parameter.name.c_str(), rows.next(label, rows.window.px(92)), labels, index, rows.window);
    if (chosen >= 0 && chosen != index)
        requests.commands.push_back(
            session::SetParameter{parameter.name, parameter.choices[std::size_t(chosen)]});
    note_row(rows, parameter.name, session);
}

void ParametersView::note_row(Rows& rows, const std::string& name, const session::Session& session) const {
    if (const std::string note = note_on(name, session); !note.empty())
        rows.note(note, refused_.contains(name) ? theme().conflict : theme().barrier);
}

void ParametersView::number_input(const Rect& box, const lesson::Parameter& parameter, std::int64_t value,
                                  const WindowState& window, Requests& requests) {
    const bool refused = refused_.contains(parameter.name);
    std::string text = typed_.contains(parameter.name) ? typed_[parameter.name] : std::to_string(value);
    ImGui::SetCursorScreenPos(box.min());
    const std::string id = "##" + parameter.name;
    const bool typing = parameter.name == typing_in_;
    const float to_the_right = box.width - text_width(fonts().text, text) - window.px(10);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        ImVec2(typing ? window.px(8) : std::max(to_the_right, window.px(8)),
                               (box.height - font_size(fonts().text)) / 2));
    ImGui::PushStyleColor(ImGuiCol_Text, refused ? theme().conflict : theme().text);
    ImGui::SetNextItemWidth(box.width);
    if (focus_ == parameter.name) {
        ImGui::SetKeyboardFocusHere();
        focus_.clear();
    }
    if (ImGui::InputText(id.c_str(), &text, ImGuiInputTextFlags_AutoSelectAll)) typed_[parameter.name] = text;
    name_last_item(parameter.name);
    const bool finished = ImGui::IsItemDeactivatedAfterEdit();
    if (ImGui::IsItemActivated()) typing_in_ = parameter.name;
    if (ImGui::IsItemDeactivated()) typing_in_.clear();
    if (!window.still && ImGui::IsItemHovered() && !range_of(parameter).empty())
        tooltip(range_of(parameter) + tr("; you can also type 2^20"), window);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    if (!finished) return;
    refused_.erase(parameter.name);
    const auto setting = lesson::parse_setting(parameter.name + "=" + text);
    const std::string why =
        setting ? refusal(parameter, setting->second) : std::string(tr("must be a whole number"));
    if (!why.empty()) {
        refused_[parameter.name] = why;
        return;
    }
    typed_.erase(parameter.name);
    if (setting->second != value)
        requests.commands.push_back(session::SetParameter{parameter.name, setting->second});
}

void ParametersView::code_row(Rows& rows, const session::Session& session, Requests& requests) {
    const std::vector<std::string> labels = {tr("debug (-G)"), tr("optimised")};
    const int current = session.document().settings().code == compile::Code::debug ? 0 : 1;
    const int chosen = choice("code", rows.fitted(tr("code"), labels), labels, current, rows.window);
    if (chosen >= 0 && chosen != current)
        requests.commands.push_back(
            session::SetCode{chosen == 0 ? compile::Code::debug : compile::Code::optimized});
}

void ParametersView::schedule_rows(Rows& rows, const session::Session& session, Requests& requests) {
    using Kind = simt::Schedule::Kind;
    std::vector<std::string> labels = {tr("round robin"), tr("warp by warp"), tr("random")};
    // The user chooses a list of turns among the outcomes or on the command line.
    if (session.document().settings().schedule.kind == Kind::threads) labels.emplace_back(tr("turn by turn"));
    const int current = int(session.document().settings().schedule.kind);
    const int chosen = choice("schedule", rows.fitted(tr("schedule"), labels), labels, current, rows.window);
    simt::Schedule schedule = session.document().settings().schedule;
    if (chosen >= 0 && chosen != current) {
        schedule.kind = Kind(chosen);
        schedule.turns.clear();
        requests.commands.push_back(session::SetSchedule{schedule});
    }
    if (!has_random_schedule(session)) return;
    lesson::Parameter seed;
    seed.name = "seed";
    seed.min = 0;
    Requests typed;
    number_input(rows.next("seed", rows.window.px(92)), seed, std::int64_t(schedule.seed), rows.window,
                 typed);
    for (const session::Command& command : typed.commands) {
        schedule.seed = std::uint64_t(command.as<session::SetParameter>()->value);
        requests.commands.push_back(session::SetSchedule{schedule});
    }
}

}  // namespace lanescope::ui
