// What a block of a filter's launch loads and stores, from a trace of that block.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace lanescope::preview {

// A cell of the plane that the kernel gets, and the thread that accesses it.
struct PixelAccess {
    std::uint32_t thread = 0;  // linear in the block
    std::uint32_t x = 0, y = 0;
};

struct Box {
    std::uint32_t left = 0, top = 0, right = 0, bottom = 0;  // right and bottom lie outside
    std::uint32_t width() const { return right - left; }
    std::uint32_t height() const { return bottom - top; }
    bool holds(std::uint32_t x, std::uint32_t y) const {
        return x >= left && x < right && y >= top && y < bottom;
    }
    bool operator==(const Box&) const = default;
};
Box box_of(const std::vector<PixelAccess>& accesses);  // empty if there are none

// How often a block reads one pixel: from global memory, and again from shared memory. A value is followed
// into shared memory if one step of the source loads and stores it, as in `s[i] = in[j]`.
struct Reuse {
    std::uint32_t x = 0, y = 0;
    std::uint32_t global = 0, shared = 0;
};

struct BlockSample {
    std::uint32_t block = 0;
    std::vector<PixelAccess>
        loads;  // of the image, by the launch that makes the result; in the order of the trace
    std::vector<PixelAccess> stores;  // of the result
    std::vector<Reuse> reuse;         // of every pixel that is loaded, row by row
    Box tile, read;                   // boxes of the stores and of the loads
};

// Values that threads loaded from global memory per pixel of the result, summed over the launches.
struct LoadCounts {
    double image = 0;                 // from the image, and from buffers between launches
    double mask = 0;                  // 0 if the mask is in constant memory
    bool shared = false;              // tiles lie in shared memory
    std::vector<BlockSample> blocks;  // that were recorded of the last launch
};

// Buffers by the names of the front matter; `columns` of the image and of the result.
struct SampleNames {
    std::string image, mask, out;
    std::uint64_t image_columns = 1, out_columns = 1;
};
LoadCounts count_loads(const trace::Trace& trace, const SampleNames& names);

}  // namespace lanescope::preview
