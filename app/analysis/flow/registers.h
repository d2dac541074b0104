// The values in the registers of each lane, in the frames of its calls, during one launch.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "analysis/flow/graph.h"
#include "analysis/flow/steps.h"
#include "trace/trace.h"

namespace lanescope::analysis {

using trace::each_lane;

constexpr unsigned lanes_per_warp = trace::warp_size;

class FlowRegisters {
  public:
    struct Warp;

    // All three outlive this.
    FlowRegisters(const trace::Trace& trace, FlowSteps& steps, FlowGraph& graph);
    ~FlowRegisters();

    void begin_launch(const trace::Launch& launch);
    void begin_turn(const trace::Turn& turn);
    // Chooses the frame of the lanes, which are all in this function.
    void enter(trace::Mask mask, std::uint32_t function);
    // Ends the lanes of a turn; a warp without lanes holds nothing.
    void exit(const trace::Turn& turn);

    ValueId value(Row row, unsigned lane) const;
    // `guarded`: the register may keep its value.
    void set(Row row, unsigned lane, ValueId made, bool guarded);

    // Calls `function` at `pc` of `caller`: the arguments move into the new frame.
    void call(trace::Mask mask, std::uint32_t function, std::uint32_t pc, std::uint32_t caller);
    // Returns from it: the results move back.
    void give_back(trace::Mask mask);

    const Warp* warp() const { return warp_; }  // of the turn
    std::uint64_t bytes() const { return bytes_; }

  private:
    struct Frame;
    unsigned depth_of(trace::Mask mask) const;
    Frame& frame_at(unsigned depth, std::uint32_t function);
    static ValueId value(const Frame& frame, Row row, unsigned lane);

    const trace::Trace& trace_;
    FlowSteps& steps_;
    FlowGraph& graph_;
    const trace::Launch* launch_ = nullptr;
    std::unordered_map<std::uint64_t, std::unique_ptr<Warp>> warps_;
    Warp *warp_ = nullptr, *last_warp_ = nullptr;
    Frame* frame_ = nullptr;
    std::uint64_t last_number_ = 0, bytes_ = 0;
};

}  // namespace lanescope::analysis
