#include "compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace lanescope::parity {

namespace {

struct FloatShape {
    unsigned bits, mantissa;
};
FloatShape shape_of(const std::string& type) {
    if (type == "f16") return {16, 10};
    if (type == "bf16") return {16, 7};
    return type == "f32" ? FloatShape{32, 23} : FloatShape{64, 52};
}
bool is_float(const std::string& type) {
    return type == "f16" || type == "bf16" || type == "f32" || type == "f64";
}

// Maps the bits to an integer that is monotonic in the value of the number.
std::int64_t ordered(const FloatShape& shape, std::uint64_t bits) {
    const std::uint64_t sign = 1ull << (shape.bits - 1), magnitude = bits & (sign - 1);
    return (bits & sign) != 0 ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
}

double number_of(const std::string& type, std::uint64_t bits) {
    const FloatShape shape = shape_of(type);
    const std::uint64_t mantissa = bits & ((1ull << shape.mantissa) - 1);
    const std::uint64_t exponent = bits >> shape.mantissa & ((1ull << (shape.bits - 1 - shape.mantissa)) - 1);
    const int bias = (1 << (shape.bits - 2 - shape.mantissa)) - 1;
    const double whole = static_cast<double>(exponent == 0 ? mantissa : mantissa | 1ull << shape.mantissa);
    const double size =
        std::ldexp(whole, std::max(static_cast<int>(exponent), 1) - bias - static_cast<int>(shape.mantissa));
    return bits >> (shape.bits - 1) & 1 ? -size : size;
}

std::string hex(std::uint64_t bits) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(bits));
    return text;
}

std::string operands_text(const Form& form, const Work& work, std::size_t lane) {
    std::string text;
    for (std::size_t i = 0; i < form.inputs.size(); ++i) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, work.inputs.data() + (i * lanes + lane) * slot_bytes, slot_bytes);
        text += (i == 0 ? "" : ", ") + form.inputs[i].name + " = " + hex(bits);
    }
    return text;
}

void compare_value(const std::string& type, std::uint64_t found, std::uint64_t expected,
                   Difference& difference) {
    if (type.ends_with("x2") && is_float(type.substr(0, type.size() - 2))) {
        const std::string half = type.substr(0, type.size() - 2);
        if ((found ^ expected) & 0xffff) compare_value(half, found & 0xffff, expected & 0xffff, difference);
        if ((found ^ expected) >> 16) compare_value(half, found >> 16, expected >> 16, difference);
    } else if (is_float(type) && is_finite(type, found) && is_finite(type, expected)) {
        difference.ulp = std::max(difference.ulp, ulps_between(type, found, expected));
        difference.absolute =
            std::max(difference.absolute, std::fabs(number_of(type, found) - number_of(type, expected)));
    } else {
        difference.kind = true;
    }
}

}  // namespace

std::uint64_t ulps_between(const std::string& type, std::uint64_t a, std::uint64_t b) {
    const FloatShape shape = shape_of(type);
    const std::int64_t x = ordered(shape, a), y = ordered(shape, b);
    return static_cast<std::uint64_t>(x > y ? x - y : y - x);
}

bool is_finite(const std::string& type, std::uint64_t bits) {
    const FloatShape shape = shape_of(type);
    const std::uint64_t exponent = ((1ull << (shape.bits - 1 - shape.mantissa)) - 1) << shape.mantissa;
    return (bits & exponent) != exponent;
}

Difference compare(const Form& form, const Work& work, const std::vector<std::byte>& found,
                   const std::vector<std::byte>& expected) {
    Difference difference;
    if (found.size() != expected.size()) {
        difference.kind = true;
        difference.first = "the results have different sizes";
        return difference;
    }
    std::size_t at = 0;
    auto step = [&](const std::string& type, std::size_t size, const std::string& where, std::size_t lane) {
        std::uint64_t a = 0, b = 0;
        std::memcpy(&a, found.data() + at, size);
        std::memcpy(&b, expected.data() + at, size);
        at += size;
        ++difference.values;
        if (a == b) return;
        ++difference.differ;
        compare_value(type, a, b, difference);
        if (difference.first.empty())
            difference.first = where + " of lane " + std::to_string(lane) + " is " + hex(a) + ", not " +
                               hex(b) + "; " + operands_text(form, work, lane);
    };
    for (const Operand& output : form.outputs)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            step(output.type, output.type == "pred" ? 1 : size_bytes(output.type), output.name, lane);
    const std::string like = form.inputs.empty() ? "u32" : form.inputs[0].type;
    const std::size_t size = like == "pred" ? 4 : size_bytes(like);
    for (std::size_t first = at; at < expected.size();)
        step(like, size, "memory", (at - first) / lane_memory_bytes);
    return difference;
}

}  // namespace lanescope::parity
