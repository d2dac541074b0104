#include <gtest/gtest.h>

#include "pictures.h"
#include "preview/pixel/pixel_inspector.h"
#include "preview/pixel/pixel_products.h"
#include "preview/pixel/pixel_words.h"
#include "preview/pixel/reuse_scale.h"

namespace lanescope::preview {
namespace pixel_test {

std::shared_ptr<const preview::Run> finished_run(const std::string& mask, Border border = Border::zero,
                                                 const std::string& kernel = "tiled_2d") {
    const Request request = request_for(noise_image(70, 50, 3), mask, border, kernel_path(kernel));
    std::shared_ptr<preview::Run> run = std::move(*Run::make(request));
    EXPECT_TRUE(run->run({}, nullptr, {}));
    return run;
}

void inspect(PixelInspector& inspector, const std::shared_ptr<const preview::Run>& run) {
    inspector.set_image(70, 50);
    inspector.set_run(run, run->loads(nullptr)->counted.blocks);
    inspector.wait();
}

BlockSample sample_with(std::uint32_t block, std::size_t accesses) {
    BlockSample sample;
    sample.block = block;
    sample.loads.resize(accesses);
    return sample;
}

TEST(BlockSamples, the_oldest_make_room) {
    BlockSamples samples(10);
    samples.add(sample_with(1, 4));
    samples.add(sample_with(2, 4));
    EXPECT_TRUE(samples.find(1) != nullptr && samples.find(2) != nullptr);
    samples.add(sample_with(3, 4));
    EXPECT_EQ(samples.find(1), nullptr);
    EXPECT_TRUE(samples.find(2) != nullptr && samples.find(3) != nullptr);
    samples.add(sample_with(4, 100));  // a sample is kept even if it alone is too large
    EXPECT_EQ(samples.find(3), nullptr);
    EXPECT_NE(samples.find(4), nullptr);
    samples.clear();
    EXPECT_EQ(samples.find(4), nullptr);
}

TEST(PixelInspector, explains_every_pixel_by_its_own_block) {
    for (const Border border : {Border::zero, Border::mirror}) {
        const std::shared_ptr<const preview::Run> run = finished_run("gaussian:5", border);
        PixelInspector inspector;
        inspect(inspector, run);
        for (const auto& [x, y] : {std::pair{35u, 25u}, {0u, 0u}, {69u, 49u}, {3u, 40u}}) {
            inspector.hover(x, y);
            inspector.wait();
            const PixelFacts& pixel = inspector.pixel();
            ASSERT_TRUE(pixel.known) << x << ", " << y;
            EXPECT_EQ(pixel.x, x);
            EXPECT_TRUE(pixel.tile.holds(x + run->margin(), y + run->margin()));
            EXPECT_GE(pixel.loads, pixel.neighbours);
            EXPECT_FALSE(inspector.loaders_of(x, y).empty());
            const bool inside = border != Border::zero || (x >= 2 && y >= 2 && x < 68 && y < 48);
            EXPECT_EQ(pixel.neighbours, inside ? 25u : 9u) << x << ", " << y;
        }
    }
}

TEST(PixelInspector, a_pinned_pixel_stays) {
    PixelInspector inspector;
    inspector.pin(3, 4);
    EXPECT_FALSE(inspector.pinned());  // there is no image
    inspect(inspector, finished_run("box:3"));
    inspector.pin(3, 4);
    inspector.hover(20, 20);
    EXPECT_EQ(inspector.pixel().x, 3u);
    inspector.unpin();
    inspector.hover(1000, 1000);  // the last pixel of the image
    EXPECT_EQ(inspector.pixel().x, 69u);
    EXPECT_EQ(inspector.pixel().y, 49u);
    inspector.pin(1, 1);
    inspector.set_image(30, 20);
    EXPECT_FALSE(inspector.pinned());
    EXPECT_FALSE(inspector.pixel().known);
    EXPECT_EQ(inspector.pixel().x, 18u);
}

TEST(PixelInspector, another_run_is_explained_anew) {
    PixelInspector inspector;
    inspect(inspector, finished_run("box:3"));
    EXPECT_EQ(inspector.pixel().neighbours, 9u);
    const std::shared_ptr<const preview::Run> other = finished_run("box:5");
    inspector.set_run(other, other->loads(nullptr)->counted.blocks);
    inspector.wait();
    EXPECT_EQ(inspector.pixel().neighbours, 25u);
}

TEST(PixelProducts, follow_run_pixel_and_channel) {
    PixelProducts products;
    EXPECT_EQ(products.of(nullptr, 0, 0), nullptr);
    const std::shared_ptr<const preview::Run> run = finished_run("box:3");
    const auto level = [&](std::uint32_t x, std::uint32_t y) { return products.of(run, x, y)->level; };
    EXPECT_EQ(level(5, 6), run->result().at(5, 6, 0));
    EXPECT_EQ(level(40, 6), run->result().at(40, 6, 0));
    products.choose_channel(2);
    EXPECT_EQ(level(40, 6), run->result().at(40, 6, 2));
    const std::shared_ptr<const preview::Run> other = finished_run("sharpen");
    EXPECT_EQ(products.of(other, 40, 6)->level, other->result().at(40, 6, 2));
    products.choose_channel(7);
    (void)products.of(run, 0, 0);
    EXPECT_EQ(products.channel(), 2u);
}

TEST(ReuseScale, counts_shared_memory_where_values_are_followed_there) {
    const std::vector<Reuse> global{{0, 0, 1, 0}, {1, 0, 4, 0}}, shared{{0, 0, 1, 9}, {1, 0, 1, 3}};
    EXPECT_EQ(ReuseScale(global).max, 4u);
    EXPECT_EQ(ReuseScale(global).min, 1u);
    EXPECT_EQ(ReuseScale(global).share(global[0]), 0.25f);
    EXPECT_TRUE(ReuseScale(shared).shared);
    EXPECT_EQ(ReuseScale(shared).reads(shared[0]), 9u);
    EXPECT_EQ(ReuseScale({}).share({}), 0.0f);
}

TEST(PixelWords, numbers_are_short) {
    EXPECT_EQ(short_number(1.5, 3), "1.5");
    EXPECT_EQ(short_number(2, 3), "2");
    EXPECT_EQ(short_number(-0.25, 2), "−0.25");
    EXPECT_EQ(short_number(-1e-12, 2), "0");
}

TEST(PixelWords, say_how_the_sum_becomes_the_level) {
    SampleParts parts;
    parts.masks.push_back({1, 1, {{0, 0, false, 300, 1}}, 1, 300});
    parts.value = parts.rounded = 300;
    parts.level = 255;
    parts.written = true;
    parts.by_kernel = 300;
    EXPECT_EQ(sum_lines(parts), std::vector<std::string>{"sum 300.00, rounded 300, limited to 255"});
    EXPECT_TRUE(disagreement(parts).empty());
    parts.by_kernel = 12;
    EXPECT_EQ(disagreement(parts), "but the kernel wrote 12.00");
    parts.written = false;
    EXPECT_EQ(disagreement(parts), "but the kernel did not write it");
    parts.masks.push_back(parts.masks.front());
    EXPECT_EQ(sum_lines(parts).front(), "sums: along x 300.00, along y 300.00");
    const MaskSum scaled{1, 1, {}, 1 << 20, -(3 << 20)};
    EXPECT_EQ(product_lines(scaled, {0, 0, false, 2, 3 << 19}),
              "2 × 1.5 = 3\nto the kernel: 2 × 1572864 = 3145728");
}

TEST(PixelWords, say_what_loaded_the_values) {
    PixelFacts pixel;
    EXPECT_EQ(load_lines(pixel, true, true).front(), "its block is being run");
    EXPECT_EQ(load_lines(pixel, false, true).front(), "its block is not known");
    pixel.known = true;
    EXPECT_EQ(load_lines(pixel, false, true).size(), 1u);
    pixel.neighbours = 9, pixel.loads = 1200, pixel.loaders = 1, pixel.own_loads = 3;
    EXPECT_EQ(load_lines(pixel, false, true),
              (std::vector<std::string>{"its 9 values: 1 200 loads by 1 thread, 3 by its own",
                                        "then read from shared memory"}));
    const std::vector<Reuse> reuse{{0, 0, 1, 9}, {1, 0, 2, 3}};
    EXPECT_EQ(reuse_lines(reuse, true),
              (std::vector<std::string>{"2 pixels that the block reads:", "each 1 to 2 × from global memory",
                                        "each 3 to 9 × from shared memory"}));
}

}  // namespace pixel_test
}  // namespace lanescope::preview
