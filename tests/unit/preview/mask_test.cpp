#include "preview/filter/mask.h"

#include <gtest/gtest.h>

#include <cmath>

#include "preview/filter/sigma.h"

namespace lanescope::preview {
namespace mask_test {

TEST(Mask, names_give_masks_of_their_size) {
    EXPECT_EQ(parse_filter("identity")->masks.front().values, std::vector<double>{1});
    EXPECT_EQ(parse_filter("box:7")->masks.front().rows, 7u);
    EXPECT_DOUBLE_EQ(parse_filter("box:3")->masks.front().at(2, 2), 1.0 / 9);
    EXPECT_EQ(parse_filter("sobel")->masks.size(), 2u);
    EXPECT_EQ(parse_filter("sobel_y")->masks.front(), transposed(parse_filter("sobel_x")->masks.front()));
    for (const char* sums_to_1 :
         {"gaussian", "gaussian:9:2", "unsharp", "box", "motion", "motion:7:45", "sharpen", "emboss"})
        EXPECT_NEAR(parse_filter(sums_to_1)->masks.front().sum(), 1, 1e-12) << sums_to_1;
    for (const char* sums_to_0 : {"laplacian", "sobel_x", "sobel_y"})
        EXPECT_EQ(parse_filter(sums_to_0)->masks.front().sum(), 0) << sums_to_0;
}

TEST(Mask, gaussian_falls_as_its_sigma_says) {
    const Mask mask = gaussian(5, 1.4);
    EXPECT_NEAR(mask.at(2, 3) / mask.at(2, 2), std::exp(-1 / (2 * 1.4 * 1.4)), 1e-12);
    EXPECT_NEAR(mask.at(0, 0) / mask.at(2, 2), std::exp(-8 / (2 * 1.4 * 1.4)), 1e-12);
    EXPECT_NEAR(default_sigma(5), 1.1, 1e-12);  // as in OpenCV's getGaussianKernel
}

TEST(Mask, motion_lies_on_a_line) {
    const Mask across = parse_filter("motion:5")->masks.front(),
               down = parse_filter("motion:5:90")->masks.front();
    EXPECT_EQ(down, transposed(across));
    EXPECT_NEAR(across.at(2, 2), across.at(2, 1), 0.2);
    EXPECT_EQ(across.at(1, 2), 0);
}

TEST(Mask, sigma_may_be_an_expression) {
    EXPECT_DOUBLE_EQ(evaluate_sigma("size / 6 + (radius - 1) * 2", 9).value, 1.5 + 6);
    EXPECT_EQ(parse_filter("gaussian:9:size/6")->masks, parse_filter("gaussian:9:1.5")->masks);
    EXPECT_EQ(evaluate_sigma("2 *", 5).offset, 3u);
    EXPECT_FALSE(evaluate_sigma("wide", 5).message.empty());
    EXPECT_FALSE(evaluate_sigma("(1", 5).message.empty());
    EXPECT_FALSE(evaluate_sigma("1 2", 5).message.empty());
    EXPECT_FALSE(evaluate_sigma("1 / 0", 5).message.empty());
    EXPECT_FALSE(evaluate_sigma(std::string(5000, '('), 5).message.empty());
}

TEST(Mask, bad_names_are_located) {
    const auto message = [](const char* text) { return to_text(parse_filter(text).diagnostics().front()); };
    EXPECT_NE(message("gaussian:4").find("column 10"), std::string::npos);
    EXPECT_NE(message("gaussian:5:1 +").find("column 15"), std::string::npos) << message("gaussian:5:1 +");
    EXPECT_NE(message("gaussian:5:0").find("column 12"), std::string::npos);
    EXPECT_NE(message("box:17").find("odd number from 1 to 15"), std::string::npos);
    EXPECT_NE(message("sobel:3").find("one number too many"), std::string::npos);
    EXPECT_NE(message("blur").find("unknown mask 'blur'"), std::string::npos);
    EXPECT_NE(message("").find("unknown mask ''"), std::string::npos);
    EXPECT_NE(message("./no.mask").find("no.mask"), std::string::npos);
}

TEST(Mask, text_goes_there_and_back) {
    for (const char* name : {"gaussian:15:2.5", "emboss", "motion:9:30"}) {
        const Mask mask = parse_filter(name)->masks.front();
        EXPECT_EQ(*parse_mask(to_text(mask), "a.mask"), mask);
    }
    EXPECT_EQ(parse_mask("# a row\n 1, 2,\t+3 # end\r\n\n", "a.mask")->values,
              (std::vector<double>{1, 2, 3}));
}

TEST(Mask, bad_text_is_located) {
    const auto place = [](const char* text) {
        const Diagnostic problem = parse_mask(text, "a.mask").diagnostics().front();
        return std::pair(problem.line, problem.column);
    };
    EXPECT_EQ(place("1 2 3\n4 x 6\n7 8 9"), std::pair(2, 3));
    EXPECT_EQ(place("1 2 3\n4 5\n7 8 9"), std::pair(2, 1));
    EXPECT_EQ(place("1 2\n3 4"), std::pair(1, 1));
    EXPECT_EQ(place("\n1\n2"), std::pair(2, 1));
    EXPECT_EQ(place("1 inf 1"), std::pair(1, 3));
    EXPECT_FALSE(parse_mask("", "a.mask"));
    EXPECT_FALSE(parse_mask("1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "a.mask"));
}

TEST(Mask, edits_keep_what_they_promise) {
    Mask mask;
    mask.rows = 3;
    mask.columns = 3;
    mask.values = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    EXPECT_EQ(rotated(mask).values, (std::vector<double>{7, 4, 1, 8, 5, 2, 9, 6, 3}));
    EXPECT_EQ(rotated(rotated(rotated(rotated(mask)))), mask);
    EXPECT_EQ(resized(resized(mask, 7, 7), 3, 3), mask);
    EXPECT_EQ(resized(mask, 5, 5).at(1, 1), 1);
    EXPECT_NEAR(normalised(mask)->sum(), 1, 1e-12);
    EXPECT_FALSE(normalised(parse_filter("laplacian")->masks.front()));
    set_symmetric(mask, 0, 1, 20);
    EXPECT_EQ(mask.values, (std::vector<double>{1, 20, 3, 20, 5, 20, 7, 20, 9}));
}

}  // namespace mask_test
}  // namespace lanescope::preview
