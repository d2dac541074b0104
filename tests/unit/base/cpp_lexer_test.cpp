#include "base/cpp_lexer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <string>

#include "base/files.h"

namespace lanescope {
namespace cpp_lexer_test {

using Kind = CppToken::Kind;

std::string words(const std::vector<CppToken>& tokens) {
    std::string out;
    for (const CppToken& token : tokens)
        out += std::string(token.text) + "|";
    return out;
}

std::string words(std::string_view text) {
    return words(tokenize_cpp(text));
}

TEST(CppLexer, comments_are_no_code) {
    EXPECT_EQ(words("a // b {\n/* c } */ d"), "a|d|");
    CppLexer lexer("/*/ a */ b");
    EXPECT_EQ(lexer.next()->text, "/*/ a */");
    EXPECT_EQ(lexer.next()->text, "b");
    EXPECT_FALSE(lexer.next());
}

TEST(CppLexer, a_continued_line_comment_goes_on) {
    EXPECT_EQ(words("a // b \\\n still\nc"), "a|c|");
    EXPECT_EQ(words("a // b \\\r\n still\r\nc"), "a|c|");
    EXPECT_EQ(words("a /\\\n/ b\nc"), "a|c|");
}

TEST(CppLexer, strings_hide_what_is_in_them) {
    EXPECT_EQ(words(R"(f("}\"{", '\'', L"x"))"), R"(f|(|"}\"{"|,|'\''|,|L"x"|)|)");
    EXPECT_EQ(words("\"a\\\nb\" c"), "\"a\\\nb\"|c|");
    EXPECT_EQ(tokenize_cpp("u8'x'")[0].kind, Kind::character);
}

TEST(CppLexer, raw_strings_end_at_their_delimiter) {
    EXPECT_EQ(words("R\"x(a )\" \" b)x\" c"), "R\"x(a )\" \" b)x\"|c|");
    EXPECT_EQ(words("R\"(a\n#define \\\n)\" c"), "R\"(a\n#define \\\n)\"|c|");
    EXPECT_EQ(words("u8R\"(\")\" LR\"()\" uR\"()\" UR\"()\""), "u8R\"(\")\"|LR\"()\"|uR\"()\"|UR\"()\"|");
}

TEST(CppLexer, a_delimiter_has_at_most_sixteen_characters) {
    const std::string sixteen(16, 'd');
    const std::string whole = "R\"" + sixteen + "(\n\")" + sixteen + "\"";
    EXPECT_EQ(words(whole + " c"), whole + "|c|");
    // With seventeen characters it is an ordinary string that does not end on its line.
    EXPECT_EQ(words("R\"" + sixteen + "d(x\nc"), "R\"" + sixteen + "d(x|c|");
}

TEST(CppLexer, delimiters_have_no_blanks_brackets_or_backslashes) {
    EXPECT_EQ(words("R\"a b(x\" c"), "R\"a b(x\"|c|");
    EXPECT_EQ(words("R\"a)(x\" c"), "R\"a)(x\"|c|");
    EXPECT_EQ(words("R\"a\\(x\" c"), "R\"a\\(x\"|c|");
    EXPECT_EQ(words("R\"a\n(x\" c"), "R\"a|(|x|\" c|");
}

TEST(CppLexer, only_prefixes_open_raw_strings) {
    EXPECT_EQ(words("xR\"(a)\" b"), "xR|\"(a)\"|b|");
    EXPECT_EQ(words("R 'a'"), "R|'a'|");
}

TEST(CppLexer, digit_separators_open_no_character) {
    EXPECT_EQ(words("1'000'000 + 0x1.8p-3f"), "1'000'000|+|0x1.8p-3f|");
    EXPECT_EQ(words(".5 1e+3 0x1e+3 0b1'0"), ".5|1e+3|0x1e|+|3|0b1'0|");
}

TEST(CppLexer, a_directive_is_one_token_with_its_continuations) {
    const auto tokens = tokenize_cpp("#  define A(x) \\\n  { x /* c */ + 1 // end\nint b;");
    ASSERT_EQ(tokens.size(), 4u);
    EXPECT_EQ(directive_name(tokens[0]), "define");
    EXPECT_EQ(words(directive_tokens(tokens[0])), "A|(|x|)|{|x|+|1|");
    EXPECT_EQ(directive_tokens(tokens[0])[4].line, 2);
    EXPECT_EQ(directive_tokens(tokens[0])[4].column, 3);
    EXPECT_EQ(directive_tokens(tokens[0])[4].begin, 19u);
}

TEST(CppLexer, directives_keep_their_strings_whole) {
    EXPECT_EQ(words("#define A \"/*\"\nb"), "#define A \"/*\"|b|");
    EXPECT_EQ(words("#define A \"//\" \\\n c\nb"), "#define A \"//\" \\\n c|b|");
    EXPECT_EQ(words("#define A /* one\ntwo */ three\nb"), "#define A /* one\ntwo */ three|b|");
}

TEST(CppLexer, directives_stand_at_the_start_of_a_line) {
    EXPECT_EQ(tokenize_cpp("/* c */ #if 1")[0].kind, Kind::directive);
    EXPECT_EQ(tokenize_cpp("a # b").size(), 3u);
    EXPECT_EQ(tokenize_cpp("a /*\n*/ # b").size(), 3u) << "a comment is one space";
    EXPECT_EQ(directive_name(tokenize_cpp("#")[0]), "");
    EXPECT_EQ(directive_name(tokenize_cpp("# (")[0]), "");
}

TEST(CppLexer, launches_are_told_from_shifts) {
    EXPECT_EQ(words("k<<<1, 2>>>(p); a << b"), "k|<<<|1|,|2|>|>|>|(|p|)|;|a|<|<|b|");
}

TEST(CppLexer, names_go_over_continued_lines) {
    EXPECT_EQ(words("ab\\\ncd ef"), "ab\\\ncd|ef|");
}

TEST(CppLexer, places_count_code_points) {
    const auto tokens = tokenize_cpp("/* é */ a\n\té b");
    ASSERT_EQ(tokens.size(), 3u);
    EXPECT_EQ(tokens[0].column, 9);
    EXPECT_EQ(tokens[1].line, 2);
    EXPECT_EQ(tokens[1].column, 2);
    EXPECT_EQ(tokens[2].column, 4);
    EXPECT_EQ(tokens[2].begin, 15u);
}

TEST(CppLexer, bad_unterminated_texts_end) {
    for (const char* text : {"\"abc", "'", "/* never", "R\"(never", "R\"toolongdelimiter1234(x)\"",
                             "#define \\", "a \\", "1'", "\"\\", "'\\\n", "R\"", "#"})
        EXPECT_LE(tokenize_cpp(text).size(), 2u) << text;
    EXPECT_EQ(words("\"a\nb 'c\r\nd"), "\"a|b|'c|d|");
    EXPECT_EQ(words("\"a\\\r\nb\r\nc"), "\"a\\\r\nb|c|");
}

// Expects that the tokens are in order and that only white space and line continuations lie between them.
void expect_whole(std::string_view text) {
    CppLexer lexer(text);
    std::size_t done = 0;
    int line = 1;
    const auto expect_gap = [&](std::size_t end) {
        for (; done < end; ++done) {
            const char c = text[done];
            const bool continues =
                c == '\\' && done + 1 < end && (text[done + 1] == '\n' || text[done + 1] == '\r');
            ASSERT_TRUE(continues || std::string_view(" \t\r\n\f\v").find(c) != std::string_view::npos)
                << text << "\nat " << done;
            line += c == '\n';
        }
    };
    while (const auto token = lexer.next()) {
        ASSERT_NO_FATAL_FAILURE(expect_gap(token->begin));
        ASSERT_EQ(token->begin, done);
        ASSERT_LT(token->begin, token->end);
        ASSERT_LE(token->end, text.size());
        ASSERT_EQ(token->text, text.substr(token->begin, token->end - token->begin));
        ASSERT_EQ(token->line, line);
        done = token->end;
        line += static_cast<int>(std::count(token->text.begin(), token->text.end(), '\n'));
    }
    expect_gap(text.size());
}

std::string mutated(std::string text, std::mt19937& random) {
    static const std::string pieces[] = {"/*",     "*/",  "//", "\"", "'",  "R\"(", ")\"",  "\\\n",
                                         "\\\r\n", "\n#", "1'", "0x", "e+", "<<<",  "\xff", "\\"};
    for (int edit = 0; edit < 8; ++edit) {
        const std::size_t at = random() % (text.size() + 1);
        if (random() % 2 == 0)
            text.insert(at, pieces[random() % std::size(pieces)]);
        else
            text.erase(at, random() % 30);
    }
    return text;
}

TEST(CppLexer, tokens_and_gaps_are_the_whole_text) {
    std::mt19937 random(7);
    int files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(LANESCOPE_SOURCE_DIR) / "kernels")) {
        if (entry.path().extension() != ".cu") continue;
        const Result<std::string> text = read_text_file(entry.path());
        ASSERT_TRUE(text);
        ASSERT_NO_FATAL_FAILURE(expect_whole(*text)) << entry.path();
        for (int i = 0; i < 20; ++i)
            ASSERT_NO_FATAL_FAILURE(expect_whole(mutated(*text, random))) << entry.path();
        ++files;
    }
    EXPECT_GT(files, 50);
}

TEST(CppLexer, bad_long_texts_take_linear_time) {
    const auto start = std::chrono::steady_clock::now();
    for (const char* piece : {"R\"", "#", "/*", "\"", "'\\", "\\\n", "R\"(", "#/*", "1'", "//\\\n"}) {
        std::string text;
        while (text.size() < 400'000)
            text += piece;
        tokenize_cpp(text);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace cpp_lexer_test
}  // namespace lanescope
