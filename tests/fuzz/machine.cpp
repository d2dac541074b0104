// Fuzzes the SIMT machine with damaged programs: every kernel that loads runs within small limits.
#include <cstdint>
#include <string_view>

#include "ptx/debug_info.h"
#include "ptx/parser.h"
#include "simt/decode/load.h"
#include "simt/launch/launch.h"
#include "simt/machine/machine.h"
#include "simt/program/kernel_info.h"

namespace {

using namespace lanescope;

void run_kernel(const std::shared_ptr<const simt::Program>& program, const simt::KernelInfo& kernel) {
    simt::Limits limits;
    limits.warp_instructions = 20'000;
    limits.seconds = 2;
    limits.memory_bytes = 16 << 20;
    simt::Machine machine(program, limits, {});
    const auto buffer = machine.allocate(4096, {});
    if (!buffer) return;
    simt::LaunchRequest request;
    request.kernel = kernel.symbol;
    request.label = kernel.name;
    request.grid = {2, 1, 1};
    request.block = {40, 1, 1};
    for (const auto& parameter : kernel.parameters) {
        if (parameter.size_bytes() > 4096) return;
        std::vector<std::byte> bytes(parameter.size_bytes());
        const std::uint64_t value = parameter.size_bytes() == 8 ? *buffer : 33;
        for (std::size_t i = 0; i < bytes.size() && i < 8; ++i)
            bytes[i] = std::byte(value >> (8 * i));
        request.arguments.push_back(std::move(bytes));
    }
    machine.launch(request);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto module = ptx::parse(text);
    if (!module) return 0;
    const auto debug = ptx::read_debug_info(*module, "kernel.cu");
    const auto program = simt::load(*module, debug ? *debug : ptx::DebugInfo{}, text, "kernel.cu", "");
    if (!program) return 0;
    for (const auto& kernel : simt::kernels(**program))
        run_kernel(*program, kernel);
    return 0;
}
