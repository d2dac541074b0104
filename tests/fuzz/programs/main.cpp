// Compares random CUDA programs with the host.
//   programs [--first SEED] [--count N] [--seconds S] [--jobs N] [--keep FOLDER] [--gpu]
//   programs --print SEED
// A program that differs is reduced, printed, and written to the folder. The last line has the counts. With
// --gpu each program runs in a process of its own (--here), because CUDA ends in a process with a fault.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/files.h"
#include "base/process.h"
#include "check.h"
#include "compile/compiler.h"
#include "gpu/driver/context.h"
#include "gpu/served/machine_device.h"
#include "gpu/traced/gpu_trace_device.h"

namespace {

using namespace lanescope;

struct Options {
    std::uint64_t first = 1, count = 1000;
    unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
    double seconds = 1e9;  // no program begins later
    std::string keep;
    bool gpu = false;   // instead of the CPU machine that runs instrumented code
    bool here = false;  // on the GPU, in this process
};

struct Counts {
    std::atomic<std::uint64_t> next{0}, compared{0}, too_long{0}, failed{0};
    std::mutex mutex;  // of the output
    const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

void report(const programs::Program& program, const programs::Verdict& verdict, const Options& options,
            Counts& counts, gpu::TraceDevice* device) {
    std::string text =
        "FAILED seed " + std::to_string(program.seed) + ": " + verdict.kind + ": " + verdict.text;
    programs::Program small = program;
    // After a GPU's fault nothing can be tried in this process.
    if (const programs::Verdict again = programs::check(program, device); again.kind == verdict.kind) {
        small = programs::reduce(program, verdict, device);
        text += "\nreduced: " + programs::check(small, device).text + "\n";
    } else {
        text += "\nnot reduced; run again: " + (again.kind.empty() ? "no difference" : again.text) + "\n";
    }
    const std::string source = programs::print(small);
    const std::lock_guard lock(counts.mutex);
    std::printf("%s%s\n", text.c_str(), source.c_str());
    std::fflush(stdout);
    if (!options.keep.empty())
        (void)write_file(options.keep + "/random_" + std::to_string(program.seed) + ".cu", source);
}

// The seed of the next program; none when all were taken or the time is over.
std::optional<std::uint64_t> next_seed(const Options& options, Counts& counts) {
    const std::uint64_t number = counts.next++;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - counts.start;
    if (number >= options.count || elapsed.count() > options.seconds) return {};
    return options.first + number;
}

void work(const Options& options, Counts& counts, gpu::TraceDevice* device) {
    while (const std::optional<std::uint64_t> seed = next_seed(options, counts)) {
        const programs::Program program = programs::generate(*seed);
        const programs::Verdict verdict = programs::check(program, device);
        ++(verdict.too_long ? counts.too_long : counts.compared);
        if (verdict.kind.empty()) continue;
        if (++counts.failed <= 10) report(program, verdict, options, counts, device);
    }
}

int tell(const Counts& counts) {
    std::printf("%llu programs as on the host, %llu too long\n",
                static_cast<unsigned long long>(counts.compared - counts.failed),
                static_cast<unsigned long long>(counts.too_long));
    std::printf("%llu passed, %llu failed, 0 skipped\n",
                static_cast<unsigned long long>(counts.compared - counts.failed),
                static_cast<unsigned long long>(counts.failed));
    return counts.failed != 0 || counts.compared == 0;
}

template <class Work>
void in_threads(unsigned jobs, const Work& work) {
    std::vector<std::thread> threads;
    for (unsigned job = 0; job < jobs; ++job)
        threads.emplace_back(work);
    for (std::thread& thread : threads)
        thread.join();
}

// Runs one program after the other, each in a process.
void run_processes(const Options& options, Counts& counts) {
    constexpr int limit_ms = 120'000;
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    while (const std::optional<std::uint64_t> number = next_seed(options, counts)) {
        const std::string seed = std::to_string(*number);
        std::vector<std::string> argv{self, "--gpu", "--here", "--first", seed, "--count", "1"};
        if (!options.keep.empty()) argv.insert(argv.end(), {"--keep", options.keep});
        const Result<ProcessOutcome> ran = run_process(argv, {}, limit_ms);
        const std::string said = ran ? ran->out : to_text(ran.diagnostics());
        const bool too_long = said.ends_with("\n0 passed, 0 failed, 0 skipped\n");
        ++(too_long ? counts.too_long : counts.compared);
        if (too_long || said.ends_with("\n1 passed, 0 failed, 0 skipped\n")) continue;
        ++counts.failed;
        const std::lock_guard lock(counts.mutex);
        std::printf("%s\nseed %s, in a process of its own\n", said.c_str(), seed.c_str());
        std::fflush(stdout);
    }
}

int run_on_gpu(const Options& options, Counts& counts) {
    Result<gpu::Context> gpu = gpu::Context::create();
    if (!gpu) {
        std::printf("%s\n0 passed, 0 failed, 1 skipped\n", to_text(gpu.diagnostics().front()).c_str());
        return 0;
    }
    if (options.here) {
        gpu::GpuTraceDevice device(*gpu);
        work(options, counts, &device);
    } else {
        in_threads(options.jobs, [&] { run_processes(options, counts); });
    }
    return tell(counts);
}

int usage() {
    std::fputs(
        "usage: programs [--first SEED] [--count N] [--seconds S] [--jobs N] [--keep FOLDER] [--gpu] | "
        "--print "
        "SEED\n",
        stderr);
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "__compile") return compile::compile_worker_main();
    compile::set_worker(std::filesystem::read_symlink("/proc/self/exe"));
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--gpu" || word == "--here") {
            (word == "--gpu" ? options.gpu : options.here) = true;
            continue;
        }
        if (i + 1 == argc) return usage();
        const std::string value = argv[++i];
        const std::uint64_t number = std::strtoull(value.c_str(), nullptr, 10);
        if (word == "--first")
            options.first = number;
        else if (word == "--count")
            options.count = number;
        else if (word == "--seconds")
            options.seconds = std::strtod(value.c_str(), nullptr);
        else if (word == "--jobs")
            options.jobs = std::max(1u, static_cast<unsigned>(number));
        else if (word == "--keep")
            options.keep = value;
        else if (word == "--print")
            return std::fputs(programs::print(programs::generate(number)).c_str(), stdout) < 0;
        else
            return usage();
    }
    Counts counts;
    if (options.gpu) return run_on_gpu(options, counts);
    in_threads(options.jobs, [&] {
        gpu::MachineDevice machine;
        work(options, counts, &machine);
    });
    return tell(counts);
}
