// A keyboard for tests: presses keys over a session that ran, and carries out what they ask of the window.
#pragma once

#include <gtest/gtest.h>

#include "base/folders.h"
#include "ui/actions/keyboard.h"
#include "ui/actions/table.h"

namespace lanescope::ui {

class KeyboardTest : public testing::Test {
  protected:
    // At the first step of a lesson.
    static session::Session& opened() {
        static session::Session session(resource_folder() / "kernels");
        if (session.run() == nullptr) {
            session.apply(session::OpenFile{resource_folder() / "kernels/reduction/modulo.cu"});
            session.wait();
        }
        return session;
    }
    Place place() { return {*session_, window_, layer_of(window_, typing_)}; }

    // What the presses of one frame ask for.
    Requests frame(const std::vector<KeyPress>& presses = {}) {
        Requests asked;
        keyboard_.take(presses, place(), false, asked);
        for (const WindowChange& change : asked.changes)
            change(window_);
        return asked;
    }
    // One deliberate press: nothing comes a second before and after it.
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
    bool typing_ = false;  // an input has the keyboard
    Keyboard keyboard_;
};

}  // namespace lanescope::ui
