// The editor of the source: an invisible text widget, under which the view draws the coloured lines.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <string>

#include "ui/kit/view.h"

namespace lanescope::ui {

class SourceEditor {
  public:
    void begin(const std::string& text, std::size_t caret = 0);  // with a new draft; `caret` is a byte in it
    bool editing() const { return editing_; }
    const std::string& draft() const { return draft_; }

    // Takes a text that changed elsewhere (by undo, a reload or a form) as the draft, in which typing
    // continues.
    void replace(const std::string& text);
    void focus_again();
    // Moves the caret to this byte of the draft, with the keyboard.
    void go_to(std::size_t byte);              // after another input had the keyboard; the caret stays
    bool changed() const { return changed_; }  // typed text that was not taken yet

    // Puts the widget over the whole text, at `area` of the current window.
    void edit(const Rect& area, const WindowState& window);
    // Returns true once after the user has stopped typing for a moment, or at once if `now` is set.
    bool take_change(const WindowState& window, bool now);
    void end() { editing_ = false; }

    std::size_t caret() const { return caret_; }  // as a byte in the draft
    bool take_caret_move();                       // true once after the caret moved
    bool focused() const { return focused_; }
    bool shows_caret(const WindowState& window) const;  // it blinks

  private:
    static int on_event(ImGuiInputTextCallbackData* data);

    std::string draft_;
    bool replaced_ = false;  // the widget, which has its own copy, must still take the new draft
    bool editing_ = false, changed_ = false, focused_ = false, focus_wanted_ = false, caret_moved_ = false;
    double changed_s_ = 0;
    std::size_t caret_ = 0;
};

}  // namespace lanescope::ui
