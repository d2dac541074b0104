#include "analysis/flow/registers.h"

#include <algorithm>

namespace lanescope::analysis {

using trace::Mask;

// One call frame of a warp; lanes of one depth may be in different functions.
struct FlowRegisters::Frame {
    std::uint32_t function = 0;
    std::vector<ValueId> values;  // row × 32 + lane
};

struct FlowRegisters::Warp {
    std::vector<std::vector<Frame>> frames;  // by depth
    std::array<std::uint16_t, lanes_per_warp> depth{};
    // Where each lane was called from: [depth - 1].
    std::vector<std::array<std::uint32_t, lanes_per_warp>> called_at, called;
    Mask exited = 0;
};

FlowRegisters::FlowRegisters(const trace::Trace& trace, FlowSteps& steps, FlowGraph& graph)
    : trace_(trace), steps_(steps), graph_(graph) {}
FlowRegisters::~FlowRegisters() = default;

void FlowRegisters::begin_launch(const trace::Launch& launch) {
    launch_ = &launch;
    warps_.clear();
    bytes_ = 0;
}

void FlowRegisters::begin_turn(const trace::Turn& turn) {
    const std::uint64_t number = std::uint64_t{turn.block} * launch_->warps_per_block() + turn.warp;
    if (last_warp_ == nullptr || last_number_ != number || warps_.empty()) {
        last_number_ = number;
        std::unique_ptr<Warp>& warp = warps_[number];
        if (!warp) warp = std::make_unique<Warp>();
        last_warp_ = warp.get();
    }
    warp_ = last_warp_;
}

void FlowRegisters::enter(Mask mask, std::uint32_t function) {
    frame_ = &frame_at(depth_of(mask), function);
}

void FlowRegisters::exit(const trace::Turn& turn) {
    warp_->exited |= turn.mask;
    const std::uint32_t first = turn.warp * lanes_per_warp;
    const std::uint64_t threads = launch_->block.count();
    const Mask all = threads - first >= 32 ? ~Mask{0} : (Mask{1} << (threads - first)) - 1;
    if ((warp_->exited & all) != all) return;
    for (const std::vector<Frame>& frames : warp_->frames)
        for (const Frame& frame : frames)
            bytes_ -= frame.values.size() * sizeof(ValueId);
    warps_.erase(last_number_);
    last_warp_ = nullptr;
}

unsigned FlowRegisters::depth_of(Mask mask) const {
    return warp_->depth[static_cast<unsigned>(std::countr_zero(mask))];
}

FlowRegisters::Frame& FlowRegisters::frame_at(unsigned depth, std::uint32_t function) {
    if (warp_->frames.size() <= depth) warp_->frames.resize(depth + 1);
    std::vector<Frame>& frames = warp_->frames[depth];
    for (Frame& frame : frames)
        if (frame.function == function) return frame;
    Frame& made = frames.emplace_back();
    made.function = function;
    made.values.resize(std::size_t{steps_.rows_of(function)} * lanes_per_warp, FlowGraph::constant);
    bytes_ += made.values.size() * sizeof(ValueId);
    return made;
}

ValueId FlowRegisters::value(const Frame& frame, Row row, unsigned lane) {
    if (row < 0) return row == zero_row ? FlowGraph::zero : FlowGraph::constant;
    return frame.values[static_cast<std::size_t>(row) * lanes_per_warp + lane];
}

ValueId FlowRegisters::value(Row row, unsigned lane) const {
    return value(*frame_, row, lane);
}

void FlowRegisters::set(Row row, unsigned lane, ValueId made, bool guarded) {
    if (row < 0) return;
    ValueId& held = frame_->values[static_cast<std::size_t>(row) * lanes_per_warp + lane];
    held = guarded && held != made && graph_.is_data(held) ? graph_.make(Operator::select, held, made) : made;
}

void FlowRegisters::call(Mask mask, std::uint32_t function, std::uint32_t pc, std::uint32_t caller) {
    if (mask == 0) return;  // a damaged file
    const FlowSteps::Links& links = steps_.links(pc, function);
    const unsigned depth = depth_of(mask);
    frame_at(depth + 1, function);  // may move the frames of this depth's neighbours
    const Frame& from = frame_at(depth, caller);
    Frame& to = frame_at(depth + 1, function);
    warp_->called_at.resize(std::max<std::size_t>(warp_->called_at.size(), depth + 1));
    warp_->called.resize(warp_->called_at.size());
    each_lane(mask, [&](unsigned lane) {
        for (std::size_t row = 0; row * lanes_per_warp < to.values.size(); ++row)
            to.values[row * lanes_per_warp + lane] = FlowGraph::constant;
        for (const FlowSteps::Link& link : links.arguments)
            to.values[static_cast<std::size_t>(link.callee) * lanes_per_warp + lane] =
                value(from, link.caller, lane);
        warp_->called_at[depth][lane] = pc;
        warp_->called[depth][lane] = function;
        warp_->depth[lane] = static_cast<std::uint16_t>(depth + 1);
    });
}

void FlowRegisters::give_back(Mask mask) {
    each_lane(mask, [&](unsigned lane) {
        const unsigned depth = warp_->depth[lane];
        if (depth == 0 || depth > warp_->called.size()) return;
        const std::uint32_t pc = warp_->called_at[depth - 1][lane];
        const std::uint32_t callee = warp_->called[depth - 1][lane];
        const FlowSteps::Links& links = steps_.links(pc, callee);
        Frame& to = frame_at(depth - 1, trace_.program.code_rows[pc].function);
        const Frame& from = frame_at(depth, callee);
        for (const FlowSteps::Link& link : links.results)
            if (link.caller >= 0)
                to.values[static_cast<std::size_t>(link.caller) * lanes_per_warp + lane] =
                    value(from, link.callee, lane);
        warp_->depth[lane] = static_cast<std::uint16_t>(depth - 1);
    });
}

}  // namespace lanescope::analysis
