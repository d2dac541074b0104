// Numbers of lane expressions: each has a C++ type, and arithmetic follows C++'s usual conversions, so that
// `t - 1` of an unsigned 0 is 4294967295 as it is in the kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/value_type.h"

namespace lanescope::execution {

struct Number {
    enum class Kind : std::uint8_t { boolean, i32, u32, i64, u64, f32, f64 };  // ascending rank
    Kind kind = Kind::i32;
    std::uint64_t bits = 0;  // of whole numbers, sign-extended to 64 bits
    double real = 0;         // of real numbers

    bool is_real() const { return kind >= Kind::f32; }
    bool is_signed() const { return kind == Kind::boolean || kind == Kind::i32 || kind == Kind::i64; }
    bool truth() const { return is_real() ? real != 0 : bits != 0; }
    double as_real() const;
    std::int64_t as_index() const;  // truncates real numbers
    std::string text() const;       // the shortest text that reads back the same; booleans as 1 and 0
};

Number whole_number(Number::Kind kind, std::uint64_t bits);  // truncated to the kind's width
Number real_number(Number::Kind kind, double value);         // rounded to the kind
Number truth_value(bool value);
Number converted(const Number& number, Number::Kind kind);

// `operation` is one of C++'s binary operators except && and ||. Nothing: division by zero, or an operator
// that real numbers do not have.
std::optional<Number> combine(const std::string& operation, const Number& a, const Number& b);
// `operation` is - + ! or ~. Nothing: ~ of a real number.
std::optional<Number> apply_unary(char operation, const Number& number);

// The kind of a scalar or enumeration type; nothing for other types.
std::optional<Number::Kind> number_kind(const ValueType& type);

}  // namespace lanescope::execution
