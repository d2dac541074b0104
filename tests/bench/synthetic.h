// Synthetic traces that resemble those of real kernels, with eight warp instructions in each turn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "trace/recorder.h"

namespace lanescope::trace {

enum class Pattern {
    streaming,  // neighbouring lanes touch neighbouring words: a load, a store, a loop variable, a branch
    scattered,  // each lane touches a random place in 16 MiB: a load, an atomic, an index
};

class SyntheticRun {
  public:
    explicit SyntheticRun(Pattern pattern, RecorderLimits limits = {})
        : pattern_(pattern), recorder_(limits) {
        Program program;
        program.functions.push_back({"k", "k", 1, true, 0, 64, 8, 0, {}});
        for (std::uint32_t pc = 0; pc < 64; ++pc)
            program.code_rows.push_back({0, pc / 4 + 1, 1, pc + 1});
        recorder_.set_program(std::move(program));
        Launch launch;
        launch.kernel = "k";
        launch.grid = {blocks, 1, 1};
        launch.block = {warps * warp_size, 1, 1};
        launch.shared_bytes = 4096;
        recorder_.begin_launch(launch);
        memory_.resize(words);
    }

    static constexpr std::uint32_t blocks = 64, warps = 8, words = 4u << 20, instructions_per_turn = 8;

    void turns(std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i, ++turn_)
            one_turn();
    }
    std::shared_ptr<const Trace> finish() {
        recorder_.end_launch();
        return recorder_.finish();
    }
    std::uint64_t lane_accesses() const { return lane_accesses_; }

  private:
    void one_turn() {
        const auto warp = static_cast<std::uint32_t>(turn_ % (blocks * warps));
        const std::uint64_t round = turn_ / (blocks * warps);
        const std::uint32_t pc = static_cast<std::uint32_t>(round % 8) * 8;
        recorder_.begin_turn(warp / warps, static_cast<std::uint16_t>(warp % warps), ~Mask{0}, pc, pc / 4 + 1,
                             0);
        std::array<std::uint64_t, warp_size> offsets;
        for (std::uint64_t lane = 0; lane < warp_size; ++lane)
            offsets[lane] =
                4 * (pattern_ == Pattern::streaming ? (turn_ * warp_size + lane) % words : next() % words);
        recorder_.access(AccessKind::load, Space::global, pc + 2, 2, 4, ~Mask{0}, offsets.data(), nullptr,
                         nullptr, nullptr);
        change(pc, offsets);
        std::array<std::uint64_t, warp_size> before, after;
        for (std::uint64_t lane = 0; lane < warp_size; ++lane) {
            before[lane] = round == 0 ? 0 : round - 1 + lane;
            after[lane] = round + lane;
        }
        recorder_.variable(1, ~Mask{0}, before.data(), after.data(), round == 0 ? ~Mask{0} : 0);
        recorder_.branch(pc + 7, 7, ~Mask{0}, ~Mask{0});
        recorder_.end_turn(TurnEnd::step, instructions_per_turn);
        lane_accesses_ += 2 * warp_size;
    }
    void change(std::uint32_t pc, const std::array<std::uint64_t, warp_size>& offsets) {
        std::array<std::uint32_t, warp_size> old, now;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            std::uint32_t& word = memory_[offsets[lane] / 4];
            old[lane] = word;
            now[lane] = word = pattern_ == Pattern::streaming ? static_cast<std::uint32_t>(next()) : word + 1;
        }
        const AccessKind kind = pattern_ == Pattern::streaming ? AccessKind::store : AccessKind::atomic;
        recorder_.access(kind, Space::global, pc + 5, 5, 4, ~Mask{0}, offsets.data(),
                         reinterpret_cast<const std::byte*>(old.data()),
                         reinterpret_cast<const std::byte*>(now.data()), nullptr);
    }
    std::uint64_t next() {  // xorshift is fast, so that the benchmark measures the recorder
        random_ ^= random_ << 13;
        random_ ^= random_ >> 7;
        random_ ^= random_ << 17;
        return random_;
    }

    Pattern pattern_;
    Recorder recorder_;
    std::vector<std::uint32_t> memory_;
    std::uint64_t turn_ = 0, lane_accesses_ = 0, random_ = 88172645463325252u;
};

}  // namespace lanescope::trace
