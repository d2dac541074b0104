#include "lesson/proposal/propose.h"

#include "lesson/instance.h"
#include "support.h"

namespace lanescope::lesson {
namespace propose_test {

FrontMatter proposed(const std::string& source, const std::string& header = {},
                     const std::vector<std::string>& definitions = {}, const std::string& kernel = {}) {
    ProposalRequest request{{{"k.cu", source}}, definitions, kernel};
    if (!header.empty()) request.texts.push_back({"k.cuh", header});
    const auto front = propose(request);
    EXPECT_TRUE(front) << problems_of(front);
    if (!front) return {};
    // A proposed front matter must parse and instantiate.
    const auto again = parse_front_matter(write_front_matter(*front) + source, "k.cu");
    EXPECT_TRUE(again) << write_front_matter(*front) << problems_of(again);
    const auto instance = instantiate(*front, {}, "k.cu");
    EXPECT_TRUE(instance) << problems_of(instance);
    return *front;
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

TEST(propose, a_grid_is_made_of_whole_clusters) {
    const FrontMatter guarded = proposed(
        "__global__ void __cluster_dims__(4, 1, 1) k(int* a, int n) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) a[i] = i;\n}\n");
    for (const std::int64_t n : {1, 100, 256, 257, 1000}) {
        const auto instance = instantiate(guarded, {{"n", n}}, "k.cu");
        ASSERT_TRUE(instance) << problems_of(instance);
        EXPECT_EQ(instance->launches[0].grid[0] % 4, 0u) << n;
        EXPECT_GE(instance->launches[0].grid[0] * instance->launches[0].block[0], n);
    }
    const FrontMatter launched = proposed(
        "__global__ void __cluster_dims__(2) k(int* a) { a[blockIdx.x] = 1; }\n"
        "int main() { int* a; cudaMalloc(&a, 20); k<<<5, 32>>>(a); }\n");
    ASSERT_EQ(launched.launches.size(), 1u);
    EXPECT_EQ(launched.launches[0].grid[0].text, "6");
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

TEST(propose, a_buffer_for_each_pointer_and_n_for_the_size) {
    const FrontMatter front =
        proposed("__global__ void scale(const float* in, float* out, float factor, int n, int shift) {}");
    ASSERT_EQ(front.parameters.size(), 3u);
    EXPECT_EQ(front.parameters[0].name, "n");
    EXPECT_EQ(front.parameters[1].name, "block");
    EXPECT_EQ(front.parameters[2].name, "shift");
    ASSERT_EQ(front.buffers.size(), 2u);
    EXPECT_EQ(front.buffers[0].init.text, "random(0, 9)");
    EXPECT_EQ(front.buffers[1].init.text, "zero");
    EXPECT_EQ(front.buffers[1].type, "float");
    ASSERT_EQ(front.launches.size(), 1u);
    EXPECT_EQ(front.launches[0].kernel, "scale");
    EXPECT_EQ(front.launches[0].grid[0].text, "ceil_div(n, block)");
    EXPECT_EQ(front.launches[0].args[2].text, "2.0") << "a factor of 1 would show nothing";
    EXPECT_EQ(front.launches[0].args[3].text, "n");
    EXPECT_EQ(front.launches[0].args[4].text, "shift");
}

TEST(propose, a_matrix_for_width_and_height) {
    const FrontMatter front = proposed(
        "__global__ void blur(const unsigned char* in, unsigned char* out, int width, int height)"
        "{ int y = blockIdx.y * blockDim.y + threadIdx.y; }");
    EXPECT_EQ(front.parameters[0].name, "width");
    EXPECT_EQ(front.buffers[0].type, "uchar");
    ASSERT_EQ(front.buffers[0].shape.size(), 2u);
    EXPECT_EQ(front.buffers[0].shape[0].text, "height");
    EXPECT_EQ(front.launches[0].grid[1].text, "ceil_div(height, 16)");
}

TEST(propose, spellings_of_types_and_taken_names) {
    const FrontMatter front = proposed(
        "template <typename T> __global__ void k(const unsigned long long* n, T* block, "
        "volatile std::int16_t* max, const float4* v, size_t len, __half* h) {}");
    EXPECT_EQ(front.launches[0].kernel, "k<int>");
    ASSERT_EQ(front.buffers.size(), 5u);
    EXPECT_EQ(front.buffers[0].name, "n");
    EXPECT_EQ(front.parameters[0].name, "len");
    EXPECT_EQ(front.buffers[0].type, "ulong");
    EXPECT_EQ(front.buffers[1].name, "block_");
    EXPECT_EQ(front.buffers[1].type, "int");
    EXPECT_EQ(front.buffers[2].name, "max_");
    EXPECT_EQ(front.buffers[2].type, "short");
    EXPECT_EQ(front.buffers[3].type, "float4");
    EXPECT_EQ(front.buffers[4].type, "half");
}

TEST(propose, bad_signatures_say_what_to_write) {
    const auto error_of = [](const std::string& source) {
        return problems_of(propose({{{"k.cu", source}}, {}, {}}));
    };
    EXPECT_NE(error_of("\n__global__ void f(Tree* t) {}")
                  .find("k.cu:2: error: no launch can be proposed: 'Tree* t' of f is "
                        "neither a number nor a pointer to numbers (write one at the start of the file"),
              std::string::npos);
    EXPECT_NE(error_of("__global__ void f(int& t) {}"), "no error");
    EXPECT_NE(error_of("struct M { int w; float* data; }; __global__ void f(M* a) {}")
                  .find("points to structures with pointers"),
              std::string::npos);
    EXPECT_NE(error_of("struct M { float** data; }; __global__ void f(M a) {}").find("a pointer to pointers"),
              std::string::npos);
    EXPECT_NE(error_of("__global__ void f(float*** t) {}").find("points to pointers to pointers"),
              std::string::npos);
    EXPECT_NE(error_of("template <int block> __global__ void f(int* t) {}").find("needs arguments"),
              std::string::npos);
    EXPECT_NE(error_of("int main() {}").find("the file has no kernel"), std::string::npos);
}

TEST(propose, grids_of_host_code_have_a_block) {
    const FrontMatter front = proposed(
        "__global__ void k(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] "
        "= 1; }\n"
        "int main() { int n = 64, block = 256, blocks = n / block; k<<<blocks, block>>>(x, n); }");
    const auto made = instantiate(front, {}, "k.cu");
    ASSERT_TRUE(made) << problems_of(made);
    EXPECT_EQ(made->launches[0].grid[0], 1u);
}

TEST(propose, structures_hold_addresses_of_buffers) {
    const FrontMatter front = proposed(
        "struct Matrix { int width, height; float* elements; double scale; };\n"
        "__global__ void k(Matrix a) { int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (x < a.width) a.elements[x] *= a.scale; }");
    ASSERT_EQ(front.buffers.size(), 2u);
    EXPECT_EQ(front.buffers[0].name, "a_elements");
    EXPECT_EQ(front.buffers[0].type, "float");
    EXPECT_EQ(front.launches[0].args[0].text, "a");
    ASSERT_EQ(front.buffers[1].addresses.size(), 3u);
    const std::int64_t sides = std::stoll(front.buffers[1].addresses[0].text);
    EXPECT_EQ(sides >> 32, sides & 0xffffffff);  // width and height share a word
    EXPECT_GT(sides & 0xffffffff, 1);
    EXPECT_EQ(front.buffers[1].addresses[1].text, "a_elements");
    EXPECT_EQ(front.buffers[1].addresses[2].text, std::to_string(0x3ff0000000000000));  // 1.0
    EXPECT_TRUE(instantiate(front, {}, "k.cu"));
}

TEST(propose, pointers_to_pointers_are_tables_of_rows) {
    const FrontMatter front = proposed(
        "__global__ void k(float** rows, int n, int m) { int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) for (int j = 0; j < m; ++j) rows[i][j] = 0; }");
    ASSERT_EQ(front.buffers.size(), 2u);
    EXPECT_EQ(front.buffers[1].name, "rows");
    EXPECT_EQ(front.buffers[1].count.text, "n");
    EXPECT_EQ(front.buffers[1].addresses[0].text, "rows_rows + i * (m * n)");
    EXPECT_EQ(front.launches[0].args[0].text, "rows");
    const auto made = instantiate(front, {}, "k.cu");
    ASSERT_TRUE(made) << problems_of(made);
    EXPECT_EQ(made->buffers[1].addresses.size(), made->buffers[1].count);
}

std::string count_of(const FrontMatter& front, const std::string& name) {
    for (const Buffer& buffer : front.buffers)
        if (buffer.name == name)
            return buffer.shape.empty() ? buffer.count.text
                                        : buffer.shape[0].text + " x " + buffer.shape[1].text;
    return "no buffer";
}

TEST(propose, guards_say_how_many_threads_and_elements) {
    const FrontMatter front = proposed(
        "__global__ void add(const float* A, const float* B, float* C, int numElements) {\n"
        "  int i = blockDim.x * blockIdx.x + threadIdx.x;\n"
        "  if (i < numElements) C[i] = A[i] + B[i]; }");
    EXPECT_EQ(front.launches[0].grid[0].text, "ceil_div(numElements, block)");
    EXPECT_EQ(count_of(front, "A"), "numElements");
    EXPECT_EQ(count_of(front, "C"), "numElements");
    const FrontMatter early = proposed(
        "__global__ void f(int* a, int V) { int i = threadIdx.x + blockIdx.x * blockDim.x;\n"
        "  if (i >= V || i < 0) return; a[2 * i + 1] = i; }");
    EXPECT_EQ(count_of(early, "a"), "2 * V");
    EXPECT_EQ(early.parameters[0].name, "V");
    const FrontMatter strided = proposed(
        "__global__ void f(int* a, long m) { for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < m;\n"
        "  i += blockDim.x * gridDim.x) a[i] += 1; }");
    EXPECT_EQ(count_of(strided, "a"), "m");
    EXPECT_EQ(strided.launches[0].grid[0].text, "ceil_div(m, block)");
}

TEST(propose, products_of_matrices) {
    const FrontMatter front = proposed(
        "__global__ void gemm(int M, int N, int K, const float* A, const float* B, float* C) {\n"
        "  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + "
        "threadIdx.y;\n"
        "  if (x < M && y < N) { float t = 0; for (int i = 0; i < K; ++i) t += A[x * K + i] * B[i * N + y];\n"
        "    C[x * N + y] = t; } }");
    EXPECT_EQ(count_of(front, "A"), "K * M");
    EXPECT_EQ(count_of(front, "B"), "K * N");
    EXPECT_EQ(count_of(front, "C"), "M * N");
    EXPECT_EQ(front.launches[0].grid[1].text, "ceil_div(N, 16)");
}

TEST(propose, a_launch_of_host_code_says_the_rest) {
    const FrontMatter front = proposed(
        "#define BLOCK 128\n"
        "template <unsigned size> __global__ void reduce(const float* in, float* out, int n) {\n"
        "  extern __shared__ float s[]; int i = blockIdx.x * size + threadIdx.x;\n"
        "  s[threadIdx.x] = i < n ? in[i] : 0; __syncthreads(); if (threadIdx.x == 0) out[blockIdx.x] = "
        "s[0]; }\n"
        "void sum(const float* in, float* out, int count) {\n"
        "  const int blocks = (count + BLOCK - 1) / BLOCK;\n"
        "  reduce<BLOCK><<<blocks, dim3(BLOCK), BLOCK * sizeof(float)>>>(in, out, count); }");
    EXPECT_EQ(front.launches[0].kernel, "reduce<128>");
    EXPECT_EQ(front.launches[0].grid[0].text, "ceil_div(n, 128)");
    EXPECT_EQ(front.launches[0].block[0].text, "128");
    EXPECT_EQ(front.launches[0].shared.text, "512");
    EXPECT_EQ(count_of(front, "out"), "ceil_div(n, 128)");
}

TEST(propose, kernels_and_types_of_a_header) {
    const std::string header =
        "#pragma once\n#ifdef WIDE\ntypedef double real;\n#else\ntypedef float real;\n#endif\n"
        "template <class T> __global__ void saxpy(int n, T a, const T* x, T* y) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += a * x[i]; }\n";
    const std::string source =
        "#include \"k.cuh\"\nvoid go(real* x, real* y) { saxpy<real><<<4, 64>>>(256, 0.5f, x, y); }";
    const FrontMatter front = proposed(source, header);
    EXPECT_EQ(front.launches[0].kernel, "saxpy<real>");
    EXPECT_EQ(front.launches[0].args[1].text, "0.5");
    EXPECT_EQ(front.parameters[0].default_value, 256);
    EXPECT_EQ(front.buffers[0].type, "float");
    EXPECT_EQ(proposed(source, header, {"WIDE"}).buffers[0].type, "double");
}

TEST(propose, structures_bool_and_half) {
    const FrontMatter front = proposed(
        "#include <cuda_fp16.h>\nstruct Body { float3 at; float mass; };\n"
        "typedef struct { int key; float value; } Pair;\n"
        "__global__ void f(Body* bodies, Pair* pairs, bool* marks, half h, Pair one, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;\n"
        "  bodies[i].mass += 1; pairs[i].key = i; marks[i] = true; }");
    EXPECT_EQ(count_of(front, "bodies"), "4 * n");
    EXPECT_EQ(front.buffers[0].type, "float");
    EXPECT_EQ(count_of(front, "pairs"), "2 * n");
    EXPECT_EQ(front.buffers[1].type, "uint");
    EXPECT_EQ(front.buffers[2].type, "uchar");
    EXPECT_EQ(front.buffers[3].type, "half");
    EXPECT_EQ(count_of(front, "one"), "2");
}

TEST(propose, rows_begin_at_offsets_that_grow) {
    const FrontMatter front = proposed(
        "__global__ void spmv(int rows, const int* ptr, const int* col, const float* x, float* y) {\n"
        "  int r = blockIdx.x * blockDim.x + threadIdx.x; if (r < rows) { float t = 0;\n"
        "  for (int j = ptr[r]; j < ptr[r + 1]; ++j) t += x[col[j]]; y[r] = t; } }");
    EXPECT_EQ(count_of(front, "ptr"), "rows + 1");
    EXPECT_EQ(front.buffers[0].init.text, "iota(0, 2)");
    EXPECT_EQ(count_of(front, "col"), "2 * rows");
    EXPECT_EQ(count_of(front, "x"), "10") << "the columns are at most 9";
}

TEST(propose, one_of_several_kernels) {
    const std::string source =
        "__global__ void first(Tree* t) {}\n__global__ void second(int* a) { a[threadIdx.x] = 1; }\n"
        "namespace deep { __global__ void third(int* a) { a[threadIdx.x] = 1; } }\n";
    const FrontMatter front = proposed(source);
    EXPECT_EQ(front.launches[0].kernel, "second") << "no launch can be proposed for the first";
    EXPECT_EQ(front.proposal.kernels, (std::vector<std::string>{"first", "second", "deep::third"}));
    EXPECT_EQ(proposed(source, {}, {}, "third").launches[0].kernel, "deep::third");
    const std::string unknown = problems_of(propose({{{"k.cu", source}}, {}, "fourth"}));
    EXPECT_NE(unknown.find("no kernel is named 'fourth' (the file has: first, second, deep::third)"),
              std::string::npos)
        << unknown;
}

TEST(propose, bad_texts_do_not_crash) {
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
        (void)propose({{{"k.cu", source}}, {}, {}});
    std::string deep = "__global__ void f(int* a) { ";
    for (int i = 0; i < 20'000; ++i)
        deep += "if (a[0]) { ";
    (void)propose({{{"k.cu", deep}}, {}, {}});
}

}  // namespace propose_test
}  // namespace lanescope::lesson
