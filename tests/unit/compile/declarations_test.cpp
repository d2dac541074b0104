#include "compile/declarations.h"

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace declarations_test {

std::vector<Declaration> found_in(std::string_view text) {
    const std::vector<CppToken> tokens = tokenize_cpp(text);
    MarkMacros macros;
    collect_mark_macros(tokens, macros);
    return find_declarations(tokens, macros);
}

// Returns the functions in order, such as "f:device g:host".
std::string functions(std::string_view text) {
    std::string out;
    for (const Declaration& d : found_in(text)) {
        if (d.kind != Declaration::Kind::function) continue;
        out += (out.empty() ? "" : " ") + d.name + (d.device ? ":device" : ":host");
    }
    return out;
}

TEST(Declarations, marks_decide) {
    EXPECT_EQ(functions("__global__ void k(int* p) { }\nint f() { return 1; }\n__host__ __device__ int g();\n"
                        "static inline __device__ int h(int a) { if (a) { } return 2; }"),
              "k:device f:host h:device");
}

TEST(Declarations, attributes_are_no_parameters) {
    EXPECT_EQ(functions("__global__ void __launch_bounds__(256, 2) k(int* p) {}\n"
                        "struct __align__(16) S { int a; };\nstruct alignas(8) T { __device__ T() {} };"),
              "k:device T:device");
}

TEST(Declarations, macros_mark_too) {
    EXPECT_EQ(functions("#define HD __host__ __device__\n#define BOTH HD inline\nHD int f() { }\nBOTH int "
                        "g() { }\nint h() { }"),
              "f:device g:device h:host");
}

TEST(Declarations, a_macro_call_before_a_kernel_does_not_hide_its_mark) {
    EXPECT_EQ(functions("REGISTER(x)\n__global__ void k(int* p) { }"), "REGISTER:device");
}

TEST(Declarations, constructors_operators_and_destructors) {
    EXPECT_EQ(
        functions(
            "struct M { std::vector<float> d; int w; M(int n) : d(n), w{n} { go(); } ~M() {}\n"
            "  __device__ M operator+(const M& o) const { return o; } bool operator()(int) { return 1; } };\n"
            "int M::size() const { return 0; }"),
        "M:host M:host operator:device operator:host size:host");
}

TEST(Declarations, templates_keep_their_header) {
    const std::string text = "template <class T, int N = (3 > 2)> T f(T a) { return a; }";
    const auto all = found_in(text);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].name, "f");
    EXPECT_EQ(all[0].whole_begin, 0u);
    EXPECT_EQ(all[0].begin, text.find("T f(T"));
    EXPECT_EQ(all[0].body_begin, text.find('{'));
    EXPECT_EQ(all[0].end, text.size());
}

TEST(Declarations, namespaces_and_linkage_blocks_are_entered) {
    EXPECT_EQ(
        functions(
            "namespace a::b { inline namespace c { int f() {} } }\nextern \"C\" { __global__ void k() {} }\n"
            "extern \"C\" __global__ void l() {}"),
        "f:host k:device l:device");
}

TEST(Declarations, both_branches_of_a_condition_are_seen) {
    EXPECT_EQ(
        functions("#ifdef A\nint f(int a) {\n#else\nint g() {\n#endif\n return 1; }\n__global__ void k() {}"),
        "f:host k:device g:host");
}

TEST(Declarations, variables_have_names_and_host_words) {
    const auto all = found_in(
        "std::vector<std::pair<int, int>> list(3);\nstatic int table[4] = {1, 2};\n__constant__ float w[9];");
    ASSERT_EQ(all.size(), 3u);
    EXPECT_TRUE(all[0].host_words);
    EXPECT_EQ(all[1].name, "table");
    EXPECT_FALSE(all[1].host_words);
    EXPECT_TRUE(all[2].device);
}

TEST(Declarations, bad_texts_end) {
    for (const char* text :
         {"}", "{{{{", "template <", "template <class T", "namespace", "struct", "int f(", "operator", "f(){",
          "#else\n#endif\n#if\n", "int a = ", ") ] }", "T() : a(", "extern \"C\"", "void f() try"})
        found_in(text);
    std::string deep;
    for (int i = 0; i < 100'000; ++i)
        deep += "namespace a {";
    found_in(deep);
    std::string open;
    for (int i = 0; i < 20'000; ++i)
        open += "#if A\nint f() {\n#else\n";
    found_in(open);
}

}  // namespace declarations_test
}  // namespace lanescope::compile
