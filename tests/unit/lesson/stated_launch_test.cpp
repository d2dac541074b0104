#include "lesson/proposal/stated_launch.h"
#include "lesson/proposal/find_kernels.h"
#include "support.h"

namespace lanescope::lesson {
namespace stated_launch_test {

StatedLaunch stated(const std::string& source, const std::string& header = {},
                    const std::vector<std::string>& definitions = {}, const std::string& kernel = {}) {
    SourceRequest request{{{"k.cu", source}}, definitions, kernel};
    if (!header.empty()) request.texts.push_back({"k.cuh", header});
    const auto made = stated_launches(request);
    EXPECT_TRUE(made) << problems_of(made);
    return made ? made->launches.front() : StatedLaunch{};
}

TEST(find_kernels, reads_signatures) {
    const auto kernels = find_kernels(
        "#include <x.h>\n"
        "// __global__ void comment(int a) {}\n"
        "/* __global__ void comment2(int a) {} */\n"
        "const char* s = \"__global__ void text(int a) {}\";\n"
        "#define K __global__ void macro(int a) \\\n  {}\n"
        "__global__ void declared(int a);\n"
        "__global__ void add(const int* a, int *__restrict__ b, unsigned int n = 3) {}\n"
        "extern \"C\" __global__ void none(void) { }\n"
        "static __global__ __launch_bounds__(256, 2) void bounded(float x[], const double) {}\n"
        "void __device__ helper(int a) { if (a) { } }\n"
        "namespace one::two { namespace { __global__ void inner() {} } }\n"
        "template <typename T, int block>\n"
        "__global__ void typed(T* data, std::size_t n) { x = threadIdx.y; }\n"
        "__global__ void last(const float4* __restrict__ v) {}\n");
    ASSERT_EQ(kernels.size(), 6u);
    EXPECT_EQ(kernels[0].name, "add");
    EXPECT_EQ(kernels[0].line, 8);
    ASSERT_EQ(kernels[0].params.size(), 3u);
    EXPECT_EQ(kernels[0].params[0].type, "const int*");
    EXPECT_EQ(kernels[0].params[0].name, "a");
    EXPECT_EQ(kernels[0].params[1].type, "int* __restrict__");
    EXPECT_EQ(kernels[0].params[2].type, "unsigned int");
    EXPECT_EQ(kernels[0].params[2].name, "n");
    EXPECT_EQ(kernels[1].name, "none");
    EXPECT_TRUE(kernels[1].params.empty());
    EXPECT_EQ(kernels[2].name, "bounded");
    EXPECT_EQ(kernels[2].params[0].type, "float*");
    EXPECT_EQ(kernels[2].params[1].name, "arg1");
    EXPECT_EQ(kernels[3].name, "one::two::inner");
    EXPECT_EQ(kernels[4].template_parameters, (std::vector<std::string>{"typename T", "int block"}));
    EXPECT_TRUE(kernels[4].two_dimensional);
    EXPECT_FALSE(kernels[0].two_dimensional);
    EXPECT_TRUE(kernels[5].template_parameters.empty());
}

TEST(find_kernels, bad_sources_do_not_crash) {
    for (const char* source : {"",
                               "__global__",
                               "__global__ void",
                               "__global__ void f(",
                               "__global__ void f(int",
                               "{{{{",
                               "}}}}",
                               "template <",
                               "namespace",
                               "namespace a",
                               "\"",
                               "'",
                               "/*",
                               "R\"(",
                               "#",
                               "#\\\n",
                               "__global__ void f(int a[) {}",
                               "__global__ void f(]]]) {}",
                               "__global__ void f(= = ,,) {}",
                               "__global__ __launch_bounds__( void f() {}",
                               "template <<<>>> __global__ void f() {}"})
        find_kernels(source);
    find_kernels(std::string("a\0b\xff __global__ \x80 void f() {}", 30));
    find_kernels("__global__ void f(" + std::string(1'000'000, '(') + ") {}");
}

TEST(stated_launches, what_cannot_be_launched_is_said) {
    const auto error_of = [](const std::string& source) {
        return problems_of(stated_launches({{{"k.cu", source}}, {}, {}}));
    };
    EXPECT_NE(
        error_of("\n__global__ void f(int& t) {}")
            .find("k.cu:2: error: no launch can be proposed: 'int& t' of f is a reference, which only device "
                  "code can pass (write one at the start of the file"),
        std::string::npos);
    EXPECT_NE(error_of("template <int block> __global__ void f(int* t) {}").find("needs arguments"),
              std::string::npos);
    EXPECT_NE(error_of("int main() {}").find("the file has no kernel"), std::string::npos);
}

TEST(stated_launches, a_launch_of_host_code) {
    const StatedLaunch launch = stated(
        "#define BLOCK 128\n"
        "template <unsigned size> __global__ void reduce(const float* in, float* out, int n) { out[0] = "
        "in[n]; }\n"
        "void sum(const float* in, float* out, int count) {\n"
        "  const int blocks = (count + BLOCK - 1) / BLOCK;\n"
        "  reduce<BLOCK><<<blocks, dim3(BLOCK), BLOCK * sizeof(float)>>>(in, out, count); }");
    EXPECT_EQ(launch.kernel, "reduce<128>");
    EXPECT_EQ(launch.grid, std::vector<std::string>{"ceil_div(n, 128)"});
    EXPECT_EQ(launch.block, std::vector<std::string>{"128"});
    EXPECT_EQ(launch.shared, "512");
}

TEST(stated_launches, memory_and_numbers_of_host_code) {
    const StatedLaunch launch = stated(
        "__global__ void k(int* a, int n, float f) { a[n] = f; }\n"
        "int main() { int* a; cudaMalloc(&a, 20); k<<<5, 32>>>(a, 7, 0.5f); }\n");
    ASSERT_EQ(launch.arguments.size(), 3u);
    EXPECT_EQ(launch.arguments[0].allocated_bytes, 20);
    EXPECT_EQ(launch.arguments[1].value, 7);
    EXPECT_EQ(launch.arguments[2].literal, "0.5");
    EXPECT_EQ(launch.grid, std::vector<std::string>{"5"});
}

// Both branches have a constant of the same name.
TEST(stated_launches, template_arguments_in_branches_of_host_code) {
    const StatedLaunch launch = stated(
        "template <int size> __global__ void k(int* a) { a[0] = size; }\n"
        "void go(int* a, int n) {\n"
        "  if (n > 512) { const int size = 256; k<size><<<n, size>>>(a); }\n"
        "  else { const int size = 64; k<size><<<n, size>>>(a); } }\n");
    EXPECT_EQ(launch.kernel, "k<256>");
    EXPECT_EQ(launch.block, std::vector<std::string>{"256"});
}

TEST(stated_launches, launches_in_macros) {
    const StatedLaunch launch = stated(
        "template <int threads> __global__ void scale_f32_kernel(float* x, int n) { x[n] = threads; }\n"
        "#define LAUNCH(type, H) scale_##type##_kernel<(H) / 4><<<grid, block>>>(x, n); say(#type);\n"
        "#define DISPATCH(n, H) dim3 block((H) / 4); dim3 grid((n)); switch (H) { case 64: LAUNCH(f32, 64) "
        "}\n"
        "void scale(float* x, int n) { DISPATCH(n, 64) }\n");
    EXPECT_EQ(launch.kernel, "scale_f32_kernel<16>");
    EXPECT_EQ(launch.grid, std::vector<std::string>{"n"});
    EXPECT_EQ(launch.block, std::vector<std::string>{"16"});
    EXPECT_EQ(
        stated("#define GO(x) k<<<2, 32>>>(x); GO(x)\n__global__ void k(int* a) {}\nvoid f(int* a) { GO(a) }")
            .grid,
        std::vector<std::string>{"2"});
}

TEST(stated_launches, numbers_that_host_code_computes_from_others) {
    const StatedLaunch launch = stated(
        "__global__ void k(float* x, int n, int tiles, int size, int step) { x[n] = tiles; }\n"
        "void go(float* x, int n) { const int size = 32; const int tiles = ceil((float)n / size);\n"
        "  for (int step = n / 2; step > 0; step /= 2) k<<<tiles, size>>>(x, n, tiles, size, step); }\n");
    EXPECT_EQ(launch.arguments[2].text, "ceil_div(n, size)");
    EXPECT_EQ(launch.arguments[3].text, "") << "a constant";
    EXPECT_EQ(launch.arguments[4].text, "") << "another number in each round";
    EXPECT_EQ(launch.grid, std::vector<std::string>{"ceil_div(n, size)"});
}

TEST(stated_launches, a_grid_over_variables_of_the_host) {
    const StatedLaunch launch = stated(
        "__global__ void k(float* x, int n, int size) { x[n] = size; }\n"
        "void go(torch::Tensor t) { const int n = t.size(2), size = t.size(0), heads = t.size(1);\n"
        "  dim3 grid(size, heads, div_ceil(n, 64)); k<<<grid, n / 4>>>(t.data<float>(), n, 3); }\n");
    EXPECT_TRUE(launch.grid.empty());
    EXPECT_EQ(launch.open_grid, (std::vector<std::string>{"size_", "heads", "ceil_div(n, 64)"}));
    EXPECT_EQ(launch.open_names, (std::vector<std::string>{"heads", "size_"}));
    EXPECT_EQ(launch.sized_block, std::vector<std::string>{"n / 4"});
}

TEST(stated_launches, template_arguments_of_the_function_that_launches) {
    const StatedLaunch launch = stated(
        "template <int size, int stages, int rows> __global__ void k(int* a) { a[0] = size; }\n"
        "template <const int D, const int S, int R = 4>\n"
        "void go(int* a) { constexpr int threads = D * 2; k<D, S, R><<<3, threads>>>(a); }\n"
        "void run(int* a, int d) { switch (d) { case 32: go<32, (1 + 1)>(a); case 64: go<64, 1>(a); } }\n");
    EXPECT_EQ(launch.kernel, "k<32, 2, 4>");
    EXPECT_EQ(launch.block, std::vector<std::string>{"64"});
}

TEST(stated_launches, a_whole_warp_comes_first) {
    const auto of = [](const std::string& blocks) {
        std::string calls;
        for (const char block : blocks)
            calls += std::string("k<") + block + " * 8><<<1, " + block + " * 8>>>(a);";
        return stated("template <int n> __global__ void k(int* a) {}\nvoid go(int* a) { " + calls + " }")
            .kernel;
    };
    EXPECT_EQ(of("1248"), "k<32>");
    EXPECT_EQ(of("84"), "k<64>");
    EXPECT_EQ(of("12"), "k<8>");
}

TEST(stated_launches, kernels_and_types_of_a_header) {
    const std::string header =
        "#pragma once\n#ifdef WIDE\ntypedef double real;\n#else\ntypedef float real;\n#endif\n"
        "template <class T> __global__ void saxpy(int n, T a, const T* x, T* y) { y[n] += a * x[n]; }\n";
    const std::string source =
        "#include \"k.cuh\"\nvoid go(real* x, real* y) { saxpy<real><<<4, 64>>>(256, 0.5f, x, y); }";
    const StatedLaunch launch = stated(source, header);
    EXPECT_EQ(launch.kernel, "saxpy<real>");
    EXPECT_EQ(launch.file, "k.cuh");
    EXPECT_EQ(launch.arguments[0].value, 256);
    EXPECT_EQ(launch.arguments[1].literal, "0.5");
}

TEST(stated_launches, one_of_several_kernels) {
    const std::string source =
        "__global__ void first(int& t) {}\n__global__ void second(int* a) { a[threadIdx.x] = 1; }\n"
        "namespace deep { __global__ void third(int* a) { a[threadIdx.x] = 1; } }\n";
    EXPECT_EQ(stated(source).kernel, "second") << "no launch can be proposed for the first";
    EXPECT_EQ(stated(source, {}, {}, "third").kernel, "deep::third");
    const std::string unknown = problems_of(stated_launches({{{"k.cu", source}}, {}, "fourth"}));
    EXPECT_NE(unknown.find("no kernel is named 'fourth' (the file has: first, second, deep::third)"),
              std::string::npos)
        << unknown;
}

TEST(stated_launches, bad_texts_do_not_crash) {
    for (const char* source :
         {"__global__ void f(int* a) { a[", "__global__ void f(int* a) { for (",
          "__global__ void f(int*a){if(", "__global__ void f(int* a) { int i = i + i; a[i] = i; }",
          "#define N N\n__global__ void f(int* a) { a[N]=1; }",
          "#define A B\n#define B A\n__global__ void f(int* a) { if (threadIdx.x < A) a[B] = 1; }",
          "struct S { S s; };\n__global__ void f(S* a) {}",
          "#define F(x) F(F(x))\n__global__ void f(int*a){a[F(1)]=1;}",
          "__global__ void f(int* a) { do { } while (", "typedef\n__global__ void f(int* a) {}",
          "__global__ void f(int* a) {}\nvoid g() { f<<<1",
          "__global__ void f(int* a) {}\nvoid g() { f<1><<<>>>(); }",
          "typedef A B; typedef B A;\n__global__ void f(A* a) {}",
          "#if\n#elif\n#else\n__global__ void f(int*a){}",
          "__global__ void f(int* a) { int i = blockIdx.x * 4 + threadIdx.x; "
          "if (i < 9223372036854775807) a[i] = i; }",
          "__global__ void f(int* a) { a[threadIdx.x - (-9223372036854775807 - 1)] = 1; }",
          "struct F {}; struct S { F f[9223372036854775807]; };\n__global__ void f(S* a) {}",
          "struct S { int a, b; }; struct T { S s[9223372036854775807]; };\n__global__ void f(T* a) {}",
          "__global__ void f(int* a) { a[0] = 1; }\n"
          "int main() { f<<<9223372036854775807, 1024>>>(0); f<<<1e300, dim3(1000000000, 1000000000)>>>(0); "
          "}"})
        (void)stated_launches({{{"k.cu", source}}, {}, {}});
    std::string deep = "__global__ void f(int* a) { ";
    for (int i = 0; i < 20'000; ++i)
        deep += "if (a[0]) { ";
    (void)stated_launches({{{"k.cu", deep}}, {}, {}});
}

}  // namespace stated_launch_test
}  // namespace lanescope::lesson
