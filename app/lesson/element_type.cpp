#include "lesson/element_type.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace lanescope::lesson {

namespace {

using Kind = ElementType::Kind;

struct Named {
    const char* name;
    Kind kind;
    std::uint32_t bytes;
};

constexpr std::array scalars{
    Named{"char", Kind::signed_int, 1},  Named{"uchar", Kind::unsigned_int, 1},
    Named{"short", Kind::signed_int, 2}, Named{"ushort", Kind::unsigned_int, 2},
    Named{"int", Kind::signed_int, 4},   Named{"uint", Kind::unsigned_int, 4},
    Named{"long", Kind::signed_int, 8},  Named{"ulong", Kind::unsigned_int, 8},
    Named{"half", Kind::floating, 2},    Named{"float", Kind::floating, 4},
    Named{"double", Kind::floating, 8},
};

double half_value(std::uint16_t bits) {
    const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
    double value = 0;
    if (exponent == 31) {
        value = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    } else {
        value = std::ldexp(exponent ? 1024 + fraction : fraction, (exponent ? exponent : 1) - 25);
    }
    return bits & 0x8000 ? -value : value;
}

// Rounds to nearest even, directly from double, because a conversion through float would round twice.
std::uint16_t half_bits(double value) {
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::abs(value);
    if (std::isnan(value)) return sign | 0x7e00;
    if (magnitude >= 65520.0) return sign | 0x7c00;
    int exponent = 0;
    std::frexp(magnitude, &exponent);  // magnitude = [0.5, 1) · 2^exponent
    const int unit = magnitude == 0 ? -24 : std::max(exponent - 11, -24);
    const auto steps = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, -unit)));
    // 1024 … 2048 steps of 2^unit are normal; addition also carries into the next exponent
    const std::uint32_t biased = static_cast<std::uint32_t>(unit + 24) << 10;
    return static_cast<std::uint16_t>(sign | (biased + steps));
}

template <class T>
T read_as(std::span<const std::byte> bytes, std::uint64_t index) {
    T value;
    std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
    return value;
}

}  // namespace

std::optional<ElementType> element_type(std::string_view name) {
    std::uint32_t components = 1;
    if (!name.empty() && name.back() >= '2' && name.back() <= '4') {
        components = static_cast<std::uint32_t>(name.back() - '0');
        name.remove_suffix(1);
    }
    for (const Named& scalar : scalars)
        if (name == scalar.name) return ElementType{scalar.kind, scalar.bytes, components};
    return std::nullopt;
}

const std::vector<std::string>& scalar_type_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const Named& scalar : scalars)
            list.push_back(scalar.name);
        return list;
    }();
    return names;
}

std::uint64_t load_integer(std::span<const std::byte> bytes, const ElementType& type, std::uint64_t index) {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + index * type.scalar_bytes, type.scalar_bytes);
    if (type.kind == Kind::unsigned_int) return value;
    const unsigned shift = 64 - 8 * type.scalar_bytes;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
}

double load_real(std::span<const std::byte> bytes, const ElementType& type, std::uint64_t index) {
    if (!type.floating()) {
        const std::uint64_t bits = load_integer(bytes, type, index);
        return type.kind == Kind::signed_int ? static_cast<double>(static_cast<std::int64_t>(bits))
                                             : static_cast<double>(bits);
    }
    if (type.scalar_bytes == 2) return half_value(read_as<std::uint16_t>(bytes, index));
    if (type.scalar_bytes == 4) return read_as<float>(bytes, index);
    return read_as<double>(bytes, index);
}

void store_integer(std::span<std::byte> bytes, const ElementType& type, std::uint64_t index,
                   std::uint64_t value) {
    if (type.floating())
        return store_real(bytes, type, index, static_cast<double>(static_cast<std::int64_t>(value)));
    std::memcpy(bytes.data() + index * type.scalar_bytes, &value, type.scalar_bytes);
}

void store_real(std::span<std::byte> bytes, const ElementType& type, std::uint64_t index, double value) {
    std::byte* target = bytes.data() + index * type.scalar_bytes;
    if (!type.floating()) {
        const bool negative = value < 0;
        const std::uint64_t bits = negative ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                                            : static_cast<std::uint64_t>(value);
        return store_integer(bytes, type, index, bits);
    }
    if (type.scalar_bytes == 2) {
        const std::uint16_t bits = half_bits(value);
        std::memcpy(target, &bits, 2);
    } else if (type.scalar_bytes == 4) {
        const float rounded = static_cast<float>(value);
        std::memcpy(target, &rounded, 4);
    } else {
        std::memcpy(target, &value, 8);
    }
}

bool holds(const ElementType& type, double value) {
    if (type.floating()) return true;
    if (!(std::floor(value) == value)) return false;
    const int bits = static_cast<int>(8 * type.scalar_bytes);
    if (type.kind == Kind::unsigned_int) return value >= 0 && value < std::ldexp(1.0, bits);
    return value >= -std::ldexp(1.0, bits - 1) && value < std::ldexp(1.0, bits - 1);
}

}  // namespace lanescope::lesson
