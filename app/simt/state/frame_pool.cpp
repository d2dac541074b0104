#include "simt/state/frame_pool.h"

#include <cstring>
#include <unordered_map>

namespace lanescope::simt {

namespace {

// Rows of earlier launches on this thread, because a short launch would spend more time on fresh pages of the
// system than on its work. Up to 16 MiB are kept.
class SpareRows {
  public:
    SpareRows() = default;
    ~SpareRows() {
        for (const auto& [size_bytes, rows] : rows_)
            for (std::byte* each : rows)
                std::free(each);
    }
    SpareRows(const SpareRows&) = delete;
    SpareRows& operator=(const SpareRows&) = delete;

    std::byte* take(std::uint64_t size_bytes) {
        auto& rows = rows_[size_bytes];
        if (rows.empty()) return nullptr;
        std::byte* taken = rows.back();
        rows.pop_back();
        bytes_ -= size_bytes;
        return taken;
    }
    void give(std::byte* rows, std::uint64_t size_bytes) {
        constexpr std::uint64_t max_bytes = 16 << 20;
        if (bytes_ + size_bytes > max_bytes) return std::free(rows);
        rows_[size_bytes].push_back(rows);
        bytes_ += size_bytes;
    }

  private:
    std::unordered_map<std::uint64_t, std::vector<std::byte*>> rows_;
    std::uint64_t bytes_ = 0;
};

thread_local SpareRows spare_rows;

// Clears the parts of a used frame that must be zero; all others are written before they are read.
void clear(std::byte* rows, const DecodedFunction& code) {
    for (const auto& [offset, size] : code.zeroed)
        std::memset(rows + offset, 0, size);
}

std::byte* rows_for(const DecodedFunction& code) {
    if (std::byte* rows = spare_rows.take(code.frame_bytes)) {
        clear(rows, code);
        return rows;
    }
    auto* rows = static_cast<std::byte*>(std::aligned_alloc(64, (code.frame_bytes + 63) / 64 * 64));
    if (rows != nullptr) std::memset(rows, 0, code.frame_bytes);
    return rows;
}

}  // namespace

FramePool::~FramePool() {
    for (const auto& frame : frames_)
        spare_rows.give(frame->rows, program_.functions[frame->function].frame_bytes);
    budget_.give(budget_bytes_);
}

bool FramePool::charge(std::uint64_t bytes) {
    if (!budget_.take(bytes)) return false;
    budget_bytes_ += bytes;
    return true;
}

Frame* FramePool::take(std::uint32_t function) {
    const DecodedFunction& code = program_.functions[function];
    auto& spare = spare_[function];
    if (spare.empty()) {
        if (!charge(cost_of(code))) return nullptr;
        auto made = std::make_unique<Frame>();
        made->function = function;
        made->rows = rows_for(code);
        if (made->rows == nullptr) return nullptr;
        frames_.push_back(std::move(made));
        return frames_.back().get();
    }
    Frame* frame = spare.back();
    spare.pop_back();
    clear(frame->rows, code);
    return frame;
}

}  // namespace lanescope::simt
