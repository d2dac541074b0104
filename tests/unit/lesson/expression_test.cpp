#include "lesson/expression.h"

#include <limits>

#include "support.h"

namespace lanescope::lesson {
namespace expression_test {

const Names names{{"n", 1000},
                  {"block", 64},
                  {"zero", 0},
                  {"big", std::numeric_limits<std::int64_t>::max()},
                  {"in.count", 7}};

std::int64_t value_of(const std::string& text) {
    const auto value = evaluate({text, 1, 1}, names, "f");
    EXPECT_TRUE(value) << text << ": " << problems_of(value);
    return value ? *value : -12345;
}

std::string error_of(const std::string& text) {
    return problems_of(evaluate({text, 3, 10}, names, "f"));
}

TEST(expression, arithmetic_is_that_of_cpp) {
    EXPECT_EQ(value_of("2 + 3 * 4"), 14);
    EXPECT_EQ(value_of("(2 + 3) * 4"), 20);
    EXPECT_EQ(value_of("10 - 4 - 3"), 3);
    EXPECT_EQ(value_of("7 / 2"), 3);
    EXPECT_EQ(value_of("-7 / 2"), -3);
    EXPECT_EQ(value_of("-7 % 3"), -1);
    EXPECT_EQ(value_of("100 / 10 / 5"), 2);
    EXPECT_EQ(value_of("1 << 20"), 1048576);
    EXPECT_EQ(value_of("-16 >> 2"), -4);
    EXPECT_EQ(value_of("1 << 2 + 1"), 8);
    EXPECT_EQ(value_of("0x40"), 64);
    EXPECT_EQ(value_of("- - 3"), 3);
    EXPECT_EQ(value_of(" \t n\n"), 1000);
    EXPECT_EQ(value_of("in.count + 1"), 8);
}

TEST(expression, is_exact_over_64_bits) {
    EXPECT_EQ(value_of("9007199254740993 + 0"), 9007199254740993);  // 2^53 + 1 does not fit into double
    EXPECT_EQ(value_of("9223372036854775807 - 1"), 9223372036854775806);
    EXPECT_EQ(value_of("-9223372036854775807 - 1"), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(value_of("4611686018427387904 + 4611686018427387903"),
              std::numeric_limits<std::int64_t>::max());
}

TEST(expression, powers) {
    EXPECT_EQ(value_of("pow(2, 20)"), 1048576);
    EXPECT_EQ(value_of("pow(-2, 3)"), -8);
    EXPECT_EQ(value_of("3 * pow(10, 6)"), 3000000);
    EXPECT_EQ(value_of("pow(7, 0)"), 1);
    EXPECT_EQ(value_of("pow(-1, 1000000001)"), -1);
    EXPECT_EQ(value_of("pow(2, 62)"), std::int64_t{1} << 62);
}

TEST(expression, bits_are_those_of_cpp) {
    EXPECT_EQ(value_of("n & 0xff | 1 << 12"), 4328);
    EXPECT_EQ(value_of("~0"), -1);
    EXPECT_EQ(value_of("n ^ 0x1"), 1001);
    EXPECT_EQ(value_of("n xor block"), 936);
    EXPECT_EQ(value_of("2 xor 20"), 22);
    EXPECT_EQ(value_of("3 | 4 xor 1 & 1"), 7);
}

// In older files '^' was the power operator; such an expression must be an error, not an exclusive or.
TEST(expression, bad_carets_are_refused_as_powers) {
    EXPECT_EQ(error_of("2^20"),
              "f:3:11: error: '2^20' is 22 in C++ (exclusive or) (write pow(2, 20) or 1 << 20)\n");
    EXPECT_EQ(error_of("n * 10 ^ 6"),
              "f:3:17: error: '10 ^ 6' is 12 in C++ (exclusive or) (write pow(10, 6))\n");
    EXPECT_EQ(error_of("2^3^2"),
              "f:3:11: error: '2^3' is 1 in C++ (exclusive or) (write pow(2, 3) or 1 << 3)\n");
    for (const char* power : {"n^2", "2^block", "n^block", "(-2)^3", "2^-1", "1 ? 5 : 2^3"})
        EXPECT_NE(error_of(power).find("exclusive or"), std::string::npos) << power;
    EXPECT_FALSE(check_expression({"2^20", 1, 1}, names, "f"));
}

TEST(expression, carets_of_settings_are_powers) {
    EXPECT_EQ(*setting_value("2^20"), 1048576);
    EXPECT_EQ(*setting_value("2^3^2"), 512);
    EXPECT_EQ(*setting_value("-2^2"), -4);
    EXPECT_EQ(*setting_value("(-2)^3"), -8);
    EXPECT_EQ(*setting_value("3 * 10^6"), 3000000);
    EXPECT_EQ(*setting_value("2 ^ (1 + 2) xor 1"), 9);
    EXPECT_FALSE(setting_value("2^63"));
    EXPECT_FALSE(setting_value("2^-1"));
    EXPECT_FALSE(setting_value("n"));
}

TEST(expression, comparison_and_logic) {
    EXPECT_EQ(value_of("1 < 2"), 1);
    EXPECT_EQ(value_of("2 <= 1"), 0);
    EXPECT_EQ(value_of("2 > 1 == 1"), 1);
    EXPECT_EQ(value_of("3 != 3"), 0);
    EXPECT_EQ(value_of("!0 + !7"), 1);
    EXPECT_EQ(value_of("1 && 2 || 0"), 1);
    EXPECT_EQ(value_of("0 || 0 && 1"), 0);
    EXPECT_EQ(value_of("n > 512 ? 1 : n > 64 ? 2 : 3"), 1);
    EXPECT_EQ(value_of("n < 512 ? 1 : n > 64 ? 2 : 3"), 2);
}

TEST(expression, evaluates_only_what_it_needs) {
    EXPECT_EQ(value_of("zero == 0 ? 5 : n / zero"), 5);
    EXPECT_EQ(value_of("zero != 0 && n / zero"), 0);
    EXPECT_EQ(value_of("zero == 0 || big * 2"), 1);
    EXPECT_EQ(value_of("1 ? 1 : -(0 - big - 1)"), 1);
}

TEST(expression, functions) {
    EXPECT_EQ(value_of("ceil_div(n, block)"), 16);
    EXPECT_EQ(value_of("ceil_div(0, 64)"), 0);
    EXPECT_EQ(value_of("ceil_div(-7, 2)"), -3);
    EXPECT_EQ(value_of("ceil_div(big, 2)"), 4611686018427387904);
    EXPECT_EQ(value_of("min(3, 1, 2) + max(4)"), 5);
    EXPECT_EQ(value_of("log2(1) + log2(1023) + log2(1024)"), 19);
    EXPECT_EQ(value_of("pow2(10)"), 1024);
    EXPECT_EQ(value_of("abs(-5)"), 5);
}

TEST(expression, bad_results_are_located) {
    EXPECT_EQ(error_of("n / zero"), "f:3:12: error: a division by zero\n");
    EXPECT_EQ(error_of("n % 0"), "f:3:12: error: the remainder of a division by zero\n");
    EXPECT_EQ(error_of("big + 1"), "f:3:14: error: the result does not fit into 64 bits\n");
    EXPECT_EQ(error_of("big * 2"), "f:3:14: error: the result does not fit into 64 bits\n");
    EXPECT_EQ(error_of("0 - big - 2"), "f:3:18: error: the result does not fit into 64 bits\n");
    EXPECT_EQ(error_of("pow(2, 63)"), "f:3:10: error: the result does not fit into 64 bits\n");
    EXPECT_EQ(error_of("1 << 63"), "f:3:12: error: a shift by 63 (expected 0 to 62)\n");
    EXPECT_EQ(error_of("-(0 - big - 1)"), "f:3:10: error: the result does not fit into 64 bits\n");
    EXPECT_EQ(error_of("(0 - big - 1) / -1"), "f:3:24: error: the result does not fit into 64 bits\n");
    EXPECT_EQ(error_of("pow(2, -1)"), "f:3:10: error: a negative exponent, -1\n");
    EXPECT_EQ(error_of("log2(0)"), "f:3:10: error: log2 of 0 (expected at least 1)\n");
    EXPECT_EQ(error_of("pow2(63)"), "f:3:10: error: pow2 of 63 (expected 0 to 62)\n");
    EXPECT_EQ(error_of("ceil_div(1, zero)"), "f:3:10: error: ceil_div by 0 (expected a positive divisor)\n");
    EXPECT_EQ(error_of("9223372036854775808"), "f:3:10: error: the number does not fit into 64 bits\n");
}

TEST(expression, bad_syntax_is_located) {
    EXPECT_NE(error_of("n +").find("f:3:13: error: a value is expected here"), std::string::npos);
    EXPECT_NE(error_of("(n").find("')' is expected here"), std::string::npos);
    EXPECT_NE(error_of("n = 3").find("f:3:12: error: an expression cannot assign; use '==' to compare"),
              std::string::npos);
    EXPECT_NE(error_of("n[3]").find("f:3:11: error: an expression here cannot read memory"),
              std::string::npos);
    EXPECT_NE(error_of("3u").find("a number with a suffix"), std::string::npos);
    EXPECT_NE(error_of("010").find("'010' is octal in C++"), std::string::npos);
    EXPECT_NE(error_of("3n").find("f:3:10: error: '3n' is not a number"), std::string::npos);
    EXPECT_NE(error_of("0x").find("'0x' is not a number"), std::string::npos);
    EXPECT_NE(error_of("0.5").find("a number with a fraction"), std::string::npos);
    EXPECT_NE(error_of("n 4").find("f:3:12: error: an operator or the end is expected here"),
              std::string::npos);
    EXPECT_NE(error_of("").find("an expression is expected"), std::string::npos);
    EXPECT_NE(error_of("1 ? 2").find("':' is expected here"), std::string::npos);
    EXPECT_NE(error_of("min()").find("min got 0 values"), std::string::npos);
    EXPECT_NE(error_of("log2(1, 2)").find("log2 got 2 values"), std::string::npos);
}

TEST(expression, bad_names_get_the_nearest_one) {
    EXPECT_EQ(
        error_of("blok + 1"),
        "f:3:10: error: unknown name 'blok' (did you mean 'block'? known: big, block, in.count, n, zero)\n");
    EXPECT_NE(error_of("cel_div(1, 2)").find("unknown function 'cel_div' (did you mean 'ceil_div'?"),
              std::string::npos);
    EXPECT_FALSE(check_expression({"1 ? n : nope", 1, 1}, names, "f"));
    EXPECT_TRUE(check_expression({"n / zero", 1, 1}, names, "f"));
}

TEST(expression, bad_hostile_sizes) {
    EXPECT_NE(error_of(std::string(100'000, '(')).find("longer than 4096"), std::string::npos);
    EXPECT_NE(error_of(std::string(4'000, '(')).find("nested too deeply"), std::string::npos);
    EXPECT_NE(error_of(std::string(4'000, '-')).find("nested too deeply"), std::string::npos);
    std::string choices;
    for (int i = 0; i < 1000; ++i)
        choices += "0?1:";
    EXPECT_NE(error_of(choices + "1").find("nested too deeply"), std::string::npos);
    EXPECT_NE(error_of(std::string(500, '!') + "1").find("nested too deeply"), std::string::npos);
}

TEST(expression, real_literals) {
    EXPECT_EQ(real_literal("0.5"), 0.5);
    EXPECT_EQ(real_literal("-1e-3"), -1e-3);
    EXPECT_EQ(real_literal("+2.0"), 2.0);
    EXPECT_FALSE(real_literal("2"));
    EXPECT_FALSE(real_literal("e"));
    EXPECT_FALSE(real_literal("1.5x"));
    EXPECT_FALSE(real_literal("1e999"));
}

TEST(expression, calls_and_repetitions_come_apart) {
    const auto call = parse_call({" f( a , g(b, c) ) ", 2, 5}, "f");
    ASSERT_TRUE(call);
    EXPECT_EQ(call->name.text, "f");
    ASSERT_EQ(call->arguments.size(), 2u);
    EXPECT_EQ(call->arguments[1].text, "g(b, c)");
    EXPECT_EQ(call->arguments[1].column, 13);
    EXPECT_TRUE(parse_call({"zero", 1, 1}, "f")->arguments.empty());
    EXPECT_FALSE(parse_call({"f(a", 1, 1}, "f"));
    EXPECT_FALSE(parse_call({"1f", 1, 1}, "f"));
    EXPECT_FALSE(parse_call({"", 1, 1}, "f"));
    const auto repeat = parse_repeat({"r = n / 2; r >= 1; r / 2", 1, 1}, "f");
    ASSERT_TRUE(repeat);
    EXPECT_EQ(repeat->name, "r");
    EXPECT_EQ(repeat->first.text, "n / 2");
    EXPECT_EQ(repeat->condition.text, "r >= 1");
    EXPECT_EQ(repeat->next.text, "r / 2");
    for (const char* bad : {"", "r", "r = 1; r > 0", "r = 1; r; r; r", "1 = 2; 1; 1", "max = 1; 1; 1"})
        EXPECT_FALSE(parse_repeat({bad, 1, 1}, "f")) << bad;
}

}  // namespace expression_test
}  // namespace lanescope::lesson
