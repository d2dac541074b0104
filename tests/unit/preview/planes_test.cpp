// Runs assets/preview/planes.cu on the CPU machine and compares it with the host's code. The
// preview runs it on a GPU.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/files.h"
#include "execution/run/run.h"
#include "pictures.h"
#include "preview/filter/exact.h"

namespace lanescope::preview {
namespace planes_test {

struct Planes {
    std::uint32_t width = 20, height = 12, channels = 3, channel = 1, margin = 2;
    Border border = Border::clamp;
    bool further = false;
    std::string type = "float";
};

execution::RunResult run_planes(const Planes& wanted) {
    execution::RunRequest request;
    request.file = std::string(LANESCOPE_SOURCE_DIR) + "/assets/preview/planes.cu";
    request.source = *read_text_file(request.file);
    const auto replace = [&](const std::string& from, const std::string& to) {
        const std::size_t at = request.source.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        request.source.replace(at, from.size(), to);
    };
    replace("split<float>", "split<" + wanted.type + ">");
    replace("merge<float>", "merge<" + wanted.type + ">");
    replace("plane   = { type = \"float\"", "plane   = { type = \"" + wanted.type + "\"");
    request.code = compile::Code::optimized;
    request.traced = false;
    request.parameters = {{"width", wanted.width},       {"height", wanted.height},
                          {"channels", wanted.channels}, {"channel", wanted.channel},
                          {"margin", wanted.margin},     {"border", static_cast<std::int64_t>(wanted.border)},
                          {"further", wanted.further}};
    Result<execution::RunResult> result = execution::execute(request);
    EXPECT_TRUE(result) << to_text(result.diagnostics());
    EXPECT_TRUE(result->problems.empty()) << result->problems.front().message;
    return std::move(*result);
}

template <typename T>
std::vector<T> contents(const execution::RunResult& result, const std::string& name) {
    for (const execution::BufferView& view : result.buffers)
        if (view.name == name) {
            std::vector<T> values(view.contents.size() / sizeof(T));
            std::memcpy(values.data(), view.contents.data(), values.size() * sizeof(T));
            return values;
        }
    ADD_FAILURE() << "the run has no buffer " << name;
    return {};
}

template <typename T>
std::vector<T> before(const execution::RunResult& result, const std::string& name) {
    for (const lesson::BufferInstance& buffer : result.instance.buffers)
        if (buffer.name == name) {
            std::vector<T> values(buffer.contents.size() / sizeof(T));
            std::memcpy(values.data(), buffer.contents.data(), values.size() * sizeof(T));
            return values;
        }
    return {};
}

template <typename T>
void check(const Planes& wanted) {
    const execution::RunResult result = run_planes(wanted);
    image::Image image;
    image.width = wanted.width, image.height = wanted.height, image.channels = wanted.channels;
    image.samples = before<std::uint16_t>(result, "samples");
    const PaddedPlane padded(image, wanted.channel, wanted.margin, wanted.border);
    std::vector<float> plane, row;
    for (std::uint64_t y = 0; y < padded.rows(); ++y) {
        padded.row(y, row);
        plane.insert(plane.end(), row.begin(), row.end());
    }
    const std::vector<T> split = contents<T>(result, "plane");
    ASSERT_EQ(split.size(), plane.size());
    for (std::size_t i = 0; i < plane.size(); ++i)
        ASSERT_EQ(static_cast<float>(split[i]), plane[i]) << "cell " << i;
    const std::vector<float> earlier = before<float>(result, "values"),
                             values = contents<float>(result, "values");
    const std::vector<std::uint16_t> levels = contents<std::uint16_t>(result, "levels");
    const std::vector<std::uint32_t> pixels = contents<std::uint32_t>(result, "pixels");
    for (std::uint32_t y = 0; y < wanted.height; ++y)
        for (std::uint32_t x = 0; x < wanted.width; ++x) {
            const std::size_t pixel = std::size_t{y} * wanted.width + x;
            const auto given = static_cast<float>(image.at(x, y, wanted.channel));
            const float value = wanted.further ? std::hypot(earlier[pixel], given) : given;
            ASSERT_EQ(values[pixel], value);
            ASSERT_EQ(levels[pixel * wanted.channels + wanted.channel],
                      to_level(static_cast<double>(value), 255));
            const std::uint32_t shown =
                wanted.channels < 3 ? levels[pixel * wanted.channels] : levels[pixel * wanted.channels + 2];
            if (wanted.channels % 2 == 1) {
                ASSERT_EQ(pixels[pixel] >> 16, 0xFF00u | shown);
            }
        }
}

TEST(Planes, every_border_as_the_host_makes_it) {
    for (const Border border : {Border::zero, Border::clamp, Border::mirror, Border::wrap}) {
        Planes wanted;
        wanted.border = border;
        check<float>(wanted);
    }
}

TEST(Planes, awkward_sizes) {
    for (const auto& [width, height] : {std::pair{1u, 1u}, {1u, 13u}, {3u, 2u}, {33u, 9u}})
        for (const Border border : {Border::mirror, Border::wrap}) {
            Planes wanted;
            wanted.width = width, wanted.height = height, wanted.margin = 7, wanted.border = border;
            wanted.channels = 4, wanted.channel = 0;
            check<float>(wanted);
        }
}

TEST(Planes, whole_numbers_and_a_second_mask) {
    Planes wanted;
    wanted.type = "int";
    check<std::int32_t>(wanted);
    wanted.type = "float";
    wanted.further = true;
    check<float>(wanted);
}

}  // namespace planes_test
}  // namespace lanescope::preview
