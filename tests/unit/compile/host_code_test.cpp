#include "compile/host_code.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanescope::compile {
namespace host_code_test {

HostCode host_code(const std::string& text) {
    MarkMacros macros;
    collect_mark_macros(tokenize_cpp(text), macros);
    return HostCode(text, macros);
}

Diagnostic at(int line, int column, std::string message) {
    return error_at("x.cu", line, column, std::move(message));
}

TEST(HostCode, keeps_every_line_and_every_directive) {
    const std::string text =
        "#include <cstdio>\nint main()\n{\n#ifdef A\n  k<<<1, 2>>>(0);\n#endif\n}\n__global__ void k(int*) "
        "{}\n";
    const std::string hidden = host_code(text).hidden().text();
    EXPECT_EQ(std::count(hidden.begin(), hidden.end(), '\n'), std::count(text.begin(), text.end(), '\n'));
    EXPECT_EQ(hidden.find("main"), std::string::npos);
    EXPECT_EQ(hidden.find("<<<"), std::string::npos);
    EXPECT_EQ(hidden.find("#ifdef A\n"), text.find("#ifdef A\n"));
    EXPECT_EQ(hidden.find("__global__ void k(int*) {}"), text.find("__global__"));
}

TEST(HostCode, a_readable_host_function_is_refused_not_forgotten) {
    EXPECT_EQ(host_code("int f(int a) { return a; }\n").hidden().text(),
              "__device__ int f(int a)  = delete;             \n");
}

TEST(HostCode, an_unmarked_constexpr_function_gets_its_mark) {
    EXPECT_EQ(host_code("template <int N> constexpr int f() { return N; }").hidden().text(),
              "template <int N> __device__ constexpr int f() { return N; }");
}

TEST(HostCode, columns_after_an_insertion_are_the_users) {
    const HostCode code = host_code("constexpr int f() { return undefined_name; }");
    Diagnostic d = at(1, 28 + 11, "identifier \"undefined_name\" is undefined");
    code.translate(d);
    EXPECT_EQ(d.column, 28);
    Diagnostic before = at(1, 3, "x");
    code.translate(before);
    EXPECT_EQ(before.column, 1);
}

TEST(HostCode, learns_host_variables_from_the_compiler) {
    HostCode code = host_code("static int g = 4;\n__constant__ int c;\n");
    EXPECT_TRUE(code.learn({at(1, 12, "A namespace scope variable … is considered a host variable, and …")}));
    EXPECT_EQ(code.hidden().text(), "                 \n__constant__ int c;\n");
    Diagnostic d = at(2, 1, "identifier \"g\" is undefined");
    code.translate(d);
    EXPECT_NE(d.hint.find("host only"), std::string::npos);
}

TEST(HostCode, a_text_that_breaks_off_is_a_mistake) {
    for (const char* text : {"__global__ void k() {}\nx", "__global__ void k() {}\nint x"})
        EXPECT_FALSE(host_code(text).learn({at(2, 1, "… is considered a host variable, and …")})) << text;
}

// The compiler takes "void k(unknown::type* a)" for a variable.
TEST(HostCode, a_kernel_stays_whatever_the_compiler_says) {
    HostCode code = host_code("__global__ void k(at::Half* a) {}\n");
    EXPECT_FALSE(
        code.learn({at(1, 17, "A namespace scope variable … is considered a host variable, and …")}));
}

TEST(HostCode, a_class_of_host_things_goes_as_a_whole) {
    const std::string text = "struct S { std::vector<int> v; int n; };\n";
    HostCode code = host_code(text);
    EXPECT_TRUE(code.learn({at(1, 17, "namespace \"std\" has no member \"vector\"")}));
    EXPECT_EQ(code.hidden().text(), std::string(text.size() - 1, ' ') + "\n");
}

TEST(HostCode, errors_in_device_code_are_the_users) {
    HostCode code = host_code("__global__ void k() { std::vector<int> v; }\nstruct P { flot x; };\n");
    EXPECT_FALSE(code.learn({at(1, 28, "namespace \"std\" has no member \"vector\""),
                             at(2, 12, "identifier \"flot\" is undefined")}));
}

TEST(HostCode, a_call_of_host_code_is_explained) {
    const HostCode code = host_code("int helper(int a) { return a; }\n");
    Diagnostic d =
        at(2, 5,
           "function \"helper(int)\" (declared at line 1) cannot be referenced -- it is a deleted function");
    code.translate(d);
    EXPECT_EQ(d.message, "function \"helper(int)\" is host code: device code cannot use it");
    Diagnostic own = at(
        2, 5, "function \"mine(int)\" (declared at line 1) cannot be referenced -- it is a deleted function");
    code.translate(own);
    EXPECT_NE(own.message.find("deleted"), std::string::npos);
}

TEST(HostCode, bad_positions_teach_nothing) {
    HostCode code = host_code("int a;\n");
    for (const auto& [line, column] : {std::pair{0, 0}, {-3, 1}, {99, 1}, {1, 1000}})
        EXPECT_FALSE(code.learn({at(line, column, "x")})) << line << ':' << column;
}

}  // namespace host_code_test
}  // namespace lanescope::compile
