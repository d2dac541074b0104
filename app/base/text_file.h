// Text files as people's editors write them: UTF-8 with and without a byte order mark, UTF-16, and the line
// ends of Unix, Windows and the old Mac OS.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lanescope {

// How a text is written into its file.
struct TextForm {
    enum class Encoding : std::uint8_t { utf8, utf8_with_mark, utf16_little, utf16_big };
    enum class LineEnd : std::uint8_t { lf, crlf, cr };  // crlf, cr: all lines end so
    Encoding encoding = Encoding::utf8;
    LineEnd line_end = LineEnd::lf;
    bool operator==(const TextForm&) const = default;
};

// The text is UTF-8 without a mark. Its lines end with \n; only where a file mixes line ends, they stay.
struct TextFile {
    std::string text;
    TextForm form;
};

// `name` is the file's in errors. Errors, each with its line: a NUL byte; bytes that are neither UTF-8 nor
// UTF-16 with a byte order mark.
Result<TextFile> decode_text(std::string bytes, const std::string& name);
std::string encode_text(std::string_view text, TextForm form);

// Errors: those of decode_text() and of read_file().
Result<TextFile> read_text(const std::filesystem::path& path, std::uint64_t max_bytes = 16ull << 20);

}  // namespace lanescope
