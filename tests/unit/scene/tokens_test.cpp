// Colouring of CUDA C++, and the document that folds the front matter away.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "scene/cuda_tokens.h"
#include "scene/source_document.h"

namespace lanescope::scene {
namespace {

// "keyword:if number:42 …" of one line.
std::string spell(std::string_view line, TokenState& state) {
    static constexpr const char* names[] = {"plain",  "keyword", "type",   "builtin",
                                            "number", "string",  "comment"};
    std::string text;
    for (const Token& token : tokenise_line(line, state)) {
        if (!text.empty()) text += " ";
        text +=
            std::string(names[int(token.kind)]) + ":" + std::string(line.substr(token.begin, token.length));
    }
    return text;
}

std::string spell(std::string_view line) {
    TokenState state;
    return spell(line, state);
}

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

TEST(Tokens, comments_go_on_over_lines) {
    TokenState state;
    EXPECT_EQ(spell("int a; /* one", state), "type:int comment:/* one");
    EXPECT_EQ(spell("two int", state), "comment:two int");
    EXPECT_EQ(spell("three */ int b; // four", state), "comment:three */ type:int comment:// four");
}

TEST(Tokens, raw_strings_end_at_their_delimiter) {
    TokenState state;
    EXPECT_EQ(spell("a = R\"x(one )\" int", state), "string:R\"x(one )\" int");
    EXPECT_EQ(spell("two )x\"; int b;", state), "string:two )x\" type:int");
}

TEST(Tokens, bad_unfinished_pieces_end_with_the_line) {
    TokenState state;
    EXPECT_EQ(spell("x = \"abc", state), "string:\"abc");
    EXPECT_EQ(spell("int y; 'a\\", state), "type:int string:'a\\");
    EXPECT_EQ(spell("#include <abc", state), "builtin:#include string:<abc");
    EXPECT_EQ(spell("#", state), "builtin:#");
}

TEST(Tokens, bad_random_bytes_stay_inside_their_lines) {
    std::mt19937 random(7);
    const std::string pieces[] = {"/*",       "*/", "\"",  "'",  "R\"", "(",    ")", "\\",
                                  "#include", "<",  "int", "0x", "e+",  "\xff", " "};
    TokenState state;
    for (int round = 0; round < 20'000; ++round) {
        std::string line;
        for (unsigned i = random() % 12; i > 0; --i)
            line += pieces[random() % std::size(pieces)];
        std::uint32_t end = 0;
        for (const Token& token : tokenise_line(line, state)) {
            ASSERT_GE(token.begin, end) << line;
            ASSERT_GT(token.length, 0u) << line;
            end = token.begin + token.length;
            ASSERT_LE(end, line.size()) << line;
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

}  // namespace
}  // namespace lanescope::scene
