// A keyboard for tests: presses keys in a session with a run, and applies their changes to the window.
#pragma once

#include <gtest/gtest.h>

#include "base/folders.h"
#include "ui/actions/keyboard.h"
#include "ui/actions/table.h"

namespace lanescope::ui {

class KeyboardTest : public testing::Test {
  protected:
    // Returns a session at the first step of a lesson.
    static session::Session& opened() {
        static session::Session session(resource_folder() / "kernels");
        if (session.run() == nullptr) {
            session.apply(session::OpenFile{resource_folder() / "kernels/reduction/modulo.cu"});
            session.wait();
        }
        return session;
    }
    Place place() { return {*session_, window_, layer_of(window_, typing_)}; }

    // Returns the requests of the presses of one frame.
    Requests frame(const std::vector<KeyPress>& presses = {}) {
        Requests asked;
        keyboard_.take(presses, place(), false, asked);
        for (const WindowChange& change : asked.changes)
            change(window_);
        return asked;
    }
    // Makes one deliberate press, with a second of quiet before and after it.
    Requests press_alone(KeyPress press) {
        window_.now_s += 1;
        Requests asked = frame({press});
        window_.now_s += 1;
        const Requests late = frame();
        asked.commands.insert(asked.commands.end(), late.commands.begin(), late.commands.end());
        return asked;
    }
    session::Commands press(KeyPress one) { return press_alone(one).commands; }
    session::Commands press(Key key) { return press(KeyPress{key}); }
    session::Commands press(char letter) { return press(typed(static_cast<unsigned char>(letter))); }

    session::Session empty_{"no such folder"};
    session::Session* session_ = &opened();
    WindowState window_;
    bool typing_ = false;  // a text field has the keyboard
    Keyboard keyboard_;
};

}  // namespace lanescope::ui
