// Runs one instruction for every combination of operand values and compares each result with an expected
// value that is computed in another way than in the machine.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "device.h"
#include "simt/exec/executors.h"
#include "simt/lanewise/selector.h"

namespace lanescope::simt {

template <class T>
constexpr const char* bits_type = sizeof(T) == 8   ? "b64"
                                  : sizeof(T) == 4 ? "b32"
                                                   : "b16";

template <class T>
std::uint64_t bits_of_value(T value) {
    if constexpr (std::is_same_v<T, float>)
        return std::bit_cast<std::uint32_t>(value);
    else if constexpr (std::is_same_v<T, double>)
        return std::bit_cast<std::uint64_t>(value);
    else
        return static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<T>>(value));
}

template <class T>
std::vector<std::uint64_t> bits_of_values(const std::vector<T>& values) {
    std::vector<std::uint64_t> bits;
    for (const T value : values)
        bits.push_back(bits_of_value(value));
    return bits;
}

template <class D, class... S>
std::vector<D> run_code(const std::string& text, const std::string& code, std::size_t count,
                        const std::vector<S>&... operands) {
    Device device(text);
    const DeviceAddress out = device.uninit<D>(count, "out");
    const auto blocks = static_cast<std::uint32_t>((count + 255) / 256);
    const Outcome outcome = device.run("k", {blocks, 1, 1}, {256, 1, 1}, out, device.buffer(operands)...,
                                       static_cast<std::uint32_t>(count));
    EXPECT_EQ(outcome.ending, Ending::finished);
    EXPECT_EQ(device.kinds(), Kinds{}) << code;
    return device.read<D>(out, count);
}

// Returns the result of `code` for each set of operands. The code uses %d for the result and %a, %b, %c, %e
// for the operands; %q<4> are spare predicates, %t<4> spare b32 registers.
template <class D, class... S>
std::vector<D> apply(const std::string& code, const std::vector<S>&... operands) {
    const std::size_t count = std::max({operands.size()...});
    const char* const names[] = {"a", "b", "c", "e"};
    std::string parameters = ".param .u64 pd", registers, loads;
    int operand = 0;
    auto add_operand = [&](const char* type, std::size_t size) {
        const std::string name = names[operand++];
        parameters += ", .param .u64 p" + name;
        registers += std::string(".reg .") + type + " %" + name + ";\n";
        loads += "ld.param.u64 %x2, [p" + name + "];\nmad.wide.u32 %x2, %i, " + std::to_string(size) +
                 ", %x2;\nld.global." + type + " %" + name + ", [%x2];\n";
    };
    (add_operand(bits_type<S>, sizeof(S)), ...);
    const std::string text = with_header(
        ".visible .entry k(" + parameters +
        ", .param .u32 pn) {\n.reg .pred %out, %q<4>;\n.reg .b32 %i, %j, %n, %t<4>;\n.reg .b64 %x1, "
        "%x2;\n.reg ." +
        std::string(bits_type<D>) + " %d;\n" + registers +
        "mov.u32 %i, %tid.x;\nmov.u32 %j, %ctaid.x;\nmad.lo.u32 %i, %j, 256, %i;\nld.param.u32 %n, "
        "[pn];\nsetp.ge.u32 %out, %i, %n;\n@%out ret;\n" +
        loads + code + "\nld.param.u64 %x1, [pd];\nmad.wide.u32 %x1, %i, " + std::to_string(sizeof(D)) +
        ", %x1;\nst.global." + bits_type<D> + " [%x1], %d;\nret;\n}\n");
    std::vector<D> results = run_code<D>(text, code, count, operands...);
    choose_selector(&baseline_selector());
    EXPECT_EQ(bits_of_values(run_code<D>(text, code, count, operands...)), bits_of_values(results))
        << code << " without AVX2";
    choose_selector(nullptr);
    return results;
}

template <class T>
void expect_bits(T found, T expected, const std::string& what) {
    ASSERT_EQ(bits_of_value(found), bits_of_value(expected))
        << what << " gives " << +found << ", expected " << +expected;
}

template <class D, class A, class F>
void check1(const std::string& code, const std::vector<A>& values, F expected) {
    const std::vector<D> found = apply<D>(code, values);
    for (std::size_t i = 0; i < values.size(); ++i)
        expect_bits<D>(found[i], expected(values[i]),
                       code + " of " + std::to_string(bits_of_value(values[i])));
}

template <class D, class A, class B, class F>
void check2(const std::string& code, const std::vector<A>& a, const std::vector<B>& b, F expected) {
    std::vector<A> as;
    std::vector<B> bs;
    for (const A x : a)
        for (const B y : b) {
            as.push_back(x);
            bs.push_back(y);
        }
    const std::vector<D> found = apply<D>(code, as, bs);
    for (std::size_t i = 0; i < as.size(); ++i)
        expect_bits<D>(found[i], expected(as[i], bs[i]),
                       code + " of " + std::to_string(bits_of_value(as[i])) + ", " +
                           std::to_string(bits_of_value(bs[i])));
}

template <class D, class A, class B, class C, class F>
void check3(const std::string& code, const std::vector<A>& a, const std::vector<B>& b,
            const std::vector<C>& c, F expected) {
    std::vector<A> as;
    std::vector<B> bs;
    std::vector<C> cs;
    for (const A x : a)
        for (const B y : b)
            for (const C z : c) {
                as.push_back(x);
                bs.push_back(y);
                cs.push_back(z);
            }
    const std::vector<D> found = apply<D>(code, as, bs, cs);
    for (std::size_t i = 0; i < as.size(); ++i)
        expect_bits<D>(found[i], expected(as[i], bs[i], cs[i]),
                       code + " of " + std::to_string(bits_of_value(as[i])) + ", " +
                           std::to_string(bits_of_value(bs[i])) + ", " +
                           std::to_string(bits_of_value(cs[i])));
}

// Returns values at the edges of an integer type and some in between.
template <class T>
std::vector<T> edges() {
    using Range = std::numeric_limits<T>;
    std::vector<T> values{0,
                          1,
                          2,
                          3,
                          7,
                          31,
                          32,
                          33,
                          63,
                          64,
                          100,
                          Range::max(),
                          static_cast<T>(Range::max() - 1),
                          Range::min(),
                          static_cast<T>(Range::min() + 1),
                          static_cast<T>(-1),
                          static_cast<T>(-2),
                          static_cast<T>(-33),
                          static_cast<T>(0x5a5a5a5a5a5a5a5aull),
                          static_cast<T>(0x0123456789abcdefull)};
    return values;
}
template <class T>
std::vector<T> few_edges() {
    using Range = std::numeric_limits<T>;
    return {
        0, 1, 5, 33, Range::max(), Range::min(), static_cast<T>(-1), static_cast<T>(0x0123456789abcdefull)};
}

}  // namespace lanescope::simt
