#include "base/value_type.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/mbarrier.h"
#include "base/number_text.h"

namespace lanescope {

namespace {

struct ScalarName {
    std::string_view name;
    Scalar scalar;
    std::uint32_t size_bytes;
};

constexpr std::array scalar_names{
    ScalarName{"bool", Scalar::boolean, 1},
    ScalarName{"char", Scalar::character, 1},
    ScalarName{"signed char", Scalar::signed_int, 1},
    ScalarName{"uchar", Scalar::unsigned_int, 1},
    ScalarName{"unsigned char", Scalar::unsigned_int, 1},
    ScalarName{"short", Scalar::signed_int, 2},
    ScalarName{"ushort", Scalar::unsigned_int, 2},
    ScalarName{"unsigned short", Scalar::unsigned_int, 2},
    ScalarName{"int", Scalar::signed_int, 4},
    ScalarName{"uint", Scalar::unsigned_int, 4},
    ScalarName{"unsigned", Scalar::unsigned_int, 4},
    ScalarName{"unsigned int", Scalar::unsigned_int, 4},
    ScalarName{"long", Scalar::signed_int, 8},
    ScalarName{"ulong", Scalar::unsigned_int, 8},
    ScalarName{"unsigned long", Scalar::unsigned_int, 8},
    ScalarName{"long long", Scalar::signed_int, 8},
    ScalarName{"unsigned long long", Scalar::unsigned_int, 8},
    ScalarName{"half", Scalar::floating, 2},
    ScalarName{"__half", Scalar::floating, 2},
    ScalarName{"__nv_bfloat16", Scalar::brain, 2},
    ScalarName{"float", Scalar::floating, 4},
    ScalarName{"double", Scalar::floating, 8},
};

std::uint64_t load_bits(std::span<const std::byte> bytes) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data(), std::min<std::size_t>(bytes.size(), 8));
    return bits;
}

std::int64_t sign_extend(std::uint64_t bits, std::uint32_t size_bytes) {
    const unsigned shift = 64 - 8 * std::min<std::uint32_t>(size_bytes, 8);
    return static_cast<std::int64_t>(bits << shift) >> shift;
}

// IEEE 754 binary16 to double, exactly.
double half_to_double(std::uint16_t bits) {
    const int exponent = (bits >> 10) & 31;
    const int fraction = bits & 1023;
    double value = exponent == 0    ? std::ldexp(fraction, -24)
                   : exponent == 31 ? (fraction ? std::numeric_limits<double>::quiet_NaN()
                                                : std::numeric_limits<double>::infinity())
                                    : std::ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -value : value;
}

double floating_value(const ValueType& type, std::uint64_t bits) {
    const std::uint32_t size_bytes = type.scalar == Scalar::brain ? 4 : type.size_bytes;
    if (type.scalar == Scalar::brain) bits <<= 16;
    if (size_bytes == 2) return half_to_double(static_cast<std::uint16_t>(bits));
    if (size_bytes == 4) {
        float value;
        std::memcpy(&value, &bits, 4);
        return value;
    }
    double value;
    std::memcpy(&value, &bits, 8);
    return value;
}

// "1.2e+09" as "1.2e9"
std::string compact_exponent(std::string text) {
    const std::size_t e = text.find('e');
    if (e == std::string::npos) return text;
    std::string mantissa = text.substr(0, e);
    std::string sign = text[e + 1] == '-' ? "-" : "";
    std::size_t digits = text.find_first_not_of("+-0", e + 1);
    return mantissa + "e" + sign + (digits == std::string::npos ? "0" : text.substr(digits));
}

// Returns the most precise rounding of `value` that fits; "#" if not even one digit does.
std::string rounded(double value, int max_chars) {
    if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    for (int precision = 17; precision >= 1; --precision) {
        char buffer[64];
        const auto result =
            std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, precision);
        std::string text = compact_exponent({buffer, result.ptr});
        if (static_cast<int>(text.size()) <= max_chars) return text;
    }
    return "#";
}

std::string format_floating(const ValueType& type, std::uint64_t bits, int max_chars) {
    std::string text;
    const double value = floating_value(type, bits);
    if (!std::isfinite(value)) return rounded(value, 4);
    text = compact_exponent(type.size_bytes == 8 ? shortest(value) : shortest(static_cast<float>(value)));
    return max_chars > 0 && static_cast<int>(text.size()) > max_chars ? rounded(value, max_chars) : text;
}

std::string format_character(unsigned char c) {
    if (c == '\n') return "'\\n'";
    if (c == '\t') return "'\\t'";
    if (c == 0) return "'\\0'";
    if (c < 0x20 || c >= 0x7f) return shortest(static_cast<int>(static_cast<signed char>(c)));
    return std::string("'") + static_cast<char>(c) + "'";
}

std::string format_hex(std::uint64_t bits) {
    char buffer[32] = {'0', 'x'};
    const auto result = std::to_chars(buffer + 2, buffer + sizeof buffer, bits, 16);
    return {buffer, result.ptr};
}

constexpr int exact_digits = 6;  // smaller whole numbers are exact, or do not fit

// "phase 0 awaits 32 and 128 B"; in a cell "phase 0: 32+128 B", or "0:32+128B".
std::string barrier_text(const Mbarrier& barrier, int max_chars) {
    const std::string phase = barrier.phase ? "1" : "0", count = std::to_string(barrier.pending);
    const std::string bytes = std::to_string(barrier.bytes);
    if (max_chars <= 0)
        return "phase " + phase + " awaits " + count + (barrier.bytes != 0 ? " and " + bytes + " B" : "");
    const std::string text = "phase " + phase + ": " + count + (barrier.bytes != 0 ? "+" + bytes + " B" : "");
    if (static_cast<int>(text.size()) <= max_chars) return text;
    return phase + ":" + count + (barrier.bytes != 0 ? "+" + bytes + "B" : "");
}

std::string format_scalar(const ValueType& type, std::span<const std::byte> bytes, int max_chars) {
    const std::uint64_t bits = load_bits(bytes.first(std::min<std::size_t>(bytes.size(), type.size_bytes)));
    if (type.name == "__mbarrier_t" && Mbarrier::is_object(bits))
        return barrier_text(Mbarrier::unpack(bits), max_chars);
    std::string text;
    switch (type.scalar) {
        case Scalar::none:
            return "?";
        case Scalar::boolean:
            return bits ? "true" : "false";
        case Scalar::character:
            return format_character(static_cast<unsigned char>(bits));
        case Scalar::floating:
        case Scalar::brain:
            return format_floating(type, bits, max_chars);
        case Scalar::pointer:
            text = format_hex(bits);
            break;
        case Scalar::signed_int:
            text = shortest(sign_extend(bits, type.size_bytes));
            break;
        case Scalar::unsigned_int:
            text = shortest(bits);
            break;
    }
    const auto digits = static_cast<int>(text.size()) - (text.starts_with('-') ? 1 : 0);
    if (max_chars > 0 && static_cast<int>(text.size()) > max_chars && digits <= exact_digits &&
        type.scalar != Scalar::pointer)
        return "#";
    if (max_chars > 0 && static_cast<int>(text.size()) > max_chars)
        return rounded(type.scalar == Scalar::signed_int
                           ? static_cast<double>(sign_extend(bits, type.size_bytes))
                           : static_cast<double>(bits),
                       max_chars);
    return text;
}

}  // namespace

TypeTable::TypeTable() {
    types_.push_back({});
}

TypeId TypeTable::add(ValueType type) {
    types_.push_back(std::move(type));
    return static_cast<TypeId>(types_.size() - 1);
}

TypeId TypeTable::named(std::string_view name) {
    for (std::size_t id = 1; id < types_.size(); ++id)
        if (types_[id].name == name) return static_cast<TypeId>(id);
    for (const ScalarName& known : scalar_names) {
        if (known.name != name) continue;
        ValueType type;
        type.kind = ValueType::Kind::scalar;
        type.scalar = known.scalar;
        type.name = std::string(name);
        type.size_bytes = known.size_bytes;
        return add(std::move(type));
    }
    // int2 … float4: CUDA's vector types
    if (name.size() < 2 || name.back() < '1' || name.back() > '4') return 0;
    const TypeId element = named(name.substr(0, name.size() - 1));
    if (element == 0 || types_[element].kind != ValueType::Kind::scalar) return 0;
    ValueType type;
    type.kind = ValueType::Kind::structure;
    type.name = std::string(name);
    const std::uint32_t size = types_[element].size_bytes;
    for (int i = 0; i < name.back() - '0'; ++i) {
        type.members.push_back({std::string(1, "xyzw"[i]), static_cast<std::uint32_t>(i) * size, element});
        type.size_bytes += size;
    }
    return add(std::move(type));
}

TypeId TypeTable::pointer_to(TypeId element) {
    for (std::size_t id = 1; id < types_.size(); ++id)
        if (types_[id].kind == ValueType::Kind::pointer && types_[id].element == element)
            return static_cast<TypeId>(id);
    ValueType type;
    type.kind = ValueType::Kind::pointer;
    type.scalar = Scalar::pointer;
    type.name = (element ? (*this)[element].name : std::string("void")) + "*";
    type.size_bytes = 8;
    type.element = element;
    return add(std::move(type));
}

TypeId TypeTable::array_of(TypeId element, std::uint64_t count) {
    ValueType type;
    type.kind = ValueType::Kind::array;
    type.element = element;
    type.count = count;
    const std::uint64_t size = (*this)[element].size_bytes * count;
    type.size_bytes =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(size, std::numeric_limits<std::uint32_t>::max()));
    // The outermost extent is written first: int[8] of [33] is int[8][33].
    const std::string inner = (*this)[element].name;
    const std::size_t bracket = std::min(inner.find('['), inner.size());
    type.name =
        inner.substr(0, bracket) + "[" + (count ? std::to_string(count) : "") + "]" + inner.substr(bracket);
    return add(std::move(type));
}

TypeId TypeTable::element_of(TypeId id, std::vector<std::uint64_t>& extents) const {
    extents.clear();
    for (int depth = 0; depth < 16 && (*this)[id].kind == ValueType::Kind::array; ++depth) {
        extents.push_back((*this)[id].count);
        id = (*this)[id].element;
    }
    return id;
}

std::string format_value(const TypeTable& types, TypeId id, std::span<const std::byte> bytes, int max_chars) {
    const ValueType& type = types[id];
    if (bytes.empty()) return "?";
    switch (type.kind) {
        case ValueType::Kind::unknown:
            return "?";
        case ValueType::Kind::scalar:
        case ValueType::Kind::enumeration:
        case ValueType::Kind::pointer:
            return format_scalar(type, bytes, max_chars);
        case ValueType::Kind::array: {
            const std::uint32_t size = types[type.element].size_bytes;
            std::string text = "{";
            for (std::uint64_t i = 0; i < type.count && size && (i + 1) * size <= bytes.size(); ++i) {
                if (i == 8) return text + ", …}";
                text += (i ? ", " : "") + format_value(types, type.element, bytes.subspan(i * size, size));
            }
            return text + "}";
        }
        case ValueType::Kind::structure: {
            std::string text = "{";
            for (const TypeMember& member : type.members) {
                const std::uint32_t size = types[member.type].size_bytes;
                if (std::uint64_t{member.offset_bytes} + size > bytes.size()) continue;
                text += (text.size() > 1 ? ", " : "") +
                        format_value(types, member.type, bytes.subspan(member.offset_bytes, size));
            }
            text += "}";
            return max_chars > 0 && static_cast<int>(text.size()) > max_chars ? "{…}" : text;
        }
    }
    return "?";
}

double numeric_value(const TypeTable& types, TypeId id, std::span<const std::byte> bytes) {
    const ValueType& type = types[id];
    if (bytes.size() < type.size_bytes || bytes.empty()) return std::numeric_limits<double>::quiet_NaN();
    const std::uint64_t bits =
        load_bits(bytes.first(std::min<std::size_t>(bytes.size(), std::max(1u, type.size_bytes))));
    switch (type.scalar) {
        case Scalar::boolean:
            return bits ? 1 : 0;
        case Scalar::character:
        case Scalar::signed_int:
            return static_cast<double>(sign_extend(bits, type.size_bytes));
        case Scalar::unsigned_int:
        case Scalar::pointer:
            return static_cast<double>(bits);
        case Scalar::floating:
        case Scalar::brain:
            return floating_value(type, bits);
        case Scalar::none:
            break;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace lanescope
