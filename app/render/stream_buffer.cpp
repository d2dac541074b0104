#include "render/stream_buffer.h"

namespace lanescope::render {

Result<StreamBuffer> StreamBuffer::create(StreamShape shape, BufferUse use) {
    StreamBuffer made;
    made.shape_ = shape;
    Result<Buffer> records = Buffer::create(shape.bytes(), "the threads' records", {}, use);
    if (!records) return records.diagnostics();
    Result<Buffer> counts = Buffer::create(std::uint64_t{shape.threads()} * sizeof(std::uint32_t),
                                           "the threads' record counts", {}, use);
    if (!counts) return counts.diagnostics();
    made.records_ = std::make_shared<const Buffer>(std::move(*records));
    made.counts_ = std::move(*counts);
    made.counts_.clear();
    return made;
}

Result<StreamBuffer> StreamBuffer::upload(StreamShape shape, std::span<const std::byte> records,
                                          std::span<const std::uint32_t> counts) {
    if (records.size() != shape.bytes() || counts.size() != shape.threads())
        return error("records and counts do not fit the number of threads");
    StreamBuffer made;
    made.shape_ = shape;
    Result<Buffer> on_gpu = Buffer::create(0, "the threads' records", records);
    if (!on_gpu) return on_gpu.diagnostics();
    Result<Buffer> numbers = Buffer::create(0, "the threads' record counts", std::as_bytes(counts));
    if (!numbers) return numbers.diagnostics();
    made.records_ = std::make_shared<const Buffer>(std::move(*on_gpu));
    made.counts_ = std::move(*numbers);
    return made;
}

Result<StreamBuffer> StreamBuffer::over(StreamShape shape, std::shared_ptr<const Buffer> records,
                                        std::span<const std::uint32_t> counts) {
    if (shape.bytes() > records->size_bytes() || counts.size() != shape.threads())
        return error("records and counts do not fit their buffer");
    StreamBuffer made;
    made.shape_ = shape;
    Result<Buffer> numbers = Buffer::create(0, "the threads' record counts", std::as_bytes(counts));
    if (!numbers) return numbers.diagnostics();
    made.records_ = std::move(records);
    made.counts_ = std::move(*numbers);
    return made;
}

}  // namespace lanescope::render
