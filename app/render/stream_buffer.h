// The records of one launch in GPU memory for shaders to read: either uploaded or empty for GPU threads to
// write. trace/record.h defines the layout.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "render/buffer.h"
#include "render/map_data.h"

namespace lanescope::render {

class StreamBuffer {
  public:
    StreamBuffer() = default;
    // Creates an empty buffer; all counts are zero.
    static Result<StreamBuffer> create(StreamShape shape, BufferUse use = BufferUse::gpu_only);
    static Result<StreamBuffer> upload(StreamShape shape, std::span<const std::byte> records,
                                       std::span<const std::uint32_t> counts);

    // Uses the records at the beginning of an existing buffer. Error: the buffer is too small for them.
    static Result<StreamBuffer> over(StreamShape shape, std::shared_ptr<const Buffer> records,
                                     std::span<const std::uint32_t> counts);

    const StreamShape& shape() const { return shape_; }
    const Buffer& records() const { return *records_; }
    const Buffer& counts() const { return counts_; }  // one 32-bit number per slot

  private:
    StreamShape shape_;
    std::shared_ptr<const Buffer> records_ = std::make_shared<const Buffer>();
    Buffer counts_;
};

}  // namespace lanescope::render
