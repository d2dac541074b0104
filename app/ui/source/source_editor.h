// Typing in the source: the text widget without its looks; the view draws the coloured lines under it.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <string>

#include "ui/kit/view.h"

namespace lanescope::ui {

class SourceEditor {
  public:
    void begin(const std::string& text, std::size_t caret = 0);  // a fresh draft; `caret` is a byte in it
    bool editing() const { return editing_; }
    const std::string& draft() const { return draft_; }

    // The text became another one elsewhere (taken back, reloaded, written by a form): it is what is typed on
    // from now.
    void replace(const std::string& text);
    void focus_again();                        // after something else was typed in; the caret is where it was
    bool changed() const { return changed_; }  // typed and not taken yet

    // The widget over the whole text, at `area` of the current window.
    void edit(const Rect& area, const WindowState& window);
    // True once after the person has stopped typing for a moment, or when `now` asks for it.
    bool take_change(const WindowState& window, bool now);
    void end() { editing_ = false; }

    std::size_t caret() const { return caret_; }  // byte in the draft
    bool take_caret_move();                       // true once after it moved
    bool focused() const { return focused_; }

  private:
    static int on_event(ImGuiInputTextCallbackData* data);

    std::string draft_;
    bool replaced_ = false;  // and the widget, which has a copy of its own, does not know yet
    bool editing_ = false, changed_ = false, focused_ = false, focus_wanted_ = false, caret_moved_ = false;
    double changed_s_ = 0;
    std::size_t caret_ = 0;
};

}  // namespace lanescope::ui
