#include "ui/cell_text.h"

#include <algorithm>
#include <cmath>

namespace lanescope::ui {

namespace {

constexpr int real_chars = 5, pointer_chars = 6, structure_chars = 12, enumeration_chars = 11;
constexpr std::size_t looked_at_cells = 4096;

// 'a' without its quotes; a space gets a sign that can be seen.
std::string unquoted(const std::string& text) {
    if (text.size() < 3 || text.front() != '\'' || text.back() != '\'') return text;
    const std::string inner = text.substr(1, text.size() - 2);
    return inner == " " ? "·" : inner;
}

}  // namespace

std::size_t character_count(const std::string& utf8) {
    return static_cast<std::size_t>(std::count_if(
        utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string cell_text(const TypeTable& types, TypeId type, std::span<const std::byte> bytes, int max_chars) {
    if (max_chars < 1) return {};
    const ValueType& shown = types[type];
    if (shown.scalar == Scalar::boolean && !bytes.empty()) return bytes[0] != std::byte{0} ? "1" : "0";
    if (shown.scalar == Scalar::character && shown.kind == ValueType::Kind::scalar)
        return unquoted(format_value(types, type, bytes));
    const std::string text = format_value(types, type, bytes, max_chars);
    if (text == "#" || character_count(text) > static_cast<std::size_t>(max_chars)) return "…";
    return text;
}

int wanted_chars(const TypeTable& types, TypeId type, std::span<const std::byte> bytes) {
    const ValueType& shown = types[type];
    int most = 20;
    if (shown.kind == ValueType::Kind::structure || shown.kind == ValueType::Kind::array)
        most = structure_chars;
    if (shown.kind == ValueType::Kind::enumeration) most = enumeration_chars;
    if (shown.scalar == Scalar::pointer) most = pointer_chars;
    if (shown.scalar == Scalar::floating) most = real_chars;
    return static_cast<int>(character_count(cell_text(types, type, bytes, most)));
}

int widest_cell(const TypeTable& types, TypeId type, std::uint32_t cell_bytes,
                std::span<const std::byte> bytes, std::span<const bool> set) {
    int widest = 1;
    const std::size_t cells = bytes.size() / cell_bytes;
    const std::size_t stride = std::max<std::size_t>(1, cells / looked_at_cells);
    for (std::size_t i = 0; i < cells; i += stride) {
        if (i * cell_bytes < set.size() && !set[i * cell_bytes]) continue;
        widest = std::max(widest, wanted_chars(types, type, bytes.subspan(i * cell_bytes, cell_bytes)));
    }
    return widest;
}

void NumberRange::include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
}

float NumberRange::share(double value) const {
    if (std::isnan(value) || empty()) return -1;
    if (high <= low) return 0.5f;
    return static_cast<float>(std::clamp((value - low) / (high - low), 0.0, 1.0));
}

}  // namespace lanescope::ui
