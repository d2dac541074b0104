// Runs an instruction with one f32 operand for all 2^32 operands, on a GPU and on the machine. parity_sweep
// all INSTRUCTION…                    prints a line for each: how far the machine is from the GPU
// parity_sweep dump INSTRUCTION FIRST COUNT FILE   writes the GPU's results for operands FIRST, FIRST + 1, …
// The dump consists of 32-bit words.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <thread>

#include "compare.h"
#include "gpu.h"
#include "ptx/parser.h"
#include "simt/decode/load.h"
#include "simt/launch/launch.h"
#include "simt/machine/machine.h"
#include "tool.h"

namespace {

using namespace lanescope;
using namespace lanescope::parity;

constexpr std::uint32_t threads = 256;
constexpr std::uint32_t gpu_chunk = 1u << 24, machine_chunk = 1u << 18;

// Thread i writes the result for the operand with the bits first + i.
std::string module_for(const std::string& instruction) {
    return ".version 9.0\n.target sm_90\n.address_size 64\n"
           ".visible .entry k0(.param .u64 pfirst, .param .u64 pmem, .param .u64 pout)\n{\n"
           "  .reg .b32 %i, %j, %x, %y;\n  .reg .b64 %f, %o;\n"
           "  mov.u32 %i, %tid.x;\n  mov.u32 %j, %ctaid.x;\n  mad.lo.u32 %i, %j, 256, %i;\n"
           "  ld.param.u64 %f, [pfirst];\n  ld.global.u32 %x, [%f];\n  add.u32 %x, %x, %i;\n  " +
           instruction +
           " %y, %x;\n  ld.param.u64 %o, [pout];\n  mad.wide.u32 %o, %i, 4, %o;\n  st.global.u32 [%o], %y;\n "
           " ret;\n}\n";
}

std::vector<std::byte> word(std::uint32_t value) {
    std::vector<std::byte> bytes(16);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

Result<std::vector<std::byte>> on_gpu(Gpu& gpu, const std::string& text, std::uint32_t first,
                                      std::uint32_t count) {
    Gpu::Buffers buffers{word(first), word(0), std::vector<std::byte>(std::size_t{count} * 4)};
    if (auto ran = gpu.run(text, count / threads, threads, buffers); !ran.ok()) return ran.diagnostics();
    return std::move(buffers.outputs);
}

// Returns the results for one chunk, on its own machine.
Result<std::vector<std::byte>> on_machine(const std::shared_ptr<const simt::Program>& program,
                                          std::uint32_t first, std::uint32_t count) {
    simt::Machine machine(program, {}, {});
    auto in = machine.allocate(16, {}), out = machine.allocate(std::uint64_t{count} * 4, {});
    if (!in.ok() || !out.ok()) return error("the machine has too little memory for the buffers");
    if (auto written = machine.write(*in, word(first)); !written.ok()) return written.diagnostics();
    simt::LaunchRequest request;
    request.kernel = "k0";
    request.grid = {count / threads, 1, 1};
    request.block = {threads, 1, 1};
    for (const simt::DeviceAddress address : {*in, *in, *out}) {
        std::vector<std::byte> bytes(8);
        std::memcpy(bytes.data(), &address, 8);
        request.arguments.push_back(std::move(bytes));
    }
    if (machine.launch(request).ending != simt::Ending::finished)
        return error("the launch stopped before its end");
    std::vector<std::byte> results(std::size_t{count} * 4);
    if (auto got = machine.read(*out, results); !got.ok()) return got.diagnostics();
    return results;
}

struct Worst {
    std::uint64_t differ = 0, ulp = 0, kinds = 0;
    std::uint32_t ulp_at = 0, kind_at = 0;
    double absolute = 0;

    void note(std::uint32_t operand, std::uint32_t found, std::uint32_t expected) {
        if (found == expected) return;
        ++differ;
        if (!is_finite("f32", found) || !is_finite("f32", expected)) {
            if (kinds++ == 0) kind_at = operand;
            return;
        }
        absolute = std::max(absolute, std::fabs(static_cast<double>(std::bit_cast<float>(found)) -
                                                static_cast<double>(std::bit_cast<float>(expected))));
        const std::uint64_t distance = ulps_between("f32", found, expected);
        if (distance > ulp) {
            ulp = distance;
            ulp_at = operand;
        }
    }
    void add(const Worst& other) {
        differ += other.differ;
        if (kinds == 0) kind_at = other.kind_at;
        kinds += other.kinds;
        absolute = std::max(absolute, other.absolute);
        if (other.ulp > ulp) {
            ulp = other.ulp;
            ulp_at = other.ulp_at;
        }
    }
};

// Compares one chunk of the GPU with the machine, on every core.
bool compare_chunk(const std::shared_ptr<const simt::Program>& program, std::uint32_t first,
                   const std::vector<std::byte>& expected, Worst& worst) {
    std::atomic<std::uint32_t> next{0};
    std::atomic<bool> fine{true};
    std::mutex guard;
    auto work = [&] {
        Worst mine;
        for (std::uint32_t at; (at = next.fetch_add(machine_chunk)) < gpu_chunk;) {
            const auto found = on_machine(program, first + at, machine_chunk);
            if (!found.ok()) {
                fine = false;
                return;
            }
            for (std::uint32_t i = 0; i < machine_chunk; ++i) {
                std::uint32_t a = 0, b = 0;
                std::memcpy(&a, found->data() + std::size_t{i} * 4, 4);
                std::memcpy(&b, expected.data() + (std::size_t{at} + i) * 4, 4);
                mine.note(first + at + i, a, b);
            }
        }
        const std::lock_guard lock(guard);
        worst.add(mine);
    };
    std::vector<std::thread> pool;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
        pool.emplace_back(work);
    for (std::thread& thread : pool)
        thread.join();
    return fine;
}

int sweep(Gpu& gpu, const std::string& instruction) {
    const std::string text = module_for(instruction);
    auto module = ptx::parse(text);
    if (!module.ok()) return fail(module.diagnostics());
    auto program = simt::load(*module, {}, text, "", "");
    if (!program.ok()) return fail(program.diagnostics());
    Worst worst;
    for (std::uint64_t first = 0; first < 1ull << 32; first += gpu_chunk) {
        auto expected = on_gpu(gpu, text, static_cast<std::uint32_t>(first), gpu_chunk);
        if (!expected.ok()) return fail(expected.diagnostics());
        if (!compare_chunk(*program, static_cast<std::uint32_t>(first), *expected, worst))
            return fail({error("the machine cannot run " + instruction)});
    }
    std::printf("%s\t%llu\t%llu\t0x%08x\t%.3g\t%llu\t0x%08x\n", instruction.c_str(),
                static_cast<unsigned long long>(worst.differ), static_cast<unsigned long long>(worst.ulp),
                worst.ulp_at, worst.absolute, static_cast<unsigned long long>(worst.kinds), worst.kind_at);
    std::fflush(stdout);
    return 0;
}

int dump(Gpu& gpu, char** argv) {
    const auto first = static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 0));
    const auto count = static_cast<std::uint32_t>(std::strtoul(argv[4], nullptr, 0)) / threads * threads;
    auto results = on_gpu(gpu, module_for(argv[2]), first, count);
    if (!results.ok()) return fail(results.diagnostics());
    std::ofstream(argv[5], std::ios::binary)
        .write(reinterpret_cast<const char*>(results->data()), static_cast<std::streamsize>(results->size()));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 2 ? argv[1] : "";
    if (what != "all" && (what != "dump" || argc != 6)) {
        std::fprintf(stderr, "usage: parity_sweep all INSTRUCTION… | dump INSTRUCTION FIRST COUNT FILE\n");
        return 2;
    }
    auto gpu = Gpu::open();
    if (!gpu.ok()) return fail(gpu.diagnostics());
    if (what == "dump") return dump(**gpu, argv);
    std::printf(
        "# %s, %s: instruction, operands that differ of 2^32, largest difference in ulp, at operand, largest "
        "absolute difference, differences in kind (NaN, infinity), first of them\n",
        (*gpu)->device().c_str(), (*gpu)->driver().c_str());
    for (int i = 2; i < argc; ++i)
        if (const int status = sweep(**gpu, argv[i]); status != 0) return status;
    return 0;
}
