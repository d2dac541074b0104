// Makes traces for the race tests: each call adds one turn with one instruction.
#pragma once

#include <array>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "trace/recorder.h"

namespace lanescope::analysis {

// The instructions of a Scene's program; the value is the pc.
enum Instruction : std::uint32_t {
    load,
    store,
    volatile_load,
    volatile_store,
    atomic,
    swap_if,
    block_atomic,
    acquire_load,
    release_store,
    relaxed_load,
    relaxed_store,
    acq_rel_atomic,
    byte_store,
    relaxed_arrive,
    cluster_atomic,
    last
};

inline std::string scene_ptx() {
    const char* const lines[] = {"ld.u32 %r1, [%rd1];",
                                 "st.u32 [%rd1], %r1;",
                                 "ld.volatile.u32 %r1, [%rd1];",
                                 "st.volatile.u32 [%rd1], %r1;",
                                 "atom.add.u32 %r1, [%rd1], %r2;",
                                 "atom.cas.b32 %r1, [%rd1], %r2, %r3;",
                                 "atom.cta.add.u32 %r1, [%rd1], %r2;",
                                 "ld.acquire.gpu.u32 %r1, [%rd1];",
                                 "st.release.gpu.u32 [%rd1], %r1;",
                                 "ld.relaxed.gpu.u32 %r1, [%rd1];",
                                 "st.relaxed.gpu.u32 [%rd1], %r1;",
                                 "atom.acq_rel.gpu.add.u32 %r1, [%rd1], %r2;",
                                 "st.u8 [%rd1], %r1;",
                                 "barrier.cluster.arrive.relaxed;",
                                 "atom.cluster.add.u32 %r1, [%rd1], %r2;"};
    std::string text =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
        ".reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n";
    for (const char* line : lines)
        text += std::string(line) + "\n";
    return text + "ret;\n}\n";
}

class Scene {
  public:
    trace::Recorder recorder;

    Scene(std::uint32_t blocks, std::uint32_t threads, std::uint32_t cluster = 1) {
        launch_.cluster = {cluster, 1, 1};
        trace::Program program;
        program.ptx = scene_ptx();
        program.functions.push_back({"k", "k", 1, true, 0, Instruction::last, 0, 0, {}});
        for (std::uint32_t pc = 0; pc < Instruction::last; ++pc)
            program.code_rows.push_back({0, 0, 0, 8 + pc});
        symbol_.name = "x";
        symbol_.element = program.types.named("int");
        symbol_.size_bytes = 4096;
        symbol_.extents = {1024};
        launch_.kernel = "k";
        launch_.grid = {blocks, 1, 1};
        launch_.block = {threads, 1, 1};
        launch_.shared_bytes = 4096;
        launch_.shared.push_back(symbol_);
        launch_.shared[0].name = "s";
        launch_.shared[0].space = trace::Space::shared;
        recorder.set_program(std::move(program));
        const std::vector<std::byte> bytes(4096);
        const std::vector<std::uint64_t> set(64, ~std::uint64_t{0});
        recorder.set_image(trace::Space::global, bytes, set);
        recorder.add_symbol(symbol_);
        recorder.begin_launch(launch_);
    }

    struct Who {
        std::uint32_t block = 0;
        std::uint16_t warp = 0;
        trace::Mask lanes = 1;
    };
    using CellOf = std::function<std::uint64_t(unsigned lane)>;

    // Adds one access to shared memory "s" or global memory "x". `cell` gives the cell of each
    // lane; writes store `value`.
    void shared(Who who, Instruction pc, std::uint32_t line, const CellOf& cell, std::uint32_t value = 1) {
        access(who, pc, line, trace::Space::shared, cell, value);
    }
    // In the shared memory of another block of the cluster.
    void remote(Who who, std::uint32_t owner, Instruction pc, std::uint32_t line, const CellOf& cell,
                std::uint32_t value = 1) {
        access(who, pc, line, trace::Space::shared, cell, value, owner);
    }
    void global(Who who, Instruction pc, std::uint32_t line, const CellOf& cell, std::uint32_t value = 1) {
        access(who, pc, line, trace::Space::global, cell, value);
    }
    void global(Who who, Instruction pc, std::uint32_t line, std::uint64_t cell, std::uint32_t value = 1) {
        global(
            who, pc, line, [cell](unsigned) { return cell; }, value);
    }
    void byte(Who who, std::uint32_t line, std::uint64_t at) {
        recorder.begin_turn(who.block, who.warp, who.lanes, byte_store, line, 0);
        const std::array<std::uint64_t, 32> offsets = [at] {
            std::array<std::uint64_t, 32> o;
            o.fill(at);
            return o;
        }();
        std::array<std::byte, 32> before{}, after{};
        before[0] = std::exchange(bytes_[at], std::byte{1});
        after[0] = std::byte{1};
        recorder.access(trace::AccessKind::store, trace::Space::global, byte_store, 0, 1, who.lanes,
                        offsets.data(), before.data(), after.data(), nullptr);
        recorder.end_turn(trace::TurnEnd::step, 1);
    }

    void fence(Who who, trace::FenceScope scope = trace::FenceScope::gpu) {
        turn(who,
             [&] { recorder.sync(trace::SyncKind::fence, 0, 0, who.lanes, static_cast<unsigned>(scope)); });
    }
    void meet(Who who) {
        turn(who, [&] { recorder.sync(trace::SyncKind::meet, 0, 0, who.lanes, 0); });
    }
    void arrive(Who who, unsigned number = 0) {
        turn(who, [&] { recorder.sync(trace::SyncKind::arrive, 0, 0, who.lanes, number); });
    }
    void arrive_relaxed(Who who) {
        turn(who, [&] { recorder.sync(trace::SyncKind::arrive, relaxed_arrive, 0, who.lanes, 16); });
    }
    // All warps of these blocks pass the barrier of their cluster.
    void cluster_barrier(std::initializer_list<std::uint32_t> blocks) {
        for (const std::uint32_t block : blocks)
            for (std::uint16_t warp = 0; warp < launch_.warps_per_block(); ++warp) {
                arrive({block, warp, ~trace::Mask{0}}, 16);
                wait({block, warp, ~trace::Mask{0}}, 16);
            }
        for (const std::uint32_t block : blocks)
            open(block, 16);
    }
    void wait(Who who, unsigned number = 0) {
        turn(who, [&] { recorder.sync(trace::SyncKind::wait, 0, 0, who.lanes, number); });
    }
    void open(std::uint32_t block, unsigned number = 0) { recorder.barrier_release(block, number); }
    // Makes all warps of a block pass its barrier.
    void barrier(std::uint32_t block) {
        for (std::uint16_t warp = 0; warp < launch_.warps_per_block(); ++warp)
            wait({block, warp, ~trace::Mask{0}});
        open(block);
    }
    void exit(Who who) {
        recorder.begin_turn(who.block, who.warp, who.lanes, 0, 99, 0);
        recorder.end_turn(trace::TurnEnd::exited, 1);
    }
    void next_launch() {
        recorder.end_launch();
        recorder.begin_launch(launch_);
    }
    std::shared_ptr<const trace::Trace> finish() {
        recorder.end_launch();
        return recorder.finish();
    }

  private:
    template <class Body>
    void turn(Who who, Body body) {
        recorder.begin_turn(who.block, who.warp, who.lanes, 0, 50, 0);
        body();
        recorder.end_turn(trace::TurnEnd::step, 1);
    }
    static bool reads_only(Instruction pc) {
        return pc == load || pc == volatile_load || pc == acquire_load || pc == relaxed_load;
    }
    static bool is_atomic(Instruction pc) {
        return pc == atomic || pc == swap_if || pc == block_atomic || pc == acq_rel_atomic ||
               pc == cluster_atomic;
    }
    void access(Who who, Instruction pc, std::uint32_t line, trace::Space space, const CellOf& cell,
                std::uint32_t value, std::uint32_t owner = trace::none) {
        const std::uint32_t place = owner == trace::none ? who.block : owner;
        std::array<std::uint64_t, 32> offsets{};
        std::array<std::uint32_t, 32> before{}, after{};
        for (unsigned lane = 0; lane < 32; ++lane) {
            if ((who.lanes >> lane & 1) == 0) continue;
            offsets[lane] = 4 * cell(lane);
            std::uint32_t& held =
                space == trace::Space::shared ? shared_[place][cell(lane)] : global_[cell(lane)];
            before[lane] = held;
            after[lane] = value;
            if (!reads_only(pc)) held = value;
        }
        const auto kind = reads_only(pc)  ? trace::AccessKind::load
                          : is_atomic(pc) ? trace::AccessKind::atomic
                                          : trace::AccessKind::store;
        recorder.begin_turn(who.block, who.warp, who.lanes, pc, line, 0);
        recorder.access(kind, space, pc, 0, 4, who.lanes, offsets.data(),
                        reads_only(pc) ? nullptr : reinterpret_cast<const std::byte*>(before.data()),
                        reads_only(pc) ? nullptr : reinterpret_cast<const std::byte*>(after.data()), nullptr,
                        owner);
        recorder.end_turn(trace::TurnEnd::step, 1);
    }

    trace::Symbol symbol_;
    trace::Launch launch_;
    std::array<std::byte, 4096> bytes_{};
    std::array<std::uint32_t, 1024> global_{};
    std::array<std::array<std::uint32_t, 1024>, 8> shared_{};
};

}  // namespace lanescope::analysis
