#include "mutate.h"

#include <algorithm>
#include <cstring>

namespace lanescope::fuzz {
namespace {

constexpr const char* interesting[] = {"\"", "{",  "}", "(", ")", "[",        "]", "/*",
                                       "*/", "\n", ";", ",", "-", "\xff\xff", "=", "%",
                                       ".",  "$L", "<", ">", "@", "!",        "_", "|"};
constexpr const char* numbers[] = {"0",
                                   "1",
                                   "2",
                                   "31",
                                   "32",
                                   "33",
                                   "64",
                                   "127",
                                   "128",
                                   "255",
                                   "1024",
                                   "65536",
                                   "2147483647",
                                   "4294967295",
                                   "4294967296",
                                   "-1",
                                   "0x7fffffff",
                                   "0f7F800000",
                                   "9223372036854775807",
                                   "18446744073709551615",
                                   "18446744073709551616"};

constexpr std::string_view word_bytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%.:";

struct Span {
    std::size_t begin = 0, end = 0;
};

// Returns the first word at or after `at`; empty if there is none.
Span word_at(std::string_view text, std::size_t at) {
    const std::size_t begin = std::min(text.find_first_of(word_bytes, at), text.size());
    return {begin, std::min(text.find_first_not_of(word_bytes, begin), text.size())};
}

Span line_at(std::string_view text, std::size_t at) {
    const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::size_t newline = text.find('\n', begin);
    return {begin, newline == std::string_view::npos ? text.size() : newline + 1};
}

}  // namespace

Mutator::Mutator(std::uint64_t seed) : random_(seed) {
    if (words) words_ = words();
}

void Mutator::change(std::string& input, std::string_view other) {
    for (std::size_t n = 1 + below(6); n > 0; --n)
        change_once(input, other);
    if (input.size() > max_input_bytes) input.resize(max_input_bytes);
}

void Mutator::change_once(std::string& input, std::string_view other) {
    if (parts && below(8) != 0) {
        const std::vector<Part> found = parts(input);
        if (!found.empty()) return change_part(input, found[below(found.size())]);
    }
    switch (below(8)) {
        case 0:
        case 1:
            return change_bytes(input, other);
        case 2:
        case 3:
        case 4:
            return change_words(input, other);
        case 5:
            return change_lines(input, other);
        default:
            return change_data(input);
    }
}

void Mutator::change_part(std::string& input, const Part& part) {
    std::string piece = input.substr(part.begin, part.size);
    if (below(4) != 0 && !piece.empty()) {
        const std::size_t at = below(piece.size()),
                          width = std::min<std::size_t>(std::size_t{1} << below(4), piece.size() - at);
        const std::uint64_t value = below(2) ? below(4) - 1 : random_() >> below(64);
        std::memcpy(piece.data() + at, &value, width);
    } else {
        change_bytes(piece, piece.substr(below(piece.size() + 1)));
    }
    const std::uint64_t size = piece.size();
    input.replace(part.begin, part.size, piece);
    std::memcpy(input.data() + part.size_at, &size, sizeof size);
}

void Mutator::change_bytes(std::string& text, std::string_view other) {
    const std::size_t at = below(text.size() + 1),
                      length = below(std::min<std::size_t>(text.size() - at, 40) + 1);
    switch (below(7)) {
        case 0:  // one byte
            if (at < text.size()) text[at] = char(random_());
            break;
        case 1:
            text.erase(at, length);
            break;
        case 2:  // repeat a piece
            text.insert(at, text.substr(at, length));
            break;
        case 3:
            text.insert(at, std::string(other.substr(below(other.size() + 1), below(80))));
            break;
        case 4:
            text.insert(at, interesting[below(std::size(interesting))]);
            break;
        case 5:
            replace_number(text, at);
            break;
        default:  // swap two pieces
            std::rotate(text.begin() + std::ptrdiff_t(at), text.begin() + std::ptrdiff_t(at + length / 2),
                        text.begin() + std::ptrdiff_t(at + length));
    }
}

// Replaces a word with another word of this text, of the other text or of the target's words, removes the
// word, or inserts another word before it.
void Mutator::change_words(std::string& text, std::string_view other) {
    const Span word = word_at(text, below(text.size() + 1));
    std::string_view from = below(4) == 0 ? other : std::string_view(text);
    const Span taken = word_at(from, below(from.size() + 1));
    std::string with(from.substr(taken.begin, taken.end - taken.begin));
    if (!words_.empty() && below(3) == 0) with = words_[below(words_.size())];
    switch (below(6)) {
        case 0:
            text.erase(word.begin, word.end - word.begin);
            break;
        case 1:
            text.insert(word.begin, with + (below(2) ? ", " : " "));
            break;
        case 2:
            replace_number(text, word.begin);
            break;
        case 3: {  // replace one part of "ld.global.v2.u32"
            const std::size_t dot = text.find('.', word.begin);
            if (dot >= word.end || words_.empty()) break;
            const std::size_t next = std::min(text.find_first_of(". \t", dot + 1), word.end);
            const std::string& suffix = words_[below(words_.size())];
            text.replace(dot, next - dot, suffix.starts_with('.') ? suffix : "." + suffix);
            break;
        }
        default:
            text.replace(word.begin, word.end - word.begin, with);
    }
}

void Mutator::change_lines(std::string& text, std::string_view other) {
    const Span line = line_at(text, below(text.size() + 1)), second = line_at(text, below(text.size() + 1));
    const std::string taken = text.substr(second.begin, second.end - second.begin);
    switch (below(4)) {
        case 0:
            text.erase(line.begin, line.end - line.begin);
            break;
        case 1: {
            const Span foreign = line_at(other, below(other.size() + 1));
            text.insert(line.begin, std::string(other.substr(foreign.begin, foreign.end - foreign.begin)));
            break;
        }
        case 2:  // move a line
            text.erase(second.begin, second.end - second.begin);
            text.insert(std::min(line.begin, text.size()), taken);
            break;
        default:
            text.insert(line.begin, taken);
    }
}

// Changes a number after ".b8" … ".b64": bytes of debug sections and of initial values.
void Mutator::change_data(std::string& text) {
    std::size_t at = text.find(".b8", below(text.size() + 1));
    if (at == std::string::npos) at = text.find(".section");
    if (at == std::string::npos) return replace_number(text, below(text.size() + 1));
    for (std::size_t skipped = below(40); skipped > 0; --skipped)
        at = std::min(text.find_first_of(" ,\n", at + 1), text.size() - 1);
    const std::size_t begin = text.find_first_of("0123456789", at);
    if (begin == std::string::npos) return;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
    const unsigned long old =
        std::strtoul(text.substr(begin, std::min<std::size_t>(end - begin, 18)).c_str(), nullptr, 10);
    std::string with;
    switch (below(4)) {
        case 0:
            with = std::to_string(below(256));
            break;
        case 1:
            with = std::to_string((old + (below(2) ? 1 : 255)) % 256);
            break;
        case 2:
            with = std::to_string((old ^ 1ul << below(8)) % 256);
            break;
        default:
            with = number();
    }
    if (below(6) == 0) with += "," + text.substr(begin, end - begin);
    text.replace(begin, end - begin, with);
}

std::string Mutator::number() {
    return numbers[below(std::size(numbers))];
}

void Mutator::replace_number(std::string& text, std::size_t at) {
    const std::size_t digit = text.find_first_of("0123456789", at);
    if (digit == std::string::npos) return;
    const std::size_t end = text.find_first_not_of("0123456789", digit);
    text.replace(digit, end == std::string::npos ? end : end - digit, number());
}

}  // namespace lanescope::fuzz
