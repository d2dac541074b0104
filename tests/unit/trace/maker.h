// Makes small traces by hand.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model.h"
#include "trace/recorder.h"

namespace lanescope::trace {

constexpr Mask all_lanes = ~Mask{0};

struct Maker {
    Recorder recorder;

    explicit Maker(RecorderLimits limits = {}) : recorder(limits) {
        Program program = model_program();
        for (std::uint32_t pc = 0; pc < program.code_rows.size(); ++pc)
            program.code_rows[pc].line = pc;
        recorder.set_program(program);
    }

    void launch(std::uint32_t blocks, std::uint32_t threads, std::vector<std::uint32_t> recorded = {}) {
        Launch launch;
        launch.kernel = "k";
        launch.grid = {blocks, 1, 1};
        launch.block = {threads, 1, 1};
        launch.shared_bytes = 1024;
        launch.recorded_blocks = std::move(recorded);
        recorder.begin_launch(launch);
    }
    // Adds a whole turn on a line; its pc is the number of the line.
    void turn(std::uint32_t block, std::uint16_t warp, Mask mask, std::uint32_t line,
              TurnEnd end = TurnEnd::step) {
        recorder.begin_turn(block, warp, mask, line, line, 0);
        recorder.end_turn(end, 1);
    }
    void diverge(std::uint32_t block, std::uint16_t warp, Mask mask, std::uint32_t line, Mask taken) {
        recorder.begin_turn(block, warp, mask, line, line, 0);
        recorder.branch(line, 0, mask, taken);
        recorder.end_turn(TurnEnd::diverged, 1);
    }
    void store(std::uint64_t offset, std::uint32_t before, std::uint32_t after, Mask mask = 1) {
        std::array<std::uint64_t, warp_size> offsets{};
        std::array<std::uint32_t, warp_size> old{}, now{};
        offsets.fill(offset);
        old.fill(before);
        now.fill(after);
        const std::array<std::uint16_t, warp_size> newly{};
        recorder.access(AccessKind::store, Space::global, 0, 0, 4, mask, offsets.data(),
                        reinterpret_cast<const std::byte*>(old.data()),
                        reinterpret_cast<const std::byte*>(now.data()), newly.data());
    }
    std::shared_ptr<const Trace> finish() {
        recorder.end_launch();
        return recorder.finish();
    }
};

}  // namespace lanescope::trace
