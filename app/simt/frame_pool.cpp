#include "simt/frame_pool.h"

#include <cstring>

namespace lanescope::simt {

FramePool::~FramePool() {
    for (const auto& frame : frames_)
        std::free(frame->rows);
    budget_.give(budget_bytes_);
}

Frame* FramePool::take(std::uint32_t function) {
    const DecodedFunction& code = program_.functions[function];
    auto& spare = spare_[function];
    if (spare.empty()) {
        if (!budget_.take(code.frame_bytes)) return nullptr;
        budget_bytes_ += code.frame_bytes;
        auto made = std::make_unique<Frame>();
        made->function = function;
        made->rows = static_cast<std::byte*>(std::aligned_alloc(64, (code.frame_bytes + 63) / 64 * 64));
        if (made->rows == nullptr) return nullptr;
        std::memset(made->rows, 0, code.frame_bytes);
        frames_.push_back(std::move(made));
        return frames_.back().get();
    }
    Frame* frame = spare.back();
    spare.pop_back();
    for (const auto& [offset, size] : code.zeroed)
        std::memset(frame->rows + offset, 0, size);
    return frame;
}

}  // namespace lanescope::simt
