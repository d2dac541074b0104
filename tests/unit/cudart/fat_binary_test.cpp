#include "cudart/image/fat_binary.h"

#include <gtest/gtest.h>

#include "fat_binary_maker.h"

namespace lanescope::cudart {
namespace fat_binary_test {

const std::string ptx =
    ".version 9.0\n.target sm_90, debug\n.address_size 64\n" + std::string(2000, ' ') + "// end\n";

TEST(FatBinary, ptx_is_found_in_every_packing) {
    for (const Packing packing : {Packing::plain, Packing::lz4, Packing::zstd}) {
        FatBinaryMaker made;
        made.add(
            "\x7f"
            "ELF",
            80, Packing::plain, false, 2);
        made.add(ptx, 90, packing);
        const auto images = ptx_images(made.bytes.data());
        ASSERT_TRUE(images.ok()) << to_text(images.diagnostics());
        ASSERT_EQ(images->size(), 1u);
        EXPECT_EQ(images->front().text, ptx);
        EXPECT_EQ(images->front().architecture, 90u);
        EXPECT_TRUE(images->front().debug);
    }
}

TEST(FatBinary, the_newest_image_that_the_device_runs_is_taken) {
    std::vector<PtxImage> images{{"a", 70, true}, {"b", 90, false}, {"c", 90, true}, {"d", 100, true}};
    EXPECT_EQ(best_image(images, 90)->text, "c");
    EXPECT_EQ(best_image(images, 80)->text, "a");
    EXPECT_EQ(best_image(images, 60)->text, "a") << "else the oldest";
    EXPECT_EQ(best_image({}, 90), nullptr);
}

TEST(FatBinary, bad_bytes_are_told) {
    const std::vector<std::byte> nothing(64);
    EXPECT_FALSE(ptx_images(nothing.data()).ok());
    for (const Packing packing : {Packing::lz4, Packing::zstd}) {
        FatBinaryMaker made;
        made.add(ptx, 90, packing);
        for (std::size_t i = 16 + 64; i < made.bytes.size(); ++i)
            made.bytes[i] = std::byte{0x5a};
        EXPECT_FALSE(ptx_images(made.bytes.data()).ok());
    }
    FatBinaryMaker made;
    made.add(ptx, 90, Packing::plain);
    const std::uint64_t beyond = 1ull << 40;
    std::memcpy(made.bytes.data() + 16 + 8, &beyond, sizeof beyond);
    EXPECT_FALSE(ptx_images(made.bytes.data()).ok()) << "an entry reaches beyond the end";
}

}  // namespace fat_binary_test
}  // namespace lanescope::cudart
