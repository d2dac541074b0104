// Compares results with OpenCV's filter2D for every mask and border.
#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>

#include "pictures.h"

namespace lanescope::preview {
namespace opencv_test {

cv::Mat plane_of(const image::Image& image, std::uint32_t channel) {
    cv::Mat plane(static_cast<int>(image.height), static_cast<int>(image.width),
                  image.bits == 16 ? CV_16U : CV_8U);
    for (std::uint32_t y = 0; y < image.height; ++y)
        for (std::uint32_t x = 0; x < image.width; ++x)
            if (image.bits == 16)
                plane.at<std::uint16_t>(static_cast<int>(y), static_cast<int>(x)) = image.at(x, y, channel);
            else
                plane.at<std::uint8_t>(static_cast<int>(y), static_cast<int>(x)) =
                    static_cast<std::uint8_t>(image.at(x, y, channel));
    return plane;
}

cv::Mat filtered(const cv::Mat& plane, const Filter& filter, Border border) {
    constexpr int margin = 7;
    const int kinds[] = {cv::BORDER_CONSTANT, cv::BORDER_REPLICATE, cv::BORDER_REFLECT_101, cv::BORDER_WRAP};
    cv::Mat padded;
    cv::copyMakeBorder(plane, padded, margin, margin, margin, margin, kinds[static_cast<int>(border)],
                       cv::Scalar(0));
    std::vector<cv::Mat> parts;
    for (const Mask& mask : filter.masks) {
        const cv::Mat weights(static_cast<int>(mask.rows), static_cast<int>(mask.columns), CV_64F,
                              const_cast<double*>(mask.values.data()));
        cv::Mat part;
        cv::filter2D(padded, part, CV_64F, weights, cv::Point(-1, -1), 0, cv::BORDER_CONSTANT);
        parts.push_back(part(cv::Rect(margin, margin, plane.cols, plane.rows)).clone());
    }
    cv::Mat result = parts.front();
    if (parts.size() > 1) cv::magnitude(parts[0], parts[1], result);
    cv::Mat levels;
    result.convertTo(levels, plane.type());
    return levels;
}

class AgainstOpenCv : public testing::TestWithParam<std::tuple<const char*, Border>> {};

void compare(const image::Image& image, const char* mask, Border border, const std::string& kernel,
             int allowed) {
    const Result<std::unique_ptr<preview::Run>> run =
        preview::Run::make(request_for(image, mask, border, kernel));
    ASSERT_TRUE(run) << to_text(run.diagnostics());
    ASSERT_TRUE((*run)->run(std::nullopt, nullptr, {}));
    for (std::uint32_t channel = 0; channel < (*run)->filtered_channels(); ++channel) {
        const cv::Mat wanted = filtered(plane_of(image, channel), (*run)->request().filter, border);
        const cv::Mat got = plane_of((*run)->result(), channel);
        EXPECT_LE(cv::norm(wanted, got, cv::NORM_INF), allowed) << kernel;
    }
}

TEST_P(AgainstOpenCv, same_levels) {
    const auto& [mask, border] = GetParam();
    compare(noise_image(67, 43, 3), mask, border, any_mask(), 1);
    compare(noise_image(5, 3, 1), mask, border, any_mask(), 1);
    compare(noise_image(31, 29, 1, 16), mask, border, any_mask(), 1);
    if (std::string(mask).find("15") == std::string::npos)
        compare(noise_image(67, 43, 1), mask, border, kernel_path("tiled_2d"), 1);
}

INSTANTIATE_TEST_SUITE_P(
    Masks, AgainstOpenCv,
    testing::Combine(testing::Values("identity", "box:3", "box:15", "gaussian:5", "gaussian:9:2.5", "sharpen",
                                     "unsharp:5", "sobel_x", "sobel_y", "sobel", "laplacian", "emboss",
                                     "motion:9:30"),
                     testing::Values(Border::zero, Border::clamp, Border::mirror, Border::wrap)));

}  // namespace opencv_test
}  // namespace lanescope::preview
