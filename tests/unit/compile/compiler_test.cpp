#include "compile/compiler.h"

#include "fixture.h"

namespace lanescope::compile {
namespace compiler_test {

namespace fs = std::filesystem;

class Compiler : public CompileTest {
  protected:
    // Returns the diagnostics of compile(), or "" and sets `output`.
    std::string errors(const std::string& source, Options options = uncached()) {
        Result<Output> result = compile(source, path("x.cu"), options);
        if (!result) {
            std::string text = to_text(result.diagnostics());
            for (std::size_t at; (at = text.find(folder.string() + "/")) != std::string::npos;)
                text.erase(at, folder.string().size() + 1);
            return text;
        }
        output = std::move(*result);
        return {};
    }
    bool ptx_has(const std::string& what) const { return output.ptx.find(what) != std::string::npos; }

    Output output;
};

TEST_F(Compiler, debug_code_has_variables_and_aliases) {
    ASSERT_EQ(errors("__global__ void k(int* p) { __shared__ int s[4]; s[threadIdx.x] = 3; p[0] = s[0]; }\n"),
              "");
    EXPECT_TRUE(ptx_has(".debug_info"));
    EXPECT_TRUE(ptx_has(".target sm_75, debug"));
    EXPECT_TRUE(ptx_has("\"" + output.user_file + "\""));
    EXPECT_EQ(output.ptx.find("__sv_s"), std::string::npos);
    EXPECT_NE(output.aliased_ptx.find(".b8 95"), std::string::npos);
    EXPECT_FALSE(output.from_cache);
    EXPECT_GT(output.milliseconds, 0);
}

TEST_F(Compiler, optimized_code_has_lines_only) {
    Options options = uncached();
    options.code = Code::optimized;
    options.flags.arch = "sm_90";
    ASSERT_EQ(errors("__global__ void k(int* p) { __shared__ int s[4]; s[threadIdx.x] = 3; p[0] = s[0]; }\n",
                     options),
              "");
    EXPECT_TRUE(ptx_has(".loc"));
    EXPECT_TRUE(ptx_has(".target sm_90"));
    EXPECT_FALSE(ptx_has(".section\t.debug_info"));
    EXPECT_EQ(output.aliased_ptx, "");
}

// Returns the architecture from the flags of the ELF header: bits 8 to 15 since CUDA 13, bits 0 to 7 before.
int architecture_of(const std::string& cubin) {
    if (cubin.size() < 64 || !cubin.starts_with("\x7f"
                                                "ELF"))
        return 0;
    const auto byte = [&](int i) {
        return static_cast<unsigned char>(cubin[static_cast<std::size_t>(48 + i)]);
    };
    return byte(1) >= 50 ? byte(1) : byte(0);
}

TEST_F(Compiler, a_target_gives_machine_code) {
    Options options = uncached();
    options.code = Code::optimized;
    options.target = "sm_90";
    options.instantiations = {"k", "&table"};
    ASSERT_EQ(
        errors("__device__ int table[4];\n__global__ void k(int* p) { p[0] = table[p[1] & 3]; }\n", options),
        "");
    EXPECT_EQ(architecture_of(output.cubin), 90);
    EXPECT_EQ(output.symbols["k"], "_Z1kPi");
    EXPECT_EQ(output.symbols["&table"], "table");
    EXPECT_TRUE(ptx_has(".target sm_90"));
    EXPECT_NE(output.cubin.find("_Z1kPi"), std::string::npos);
    EXPECT_NE(output.cubin.find(".debug_line"), std::string::npos);
    options.target = "sm_80";
    ASSERT_EQ(errors("__global__ void k(int* p) { p[0] = p[1]; }\n__device__ int table[4];\n", options), "");
    EXPECT_EQ(architecture_of(output.cubin), 80);
}

TEST_F(Compiler, kernels_that_launch_kernels_are_linked) {
    const std::string source =
        "__global__ void child(int* p) { p[threadIdx.x] = 7; }\n"
        "__global__ void parent(int* p) { child<<<1, 32>>>(p); }\n";
    Options options;
    options.code = Code::optimized;
    options.target = "sm_90";
    ASSERT_EQ(errors(source, options), "");
    EXPECT_EQ(architecture_of(output.cubin), 90);
    EXPECT_EQ(output.cubin[16], 2);  // an executable, not a relocatable object
    ASSERT_EQ(errors(source, options), "");
    EXPECT_TRUE(output.from_cache);
    setenv("LANESCOPE_NVJITLINK", "/nowhere/libnvJitLink.so", 1);
    const std::string without = errors(source, options);
    unsetenv("LANESCOPE_NVJITLINK");
    EXPECT_NE(without.find("needs nvJitLink: nvJitLink cannot be loaded: /nowhere/"), std::string::npos)
        << without;
}

TEST_F(Compiler, the_text_or_a_person_chooses_the_target) {
    const std::string plain = "__global__ void k(int* p) { p[0] = 1; }\n";
    const std::string tests_it =
        "__global__ void k(int* p) {\n#if __CUDA_ARCH__ >= 800\n  p[0] = 8;\n#endif\n}\n";
    ASSERT_EQ(errors(plain), "");
    EXPECT_EQ(output.target, "compute_75");
    ASSERT_EQ(errors(tests_it), "");
    EXPECT_EQ(output.target, "compute_90");
    EXPECT_TRUE(ptx_has("st.u32") || ptx_has("st.global.u32") || ptx_has("st.b32")) << output.ptx;
    Options options = uncached();
    options.newest = "compute_80";
    ASSERT_EQ(errors(tests_it, options), "");
    EXPECT_EQ(output.target, "compute_80");
    options.flags.arch = "sm_86";
    ASSERT_EQ(errors(plain, options), "");
    EXPECT_EQ(output.target, "compute_86");
    EXPECT_TRUE(ptx_has(".target sm_86"));
    write("arch.h", "#define IS_NEW (__CUDA_ARCH__ >= 800)\n");
    ASSERT_EQ(errors("#include \"arch.h\"\n" + plain), "");
    EXPECT_EQ(output.target, "compute_90") << "a header tests it";
}

TEST_F(Compiler, flags_of_a_person) {
    Options options = uncached();
    options.flags.definitions = {"N=4", "FAST"};
    options.flags.standard = "c++20";
    options.flags.include_folders = {(folder / "more").string()};
    fs::create_directories(folder / "more" / "deep");
    write("more/deep/part.h", "#include \"size.h\"\n");
    write("more/deep/size.h", "constexpr int size = N;\n");
    const std::string source =
        "#include <deep/part.h>\ntemplate <class T> concept Small = sizeof(T) <= 4;\n"
        "template <Small T> __device__ T twice(T v) { return v + v; }\n"
        "#ifndef FAST\n#error slow\n#endif\n__global__ void k(int* p) { p[size] = twice(p[0]); }\n";
    ASSERT_EQ(errors(source, options), "");
    EXPECT_NE(errors(source, uncached())
                  .find("x.cu:1:23: error: cannot open source file \"deep/part.h\" (put it "
                        "beside the file, or name its folder with -I)"),
              std::string::npos)
        << errors(source, uncached());
}

TEST_F(Compiler, definitions_and_headers_belong_to_the_key_of_the_cache) {
    Options options;
    options.flags.include_folders = {(folder / "more").string()};
    options.flags.definitions = {"N=4"};
    fs::create_directories(folder / "more");
    write("more/value.h", "constexpr int value = 41;\n");
    const std::string source = "#include \"value.h\"\n__global__ void k(int* p) { p[N] = value; }\n";
    ASSERT_EQ(errors(source, options), "");
    ASSERT_EQ(errors(source, options), "");
    EXPECT_TRUE(output.from_cache);
    write("more/value.h", "constexpr int value = 42;\n");
    ASSERT_EQ(errors(source, options), "");
    EXPECT_FALSE(output.from_cache);
    options.flags.definitions = {"N=5"};
    ASSERT_EQ(errors(source, options), "");
    EXPECT_FALSE(output.from_cache);
}

TEST_F(Compiler, bad_flags_are_named) {
    const auto error_with = [&](Flags flags) {
        Options options = uncached();
        options.flags = std::move(flags);
        return errors("", options);
    };
    EXPECT_EQ(error_with({{}, {"1N"}, "", ""}),
              "error: '1N' cannot be defined (use NAME or NAME=VALUE, as in -D N=1024)\n");
    EXPECT_EQ(error_with({{}, {"F(x)=x"}, "", ""}),
              "error: 'F(x)=x' cannot be defined (use NAME or NAME=VALUE, as in -D N=1024)\n");
    EXPECT_EQ(
        error_with({{}, {}, "c++12", ""}),
        "error: 'c++12' is not a C++ standard that the compiler knows (use c++11, c++14, c++17, c++20 or "
        "c++23)\n");
    EXPECT_EQ(error_with({{}, {}, "", "volta"}),
              "error: 'volta' is not a GPU architecture (use a name such as sm_90 or compute_90)\n");
    EXPECT_EQ(
        error_with({{}, {}, "", "sm_120"}),
        "error: compute_120 is not a target that this program can read (use compute_75 to compute_90)\n");
}

TEST_F(Compiler, names_that_nvcc_declares_in_every_file) {
    ASSERT_EQ(errors("__global__ void k(float* p, uint32_t n, uint m) { p[n + m] = -INFINITY; }\n"), "");
    ASSERT_EQ(errors("#include <bits/stdc++.h>\nusing namespace std;\n"
                     "__global__ void k(uint64_t* p) { p[0] = UINT32_MAX; }\n"),
              "");
    ASSERT_EQ(
        errors("#include <sys/stat.h>\n#include <sys/stat.h>\n__global__ void k(int* p) { p[0] = 1; }\n"),
        "");
    ASSERT_EQ(errors("extern \"C\"__global__ void k(int* p) { p[0] = 1; }\n"), "");
    EXPECT_TRUE(ptx_has(".entry k("));
    ASSERT_EQ(errors("__global__ void k(int* p, std::size_t n) { p[n] = 1; }\n"), "");
    ASSERT_EQ(
        errors(
            "#include <cub/cub.cuh>\n__global__ void k(int* p) {\n  typedef cub::BlockReduce<int, 64> Sum;\n"
            "  __shared__ Sum::TempStorage s;\n  p[0] = Sum(s).Sum(p[threadIdx.x]);\n}\n"),
        "");
    EXPECT_NE(errors("__global__ void k(float* p) { p[0] = INFINITE; }\n").find("\"INFINITE\" is undefined"),
              std::string::npos);
}

TEST_F(Compiler, bad_targets_are_named) {
    Options options = uncached();
    const std::string source = "__global__ void k(int* p) { p[0] = p[1]; }\n";
    for (const char* target : {"sm_", "sm_9x", "compute_90", "90", "sm_90q", "sm_12345"}) {
        options.target = target;
        EXPECT_EQ(errors(source, options),
                  "error: '" + options.target + "' is not a GPU architecture (use a name such as sm_90)\n");
    }
    options.target = "sm_30";
    EXPECT_NE(errors(source, options).find("cannot generate code for sm_30; it supports sm_"),
              std::string::npos)
        << errors(source, options);
    options.target = "sm_999";
    EXPECT_NE(errors(source, options).find("install a newer toolkit"), std::string::npos)
        << errors(source, options);
}

TEST_F(Compiler, ptx_is_assembled) {
    Options options = uncached();
    options.code = Code::optimized;
    options.relocatable = false;
    ASSERT_EQ(errors("__global__ void k(int* p) { p[0] = p[1]; }\n", options), "");
    const Result<std::string> cubin = assemble(output.ptx, "sm_90");
    ASSERT_TRUE(cubin) << to_text(cubin.diagnostics());
    EXPECT_EQ(architecture_of(*cubin), 90);
    const Result<std::string> wrong =
        assemble(".version 8.0\n.target sm_90\n.address_size 64\nnonsense\n", "sm_90");
    ASSERT_FALSE(wrong);
    EXPECT_NE(to_text(wrong.diagnostics()).find("nvJitLink"), std::string::npos);
    setenv("LANESCOPE_NVJITLINK", "/nowhere/libnvJitLink.so", 1);
    const Result<std::string> without = assemble(output.ptx, "sm_80");
    unsetenv("LANESCOPE_NVJITLINK");
    ASSERT_FALSE(without);
    EXPECT_NE(to_text(without.diagnostics()).find("nvidia-nvjitlink"), std::string::npos)
        << to_text(without.diagnostics());
}

TEST_F(Compiler, template_kernels_are_made_for_the_names_that_are_asked_for) {
    const std::string source =
        "#include <vector>\nint main() { std::vector<int> v; }\n"
        "template <class T, int N> __global__ void k(T* p) { __shared__ T s[N]; s[0] = p[1]; p[0] = s[0]; "
        "}\n";
    Options options = uncached();
    options.instantiations = {"k<float, 4>", "k<int, 8>"};
    ASSERT_EQ(errors(source, options), "");
    EXPECT_EQ(output.symbols["k<float, 4>"], "_Z1kIfLi4EEvPT_");
    EXPECT_TRUE(ptx_has(".entry _Z1kIiLi8EEvPT_"));
    EXPECT_NE(output.aliased_ptx.find(".entry _Z1kIiLi8EEvPT_"), std::string::npos);
    options.use_cache = true;
    ASSERT_EQ(errors(source, options), "");
    EXPECT_FALSE(output.from_cache);
    ASSERT_EQ(errors(source, options), "");
    EXPECT_TRUE(output.from_cache);
    EXPECT_EQ(output.symbols["k<int, 8>"], "_Z1kIiLi8EEvPT_");
}

TEST_F(Compiler, bad_template_arguments_are_told) {
    Options options = uncached();
    options.instantiations = {"k<nothing>"};
    const std::string text = errors("template <class T> __global__ void k(T* p) { p[0] = p[1]; }\n", options);
    EXPECT_NE(text.find("identifier \"nothing\" is undefined"), std::string::npos) << text;
}

TEST_F(Compiler, nothing_to_alias_is_compiled_once) {
    ASSERT_EQ(errors("__global__ void k(int* p) { p[0] = 1; }\n"), "");
    EXPECT_EQ(output.aliased_ptx, "");
}

TEST_F(Compiler, an_alias_that_does_not_compile_is_no_error) {
    ASSERT_EQ(
        errors(
            "__global__ void k(int* p) { __shared__ int s; int __sv_s = p[1]; s = 1; p[0] = s + __sv_s; }\n"),
        "");
    EXPECT_EQ(output.aliased_ptx, "");
}

TEST_F(Compiler, host_code_is_tolerated) {
    ASSERT_EQ(errors(R"(#include <cstdio>
#include <stdlib.h>
#include <iostream>
#include <vector>
#include <sys/time.h>
#include <thrust/host_vector.h>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e) { printf("%s\n", cudaGetErrorString(e)); exit(1); } } while (0)
#define HD __host__ __device__
using namespace std;
static int g_verbose = 0;
std::vector<int> all;
FILE* logfile;
constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
HD float square(float x) { return x * x; }
struct Watch { virtual ~Watch() {} timeval begin; struct timeval end; };
struct Timer { cudaEvent_t a; Timer() { cudaEventCreate(&a); } float stop() { return 0; } };
class Matrix { public: std::vector<float> d; int w; Matrix(int n) : d(n), w{n} {} float& at(int i) { return d[i]; } };
struct P { float x; HD P() : x(0) {} HD P operator+(const P& o) const { return o; }
  friend std::ostream& operator<<(std::ostream& o, const P& p) { return o << p.x; } void print() const { std::cout << x; } };
template <class T> T host_max(const std::vector<T>& v) { return v[0]; }
void launch(float* d, int n);
__global__ void k(float* p, int n) { __shared__ float t[ceil_div(100, 32)]; t[0] = square(p[0]); p[1] = t[0]; }
auto lambda = [](int a) { return a + 1; };
void launch(float* d, int n) { k<<<ceil_div(n, 256), 256>>>(d, n); CHECK(cudaGetLastError()); }
int main(int argc, char** argv) {
    float* d;
    CHECK(cudaMalloc(&d, 4));
    launch(d, 3);
    std::cout << R"x(a { b " )x" << std::endl;
}
)"),
              "");
    EXPECT_TRUE(ptx_has(".entry _Z1kPfi"));
    EXPECT_FALSE(ptx_has("launch"));
    EXPECT_TRUE(output.warnings.empty()) << to_text(output.warnings);
}

TEST_F(Compiler, warnings_are_those_of_the_persons_files) {
    ASSERT_EQ(errors("#include <climits>\n#include <cuda/std/array>\n"
                     "__global__ void k(float* p) { int nothing = 5; p[0] = 1; }\n"),
              "");
    ASSERT_EQ(output.warnings.size(), 1u) << to_text(output.warnings);
    EXPECT_EQ(output.warnings[0].line, 3);
}

TEST_F(Compiler, standard_headers_give_what_device_code_uses) {
    ASSERT_EQ(errors("#include <cstdint>\n#include <stdint.h>\n#include <limits>\n#include "
                     "<type_traits>\n#include <cmath>\n"
                     "#include <math.h>\n#include <cfloat>\n#include <climits>\n#include <cstddef>\n#include "
                     "<assert.h>\n"
                     "#include <cstring>\ntemplate <class T, std::enable_if_t<std::is_integral_v<T>, int> = "
                     "0> __device__ T f(T a) { return a; }\n"
                     "static_assert(std::is_same<std::decay_t<const int&>, int>::value && "
                     "!std::is_signed_v<unsigned>, \"\");\n"
                     "__global__ void k(float* p, std::size_t n, uint64_t* q) {\n"
                     "  constexpr float top = std::numeric_limits<float>::infinity();\n"
                     "  p[0] = std::sqrt(p[1]) + std::fmax(p[2], -INFINITY) + FLT_MAX + float(M_PI) + top + "
                     "std::abs(p[3]);\n"
                     "  std::int32_t i = std::numeric_limits<int>::lowest() + INT_MAX; q[n] = f(i) + "
                     "UINT32_MAX; assert(n < 4); }\n"),
              "");
}

TEST_F(Compiler, toolkit_headers) {
    EXPECT_EQ(
        errors(
            "#include <cuda_fp16.h>\n#include <cstdint>\n#include <cooperative_groups.h>\nnamespace cg = "
            "cooperative_groups;\n"
            "__global__ void k(__half* p) { cg::this_thread_block().sync(); p[0] = __hadd(p[1], p[2]); }\n"),
        "");
    for (const char* header : {"cublas_v2.h", "cublasLt.h", "cublas.h"})
        EXPECT_EQ(errors("#include <" + std::string(header) +
                         ">\n__global__ void k(__nv_bfloat16* a, __half* b, cuComplex* c) {\n"
                         "  a[0] = __float2bfloat16(1.0f); b[0] = __float2half(2.0f); c->x = 3;\n}\n"),
                  "")
            << header;
}

TEST_F(Compiler, headers_beside_the_file) {
    fs::create_directories(folder / "sub");
    write("mine.h",
          "#pragma once\n#include \"sub/deep.h\"\n#include <string>\nstatic std::string name() { return "
          "\"x\"; }\n");
    write("sub/deep.h", "#include \"beside.h\"\ninline __device__ int deep(int a) { return a * BESIDE; }\n");
    write("sub/beside.h", "#define BESIDE 3\n");
    ASSERT_EQ(errors("#include \"mine.h\"\n__global__ void k(int* p) { p[0] = deep(p[1]); }\n"), "");
    write("sub/beside.h", "#define BESIDE oops\n");
    EXPECT_EQ(errors("#include \"mine.h\"\n__global__ void k(int* p) { p[0] = deep(p[1]); }\n"),
              "sub/deep.h:2:48: error: identifier \"oops\" is undefined\n");
}

TEST_F(Compiler, bad_syntax_is_located) {
    EXPECT_EQ(errors("// äöü\n__global__ void k(int* p) {\n\tint x = 1\n    p[0] = y + x;\n}\n"
                     "__device__ int q() { return nowhere(1); }\n"),
              "x.cu:4:5: error: expected a \";\"\n"
              "x.cu:6:29: error: identifier \"nowhere\" is undefined\n"
              "x.cu:3:6: warning: variable \"x\" was declared but never referenced\n");
}

TEST_F(Compiler, bad_code_beside_host_code_keeps_its_place) {
    EXPECT_EQ(errors("#include <vector>\nint host(int a)\n{\n  return a;\n}\nint table[3];\n"
                     "__global__ void k(int* p) { p[0] = host(2); p[1] = table[0]; p[2] = missing; }\n"
                     "int main() { std::vector<int> v; k<<<1, 1>>>(0); }\n"),
              "x.cu:7:36: error: function \"host(int)\" is host code: device code cannot use it (mark it "
              "__device__, or "
              "__host__ __device__ when the host uses it too)\n"
              "x.cu:7:52: error: identifier \"table\" is undefined (it is declared for the host only: mark "
              "it __device__)\n"
              "x.cu:7:69: error: identifier \"missing\" is undefined\n");
}

TEST_F(Compiler, bad_missing_header_is_located) {
    const std::string said =
        errors("\n#include \"nothere.h\"\n__global__ void k(int* a) { *a = nothere; }\n");
    EXPECT_EQ(said.find("x.cu:2:"), 0u) << said;
    EXPECT_NE(said.find("identifier \"nothere\" is undefined"), std::string::npos) << said;
}

TEST_F(Compiler, bad_many_errors_are_limited) {
    std::string source;
    for (int i = 0; i < 80; ++i)
        source += "__device__ int f" + std::to_string(i) + "() { return q; }\n";
    const std::string text = errors(source);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 51);
    EXPECT_NE(text.find("30 more errors are not listed"), std::string::npos);
}

TEST_F(Compiler, bad_texts_that_are_none) {
    EXPECT_EQ(errors(std::string("int a;\nint \0b;\n", 14)),
              "x.cu:2: error: the source text holds a NUL byte (a .cu file is text)\n");
    EXPECT_NE(errors(std::string(17u << 20, ' ')).find("larger than 16 MiB"), std::string::npos);
    Options options = uncached();
    options.flags.arch = "sm_3";
    EXPECT_NE(errors("", options).find("compute_3"), std::string::npos);
}

TEST_F(Compiler, bad_nesting_that_crashes_the_compiler_is_an_error_only) {
    const std::string text = errors("__device__ int a = " + std::string(400'000, '(') + ";\n");
    EXPECT_NE(text, "");
}

TEST_F(Compiler, the_cache_answers_the_second_time) {
    const std::string source = "__global__ void k(int* p) { p[0] = 1; }\n";
    ASSERT_EQ(errors(source, {}), "");
    EXPECT_FALSE(output.from_cache);
    const std::string first = output.ptx;
    ASSERT_EQ(errors(source, {}), "");
    EXPECT_TRUE(output.from_cache);
    EXPECT_EQ(output.ptx, first);
    ASSERT_EQ(errors("//\n" + source, {}), "");
    EXPECT_FALSE(output.from_cache);
    Options optimized;
    optimized.code = Code::optimized;
    ASSERT_EQ(errors(source, optimized), "");
    EXPECT_FALSE(output.from_cache);
}

TEST_F(Compiler, the_cache_knows_included_files) {
    const std::string source = "#include \"v.h\"\n__global__ void k(int* p) { p[0] = V; }\n";
    write("v.h", "#define V 1234\n");
    ASSERT_EQ(errors(source, {}), "");
    EXPECT_TRUE(ptx_has("1234"));
    write("v.h", "#define V 5678\n");
    ASSERT_EQ(errors(source, {}), "");
    EXPECT_FALSE(output.from_cache);
    EXPECT_TRUE(ptx_has("5678"));
}

TEST_F(Compiler, a_computed_include_is_found_but_not_cached) {
    write("v.h", "#define V 1\n");
    const std::string source = "#define H \"v.h\"\n#include H\n__global__ void k(int* p) { p[0] = V; }\n";
    for (int i = 0; i < 2; ++i) {
        ASSERT_EQ(errors(source, {}), "");
        EXPECT_FALSE(output.from_cache);
    }
}

TEST_F(Compiler, bad_cache_entries_are_made_again) {
    const std::string source = "__global__ void k(int* p) { p[0] = 1; }\n";
    ASSERT_EQ(errors(source, {}), "");
    int entries = 0;
    for (const auto& entry : fs::directory_iterator(folder / "cache" / "ptx")) {
        ASSERT_TRUE(write_file(entry.path(), "junk"));
        ++entries;
    }
    EXPECT_EQ(entries, 1);
    ASSERT_EQ(errors(source, {}), "");
    EXPECT_FALSE(output.from_cache);
    ASSERT_EQ(errors(source, {}), "");
    EXPECT_TRUE(output.from_cache);
}

}  // namespace compiler_test
}  // namespace lanescope::compile
