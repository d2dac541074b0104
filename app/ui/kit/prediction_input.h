// The input over a hidden result, and the marks of results that were predicted.
#pragma once

#include <optional>
#include <string>

#include "ui/kit/widgets.h"

namespace lanescope::ui {

class PredictionInput {
  public:
    enum class Move : std::uint8_t { stay, next, back };

    // Begins with what was typed before.
    void open(const session::Session& session, session::HiddenPlace place);
    void close() { place_.reset(); }
    const std::optional<session::HiddenPlace>& place() const { return place_; }
    // Draws the input over the cell of place(). Tab and Enter ask for the next place, Shift and Tab for the
    // one before; Esc and a click elsewhere close it.
    Move draw(const Rect& cell, const ViewContext& view);

  private:
    std::optional<session::HiddenPlace> place_;
    char typed_[48] = {};
    bool focus_ = false;
};

// Draws what was typed for a hidden result, or whether it was right once it is revealed.
void draw_prediction(ImDrawList* draw, const Rect& cell, const session::Prediction& prediction,
                     const WindowState& window);
// "You predicted 5, which is wrong."; empty while it is not judged.
std::string prediction_words(const session::Prediction& prediction);

}  // namespace lanescope::ui
