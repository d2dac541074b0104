#include "ui/lecture/wrapped_input.h"

#include <algorithm>

#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

bool is_inside_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// What stands in a buffer at a byte.
enum class Part { text, soft, cut_front, cut_back };

Part part_at(std::string_view rest) {
    if (rest.starts_with(soft_break)) return Part::soft;
    if (rest.starts_with("\n\r") && !rest.substr(1).starts_with(soft_break)) return Part::cut_front;
    if (rest.front() == '\r') return Part::cut_back;
    return Part::text;
}

// The text of a buffer, and where its bytes were.
struct Unwrapped {
    std::string text;
    std::vector<std::size_t> from;  // of each byte of the text

    void drop_last_character() {
        while (!text.empty() && is_inside_character(text.back()))
            text.pop_back(), from.pop_back();
        if (!text.empty()) text.pop_back(), from.pop_back();
    }
    // The text's byte that stands at, or next after, the buffer's.
    std::size_t position_of(std::size_t in_buffer) const {
        return std::size_t(std::lower_bound(from.begin(), from.end(), in_buffer) - from.begin());
    }
};

Unwrapped unwrap(std::string_view buffer) {
    Unwrapped found;
    bool skips = false;  // the next character is deleted
    for (std::size_t at = 0; at < buffer.size();) {
        const std::string_view rest = buffer.substr(at);
        switch (part_at(rest)) {
            case Part::soft:
                at += soft_break.size();
                break;
            case Part::cut_front:  // Delete was pressed before the break
                at += 2;
                skips = true;
                break;
            case Part::cut_back:  // Backspace was pressed behind it
                at += rest.starts_with("\r\n") || rest.starts_with("\r\r") ? 2 : 1;
                found.drop_last_character();
                break;
            case Part::text:
                if (!skips) {
                    found.text += rest.front();
                    found.from.push_back(at);
                }
                ++at;
                if (at >= buffer.size() || !is_inside_character(buffer[at])) skips = false;
        }
    }
    return found;
}

// Returns the length of the part of `line` that fits, up to the end of a word; at least one character.
std::size_t fitting(std::string_view line, float width,
                    const std::function<float(std::string_view)>& width_of) {
    if (width_of(line) <= width) return line.size();
    std::size_t words = 0, any = 0;
    for (std::size_t end = 1; end <= line.size(); ++end) {
        if (end < line.size() && is_inside_character(line[end])) continue;
        const bool space = line[end - 1] == ' ';  // which may stand beyond the end
        if (!space && width_of(line.substr(0, end)) > width && any > 0) break;
        any = end;
        if (space) words = end;
    }
    return words > 0 ? words : any;
}

// A caret inside a break is at the end of the upper or at the start of the lower line.
std::size_t beside_break(std::string_view buffer, std::size_t at, std::size_t earlier) {
    for (std::size_t into = 1; into < soft_break.size() && into <= at; ++into) {
        const std::size_t begin = at - into, end = begin + soft_break.size();
        if (!buffer.substr(begin).starts_with(soft_break)) continue;
        if (earlier == begin) return end;  // →
        if (earlier == end) return begin;  // ←
        return into == 1 ? begin : end;    // End; Home, a click
    }
    return at;
}

}  // namespace

std::string without_soft_breaks(std::string_view buffer) {
    return unwrap(buffer).text;
}

InputBuffer wrapped(const InputBuffer& typed, std::size_t earlier_caret, float width,
                    const std::function<float(std::string_view)>& width_of) {
    const Unwrapped plain = unwrap(typed.bytes);
    InputBuffer made;
    std::vector<std::size_t> to;  // where each byte of the text is now
    for (std::string_view rest = plain.text; !rest.empty();) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(line.size());
        while (!line.empty()) {
            const std::size_t length = fitting(line, width, width_of);
            for (std::size_t i = 0; i < length; ++i)
                to.push_back(made.bytes.size() + i);
            made.bytes += line.substr(0, length);
            line.remove_prefix(length);
            if (!line.empty()) made.bytes += soft_break;
        }
        if (rest.empty()) break;
        to.push_back(made.bytes.size());
        made.bytes += '\n';
        rest.remove_prefix(1);
    }
    if (made.bytes == typed.bytes) {
        made = typed;
        made.caret = beside_break(typed.bytes, typed.caret, earlier_caret);
        made.selection_begin = beside_break(typed.bytes, typed.selection_begin, earlier_caret);
        made.selection_end = beside_break(typed.bytes, typed.selection_end, earlier_caret);
        return made;
    }
    // Behind the byte that stood before it, so that a caret at the end of a line stays there.
    const auto moved = [&](std::size_t at) {
        const std::size_t in_text = plain.position_of(at);
        return in_text == 0 ? 0 : to[in_text - 1] + 1;
    };
    made.caret = moved(typed.caret);
    made.selection_begin = moved(typed.selection_begin);
    made.selection_end = moved(typed.selection_end);
    return made;
}

InputBuffer WrappedInput::next(const InputBuffer& typed) {
    const auto width_of = [](std::string_view piece) {
        return ImGui::CalcTextSize(piece.data(), piece.data() + piece.size()).x;
    };
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl && key_pressed(ImGuiKey_Z) && !before_.empty()) {
        InputBuffer back;
        back.bytes = before_.back();
        back.caret = back.selection_begin = back.selection_end = back.bytes.size();
        before_.pop_back();
        return wrapped(back, 0, width_, width_of);
    }
    InputBuffer now = typed;
    std::string text = without_soft_breaks(now.bytes);
    const std::string earlier = without_soft_breaks(last_.bytes);
    if (known_ && text.size() > max_bytes_ && text.size() > earlier.size()) {  // what was typed does not fit
        now = last_;
        text = earlier;
    }
    if (known_ && text != earlier) before_.push_back(earlier);
    return wrapped(now, known_ ? last_.caret : now.caret, width_, width_of);
}

int WrappedInput::on_frame(ImGuiInputTextCallbackData* data) {
    auto& input = *static_cast<WrappedInput*>(data->UserData);
    const InputBuffer typed{std::string(data->Buf, std::size_t(data->BufTextLen)),
                            std::size_t(data->CursorPos), std::size_t(data->SelectionStart),
                            std::size_t(data->SelectionEnd)};
    const InputBuffer shown = input.next(typed);
    if (shown.bytes.size() + 1 > std::size_t(data->BufSize)) return 0;  // no room for so many breaks
    if (shown.bytes != typed.bytes) {
        data->DeleteChars(0, data->BufTextLen);
        data->InsertChars(0, shown.bytes.c_str());
    }
    data->CursorPos = int(shown.caret);
    data->SelectionStart = int(shown.selection_begin);
    data->SelectionEnd = int(shown.selection_end);
    input.last_ = shown;
    input.known_ = true;
    return 0;
}

bool WrappedInput::draw(const char* id, std::vector<char>& buffer, ImVec2 size) {
    const ImGuiStyle& style = ImGui::GetStyle();
    width_ = size.x - 2 * style.FramePadding.x - style.ScrollbarSize;
    return ImGui::InputTextMultiline(id, buffer.data(), buffer.size(), size,
                                     ImGuiInputTextFlags_EnterReturnsTrue |
                                         ImGuiInputTextFlags_CtrlEnterForNewLine |
                                         ImGuiInputTextFlags_NoUndoRedo | ImGuiInputTextFlags_CallbackAlways,
                                     on_frame, this);
}

}  // namespace lanescope::ui
