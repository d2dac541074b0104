// Classifies instructions for operation counts.
#pragma once

#include <array>
#include <cstdint>

namespace lanescope::ptx {
struct Instruction;
}

namespace lanescope::analysis {

enum class Operation : std::uint8_t {
    int_add,  // add, sub
    int_multiply,
    int_multiply_add,  // mad, dot products of bytes
    int_divide,        // div, rem
    int_other,         // min, max, abs, neg
    bits,              // and, or, xor, not, shifts, fields, counts
    float_add,         // add, sub; packed forms count once
    float_multiply,
    float_multiply_add,  // fma, mad
    float_divide,        // div, rcp
    float_function,      // square roots, sin, cos, ex2, lg2, tanh
    float_other,         // min, max, abs, neg, copysign
    matrix,              // mma, wmma.mma
    compare,             // setp, set, selp, slct, testp; predicates' logic
    convert,             // cvt
    move,                // mov and address conversions
    load,                // of every space but parameters
    store,
    atomic,
    parameter,  // ld.param, st.param: arguments and results of calls too
    exchange,   // between lanes: shfl, vote, match, redux
    barrier,    // barriers and fences
    control,    // branches, calls, returns
    other,
    count
};
constexpr std::size_t operation_count = static_cast<std::size_t>(Operation::count);

const char* to_text(Operation operation);  // as the JSON names it: "int_add"
Operation operation_of(const ptx::Instruction& instruction);
bool is_arithmetic(Operation operation);  // int_add … matrix

struct OperationCounts {
    std::array<std::uint64_t, operation_count> of{};
    std::uint64_t operator[](Operation operation) const { return of[static_cast<std::size_t>(operation)]; }
    std::uint64_t& operator[](Operation operation) { return of[static_cast<std::size_t>(operation)]; }
    OperationCounts& operator+=(const OperationCounts& other) {
        for (std::size_t i = 0; i < operation_count; ++i)
            of[i] += other.of[i];
        return *this;
    }
    bool operator==(const OperationCounts&) const = default;
};

}  // namespace lanescope::analysis
