#include "compile/tokens.h"

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

std::string words(std::string_view text) {
    std::string out;
    for (const Token& token : tokenize(text))
        out += std::string(token.text) + "|";
    return out;
}

TEST(Tokens, comments_are_no_tokens) {
    EXPECT_EQ(words("a // b {\n/* c } */ d"), "a|d|");
}

TEST(Tokens, a_continued_line_comment_goes_on) {
    EXPECT_EQ(words("a // b \\\n still\nc"), "a|c|");
}

TEST(Tokens, strings_hide_what_is_in_them) {
    EXPECT_EQ(words(R"(f("}\"{", '\'', L"x"))"), R"(f|(|"}\"{"|,|'\''|,|L"x"|)|)");
}

TEST(Tokens, raw_strings_end_at_their_delimiter) {
    EXPECT_EQ(words("R\"x(a )\" \" b)x\" c"), "R\"x(a )\" \" b)x\"|c|");
}

TEST(Tokens, digit_separators_open_no_character) {
    EXPECT_EQ(words("1'000'000 + 0x1.8p-3f"), "1'000'000|+|0x1.8p-3f|");
}

TEST(Tokens, a_directive_is_one_token_with_its_continuations) {
    const auto tokens = tokenize("#  define A(x) \\\n  { x /* c */ + 1 // end\nint b;");
    ASSERT_EQ(tokens.size(), 4u);
    std::string rest;
    EXPECT_EQ(directive_name(tokens[0], &rest), "define");
    EXPECT_EQ(rest, " A(x)    { x   + 1 ");
}

TEST(Tokens, launches_are_told_from_shifts) {
    EXPECT_EQ(words("k<<<1, 2>>>(p); a << b"), "k|<<<|1|,|2|>|>|>|(|p|)|;|a|<|<|b|");
}

TEST(Tokens, bad_unterminated_texts_end) {
    for (const char* text :
         {"\"abc", "'", "/* never", "R\"(never", "R\"toolongdelimiter1234(x)\"", "#define \\", "a \\", "1'"})
        EXPECT_LE(tokenize(text).size(), 2u) << text;
}

}  // namespace
}  // namespace lanescope::compile
