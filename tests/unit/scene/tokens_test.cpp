// Colouring of CUDA C++, and the document that folds the front matter.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "scene/source/cuda_tokens.h"
#include "scene/source/source_document.h"

namespace lanescope::scene {
namespace tokens_test {

// Returns the tokens of each line: "keyword:if number:42 …".
std::vector<std::string> spell_lines(std::string_view text, Language language = Language::cuda) {
    static constexpr const char* names[] = {"plain",  "keyword", "type",   "builtin",
                                            "number", "string",  "comment"};
    std::vector<std::string> spelled;
    std::size_t begin = 0;
    for (const std::vector<Token>& tokens : tokens_of_lines(text, language)) {
        std::string line;
        for (const Token& token : tokens) {
            if (!line.empty()) line += " ";
            line += std::string(names[int(token.kind)]) + ":" +
                    std::string(text.substr(begin + token.begin, token.length));
        }
        spelled.push_back(line);
        begin = text.find('\n', begin) + 1;
    }
    return spelled;
}

std::string spell(std::string_view line) {
    return spell_lines(line).front();
}

using Lines = std::vector<std::string>;

TEST(Tokens, kernel_signature) {
    EXPECT_EQ(spell("__global__ void reduce(const int* in)"),
              "builtin:__global__ type:void keyword:const type:int");
}

TEST(Tokens, cuda_names_stand_out) {
    EXPECT_EQ(spell("__syncthreads(); atomicAdd(&h[b], 1); atomic = 2;"),
              "builtin:__syncthreads builtin:atomicAdd number:1 number:2");
}

TEST(Tokens, numbers_in_all_spellings) {
    EXPECT_EQ(spell("x = 1.5e-3f + 0xffu + .5 + 1'000 - y2"),
              "number:1.5e-3f number:0xffu number:.5 number:1'000");
}

TEST(Tokens, strings_keep_their_escapes) {
    EXPECT_EQ(spell(R"(printf("a \" // b"); c = '\'';)"), R"(string:"a \" // b" string:'\'')");
}

TEST(Tokens, includes_and_directives) {
    EXPECT_EQ(spell("#include <cuda_runtime.h>"), "builtin:#include string:<cuda_runtime.h>");
    EXPECT_EQ(spell("  # define N 32"), "builtin:# define number:32");
}

TEST(Tokens, python) {
    EXPECT_EQ(spell_lines("@triton.jit\ndef f(x, y=1.5e3):  # don't\n    return x // 2 if x else 'a#\\'b'\n"
                          "\"\"\"two\nlines\"\"\" \"open\nx",
                          Language::python),
              (Lines{"builtin:@triton.jit", "keyword:def number:1.5e3 comment:# don't",
                     "keyword:return number:2 keyword:if keyword:else string:'a#\\'b'", "string:\"\"\"two",
                     "string:lines\"\"\" string:\"open", ""}));
}

TEST(Tokens, comments_go_on_over_lines) {
    EXPECT_EQ(
        spell_lines("int a; /* one\r\ntwo int\r\nthree */ int b; // four"),
        (Lines{"type:int comment:/* one", "comment:two int", "comment:three */ type:int comment:// four"}));
    EXPECT_EQ(spell_lines("// one \\\ntwo\nint"), (Lines{"comment:// one \\", "comment:two", "type:int"}));
}

TEST(Tokens, raw_strings_end_at_their_delimiter) {
    EXPECT_EQ(spell_lines("a = R\"x(one )\" int\ntwo )x\"; int b;"),
              (Lines{"string:R\"x(one )\" int", "string:two )x\" type:int"}));
    EXPECT_EQ(spell_lines("u8R\"(one\n\ntwo)\" int"),
              (Lines{"string:u8R\"(one", "", "string:two)\" type:int"}));
}

TEST(Tokens, directives_go_on_over_lines) {
    EXPECT_EQ(spell_lines("#define A \\\n  32 /* c */ \"s\"\nint"),
              (Lines{"builtin:#define", "number:32 comment:/* c */ string:\"s\"", "type:int"}));
}

TEST(Tokens, bad_unfinished_pieces_end_with_the_line) {
    EXPECT_EQ(spell_lines("x = \"abc\nint y; 'a\\"), (Lines{"string:\"abc", "type:int string:'a\\"}));
    EXPECT_EQ(spell("#include <abc"), "builtin:#include string:<abc");
    EXPECT_EQ(spell("#"), "builtin:#");
    EXPECT_EQ(spell_lines(""), (Lines{""}));
    EXPECT_EQ(spell_lines("\n"), (Lines{"", ""}));
}

TEST(Tokens, bad_random_bytes_stay_inside_their_lines) {
    std::mt19937 random(7);
    const std::string pieces[] = {"/*", "*/",  "\"", "'",  "R\"",  "(", ")",  "\\",  "#include",
                                  "<",  "int", "0x", "e+", "\xff", " ", "\n", "\r\n"};
    for (int round = 0; round < 5'000; ++round) {
        std::string text;
        for (unsigned i = random() % 40; i > 0; --i)
            text += pieces[random() % std::size(pieces)];
        SourceDocument document;
        document.set_text(text);
        for (std::size_t line = 1; line <= document.line_count(); ++line) {
            std::uint32_t end = 0;
            for (const Token& token : document.tokens(line)) {
                ASSERT_GE(token.begin, end) << text;
                ASSERT_GT(token.length, 0u) << text;
                end = token.begin + token.length;
                ASSERT_LE(end, document.line(line).size()) << text;
            }
        }
    }
}

const std::string lesson = "/*--- lanescope\ntitle = \"x\"\n---*/\n__global__ void f() {\n}\n";

TEST(Document, front_matter_folds_to_one_row) {
    SourceDocument document;
    document.set_text(lesson);
    EXPECT_EQ(document.line_count(), 6u);
    EXPECT_EQ(document.front_first(), 1u);
    EXPECT_EQ(document.front_last(), 3u);
    document.fold(true);
    EXPECT_EQ(document.row_count(), 4u);
    EXPECT_EQ(document.line_of(0), 1u);
    EXPECT_EQ(document.line_of(1), 4u);
    EXPECT_EQ(document.row_of(2), 0u);
    EXPECT_EQ(document.row_of(4), 1u);
    for (std::size_t row = 0; row < document.row_count(); ++row)
        EXPECT_EQ(document.row_of(document.line_of(row)), row);
}

TEST(Document, long_lines_take_several_rows) {
    SourceDocument document;
    const std::string code = "        s[t] = a[t] + b[t] + c[t] + d[t] + e[t] + f[t];";
    document.set_text("int a;\n" + code + "\nint b;\n");
    document.wrap(30);
    ASSERT_GT(document.row_count(), 4u);
    std::string whole;
    for (std::size_t row = document.row_of(2); document.row(row).line == 2; ++row) {
        const SourceDocument::Row& part = document.row(row);
        EXPECT_LE(part.indent + part.length, 30u);
        EXPECT_EQ(part.indent, part.begin == 0 ? 0u : 12u);
        EXPECT_EQ(document.line_of(row), 2u);
        if (!whole.empty()) whole += ' ';
        whole += document.line(2).substr(part.begin, part.length);
    }
    EXPECT_EQ(whole, code) << "only spaces at the ends of rows are left out";
    EXPECT_EQ(document.line_of(document.row_of(3)), 3u);
    document.set_text(std::string(100, 'x') + "\nint b;\n");
    EXPECT_GE(document.row_count(), 5u) << "a long word is cut";
    document.wrap(0);
    EXPECT_EQ(document.row_count(), 3u);
}

TEST(Document, lines_are_found_by_byte) {
    SourceDocument document;
    document.set_text("ab\r\ncd\n");
    EXPECT_EQ(document.line(1), "ab");
    EXPECT_EQ(document.line(2), "cd");
    EXPECT_EQ(document.line(3), "");
    EXPECT_EQ(document.line(9), "");
    EXPECT_EQ(document.line_at(0), 1u);
    EXPECT_EQ(document.line_at(4), 2u);
    EXPECT_EQ(document.line_at(1000), 3u);
}

TEST(Document, bad_front_matter_without_end_is_code) {
    SourceDocument document;
    document.set_text("/*--- lanescope\nint a;\n");
    document.fold(true);
    EXPECT_FALSE(document.folded());
    EXPECT_EQ(document.row_count(), 3u);
}

TEST(Document, empty_text_has_one_line) {
    SourceDocument document;
    document.set_text("");
    EXPECT_EQ(document.row_count(), 1u);
    EXPECT_EQ(document.row_of(0), 0u);
}

}  // namespace tokens_test
}  // namespace lanescope::scene
