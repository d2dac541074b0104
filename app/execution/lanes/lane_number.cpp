#include "execution/lanes/lane_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace lanescope::execution {

namespace {

using Kind = Number::Kind;

bool is_narrow(Kind kind) {
    return kind <= Kind::u32;
}

std::uint64_t signed_bits(std::int64_t value) {
    return static_cast<std::uint64_t>(value);
}

std::optional<Number> combine_reals(const std::string& operation, Kind kind, double a, double b) {
    if (operation == "+") return real_number(kind, a + b);
    if (operation == "-") return real_number(kind, a - b);
    if (operation == "*") return real_number(kind, a * b);
    if (operation == "/") return real_number(kind, a / b);
    return std::nullopt;
}

std::optional<Number> divide(bool remainder, Kind kind, std::uint64_t a, std::uint64_t b) {
    if (b == 0) return std::nullopt;
    if (kind == Kind::u32 || kind == Kind::u64) return whole_number(kind, remainder ? a % b : a / b);
    const auto x = static_cast<std::int64_t>(a), y = static_cast<std::int64_t>(b);
    if (y == -1)
        return whole_number(kind, remainder ? 0 : 0 - a);  // the opposite of the least number overflows
    return whole_number(kind, signed_bits(remainder ? x % y : x / y));
}

// Takes the distance modulo the width, like hardware.
Number shift(bool left, const Number& a, std::uint64_t distance) {
    distance &= is_narrow(a.kind) ? 31 : 63;
    if (left) return whole_number(a.kind, a.bits << distance);
    if (a.is_signed())
        return whole_number(a.kind, signed_bits(static_cast<std::int64_t>(a.bits) >> distance));
    return whole_number(a.kind, a.bits >> distance);
}

std::optional<Number> combine_wholes(const std::string& operation, Kind kind, std::uint64_t a,
                                     std::uint64_t b) {
    switch (operation[0]) {
        case '+':
            return whole_number(kind, a + b);
        case '-':
            return whole_number(kind, a - b);
        case '*':
            return whole_number(kind, a * b);
        case '/':
            return divide(false, kind, a, b);
        case '%':
            return divide(true, kind, a, b);
        case '&':
            return whole_number(kind, a & b);
        case '|':
            return whole_number(kind, a | b);
        case '^':
            return whole_number(kind, a ^ b);
        default:
            return std::nullopt;
    }
}

template <class T>
std::optional<bool> compare(const std::string& operation, T a, T b) {
    if (operation == "==") return a == b;
    if (operation == "!=") return a != b;
    if (operation == "<") return a < b;
    if (operation == "<=") return a <= b;
    if (operation == ">") return a > b;
    if (operation == ">=") return a >= b;
    return std::nullopt;
}

template <class T>
std::string shortest(T value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

}  // namespace

Number whole_number(Kind kind, std::uint64_t bits) {
    if (kind == Kind::i32) bits = signed_bits(static_cast<std::int32_t>(bits));
    if (kind == Kind::u32) bits = static_cast<std::uint32_t>(bits);
    if (kind == Kind::boolean) bits = bits != 0 ? 1 : 0;
    return {kind, bits, 0};
}

Number real_number(Kind kind, double value) {
    return {kind, 0, kind == Kind::f32 ? static_cast<double>(static_cast<float>(value)) : value};
}

Number truth_value(bool value) {
    return whole_number(Kind::boolean, value ? 1 : 0);
}

double Number::as_real() const {
    if (is_real()) return real;
    return is_signed() ? static_cast<double>(static_cast<std::int64_t>(bits)) : static_cast<double>(bits);
}

std::int64_t Number::as_index() const {
    if (!is_real()) return static_cast<std::int64_t>(bits);
    constexpr double most = 9.2e18;
    return std::isnan(real) ? 0 : static_cast<std::int64_t>(std::clamp(real, -most, most));
}

std::string Number::text() const {
    if (kind == Kind::f32) return shortest(static_cast<float>(real));
    if (kind == Kind::f64) return shortest(real);
    return is_signed() ? std::to_string(static_cast<std::int64_t>(bits)) : std::to_string(bits);
}

Number converted(const Number& number, Kind kind) {
    if (kind >= Kind::f32) return real_number(kind, number.as_real());
    if (kind == Kind::boolean) return truth_value(number.truth());
    return whole_number(kind, number.is_real() ? signed_bits(number.as_index()) : number.bits);
}

std::optional<Number> combine(const std::string& operation, const Number& a, const Number& b) {
    if (operation == "<<" || operation == ">>") {
        if (a.is_real() || b.is_real()) return std::nullopt;
        const Number promoted = converted(a, std::max(a.kind, Kind::i32));
        return shift(operation == "<<", promoted, b.bits);
    }
    const Kind kind = std::max({a.kind, b.kind, Kind::i32});
    const Number x = converted(a, kind), y = converted(b, kind);
    std::optional<bool> truth;
    if (x.is_real())
        truth = compare(operation, x.real, y.real);
    else if (x.is_signed())
        truth = compare(operation, static_cast<std::int64_t>(x.bits), static_cast<std::int64_t>(y.bits));
    else
        truth = compare(operation, x.bits, y.bits);
    if (truth) return truth_value(*truth);
    return x.is_real() ? combine_reals(operation, kind, x.real, y.real)
                       : combine_wholes(operation, kind, x.bits, y.bits);
}

std::optional<Number> apply_unary(char operation, const Number& number) {
    if (operation == '!') return truth_value(!number.truth());
    const Number promoted = converted(number, std::max(number.kind, Kind::i32));
    if (operation == '+') return promoted;
    if (operation == '-')
        return promoted.is_real() ? real_number(promoted.kind, -promoted.real)
                                  : whole_number(promoted.kind, 0 - promoted.bits);
    if (promoted.is_real()) return std::nullopt;  // ~ of a real number
    return whole_number(promoted.kind, ~promoted.bits);
}

std::optional<Kind> number_kind(const ValueType& type) {
    const bool plain = type.kind == ValueType::Kind::scalar || type.kind == ValueType::Kind::enumeration;
    if (!plain) return std::nullopt;
    const bool wide = type.size_bytes > 4;
    switch (type.scalar) {
        case Scalar::boolean:
            return Kind::boolean;
        case Scalar::character:
            return Kind::i32;
        case Scalar::signed_int:
            return wide ? Kind::i64 : Kind::i32;
        case Scalar::unsigned_int:
            return wide ? Kind::u64 : type.size_bytes < 4 ? Kind::i32 : Kind::u32;
        case Scalar::floating:
        case Scalar::brain:
            return wide ? Kind::f64 : Kind::f32;
        case Scalar::none:
        case Scalar::pointer:
            break;
    }
    return std::nullopt;
}

}  // namespace lanescope::execution
