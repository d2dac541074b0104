#include "base/text_file.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/files.h"

namespace lanescope {

namespace {

using Encoding = TextForm::Encoding;
using LineEnd = TextForm::LineEnd;

constexpr std::string_view utf8_mark = "\xef\xbb\xbf", little_mark = "\xff\xfe", big_mark = "\xfe\xff";

// Returns the length of the UTF-8 sequence at `at`, 0 if it is not valid (RFC 3629: no overlong forms, no
// surrogates).
std::size_t utf8_length(std::string_view text, std::size_t at) {
    auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(at);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || at + length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(at + i) & 0xc0) != 0x80) return 0;
    const unsigned second = byte(at + 1);
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f)) return 0;
    if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) return 0;
    return length;
}

void append_utf8(std::string& text, char32_t c) {
    const auto put = [&](char32_t byte) { text += static_cast<char>(byte); };
    if (c < 0x80) return put(c);
    if (c < 0x800) return put(0xc0 | c >> 6), put(0x80 | (c & 0x3f));
    if (c < 0x10000) return put(0xe0 | c >> 12), put(0x80 | (c >> 6 & 0x3f)), put(0x80 | (c & 0x3f));
    put(0xf0 | c >> 18), put(0x80 | (c >> 12 & 0x3f)), put(0x80 | (c >> 6 & 0x3f)), put(0x80 | (c & 0x3f));
}

bool is_surrogate(char32_t unit, char32_t first) {
    return (unit & 0xfc00) == first;
}

// Nothing: a half character.
std::optional<std::string> from_utf16(std::string_view bytes, bool big) {
    if (bytes.size() % 2 != 0) return std::nullopt;
    const auto unit = [&](std::size_t at) {
        const auto first = static_cast<unsigned char>(bytes[at]),
                   second = static_cast<unsigned char>(bytes[at + 1]);
        return static_cast<char32_t>(big ? first << 8 | second : second << 8 | first);
    };
    std::string text;
    text.reserve(bytes.size() / 2);
    for (std::size_t at = 0; at < bytes.size(); at += 2) {
        char32_t c = unit(at);
        if (is_surrogate(c, 0xd800)) {
            at += 2;
            if (at >= bytes.size() || !is_surrogate(unit(at), 0xdc00)) return std::nullopt;
            c = 0x10000 + ((c & 0x3ff) << 10) + (unit(at) & 0x3ff);
        } else if (is_surrogate(c, 0xdc00)) {
            return std::nullopt;
        }
        append_utf8(text, c);
    }
    return text;
}

// `text` is valid UTF-8.
std::string to_utf16(std::string_view text, bool big) {
    std::string bytes(big ? big_mark : little_mark);
    const auto put = [&](char32_t unit) {
        const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit & 0xff);
        bytes += big ? high : low;
        bytes += big ? low : high;
    };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = std::max<std::size_t>(utf8_length(text, at), 1);
        const auto first = static_cast<unsigned char>(text[at]);
        char32_t c = length == 1 ? first : first & (0x7fu >> length);
        for (std::size_t i = 1; i < length; ++i)
            c = c << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3f);
        if (c < 0x10000) {
            put(c);
        } else {
            put(0xd800 | (c - 0x10000) >> 10);
            put(0xdc00 | ((c - 0x10000) & 0x3ff));
        }
        at += length;
    }
    return bytes;
}

// Latin text in UTF-16 has a zero in every second byte, and nowhere else.
bool seems_utf16(std::string_view bytes) {
    constexpr std::size_t looked_at = 64;
    const std::string_view head = bytes.substr(0, looked_at);
    const auto alternates = [&](bool zero) {
        return std::all_of(head.begin(), head.end(),
                           [&](char c) { return (c == '\0') == std::exchange(zero, !zero); });
    };
    return head.size() >= 4 && (alternates(true) || alternates(false));
}

Result<void> check_utf8(std::string_view text, const std::string& name, bool from_utf16) {
    int line = 1;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '\0' && !from_utf16 && seems_utf16(text))
            return error_at(name, line, 0, "is UTF-16 text without a byte order mark",
                            "save the file as UTF-8, or convert it: iconv -f utf-16le -t utf-8");
        if (text[at] == '\0') return error_at(name, line, 0, "is not a text file", "UTF-8 text is expected");
        const std::size_t length = utf8_length(text, at);
        if (length == 0)
            return error_at(name, line, 0, "holds a character that is not UTF-8",
                            "save the file as UTF-8; if it is Latin-1: iconv -f latin1 -t utf-8");
        if (text[at] == '\n') ++line;
        at += length;
    }
    return {};
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    std::string made;
    made.reserve(text.size());
    std::size_t at = 0;
    for (std::size_t next = text.find(from); next != text.npos; next = text.find(from, at)) {
        made.append(text, at, next - at).append(to);
        at = next + from.size();
    }
    text = made.append(text, at);
}

// Changes line ends to \n, unless the text mixes them: then a save could not bring them back.
LineEnd take_line_ends(std::string& text) {
    const auto count = [&](std::string_view of) {
        std::size_t number = 0;
        for (std::size_t at = text.find(of); at != text.npos; at = text.find(of, at + of.size()))
            ++number;
        return number;
    };
    const std::size_t returns = count("\r");
    if (returns == 0) return LineEnd::lf;
    const std::size_t feeds = count("\n");
    if (feeds == 0) {
        std::replace(text.begin(), text.end(), '\r', '\n');
        return LineEnd::cr;
    }
    if (feeds != returns || count("\r\n") != returns) return LineEnd::lf;
    replace_all(text, "\r\n", "\n");
    return LineEnd::crlf;
}

}  // namespace

Result<TextFile> decode_text(std::string bytes, const std::string& name) {
    using namespace std::string_view_literals;
    TextFile made;
    if (bytes.starts_with("\xff\xfe\0\0"sv) || bytes.starts_with("\0\0\xfe\xff"sv))
        return error_at(name, 0, 0, "is UTF-32 text, which is not read",
                        "save the file as UTF-8, or convert it: iconv -f utf-32 -t utf-8");
    const bool little = bytes.starts_with(little_mark), big = bytes.starts_with(big_mark);
    if (little || big) {
        std::optional<std::string> text = from_utf16(std::string_view(bytes).substr(little_mark.size()), big);
        if (!text)
            return error_at(name, 0, 0, "begins like UTF-16 text, but holds half a character",
                            "the file may be cut off; save it as UTF-8");
        made = {std::move(*text), {little ? Encoding::utf16_little : Encoding::utf16_big, LineEnd::lf}};
    } else {
        if (bytes.starts_with(utf8_mark)) {
            bytes.erase(0, utf8_mark.size());
            made.form.encoding = Encoding::utf8_with_mark;
        }
        made.text = std::move(bytes);
    }
    if (const Result<void> fine = check_utf8(made.text, name, little || big); !fine)
        return fine.diagnostics();
    made.form.line_end = take_line_ends(made.text);
    return made;
}

std::string encode_text(std::string_view text, TextForm form) {
    std::string made(text);
    if (form.line_end != LineEnd::lf) {
        replace_all(made, "\r\n", "\n");  // of a text that was put in
        replace_all(made, "\n", form.line_end == LineEnd::cr ? "\r" : "\r\n");
    }
    switch (form.encoding) {
        case Encoding::utf8:
            return made;
        case Encoding::utf8_with_mark:
            return std::string(utf8_mark) + made;
        case Encoding::utf16_little:
        case Encoding::utf16_big:
            break;
    }
    return to_utf16(made, form.encoding == Encoding::utf16_big);
}

Result<TextFile> read_text(const std::filesystem::path& path, std::uint64_t max_bytes) {
    Result<std::string> bytes = read_file(path, max_bytes);
    if (!bytes) return bytes.diagnostics();
    return decode_text(std::move(*bytes), path.string());
}

}  // namespace lanescope
