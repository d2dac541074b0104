// Times the flow of values: stores a second, and bytes that the graph takes for each store.
//
//     flow_bench [FILE.cu [NAME=NUMBER]…]
//
// Without a file it takes three kernels of its own: a copy, a scan in shared memory, and atomic additions.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

#include "analysis/code.h"
#include "analysis/flow/flow.h"
#include "base/files.h"
#include "compile/compiler.h"
#include "execution/run/run.h"

namespace {

using namespace lanescope;

constexpr const char* head =
    "/*--- lanescope\n[buffers]\nin = { type = \"int\", count = \"1 << 18\", init = \"random(0, 9)\" }\n"
    "out = { type = \"int\", count = \"1 << 18\" }\n[[launch]]\nkernel = \"k\"\ngrid = [\"1024\"]\n"
    "block = [\"256\"]\nargs = [\"in\", \"out\"]\n---*/\n";
struct Kernel {
    const char *name, *body;
};
constexpr Kernel kernels[] = {
    {"copy",
     "int i = blockIdx.x * 256 + threadIdx.x;\n    for (int n = 0; n < 8; ++n)\n        out[i] = in[i];\n"},
    {"scan",
     "__shared__ int s[256];\n    int t = threadIdx.x, i = blockIdx.x * 256 + t;\n    s[t] = in[i];\n"
     "    for (int d = 1; d < 256; d *= 2) {\n        __syncthreads();\n"
     "        int left = t >= d ? s[t - d] : 0;\n        __syncthreads();\n        s[t] += left;\n    }\n"
     "    out[i] = s[t];\n"},
    {"atomics",
     "int i = blockIdx.x * 256 + threadIdx.x;\n    for (int n = 0; n < 8; ++n)\n"
     "        atomicAdd(&out[(i * 7 + n) % 1024], in[i]);\n"},
};

double cpu_s() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

bool measure(const std::string& name, execution::RunRequest request) {
    request.traced = true;
    const Result<execution::RunResult> run = execution::execute(request);
    if (!run) {
        std::fprintf(stderr, "%s\n", to_text(run.diagnostics()).c_str());
        return false;
    }
    const analysis::Code code(run->trace->program);
    const double start = cpu_s();
    const auto flow = analysis::follow_values(*run->trace, code);
    const double spent = cpu_s() - start;
    const auto stores = static_cast<double>(flow->graph.writes().size());
    std::printf(
        "%-28s %10zu turns %10.0f stores %8.3f s %7.2f million stores a second %6.0f bytes a store%s\n",
        name.c_str(), run->trace->turns.size(), stores, spent, stores / spent / 1e6,
        static_cast<double>(flow->graph.size_bytes()) / stores, flow->complete ? "" : ", not complete");
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "__compile") return compile::compile_worker_main();
    execution::RunRequest request;
    if (argc > 1) {
        request.file = argv[1];
        const Result<std::string> source = read_text_file(request.file);
        if (!source) return 2;
        request.source = *source;
        for (int i = 2; i < argc; ++i) {
            const std::string_view setting = argv[i];
            const std::size_t equals = setting.find('=');
            if (equals == std::string_view::npos) return 2;
            request.parameters[std::string(setting.substr(0, equals))] = std::atoll(argv[i] + equals + 1);
        }
        return measure(request.file, request) ? 0 : 1;
    }
    bool good = true;
    for (const Kernel& kernel : kernels) {
        request.file = std::string(kernel.name) + ".cu";
        request.source =
            std::string(head) + "__global__ void k(const int* in, int* out) {\n    " + kernel.body + "}\n";
        good &= measure(kernel.name, request);
    }
    return good ? 0 : 1;
}
