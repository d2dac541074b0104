// OpenGL buffers that are written and read back.
#include "render/storage_buffer.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <utility>

#include "render/headless.h"

namespace lanescope::render {
namespace storage_buffer_test {

class Storage : public testing::Test {
  protected:
    void SetUp() override {
        auto context = HeadlessContext::create();
        if (!context) GTEST_SKIP() << to_text(context.diagnostics());
        context_ = std::make_unique<HeadlessContext>(std::move(*context));
    }
    std::unique_ptr<HeadlessContext> context_;
};

TEST_F(Storage, holds_what_was_written) {
    auto buffer = StorageBuffer::create(12);
    ASSERT_TRUE(buffer);
    const std::array<unsigned, 3> numbers{7, 8, 9};
    ASSERT_TRUE(buffer->write(std::as_bytes(std::span(numbers))));
    StorageBuffer moved = std::move(*buffer);
    EXPECT_EQ(buffer->number(), 0u);
    std::array<unsigned, 2> back{};
    ASSERT_TRUE(moved.read(std::as_writable_bytes(std::span(back)), 4));
    EXPECT_EQ(back, (std::array<unsigned, 2>{8, 9}));
}

TEST_F(Storage, bad_range_is_refused_before_the_driver_sees_it) {
    auto buffer = StorageBuffer::create(8);
    ASSERT_TRUE(buffer);
    std::array<std::byte, 8> bytes{};
    EXPECT_TRUE(buffer->read(bytes));
    for (const std::size_t offset : {std::size_t{1}, std::size_t{9}, ~std::size_t{0}}) {
        EXPECT_FALSE(buffer->read(bytes, offset));
        EXPECT_FALSE(buffer->write(bytes, offset));
    }
    EXPECT_TRUE(StorageBuffer::create(0));
}

TEST_F(Storage, bad_size_is_an_error_of_the_driver) {
    auto buffer = StorageBuffer::create(std::size_t{1} << 55);
    ASSERT_FALSE(buffer);
    EXPECT_NE(to_text(buffer.diagnostics()).find("bytes"), std::string::npos);
}

}  // namespace storage_buffer_test
}  // namespace lanescope::render
