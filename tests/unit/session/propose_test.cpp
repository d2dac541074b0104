// Launches that are proposed for sources: what they state, what trial runs find out, and that a guess alone
// is never an error.
#include <gtest/gtest.h>

#include "execution/run/run.h"
#include "session/report/report.h"

namespace lanescope::session {
namespace propose_test {

Result<execution::RunResult> execute_text(const std::string& source,
                                          const lesson::ParameterValues& parameters = {}) {
    execution::RunRequest request;
    request.file = "k.cu";
    request.source = source;
    request.parameters = parameters;
    return execution::execute(request);
}

execution::RunResult proposed(const std::string& source, const lesson::ParameterValues& parameters = {}) {
    Result<execution::RunResult> run = execute_text(source, parameters);
    EXPECT_TRUE(run) << to_text(run.diagnostics());
    return run ? std::move(*run) : execution::RunResult{};
}

// A run whose guesses fit the kernel: there is nothing to ask and nothing wrong.
execution::RunResult clean(const std::string& source, const lesson::ParameterValues& parameters = {}) {
    execution::RunResult run = proposed(source, parameters);
    EXPECT_TRUE(run.fine()) << report_text(run);
    EXPECT_TRUE(run.problems.empty()) << report_text(run);
    return run;
}

std::string error_of(const std::string& source) {
    const Result<execution::RunResult> run = execute_text(source);
    return run ? "no error" : to_text(run.diagnostics());
}

std::string count_of(const execution::RunResult& run, const std::string& name) {
    for (const lesson::Buffer& buffer : run.instance.front.buffers)
        if (buffer.name == name)
            return buffer.shape.empty() ? buffer.count.text
                                        : buffer.shape[0].text + " x " + buffer.shape[1].text;
    return "no buffer";
}

const lesson::LaunchSpec& launch_of(const execution::RunResult& run) {
    return run.instance.front.launches.at(0);
}
std::array<std::uint32_t, 3> block_of(const execution::RunResult& run) {
    return run.instance.launches.at(0).block;
}

const std::string index_x = "int i = blockIdx.x * blockDim.x + threadIdx.x; ";

TEST(Propose, guards_say_how_many_threads_and_elements) {
    const execution::RunResult add =
        clean("__global__ void add(const float* A, float* C, int numElements) {" + index_x +
              "if (i < numElements) C[i] = A[i]; }");
    EXPECT_EQ(launch_of(add).grid[0].text, "ceil_div(numElements, block)");
    EXPECT_EQ(count_of(add, "A"), "numElements");
    EXPECT_EQ(add.instance.front.buffers[0].init.text, "random(0, 9)");
    EXPECT_EQ(add.instance.front.buffers[1].init.text, "zero");
    EXPECT_EQ(count_of(clean("__global__ void f(int* a, int V) {" + index_x +
                             "if (i >= V || i < 0) return; a[2 * i + 1] = i; }"),
                       "a"),
              "2 * V");
}

TEST(Propose, products_of_matrices) {
    const execution::RunResult run = clean(
        "__global__ void gemm(int M, int N, int K, const float* A, const float* B, float* C) {\n"
        "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
        "  if (x < M && y < N) { float t = 0; for (int i = 0; i < K; ++i) t += A[x * K + i] * B[i * N + y];\n"
        "    C[x * N + y] = t; } }");
    EXPECT_EQ(count_of(run, "A"), "K * M");
    EXPECT_EQ(count_of(run, "B"), "K * N");
    EXPECT_EQ(count_of(run, "C"), "M * N");
}

TEST(Propose, a_matrix_for_width_and_height) {
    const execution::RunResult run = clean(
        "__global__ void blur(const unsigned char* in, unsigned char* out, int width, int height) {\n"
        "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
        "  if (x < width && y < height) out[y * width + x] = in[y * width + x]; }");
    EXPECT_EQ(count_of(run, "in"), "height x width");
    EXPECT_EQ(run.instance.front.buffers[0].type, "uchar");
}

TEST(Propose, a_block_has_a_thread_for_each_element_of_a_shared_array) {
    for (const char* index : {"threadIdx.x", "t"})
        EXPECT_EQ(block_of(clean(std::string("__global__ void reverse(int* a) { __shared__ int s[32]; "
                                             "int t = threadIdx.x; s[") +
                                 index + "] = a[t]; __syncthreads(); a[t] = s[31 - t]; }"))[0],
                  32u)
            << index;
    // Two elements for each thread.
    EXPECT_EQ(
        block_of(clean("__global__ void k(int* a) { __shared__ int s[64]; int t = threadIdx.x; s[t] = a[t]; "
                       "s[t + 32] = a[t + 32]; __syncthreads(); a[t] = s[63 - t]; }"))[0],
        32u);
}

TEST(Propose, a_kernel_of_one_dimension_has_a_block_of_one) {
    const execution::RunResult run = clean(
        "const int B = 16;\n"
        "__global__ void tile(const float* a, float* c, int n) {\n"
        "  __shared__ float s[B][B]; int t = threadIdx.x; int r = t / B, q = t % B;\n"
        "  int row = blockIdx.y * B + r, col = blockIdx.x * B + q;\n"
        "  s[r][q] = row < n && col < n ? a[row * n + col] : 0.0f; __syncthreads();\n"
        "  if (row < n && col < n) c[row * n + col] = s[q][r]; }");
    EXPECT_EQ(block_of(run), (std::array<std::uint32_t, 3>{256, 1, 1}));
}

TEST(Propose, a_kernel_that_does_not_read_its_block_has_one) {
    const execution::RunResult run = clean("__global__ void k(int* a) { a[threadIdx.x] = 1; }");
    EXPECT_EQ(run.instance.launches[0].grid, (std::array<std::uint32_t, 3>{1, 1, 1}));
}

TEST(Propose, vectors_have_their_multiple) {
    const execution::RunResult run =
        clean("__global__ void k(float* a, int n) {" + index_x +
              "if (i < n) reinterpret_cast<float4*>(a)[i] = make_float4(1, 2, 3, 4); }");
    EXPECT_EQ(count_of(run, "a"), "4 * n");
}

TEST(Propose, a_grid_that_synchronises_is_cooperative) {
    const execution::RunResult run =
        clean("#include <cooperative_groups.h>\n__global__ void shift(int* a) {" + index_x +
              "int v = a[i + 1]; cooperative_groups::this_grid().sync(); a[i] = v; }");
    EXPECT_TRUE(launch_of(run).cooperative);
}

TEST(Propose, structures_have_their_size) {
    EXPECT_EQ(
        count_of(clean("struct __align__(64) Pair { unsigned tid, bid; };\n__global__ void fill(Pair* a) {" +
                       index_x + "a[i].tid = threadIdx.x; a[i].bid = blockIdx.x; }"),
                 "a"),
        "16 * n");
    const execution::RunResult bodies = clean(
        "struct Body { float3 at; float mass; };\nstruct Pair { int key; float value; };\n"
        "__global__ void f(Body* bodies, Pair* pairs, bool* marks, Pair one, int n) {" +
        index_x + "if (i >= n) return; bodies[i].mass += 1; pairs[i].key = one.key; marks[i] = true; }");
    EXPECT_EQ(count_of(bodies, "bodies"), "4 * n");
    EXPECT_EQ(count_of(bodies, "pairs"), "2 * n");
    EXPECT_EQ(count_of(bodies, "one"), "2");
}

TEST(Propose, structures_hold_addresses_of_buffers) {
    const execution::RunResult run = clean(
        "struct Matrix { int width, height; float* elements; double scale; };\n__global__ void k(Matrix a) "
        "{" +
        index_x + "if (i < a.width) a.elements[i] *= a.scale; }");
    EXPECT_EQ(launch_of(run).args[0].text, "a");
    EXPECT_EQ(count_of(run, "a_elements"), "a_width");
}

TEST(Propose, rows_begin_at_offsets_that_grow) {
    const execution::RunResult run = clean(
        "__global__ void spmv(int rows, const int* ptr, const int* col, const float* x, float* y) {\n"
        "  int r = blockIdx.x * blockDim.x + threadIdx.x; if (r < rows) { float t = 0;\n"
        "  for (int j = ptr[r]; j < ptr[r + 1]; ++j) t += x[col[j]]; y[r] = t; } }");
    EXPECT_EQ(count_of(run, "ptr"), "rows + 1");
    EXPECT_EQ(run.instance.front.buffers[0].init.text, "iota(0, 2)");
    EXPECT_EQ(count_of(run, "col"), "2 * rows");
    EXPECT_EQ(count_of(run, "x"), "10") << "the columns are at most 9";
}

TEST(Propose, one_element_too_many_is_a_question) {
    const execution::RunResult run =
        proposed("__global__ void k(int* a, int n) {" + index_x + "if (i <= n) a[i] = i; }");
    EXPECT_EQ(count_of(run, "a"), "n");
    ASSERT_EQ(run.problems.size(), 1u) << report_text(run);
    EXPECT_TRUE(run.problems[0].note);
    EXPECT_NE(run.problems[0].message.find("state it with --count a=N"), std::string::npos)
        << run.problems[0].message;
    EXPECT_TRUE(run.fine());
}

TEST(Propose, what_no_guess_avoids_is_a_problem) {
    EXPECT_FALSE(proposed("__global__ void k(int* a) { a[-1 - (int)threadIdx.x] = 1; }").fine());
    EXPECT_FALSE(
        proposed("__global__ void k(int* a) { __shared__ int s[64]; s[threadIdx.x] = a[threadIdx.x]; "
                 "a[threadIdx.x] = s[63 - threadIdx.x]; }")
            .fine());
}

TEST(Propose, a_kernel_that_never_ends_costs_little) {
    const auto start = std::chrono::steady_clock::now();
    execution::RunRequest request;
    request.file = "k.cu";
    request.source = "__global__ void k(volatile int* a) { while (a[0] >= 0) a[1] = 1; }";
    request.limits.warp_instructions = 100'000;
    const Result<execution::RunResult> run = execution::execute(request);
    ASSERT_TRUE(run) << to_text(run.diagnostics());
    EXPECT_EQ(run->outcome.ending, simt::Ending::step_limit);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(Propose, what_cannot_be_launched_is_said) {
    EXPECT_NE(error_of("\nstruct Tree; __global__ void f(Tree* t) {}")
                  .find("k.cu:2: error: no launch can be proposed: 'Tree* t' of f is neither a number nor a "
                        "pointer to "
                        "numbers (write one at the start of the file"),
              std::string::npos)
        << error_of("\nstruct Tree; __global__ void f(Tree* t) {}");
    EXPECT_NE(error_of("struct M { int w; float* data; }; __global__ void f(M* a) { a->data[0] = 1; }")
                  .find("points to structures with pointers"),
              std::string::npos);
    EXPECT_NE(error_of("__global__ void f(float*** t) {}").find("points to pointers to pointers"),
              std::string::npos);
}

}  // namespace propose_test
}  // namespace lanescope::session
