#include "compile/alias.h"

#include <gtest/gtest.h>

#include "compile/edited_text.h"

namespace lanescope::compile {
namespace alias_test {

std::string with_shared_aliases(const std::string& source) {
    const std::vector<CppToken> tokens = tokenize_cpp(source);
    MarkMacros macros;
    collect_mark_macros(tokens, macros);
    EditedText edited(source);
    for (AliasInsertion& insertion : shared_aliases(tokens, find_declarations(tokens, macros), macros))
        edited.insert(insertion.at, std::move(insertion.words));
    return edited.text();
}

std::string aliased_body(const std::string& body) {
    const std::string head = "__global__ void k(int n) {";
    const std::string out = with_shared_aliases(head + body + "}");
    return out.substr(head.size(), out.size() - head.size() - 1);
}

TEST(Alias, follows_each_declaration_on_its_line) {
    EXPECT_EQ(aliased_body("\n__shared__ float tile[8][33];\nint i;\n"),
              "\n__shared__ float tile[8][33]; auto& __sv_tile = tile;\nint i;\n");
}

TEST(Alias, several_declarators) {
    EXPECT_EQ(aliased_body("__shared__ int a, *b, c[N + 1];"),
              "__shared__ int a, *b, c[N + 1]; auto& __sv_a = a; auto& __sv_b = b; auto& __sv_c = c;");
}

TEST(Alias, extern_alignment_and_order_of_words) {
    EXPECT_EQ(aliased_body("extern __shared__ __align__(16) unsigned char raw[];"),
              "extern __shared__ __align__(16) unsigned char raw[]; auto& __sv_raw = raw;");
    EXPECT_EQ(aliased_body("volatile __shared__ float s;"), "volatile __shared__ float s; auto& __sv_s = s;");
}

TEST(Alias, template_types) {
    EXPECT_EQ(aliased_body("__shared__ Pair<int, Box<float>> p[4], q;"),
              "__shared__ Pair<int, Box<float>> p[4], q; auto& __sv_p = p; auto& __sv_q = q;");
}

TEST(Alias, declarations_in_inner_blocks) {
    EXPECT_EQ(aliased_body("if (n) { __shared__ int s; s = 1; }"),
              "if (n) { __shared__ int s; auto& __sv_s = s; s = 1; }");
}

TEST(Alias, not_in_comments_strings_macros_or_at_file_scope) {
    const std::string text =
        "__shared__ int file_scope[4];\n#define S __shared__ int m;\n"
        "__global__ void k() { /* __shared__ int a; */ const char* s = \"__shared__ int b;\"; }\n";
    EXPECT_EQ(with_shared_aliases(text), text);
}

TEST(Alias, a_macro_that_means_shared) {
    EXPECT_EQ(with_shared_aliases("#define SMEM __shared__\n__global__ void k() { SMEM int a[2]; }"),
              "#define SMEM __shared__\n__global__ void k() { SMEM int a[2]; auto& __sv_a = a; }");
}

TEST(Alias, bad_declarations_are_left_alone) {
    for (const char* body : {"__shared__", "__shared__ ;", "__shared__ int", "__shared__ float (*p)[4];",
                             "{ __shared__ int a } ;"})
        EXPECT_EQ(aliased_body(body), body);
}

}  // namespace alias_test
}  // namespace lanescope::compile
