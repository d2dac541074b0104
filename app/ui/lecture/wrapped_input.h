// Lines of a text input that wrap, which Dear ImGui's inputs do not. The input's buffer holds soft breaks;
// the text is without them.
#pragma once

#include <imgui.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::ui {

// A break that wrapping put in. Its '\r' have no width; with one on each side a key that deletes a part of
// the break can be told from a line break that was typed.
inline constexpr std::string_view soft_break = "\r\n\r";

std::string without_soft_breaks(std::string_view buffer);

// The buffer of an input, and where its caret and its selection are, in bytes.
struct InputBuffer {
    std::string bytes;
    std::size_t caret = 0, selection_begin = 0, selection_end = 0;
    bool operator==(const InputBuffer&) const = default;
};
// Wraps the lines anew after a key. Deleting a soft break deletes the character beside it. `earlier_caret` is
// that before the key. `width_of` measures a piece of a line.
InputBuffer wrapped(const InputBuffer& typed, std::size_t earlier_caret, float width,
                    const std::function<float(std::string_view)>& width_of);

// Wraps the text of one InputTextMultiline, and takes its typing back with Ctrl + Z.
class WrappedInput {
  public:
    explicit WrappedInput(std::size_t max_bytes = 0) : max_bytes_(max_bytes) {}
    // Draws the input. `buffer` ends with a zero and has room for `max_bytes` and for breaks. True: Enter.
    bool draw(const char* id, std::vector<char>& buffer, ImVec2 size);

  private:
    static int on_frame(ImGuiInputTextCallbackData* data);
    InputBuffer next(const InputBuffer& typed);

    std::size_t max_bytes_;
    float width_ = 0;
    InputBuffer last_;                 // of the frame before
    std::vector<std::string> before_;  // earlier texts
    bool known_ = false;               // last_ is that of this input
};

}  // namespace lanescope::ui
