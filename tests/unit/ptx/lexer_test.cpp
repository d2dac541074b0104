#include "ptx/lexer.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

namespace lanescope::ptx {
namespace lexer_test {

std::vector<std::string> words(std::string_view text) {
    Lexer lexer(text);
    std::vector<std::string> found;
    for (Token token = lexer.next(); token.kind != Token::Kind::end; token = lexer.next())
        found.emplace_back(token.text);
    return found;
}

TEST(Lexer, splits_instructions) {
    EXPECT_EQ(
        words("@!%p1 ld.shared::cta.v2.u32 {%r1,_}, [$L_a+-4];"),
        (std::vector<std::string>{"@", "!", "%p1", "ld", ".shared::cta", ".v2", ".u32", "{", "%r1", ",",
                                  "_", "}", ",",   "[",  "$L_a",         "+",   "-",    "4", "]",   ";"}));
}

TEST(Lexer, labels_keep_their_colon_apart) {
    EXPECT_EQ(words("a: b :.x::y"), (std::vector<std::string>{"a", ":", "b", ":", ".x::y"}));
}

TEST(Lexer, comments_count_lines_and_columns) {
    Lexer lexer("// one\n/* two\n three */ word /**/ next");
    const Token word = lexer.next();
    EXPECT_EQ(word.text, "word");
    EXPECT_EQ(word.line, 3u);
    EXPECT_EQ(word.column, 11u);
    EXPECT_EQ(lexer.next().column, 21u);
    EXPECT_EQ(lexer.next().kind, Token::Kind::end);
    EXPECT_EQ(lexer.next().kind, Token::Kind::end);
}

TEST(Lexer, bad_comment_string_and_character) {
    EXPECT_EQ(Lexer("/* never ends").next().kind, Token::Kind::bad);
    EXPECT_EQ(Lexer("\"never ends\n").next().kind, Token::Kind::bad);
    EXPECT_EQ(Lexer("#define").next().kind, Token::Kind::bad);
    EXPECT_EQ(Lexer(std::string_view("\0", 1)).next().kind, Token::Kind::bad);
    EXPECT_EQ(Lexer("\xff").next().kind, Token::Kind::bad);
}

TEST(Lexer, whole_numbers_of_every_base) {
    const auto value = [](std::string_view text) { return read_number(text).bits; };
    EXPECT_EQ(value("42"), 42u);
    EXPECT_EQ(value("42U"), 42u);
    EXPECT_EQ(value("0"), 0u);
    EXPECT_EQ(value("0U"), 0u);
    EXPECT_EQ(value("017"), 15u);
    EXPECT_EQ(value("0b1011"), 11u);
    EXPECT_EQ(value("0X1f79U"), 0x1f79u);
    EXPECT_EQ(value("18446744073709551615"), ~std::uint64_t{0});
}

TEST(Lexer, reals) {
    const Number single = read_number("0f3F800000");
    EXPECT_TRUE(single.valid && single.real && !single.real_is_double);
    EXPECT_EQ(single.bits, 0x3f800000u);
    const Number twice = read_number("0D3ff0000000000000");
    EXPECT_TRUE(twice.valid && twice.real_is_double);
    EXPECT_EQ(std::bit_cast<double>(twice.bits), 1.0);
    EXPECT_EQ(std::bit_cast<double>(read_number("1.5e3").bits), 1500.0);
    EXPECT_EQ(words("1.5e-3 2.0 7"), (std::vector<std::string>{"1.5e-3", "2.0", "7"}));
}

TEST(Lexer, bad_numbers_are_not_valid) {
    for (const char* text : {"18446744073709551616", "0x", "0xG", "09", "0b2", "0f3F80000", "0f3F8000000",
                             "0d12", "12a", "42u", "1e999", "1.5.2", "0f3F80000U"})
        EXPECT_FALSE(read_number(text).valid) << text;
}

}  // namespace lexer_test
}  // namespace lanescope::ptx
