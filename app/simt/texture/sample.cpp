// What a fetch makes of the elements that it reads.
#include "simt/texture/sample.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace lanescope::simt {

namespace {

using Kind = TexelFormat::Kind;

constexpr std::uint32_t no_number = 0x7fffffff;  // the NaN that filtering gives
constexpr std::uint32_t infinity = 0x7f800000;

float value_of(std::uint32_t bits) {
    return std::bit_cast<float>(bits);
}
std::uint32_t bits_of(float value) {
    return std::bit_cast<std::uint32_t>(value);
}

float half_value(std::uint32_t bits) {
    const std::uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31, mantissa = bits & 1023u;
    if (exponent == 31) return value_of(sign | infinity | mantissa << 13);
    if (exponent != 0) return value_of(sign | (exponent + 112) << 23 | mantissa << 13);
    const float value = static_cast<float>(mantissa) * 0x1p-24f;
    return sign != 0 ? -value : value;
}

// The largest signed element is 1, and so is the smallest but one -1.
std::int32_t signed_element(std::uint32_t bits, unsigned size) {
    const std::int32_t most = (1 << (size - 1)) - 1;
    return std::max(static_cast<std::int32_t>(bits), -most);
}

float normalized(std::int32_t number, Kind kind, unsigned bits) {
    const std::uint32_t most = (1u << (kind == Kind::unsigned_integer ? bits : bits - 1)) - 1;
    return static_cast<float>(number) / static_cast<float>(most);
}

}  // namespace

Texel texel_of(const TexelFormat& format, const std::byte* element) {
    Texel texel{};
    const unsigned size = format.bits / 8u, shift = 32u - format.bits;
    for (unsigned k = 0; k < format.channels; ++k) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, element + std::size_t{k} * size, size);
        if (format.kind == Kind::signed_integer)
            bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(bits << shift) >> shift);
        if (format.kind == Kind::floating && format.bits == 16) bits = bits_of(half_value(bits));
        texel[k] = bits;
    }
    return texel;
}

namespace {

// A colour as an element of the format holds it: halves are cut, integers rounded down.
std::uint32_t border_channel(const Texture& texture, float colour) {
    const TexelFormat& format = texture.image.format;
    const std::uint32_t bits = bits_of(colour);
    if (format.bits == 32) return bits;
    if (format.kind == Kind::floating) {
        const float most = 65504.0f;
        return bits_of(std::clamp(colour, -most, most)) & ~((1u << 13) - 1);
    }
    const bool is_signed = format.kind == Kind::signed_integer;
    if (!texture.as_float) {
        const unsigned shift = 32u - format.bits;
        return is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(bits << shift) >> shift)
                         : bits << shift >> shift;
    }
    const double most = (1u << (is_signed ? format.bits - 1 : format.bits)) - 1;
    const double number = std::floor(std::clamp(double{colour}, is_signed ? -1.0 : 0.0, 1.0) * most);
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(number));
}

}  // namespace

Texel border_texel(const Texture& texture) {
    Texel texel{};
    for (unsigned k = 0; k < texture.image.format.channels; ++k)
        texel[k] = border_channel(texture, texture.border[k]);
    return texel;
}

Texel converted(const Texture& texture, const Texel& texel) {
    const TexelFormat& format = texture.image.format;
    if (!texture.as_float || format.kind == Kind::floating) return texel;
    Texel made{};
    for (unsigned k = 0; k < format.channels; ++k)
        made[k] =
            bits_of(normalized(format.kind == Kind::signed_integer ? signed_element(texel[k], format.bits)
                                                                   : static_cast<std::int32_t>(texel[k]),
                               format.kind, format.bits));
    return made;
}

namespace {

struct Term {
    std::uint32_t bits = 0;  // of a float
    std::uint32_t weight = 0;
    std::uint32_t plane = 0;
};

// Significant bits and the smallest exponent of a format. Smaller floats are zero, smaller halves are not.
struct Precision {
    int bits = 24, least = -126;
    bool flushes = true;
};
constexpr Precision of_float{24, -126, true}, of_half{11, -14, false};

int exponent_of(std::uint32_t bits) {
    return std::ilogb(value_of(bits & ~(1u << 31)));
}
bool is_zero(std::uint32_t bits) {
    return (bits & infinity) == 0;
}

constexpr int guard_bits = 4;
constexpr int no_exponent = -1000;

// A plane's terms are cut to the largest exponent among them and four bits more, then added.
struct PlaneSum {
    std::int64_t sum = 0;  // in units of 2^(exponent - bits + 1 - guard_bits) / 256
    int exponent = no_exponent;
};
PlaneSum plane_sum(std::span<const Term> terms, std::uint32_t plane, const Precision& precision) {
    PlaneSum made;
    for (const Term& term : terms)
        if (term.plane == plane && term.weight != 0 && !is_zero(term.bits))
            made.exponent = std::max(made.exponent, exponent_of(term.bits));
    for (const Term& term : terms) {
        if (term.plane != plane || term.weight == 0 || is_zero(term.bits)) continue;
        const int distance = made.exponent - exponent_of(term.bits);
        const float size = std::fabs(value_of(term.bits));
        const auto mantissa =
            static_cast<std::int64_t>(std::ldexp(size, precision.bits - 1 - exponent_of(term.bits)));
        const std::int64_t cut = distance > 40 ? 0 : (mantissa << guard_bits) >> distance;
        made.sum += (value_of(term.bits) < 0 ? -cut : cut) * term.weight;
    }
    return made;
}

// sum × 2^unit in the format, halves away from zero.
std::uint32_t rounded(std::int64_t sum, int unit, const Precision& precision) {
    const std::uint64_t size =
        sum < 0 ? 0 - static_cast<std::uint64_t>(sum) : static_cast<std::uint64_t>(sum);
    int exponent = static_cast<int>(std::bit_width(size)) - 1 + unit;
    const int last = std::max(exponent, precision.least) - precision.bits + 1;  // exponent of the last bit
    const int shift = last - unit;
    std::uint64_t kept = size;
    if (shift > 0) kept = shift > 62 ? 0 : (size + (std::uint64_t{1} << (shift - 1))) >> shift;
    const double value = std::ldexp(static_cast<double>(kept), shift > 0 ? last : unit);
    if (precision.flushes && value < 0x1p-126) return 0;
    float made = static_cast<float>(value);
    if (!precision.flushes && made > 65504.0f) made = value_of(infinity);
    return bits_of(sum < 0 ? -made : made);
}

std::uint32_t filtered_float(std::span<const Term> terms, const Precision& precision) {
    bool none = false, positive = false, negative = false, all_negative = true;
    for (const Term& term : terms) {
        const float value = value_of(term.bits);
        none = none || std::isnan(value);
        positive = positive || (std::isinf(value) && value > 0);
        negative = negative || (std::isinf(value) && value < 0);
        all_negative = all_negative && std::signbit(value);
    }
    if (none || (positive && negative)) return no_number;
    if (positive || negative) return infinity | (negative ? 1u << 31 : 0);
    const PlaneSum planes[2] = {plane_sum(terms, 0, precision), plane_sum(terms, 1, precision)};
    const int exponent = std::max(planes[0].exponent, planes[1].exponent);
    std::int64_t sum = 0;
    for (const PlaneSum& plane : planes)
        sum += plane.sum >> std::min(exponent - plane.exponent, 62);
    if (sum == 0) return all_negative ? 1u << 31 : 0;
    return rounded(sum, exponent - precision.bits + 1 - guard_bits - 8, precision);
}

// Sums of integers have 16 bits. The smallest signed element is cut to -1 in the sum only.
std::uint32_t filtered_integer(const Taps& taps, std::span<const Texel> texels, unsigned k,
                               const TexelFormat& format) {
    const bool is_signed = format.kind == Kind::signed_integer;
    std::int64_t sum = 0;
    for (unsigned i = 0; i < taps.count; ++i)
        sum += std::int64_t{taps.at[i].weight} * (is_signed ? static_cast<std::int32_t>(texels[i][k])
                                                            : static_cast<std::int64_t>(texels[i][k]));
    std::int64_t number = (sum + 128) >> 8;
    if (format.bits == 8 && !is_signed) number = (sum * 257 + 128) >> 8;
    // 32767 / 127, in 1/32 and rounded down at halves; see the difference at the head of sample.h.
    if (format.bits == 8 && is_signed)
        number = static_cast<std::int64_t>(
            std::ceil(std::floor(static_cast<double>(sum * 32767 * 32) / (127 * 256)) / 32 - 0.5));
    if (is_signed) number = std::max<std::int64_t>(number, -32767);
    return bits_of(normalized(static_cast<std::int32_t>(number), format.kind, 16));
}

}  // namespace

Texel filtered(const Texture& texture, const Taps& taps, std::span<const Texel> texels) {
    const TexelFormat& format = texture.image.format;
    if (!texture.linear) return converted(texture, texels[0]);
    Texel result{};
    for (unsigned k = 0; k < format.channels; ++k) {
        if (format.kind != Kind::floating) {
            result[k] = filtered_integer(taps, texels, k, format);
            continue;
        }
        std::array<Term, 8> terms;
        for (unsigned i = 0; i < taps.count; ++i)
            terms[i] = {texels[i][k], taps.at[i].weight, taps.at[i].plane};
        result[k] = filtered_float({terms.data(), taps.count}, format.bits == 32 ? of_float : of_half);
    }
    return result;
}

}  // namespace lanescope::simt
