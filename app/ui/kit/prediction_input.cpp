#include "ui/kit/prediction_input.h"

#include <algorithm>
#include <cstring>

#include "base/language.h"
#include "ui/kit/widget_log.h"

namespace lanescope::ui {

using session::Prediction;

void PredictionInput::open(const session::Session& session, session::HiddenPlace place) {
    std::memset(typed_, 0, sizeof typed_);
    if (const Prediction* known = session.predictions().of(place))
        known->typed.copy(typed_, sizeof typed_ - 1);
    place_ = std::move(place);
    focus_ = true;
}

PredictionInput::Move PredictionInput::draw(const Rect& cell, const ViewContext& view) {
    if (!place_ || view.window.still) return Move::stay;
    if (!view.session.playhead().results().concealed) {
        close();
        return Move::stay;
    }
    const float width = std::max(cell.width, view.px(54)), height = ImGui::GetFrameHeight();
    // Beside the cell, whose old value is an operand; above it where the panel ends below.
    const float gap = view.px(3), panel_end = ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
    const float y = cell.bottom() + gap + height <= panel_end ? cell.bottom() + gap : cell.y - gap - height;
    ImGui::GetWindowDrawList()->AddRect(cell.min(), cell.max(), theme().accent, view.px(3), 0, view.px(2));
    ImGui::SetCursorScreenPos({std::round(cell.x + (cell.width - width) / 2), std::round(y)});
    ImGui::SetNextItemWidth(width);
    ImGui::PushID(place_->text.c_str());
    ImGui::PushID(int(place_->thread));
    if (focus_) ImGui::SetKeyboardFocusHere();
    bool tab = false;
    // The completion callback takes Tab, which would leave the panel.
    const auto on_tab = [](ImGuiInputTextCallbackData* data) {
        *static_cast<bool*>(data->UserData) = true;
        return 0;
    };
    const bool entered =
        ImGui::InputText("##prediction", typed_, sizeof typed_,
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion |
                             ImGuiInputTextFlags_AutoSelectAll,
                         on_tab, &tab);
    name_last_item("prediction");
    const bool left = !focus_ && ImGui::IsItemDeactivated();
    const bool escaped = left && ImGui::IsKeyPressed(ImGuiKey_Escape);
    ImGui::PopID();
    ImGui::PopID();
    focus_ = false;
    if (!entered && !tab && !left) return Move::stay;
    if (!escaped) view.requests.commands.push_back(session::Predict{*place_, typed_});
    close();
    if (entered) return Move::next;
    return !tab ? Move::stay : ImGui::GetIO().KeyShift ? Move::back : Move::next;
}

void draw_prediction(ImDrawList* draw, const Rect& cell, const Prediction& prediction,
                     const WindowState& window) {
    if (prediction.state == Prediction::State::open) {
        draw_cell_box(draw, cell, theme().panel_raised, theme().accent, window.px(2), window.px(3));
        draw_text_within(
            draw, fonts().mono,
            {cell.x + std::max(window.px(2), (cell.width - text_width(fonts().mono, prediction.typed)) / 2),
             centre_line(fonts().mono, cell.y, cell.height)},
            theme().accent, prediction.typed, cell.width - window.px(3));
        return;
    }
    const bool right = prediction.state == Prediction::State::right;
    const ImU32 colour = right ? theme().good : theme().conflict;
    draw->AddRect(cell.min(), cell.max(), colour, window.px(3), 0, window.px(2));
    const float size = font_size(fonts().small);
    const ImVec2 at{cell.x + window.px(1), cell.y - size * 0.9f};
    draw_text(draw, fonts().small, at, colour, right ? "✓" : "✗");
}

std::string prediction_words(const Prediction& prediction) {
    if (prediction.state == Prediction::State::open) return {};
    return tr(prediction.state == Prediction::State::right ? tr_later("You predicted {1}, which is right.")
                                                           : tr_later("You predicted {1}, which is wrong."),
              {prediction.typed});
}

}  // namespace lanescope::ui
