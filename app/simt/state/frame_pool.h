// Call frames, which later calls and later blocks of a launch use again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "simt/memory/lanes.h"
#include "simt/memory/memory.h"
#include "simt/program/program.h"
#include "simt/state/variables.h"

namespace lanescope::simt {

// A call frame, shared by all lanes with the same chain of calls; each uses its own column of the rows.
struct Frame {
    Frame* parent = nullptr;
    std::uint32_t function = 0;
    std::uint32_t call_pc = 0;    // the call in the parent's function
    std::uint32_t call_line = 0;  // of the caller's step
    std::uint32_t depth = 0;
    std::uint32_t local_base = 0;  // bytes; its local memory is [local_base, local_end)
    std::uint32_t local_end = 0;
    Mask lanes = 0;  // lanes in this frame or deeper
    std::vector<Frame*> children;
    std::byte* rows = nullptr;
    std::unique_ptr<FrameVariables> variables;  // traced runs
};

class FramePool {
  public:
    FramePool(const Program& program, Budget& budget)
        : program_(program), budget_(budget), spare_(program.functions.size()) {}
    ~FramePool();
    FramePool(const FramePool&) = delete;
    FramePool& operator=(const FramePool&) = delete;

    Frame* take(std::uint32_t function);  // null: memory is short
    // The bytes charged to the budget for a frame: its rows and their bookkeeping.
    static std::uint64_t cost_of(const DecodedFunction& code) {
        return code.frame_bytes + sizeof(Frame) + 256;
    }
    bool charge(std::uint64_t bytes);  // for what belongs to frames; until the launch ends
    // The number of frames of the function that need no new memory.
    std::uint64_t spare_bytes(std::uint32_t function) const {
        return spare_[function].size() * cost_of(program_.functions[function]);
    }
    void give(Frame* frame) { spare_[frame->function].push_back(frame); }

  private:
    const Program& program_;
    Budget& budget_;
    std::uint64_t budget_bytes_ = 0;
    std::vector<std::unique_ptr<Frame>> frames_;
    std::vector<std::vector<Frame*>> spare_;  // by function
};

}  // namespace lanescope::simt
