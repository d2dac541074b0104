#include <gtest/gtest.h>

#include "pictures.h"

namespace lanescope::preview {
namespace fit_test {

Mask mask_of(const char* name) {
    return parse_filter(name)->masks.front();
}

std::string problem_of(const Result<Fit>& fitted) {
    return fitted ? "" : to_text(fitted.diagnostics());
}

TEST(Fit, parameters_follow_the_image) {
    const KernelFile kernel = *read_kernel(kernel_path("tiled_2d"));
    const Result<Fit> fitted = fit(kernel, {333, 101, 255}, mask_of("gaussian:7"), {});
    ASSERT_TRUE(fitted) << problem_of(fitted);
    EXPECT_EQ(fitted->rows, 333u);
    EXPECT_EQ(fitted->columns, 101u);
    EXPECT_EQ(fitted->mask_rows, 7u);
    EXPECT_EQ(fitted->instance.launches.back().grid[0], (101u + 11) / 12);
    EXPECT_GT(fitted->scale, 1 << 20);
    EXPECT_EQ(fit(kernel, {333, 101, 255}, mask_of("sobel_x"), {})->scale,
              1);  // whole numbers need no scale
    EXPECT_EQ(fit(kernel, {20, 20, 255}, mask_of("box:3"), {{"tile", 32}})->instance.launches.back().grid[0],
              1u);
}

TEST(Fit, only_what_the_result_needs_is_launched) {
    const KernelFile kernel = *read_kernel(kernel_path("fastest"));
    const Result<Fit> five = fit(kernel, {16, 30, 255}, mask_of("gaussian:3"), {}),
                      nine = fit(kernel, {16, 30, 255}, mask_of("box:7"), {});
    ASSERT_TRUE(five) << problem_of(five);
    ASSERT_TRUE(nine) << problem_of(nine);
    EXPECT_EQ(five->instance.launches.size(), 1u);
    EXPECT_EQ(five->mask_rows, 5u);  // the smallest mask of the file, padded with zeros
    EXPECT_EQ(nine->mask_rows, 9u);
    EXPECT_EQ(five->columns, 32u);  // a multiple of four
    EXPECT_EQ(five->scale, 1);
    EXPECT_EQ(fit(*read_kernel(kernel_path("pitched_2d")), {5, 5, 255}, mask_of("box:3"), {})
                  ->instance.launches.size(),
              3u);
}

TEST(Fit, separable_files_take_products) {
    const KernelFile kernel = *read_kernel(kernel_path("separable"));
    ASSERT_TRUE(kernel.convolutions.front().separable);
    const Result<Fit> fitted = fit(kernel, {16, 16, 255}, mask_of("gaussian:5"), {});
    ASSERT_TRUE(fitted) << problem_of(fitted);
    EXPECT_EQ(fitted->mask_columns, 5u);
    EXPECT_NE(problem_of(fit(kernel, {16, 16, 255}, mask_of("laplacian"), {})).find("not the product"),
              std::string::npos);
}

TEST(Fit, bad_sizes_and_types_are_told) {
    const KernelFile basic = *read_kernel(kernel_path("basic_2d"));
    EXPECT_NE(problem_of(fit(basic, {16, 16, 255}, mask_of("gaussian:11"), {}))
                  .find("at most 9, but the mask is 11 × 11"),
              std::string::npos);
    EXPECT_NE(problem_of(fit(basic, {16, 16, 65535}, mask_of("box:3"), {})).find("uchar"), std::string::npos);
    EXPECT_NE(problem_of(fit(basic, {20000, 16, 255}, mask_of("box:3"), {}))
                  .find("at most 16384, but the image has 20000 rows"),
              std::string::npos);
    EXPECT_NE(problem_of(fit(basic, {16, 16, 255}, mask_of("box:3"), {{"tiles", 3}}))
                  .find("unknown parameter 'tiles'"),
              std::string::npos);
    Mask large = mask_of("box:3");
    large.at(0, 0) = 1e6;
    large.at(1, 1) = 1e8;
    EXPECT_NE(problem_of(fit(basic, {16, 16, 255}, large, {})).find("do not fit into the int"),
              std::string::npos);
}

TEST(Fit, bad_files_say_what_is_missing) {
    const auto problem = [](const std::string& path) { return to_text(read_kernel(path).diagnostics()); };
    EXPECT_NE(problem(kernel_path("basic_1d")).find("must be matrices"), std::string::npos)
        << problem(kernel_path("basic_1d"));
    EXPECT_NE(problem(kernel_path("../transpose/naive")).find("convolve(in, mask)"), std::string::npos);
    EXPECT_NE(to_text(parse_kernel("__global__ void f() {}", "f.cu").diagnostics()).find("no front matter"),
              std::string::npos);
}

}  // namespace fit_test
}  // namespace lanescope::preview
