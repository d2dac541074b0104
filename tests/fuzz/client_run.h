// A run that records the kernels of a program on a device of another process, for the fuzz target of the
// client and its seeds.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../unit/trace/walk.h"
#include "gpu/served/served_device.h"
#include "gpu/traced/traced_engine.h"
#include "ptx/debug_info.h"
#include "ptx/parser.h"
#include "simt/decode/load.h"
#include "simt/program/kernel_info.h"

namespace lanescope::fuzz {

struct ClientCode {
    std::shared_ptr<const ptx::Module> module;
    std::shared_ptr<const simt::Program> program;
};

inline std::optional<ClientCode> client_code(const std::string& text) {
    auto module = ptx::parse(text);
    if (!module) return std::nullopt;
    const auto debug = ptx::read_debug_info(*module, "kernel.cu");
    auto program = simt::load(*module, debug ? *debug : ptx::DebugInfo{}, text, "kernel.cu", "");
    if (!program) return std::nullopt;
    return ClientCode{std::make_shared<const ptx::Module>(std::move(*module)), std::move(*program)};
}

inline simt::LaunchRequest client_request(const simt::KernelInfo& kernel, std::uint64_t buffer) {
    simt::LaunchRequest request;
    request.kernel = kernel.symbol;
    request.label = kernel.name;
    request.grid = {2, 1, 1};
    request.block = {4, 1, 1};
    for (const auto& parameter : kernel.parameters) {
        std::vector<std::byte> bytes(parameter.size_bytes());
        const std::uint64_t value = parameter.size_bytes() == 8 ? buffer : 3;
        for (std::size_t i = 0; i < bytes.size() && i < 8; ++i)
            bytes[i] = std::byte(value >> (8 * i));
        request.arguments.push_back(std::move(bytes));
    }
    return request;
}

// What the other side answers decides how far it comes.
inline void run_client(const ClientCode& code, const gpu::ServedDevice::Setup& setup) {
    const auto device = gpu::ServedDevice::start(setup);
    if (!device) return;
    const std::vector<simt::KernelInfo> kernels = simt::kernels(*code.program);
    if (kernels.empty()) return;
    gpu::TracedLimits limits;
    limits.decoded_records = 1 << 16;
    limits.memory_bytes = 16 << 20;
    auto engine = gpu::TracedEngine::create(code.module, code.program, "kernel.cu", **device, limits);
    if (!engine) return;
    std::vector<std::byte> bytes(256, std::byte{1});
    const auto buffer = engine->allocate(bytes.size(), {});
    if (!buffer || !engine->write(*buffer, bytes)) return;
    trace::RecorderLimits of_trace;
    of_trace.trace_bytes = 16 << 20;
    trace::Recorder recorder(of_trace);
    engine->record_into(&recorder);
    for (const simt::KernelInfo& kernel : kernels)
        if (!engine->launch(client_request(kernel, *buffer), nullptr)) break;
    const std::unique_ptr<bool[]> set(new bool[bytes.size()]());
    (void)engine->read(*buffer, bytes, {set.get(), bytes.size()});
    if (const auto trace = recorder.finish()) trace::walk(trace);
}

}  // namespace lanescope::fuzz
