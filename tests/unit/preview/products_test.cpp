#include "preview/pixel/products.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pictures.h"
#include "preview/pixel/block_recorder.h"

namespace lanescope::preview {
namespace products_test {

std::shared_ptr<preview::Run> finished_run(const Request& request) {
    Result<std::unique_ptr<preview::Run>> run = preview::Run::make(request);
    EXPECT_TRUE(run) << to_text(run.diagnostics());
    EXPECT_TRUE((*run)->run(std::nullopt, nullptr, {}));
    return std::move(*run);
}

// At every pixel, the listed products give the kernel's level, computed with the kernel's numbers.
TEST(Products, add_up_to_the_level) {
    for (const std::string& file : {kernel_path("tiled_2d"), kernel_path("separable"), any_mask()})
        for (const char* mask : {"gaussian:5", "box:3", "sobel", "sharpen"})
            for (const Border border : {Border::zero, Border::mirror}) {
                const Request request = request_for(noise_image(21, 17, 3), mask, border, file);
                if (!preview::Run::make(request))
                    continue;  // the mask is not a product of a row and a column
                const auto run = finished_run(request);
                for (const auto& [x, y] : {std::pair{0u, 0u}, {20u, 16u}, {9u, 0u}, {10u, 8u}})
                    for (std::uint32_t channel = 0; channel < 3; ++channel) {
                        const SampleParts parts = sample_parts(*run, x, y, channel);
                        EXPECT_TRUE(parts.agrees()) << file << ' ' << mask << ": " << parts.value
                                                    << ", the kernel gives " << parts.by_kernel;
                        EXPECT_EQ(parts.level, run->result().at(x, y, channel)) << file << ' ' << mask;
                    }
            }
}

TEST(Products, say_which_pixels_and_what_lies_outside) {
    const image::Image image = noise_image(9, 7, 1);
    const auto zero = finished_run(request_for(image, "box:3", Border::zero, kernel_path("tiled_2d")));
    const SampleParts corner = sample_parts(*zero, 0, 0, 0);
    ASSERT_EQ(corner.masks.size(), 1u);
    const MaskSum& sum = corner.masks.front();
    ASSERT_EQ(sum.cells.size(), 9u);
    EXPECT_TRUE(sum.cells[0].outside && sum.cells[2].outside && sum.cells[3].outside);
    EXPECT_EQ(sum.cells[0].product(), 0);
    EXPECT_EQ(sum.cells[4].value, image.at(0, 0, 0));
    EXPECT_EQ(sum.cells[8].value, image.at(1, 1, 0));
    EXPECT_EQ(sum.cells[8].x, 1);
    EXPECT_GT(sum.scale, 1);  // the kernel computes with integers
    EXPECT_EQ(sum.cells[8].weight, std::round(sum.scale / 9));

    const auto mirror = finished_run(request_for(image, "box:3", Border::mirror, kernel_path("tiled_2d")));
    const SampleParts mirrored = sample_parts(*mirror, 0, 0, 0);
    EXPECT_FALSE(mirrored.masks.front().cells[0].outside);
    EXPECT_EQ(mirrored.masks.front().cells[0].x, 1);
    EXPECT_EQ(mirrored.masks.front().cells[0].value, image.at(1, 1, 0));
}

TEST(Products, of_a_magnitude_are_two_sums_and_a_root) {
    const auto run =
        finished_run(request_for(noise_image(16, 16, 1), "sobel", Border::zero, kernel_path("tiled_2d")));
    bool limited = false;
    for (std::uint32_t x = 0; x < 16; ++x) {
        const SampleParts parts = sample_parts(*run, x, 8, 0);
        ASSERT_EQ(parts.masks.size(), 2u);
        EXPECT_DOUBLE_EQ(parts.value, std::hypot(parts.masks[0].divided(), parts.masks[1].divided()));
        EXPECT_EQ(parts.limited(), parts.value > 255.5);
        limited = limited || parts.limited();
    }
    EXPECT_TRUE(limited);  // noise has steep edges
}

TEST(Products, a_kernel_that_adds_otherwise_is_told) {
    std::string source = read_kernel(kernel_path("basic_2d"))->source;
    source.replace(source.find("int sum = 0"), 11, "int sum = 9999999");
    Request request = request_for(noise_image(20, 20, 1), "box:3", Border::zero, kernel_path("basic_2d"));
    request.kernel = std::make_shared<const KernelFile>(*parse_kernel(source, "wrong.cu"));
    const SampleParts parts = sample_parts(*finished_run(request), 5, 5, 0);
    EXPECT_TRUE(parts.written);
    EXPECT_FALSE(parts.agrees());
}

// One machine for all blocks gives the same samples as a separate machine for each block.
TEST(BlockRecorder, sees_what_a_recording_sees) {
    for (const std::string& file : {kernel_path("tiled_2d"), kernel_path("separable")}) {
        const std::shared_ptr<const preview::Run> run =
            finished_run(request_for(noise_image(60, 50, 3), "gaussian:5", Border::mirror, file));
        BlockRecorder recorder(run);
        for (const std::uint32_t block : {5u, 0u, 5u}) {
            const Result<BlockSample> sample = recorder.sample(block, nullptr);
            ASSERT_TRUE(sample) << to_text(sample.diagnostics());
            const auto trace = run->record({block}, nullptr);
            ASSERT_TRUE(trace);
            const BlockSample expected = count_loads(**trace, run->sample_names()).blocks.front();
            EXPECT_EQ(sample->block, block);
            EXPECT_EQ(sample->tile, expected.tile);
            EXPECT_EQ(sample->read, expected.read);
            ASSERT_EQ(sample->loads.size(), expected.loads.size()) << file;
            for (std::size_t i = 0; i < expected.loads.size(); ++i)
                EXPECT_TRUE(sample->loads[i].thread == expected.loads[i].thread &&
                            sample->loads[i].x == expected.loads[i].x &&
                            sample->loads[i].y == expected.loads[i].y);
            ASSERT_EQ(sample->reuse.size(), expected.reuse.size());
            for (std::size_t i = 0; i < expected.reuse.size(); ++i)
                EXPECT_EQ(sample->reuse[i].shared, expected.reuse[i].shared);
        }
        std::atomic<bool> cancel = true;
        EXPECT_FALSE(recorder.sample(1, &cancel));
    }
}

}  // namespace products_test
}  // namespace lanescope::preview
