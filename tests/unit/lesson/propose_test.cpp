#include "lesson/instance.h"
#include "support.h"

namespace lanescope::lesson {
namespace {

FrontMatter proposed(const std::string& source) {
    const auto front = propose(find_kernels(source), "k.cu");
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
    EXPECT_EQ(front.launches[0].args[2].text, "1.0");
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
    EXPECT_EQ(front.buffers[0].name, "n_");
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
        return problems_of(propose(find_kernels(source), "k.cu"));
    };
    EXPECT_NE(error_of("\n__global__ void f(Tree* t) {}")
                  .find("k.cu:2: error: no launch can be proposed: 'Tree* t' of f is "
                        "neither a number nor a pointer to numbers (write one at the start of the file"),
              std::string::npos);
    EXPECT_NE(error_of("__global__ void f(int** t) {}"), "no error");
    EXPECT_NE(error_of("__global__ void f(int& t) {}"), "no error");
    EXPECT_NE(error_of("__global__ void f(float4 t) {}"), "no error");
    EXPECT_NE(error_of("template <int block> __global__ void f(int* t) {}").find("needs arguments"),
              std::string::npos);
    EXPECT_NE(error_of("int main() {}").find("there is no kernel in the file"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::lesson
