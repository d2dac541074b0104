// Small programs and traces of them, for the tests of the estimate of cycles.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <sstream>
#include <string>

#include "analysis/cycles/cycles.h"
#include "analysis/cycles/machine_code.h"
#include "trace/recorder.h"

namespace lanescope::analysis {

// A program of one kernel; each line of `body` is an instruction or a label, and a source line of its own,
// from 1.
inline trace::Program kernel(const std::string& body) {
    trace::Program made;
    made.ptx =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred "
        "%p<9>;\n.reg .b32 %r<99>;\n.reg .f32 %f<99>;\n.reg .b64 %rd<99>;\n";
    constexpr std::uint32_t head_lines = 9;
    std::istringstream lines(body);
    std::uint32_t line = 0;
    for (std::string each; std::getline(lines, each);) {
        ++line;
        made.ptx += each + "\n";
        if (each.ends_with(";")) made.code_rows.push_back({0, line, 1, head_lines + line});
    }
    made.ptx += "}\n";
    const auto count = static_cast<std::uint32_t>(made.code_rows.size());
    made.functions.push_back({"k", "k", 1, true, 0, count, 0, 0, {}});
    return made;
}

// Round figures, so that results can be worked out: one launch takes 1 µs, and a cycle 1 ns.
inline DeviceModel plain_device() {
    DeviceModel d;
    d.schedulers = 4;
    d.multiprocessors = 2;
    d.clock_ghz = 1;
    d.first_launch_us = 1;
    d.next_launch_us = 0.5;
    d.blocks_per_cycle = 1;
    d.instructions_per_line = 8;
    d.alu_latency = d.fma_latency = d.wide_latency = 4;
    d.alu_interval = d.wide_interval = 2;
    d.barrier = 10;
    d.l1_bytes = 65536;
    d.shared_latency = 20;
    d.l1_latency = 40;
    d.line_interval = d.request_interval = 1;
    d.queued_requests = 100;
    d.queued_stores = 1000;
    d.l2_bytes = 1e6;
    d.l2_latency = 200;
    d.l2_bytes_per_cycle = 1000;
    d.port_bytes_per_cycle = 64;
    d.dram_latency = 500;
    d.dram_gb_per_s = 100;
    d.dram_bytes = 64;
    d.store_latency = 50;
    d.slice_bytes = 1024;
    d.atomic_interval = 2;
    d.atomic_sector = 3;
    return d;
}

// Records one launch of a kernel without branches, whose blocks and warps do the same.
class StraightTrace {
  public:
    // The offset of the memory that a lane accesses, for each instruction that has one.
    using Offset = std::function<std::uint64_t(std::uint32_t block, unsigned warp, unsigned lane)>;
    struct Access {
        std::uint32_t pc = 0;
        trace::AccessKind kind{};
        trace::Space space{};
        Offset offset;
    };

    StraightTrace(const std::string& body, std::uint32_t blocks, std::uint32_t warps,
                  const std::vector<Access>& accesses = {}, std::uint64_t buffer_bytes = 1u << 20) {
        trace::Recorder recorder;
        trace::Program program = kernel(body);
        const auto count = static_cast<std::uint16_t>(program.code_rows.size());
        trace::Symbol symbol;
        symbol.name = "x";
        symbol.element = program.types.named("int");
        symbol.size_bytes = buffer_bytes;
        symbol.extents = {buffer_bytes / 4};
        recorder.set_program(std::move(program));
        recorder.set_image(trace::Space::global, std::vector<std::byte>(buffer_bytes),
                           std::vector<std::uint64_t>(buffer_bytes / 64, ~std::uint64_t{0}));
        recorder.add_symbol(symbol);
        trace::Launch launch;
        launch.kernel = "k";
        launch.grid = {blocks, 1, 1};
        launch.block = {32 * warps, 1, 1};
        launch.shared_bytes = 4096;
        recorder.begin_launch(launch);
        for (std::uint32_t block = 0; block < blocks; ++block)
            for (unsigned warp = 0; warp < warps; ++warp)
                add_warp(recorder, block, warp, count, accesses);
        recorder.end_launch();
        trace_ = recorder.finish();
    }

    CyclesEstimate estimate(const DeviceModel& device, std::uint32_t resident = 8, double scale = 1,
                            std::size_t most_intervals = 0) const {
        const Code code(trace_->program);
        CyclesRequest request;
        request.launches = {{resident, scale}};
        request.most_intervals = most_intervals;
        return estimate_cycles(*read_cycles_input(*trace_, code), device, request);
    }

  private:
    static void add_warp(trace::Recorder& recorder, std::uint32_t block, unsigned warp, std::uint16_t count,
                         const std::vector<Access>& accesses) {
        constexpr trace::Mask all = ~trace::Mask{0};
        std::array<std::uint64_t, 32> offsets{};
        const std::array<std::uint32_t, 32> zeros{};
        const auto* bytes = reinterpret_cast<const std::byte*>(zeros.data());
        recorder.begin_turn(block, static_cast<std::uint16_t>(warp), all, 0, 1, 0);
        for (const Access& access : accesses) {
            for (unsigned lane = 0; lane < 32; ++lane)
                offsets[lane] = access.offset(block, warp, lane);
            const bool load = access.kind == trace::AccessKind::load;
            recorder.access(access.kind, access.space, access.pc, static_cast<std::uint16_t>(access.pc), 4,
                            all, offsets.data(), load ? nullptr : bytes, load ? nullptr : bytes, nullptr);
        }
        recorder.end_turn(trace::TurnEnd::exited, count);
    }

    std::shared_ptr<const trace::Trace> trace_;
};

}  // namespace lanescope::analysis
