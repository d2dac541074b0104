#include "scene/words/cell_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/text.h"

namespace lanescope::scene {

namespace {

constexpr int real_chars = 5, scientific_chars = 7, pointer_chars = 6, structure_chars = 12,
              enumeration_chars = 11;
constexpr std::size_t looked_at_cells = 4096;

// 'a' without its quotes; a space becomes a visible sign.
std::string unquoted(const std::string& text) {
    if (text.size() < 3 || text.front() != '\'' || text.back() != '\'') return text;
    const std::string inner = text.substr(1, text.size() - 2);
    return inner == " " ? "·" : inner;
}

}  // namespace

int stacked_lines(const TypeTable& types, TypeId type) {
    constexpr std::size_t most = 6;
    const ValueType& shown = types[type];
    if (shown.kind != ValueType::Kind::structure || shown.members.size() < 2 || shown.members.size() > most)
        return 1;
    const bool plain = std::all_of(shown.members.begin(), shown.members.end(), [&](const TypeMember& member) {
        const ValueType::Kind kind = types[member.type].kind;
        return kind == ValueType::Kind::scalar || kind == ValueType::Kind::enumeration ||
               kind == ValueType::Kind::pointer;
    });
    return plain ? static_cast<int>(shown.members.size()) : 1;
}

std::vector<std::string> stacked_names(const TypeTable& types, TypeId type) {
    std::vector<std::string> names;
    if (stacked_lines(types, type) == 1) return names;
    for (const TypeMember& member : types[type].members)
        names.push_back(member.name);
    return names;
}

namespace {

std::span<const std::byte> bytes_of(const TypeTable& types, const TypeMember& member,
                                    std::span<const std::byte> whole) {
    const std::size_t first = std::min<std::size_t>(member.offset_bytes, whole.size());
    return whole.subspan(first, std::min<std::size_t>(types[member.type].size_bytes, whole.size() - first));
}

std::string real_text(const ValueType& type, double value, std::span<const std::byte> bytes,
                      RealFormat format, int max_chars) {
    char text[40];
    if (format == RealFormat::hexadecimal) {
        std::string digits;
        for (std::size_t i = std::min<std::size_t>(bytes.size(), type.size_bytes); i-- > 0;) {
            std::snprintf(text, sizeof text, "%02x", std::to_integer<unsigned>(bytes[i]));
            digits += text;
        }
        return digits;
    }
    std::string best = "…";
    for (int precision = 0; precision <= 2; ++precision) {
        std::snprintf(text, sizeof text, "%.*e", precision, value);
        std::string shorter = text;  // "1.5e+07" as "1.5e7"
        const std::size_t e = shorter.find('e');
        if (e == std::string::npos) return shorter;  // inf, nan
        const std::size_t digits = std::min(shorter.find_first_not_of("+-0", e + 1), shorter.size());
        const std::string exponent = digits == shorter.size() ? "0" : shorter.substr(digits);
        shorter = shorter.substr(0, e + 1) + (shorter[e + 1] == '-' ? "-" : "") + exponent;
        if (static_cast<int>(shorter.size()) <= max_chars) best = shorter;
    }
    return best;
}

// The bytes of the machine's own objects, such as the counter of a grid's barrier, have no type.
std::string untyped_text(std::span<const std::byte> bytes) {
    std::string digits;
    char text[4];
    for (const std::byte each : bytes) {
        std::snprintf(text, sizeof text, "%02x", std::to_integer<unsigned>(each));
        digits += text;
    }
    return digits;
}

}  // namespace

std::string cell_text(const TypeTable& types, TypeId type, std::span<const std::byte> bytes, int max_chars,
                      const CellStyle& style) {
    if (max_chars < 1) return {};
    const ValueType& shown = types[type];
    if (shown.kind == ValueType::Kind::unknown && !bytes.empty()) {
        const std::string text = untyped_text(bytes);
        return text.size() > static_cast<std::size_t>(max_chars) ? "…" : text;
    }
    if (style.stacked && stacked_lines(types, type) > 1) {
        CellStyle plain = style;
        plain.stacked = false;
        std::string text;
        for (const TypeMember& member : shown.members)
            text += (text.empty() ? "" : "\n") +
                    cell_text(types, member.type, bytes_of(types, member, bytes), max_chars, plain);
        return text;
    }
    if (shown.scalar == Scalar::boolean && !bytes.empty()) return bytes[0] != std::byte{0} ? "1" : "0";
    if (shown.scalar == Scalar::character && shown.kind == ValueType::Kind::scalar)
        return unquoted(format_value(types, type, bytes));
    const double number = numeric_value(types, type, bytes);
    if (style.character && number >= 32 && number < 127)
        return number == 32 ? "·" : std::string(1, static_cast<char>(number));
    if (style.reals != RealFormat::decimal && is_real(shown.scalar)) {
        const std::string text = real_text(shown, number, bytes, style.reals, max_chars);
        return character_count(text) > static_cast<std::size_t>(max_chars) ? "…" : text;
    }
    const std::string text = format_value(types, type, bytes, max_chars);
    if (text == "#" || character_count(text) > static_cast<std::size_t>(max_chars)) return "…";
    return text;
}

int wanted_chars(const TypeTable& types, TypeId type, std::span<const std::byte> bytes,
                 const CellStyle& style) {
    const ValueType& shown = types[type];
    if (shown.kind == ValueType::Kind::unknown && !bytes.empty()) return 2 * static_cast<int>(bytes.size());
    if (style.stacked && stacked_lines(types, type) > 1) {
        CellStyle plain = style;
        plain.stacked = false;
        int widest = 1;
        for (const TypeMember& member : shown.members)
            widest =
                std::max(widest, wanted_chars(types, member.type, bytes_of(types, member, bytes), plain));
        return widest;
    }
    int most = 20;
    if (shown.kind == ValueType::Kind::structure || shown.kind == ValueType::Kind::array)
        most = structure_chars;
    if (shown.kind == ValueType::Kind::enumeration) most = enumeration_chars;
    if (shown.scalar == Scalar::pointer) most = pointer_chars;
    if (is_real(shown.scalar)) {
        most = real_chars;
        if (style.reals == RealFormat::scientific) most = scientific_chars;
        if (style.reals == RealFormat::hexadecimal) most = 2 * static_cast<int>(shown.size_bytes);
    }
    return static_cast<int>(character_count(cell_text(types, type, bytes, most, style)));
}

int widest_cell(const TypeTable& types, TypeId type, std::uint32_t cell_bytes,
                std::span<const std::byte> bytes, std::span<const bool> set, const CellStyle& style) {
    int widest = 1;
    const std::size_t cells = bytes.size() / cell_bytes;
    const std::size_t stride = std::max<std::size_t>(1, cells / looked_at_cells);
    for (std::size_t i = 0; i < cells; i += stride) {
        if (i * cell_bytes < set.size() && !set[i * cell_bytes]) continue;
        widest =
            std::max(widest, wanted_chars(types, type, bytes.subspan(i * cell_bytes, cell_bytes), style));
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

}  // namespace lanescope::scene
