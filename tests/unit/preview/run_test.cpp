#include <gtest/gtest.h>

#include <numeric>

#include "execution/run/run.h"
#include "pictures.h"
#include "preview/run/step_file.h"

namespace lanescope::preview {
namespace run_test {

std::unique_ptr<preview::Run> make_run(image::Image image, const std::string& mask, Border border,
                                       const std::string& kernel) {
    Result<std::unique_ptr<preview::Run>> run =
        preview::Run::make(request_for(std::move(image), mask, border, kernel));
    EXPECT_TRUE(run) << to_text(run.diagnostics());
    return std::move(*run);
}

image::Image result_of(preview::Run& run) {
    const Result<void> ran = run.run(std::nullopt, nullptr, {});
    EXPECT_TRUE(ran);
    EXPECT_EQ(run.missing(), 0u);
    EXPECT_TRUE(run.problems().empty());
    return run.result();
}

TEST(PreviewRun, every_file_that_fits_gives_the_exact_result) {
    const std::string files[] = {kernel_path("basic_2d"),  kernel_path("tiled_2d"), kernel_path("pitched_2d"),
                                 kernel_path("separable"), kernel_path("fastest"),  any_mask()};
    for (const std::string& file : files)
        for (const Border border : {Border::zero, Border::mirror}) {
            const std::unique_ptr<preview::Run> run =
                make_run(noise_image(61, 47, 3), "gaussian:5", border, file);
            (void)result_of(*run);
            const Difference difference = run->difference();
            EXPECT_LE(difference.largest_in_levels, 1u) << file;
            EXPECT_LT(difference.largest, file.ends_with("separable.cu") ? 0.6 : 0.001) << file;
            EXPECT_GT(difference.psnr(255), 50) << file;
        }
}

TEST(PreviewRun, awkward_sizes) {
    for (const auto& [width, height] :
         {std::pair{1u, 1u}, {1u, 13u}, {13u, 1u}, {2u, 3u}, {31u, 37u}, {16u, 16u}})
        for (const char* mask : {"identity", "gaussian:9", "sobel"})
            for (const Border border : {Border::zero, Border::clamp, Border::mirror, Border::wrap}) {
                const std::unique_ptr<preview::Run> run =
                    make_run(noise_image(width, height, 1), mask, border, kernel_path("tiled_2d"));
                (void)result_of(*run);
                EXPECT_LT(run->difference().largest, 0.01) << width << " × " << height << ' ' << mask;
            }
}

TEST(PreviewRun, sixteen_bits_and_alpha) {
    const image::Image image = noise_image(40, 30, 4, 16);
    const std::unique_ptr<preview::Run> run = make_run(image, "box:3", Border::clamp, any_mask());
    const image::Image result = result_of(*run);
    EXPECT_LE(run->difference().largest_in_levels, 1u);
    for (std::uint32_t x = 0; x < 40; ++x)
        EXPECT_EQ(result.at(x, 7, 3), image.at(x, 7, 3));  // alpha is kept
    Request request = request_for(image, "box:3", Border::clamp, any_mask());
    request.filter_alpha = true;
    const std::unique_ptr<preview::Run> all = std::move(*preview::Run::make(request));
    EXPECT_NE(result_of(*all).at(5, 7, 3), image.at(5, 7, 3));
}

TEST(PreviewRun, the_visible_part_comes_first_and_the_rest_is_the_same) {
    const image::Image image = noise_image(300, 200, 1);
    const std::unique_ptr<preview::Run> whole =
        make_run(image, "gaussian:5", Border::wrap, kernel_path("tiled_2d"));
    const std::unique_ptr<preview::Run> run =
        make_run(image, "gaussian:5", Border::wrap, kernel_path("tiled_2d"));
    int calls = 0;
    const Box visible{120, 60, 170, 100};
    const Result<void> ran = run->run(visible, nullptr, [&](float, std::uint32_t first, std::uint32_t end) {
        if (calls++ != 0) return;
        EXPECT_LE(first, visible.top);
        EXPECT_GE(end, visible.bottom);
        for (std::uint32_t y = visible.top; y < visible.bottom; ++y)
            for (std::uint32_t x = visible.left; x < visible.right; ++x)
                ASSERT_EQ(run->done()[y * 300 + x], 1) << x << ", " << y;
        EXPECT_GT(run->missing(), 100u * 100);
    });
    ASSERT_TRUE(ran);
    EXPECT_GE(calls, 2);
    EXPECT_EQ(run->result().samples, result_of(*whole).samples);
}

TEST(PreviewRun, can_be_cancelled) {
    const std::unique_ptr<preview::Run> run =
        make_run(noise_image(300, 200, 3), "gaussian:9", Border::zero, kernel_path("basic_2d"));
    const std::atomic<bool> cancel{true};
    EXPECT_FALSE(run->run(std::nullopt, &cancel, {}));
}

TEST(PreviewRun, loads_are_counted_and_agree_with_the_formula) {
    const std::unique_ptr<preview::Run> tiled =
        make_run(noise_image(150, 150, 1), "gaussian:5", Border::zero, kernel_path("tiled_2d"));
    const Result<Loads> loads = tiled->loads(nullptr);
    ASSERT_TRUE(loads);
    EXPECT_TRUE(loads->interior);
    EXPECT_DOUBLE_EQ(loads->counted.image, 256.0 / 144);
    EXPECT_EQ(loads->counted.mask, 0);
    ASSERT_TRUE(loads->formula);
    EXPECT_DOUBLE_EQ(loads->reduction, *loads->formula);
    EXPECT_DOUBLE_EQ(*loads->formula, 144.0 * 25 / 256);

    const Result<Loads> basic =
        make_run(noise_image(150, 150, 1), "gaussian:5", Border::zero, kernel_path("basic_2d"))
            ->loads(nullptr);
    ASSERT_TRUE(basic);
    EXPECT_DOUBLE_EQ(basic->counted.image, 25);
    EXPECT_DOUBLE_EQ(basic->counted.mask, 25);
    EXPECT_FALSE(basic->formula);
}

// Each output of the block whose mask covers a pixel reads the pixel once.
TEST(PreviewRun, reuse_of_pixels_of_a_tile) {
    const auto sample_of = [](const char* kernel) {
        const Result<Loads> loads =
            make_run(noise_image(150, 150, 1), "gaussian:5", Border::zero, kernel_path(kernel))
                ->loads(nullptr);
        EXPECT_TRUE(loads);
        return loads->counted.blocks.front();
    };
    const auto covering = [](std::uint32_t at, std::uint32_t first, std::uint32_t end) {
        const std::int64_t low = std::max<std::int64_t>(std::int64_t{at} - 2, first),
                           high = std::min<std::int64_t>(std::int64_t{at} + 3, end);
        return static_cast<std::uint32_t>(high - low);
    };
    for (const char* kernel : {"tiled_2d", "basic_2d"}) {
        const BlockSample sample = sample_of(kernel);
        const bool tiled = std::string(kernel) == "tiled_2d";
        ASSERT_EQ(sample.reuse.size(), tiled ? 256u : 144u);
        for (const Reuse& pixel : sample.reuse) {
            const std::uint32_t reads = covering(pixel.x, sample.tile.left, sample.tile.right) *
                                        covering(pixel.y, sample.tile.top, sample.tile.bottom);
            EXPECT_EQ(pixel.global, tiled ? 1u : reads) << kernel << ' ' << pixel.x << ' ' << pixel.y;
            EXPECT_EQ(pixel.shared, tiled ? reads : 0u) << kernel << ' ' << pixel.x << ' ' << pixel.y;
        }
    }
}

TEST(PreviewRun, reductions_of_the_catalogue) {
    // outputs² · mask² / (outputs + mask − 1)² for tiles of 8, 16 and 32 and masks of 5 and 9
    const std::tuple<int, const char*, double> cases[] = {{8, "box:5", 11.1},  {16, "box:5", 16},
                                                          {32, "box:5", 19.7}, {8, "box:9", 20.3},
                                                          {16, "box:9", 36},   {32, "box:9", 51.8}};
    for (const auto& [tile, mask, reduction] : cases) {
        Request request = request_for(noise_image(200, 200, 1), mask, Border::zero, kernel_path("tiled_2d"));
        request.settings["tile"] = tile;
        const Result<Loads> loads = (*preview::Run::make(request))->loads(nullptr);
        ASSERT_TRUE(loads);
        EXPECT_NEAR(loads->reduction, reduction, 0.06) << tile << ' ' << mask;
    }
}

// Stepping into a block runs the same tile of the same plane, and records only this block.
TEST(PreviewRun, a_block_is_stepped_into) {
    const std::unique_ptr<preview::Run> run =
        make_run(noise_image(100, 80, 3), "gaussian:5", Border::mirror, kernel_path("tiled_2d"));
    const Result<std::shared_ptr<const trace::Trace>> seen = run->record({20}, nullptr);
    ASSERT_TRUE(seen);
    const Result<execution::RunRequest> request = step_request(*run, 20);
    ASSERT_TRUE(request) << to_text(request.diagnostics());
    const Result<execution::RunResult> stepped = execution::execute(*request);
    ASSERT_TRUE(stepped) << to_text(stepped.diagnostics());
    const std::vector<BlockSample> expected = count_loads(**seen, run->sample_names()).blocks,
                                   blocks = count_loads(*stepped->trace, run->sample_names()).blocks;
    ASSERT_EQ(blocks.size(), 1u);
    EXPECT_EQ(blocks.front().block, 20u);
    EXPECT_EQ(blocks.front().tile, expected.front().tile);
    EXPECT_EQ(blocks.front().read, expected.front().read);
}

// Stepping gives the kernel the same 16-bit levels as the preview, so the block computes the same values.
TEST(PreviewRun, a_block_of_a_sixteen_bit_image_is_stepped_into) {
    const image::Image deep = noise_image(40, 30, 1, 16);
    const std::unique_ptr<preview::Run> run = make_run(deep, "box:3", Border::zero, kernel_path("tiled_2d"));
    const image::Image result = result_of(*run);
    const Result<execution::RunRequest> request = step_request(*run, 0);
    ASSERT_TRUE(request) << to_text(request.diagnostics());
    const Result<execution::RunResult> stepped = execution::execute(*request);
    ASSERT_TRUE(stepped) << to_text(stepped.diagnostics());
    const auto in = std::find_if(stepped->instance.buffers.begin(), stepped->instance.buffers.end(),
                                 [](const auto& buffer) { return buffer.name == "in"; });
    ASSERT_NE(in, stepped->instance.buffers.end());
    const lesson::ElementType type = *lesson::element_type(in->type);
    std::uint32_t above_8_bits = 0;
    for (std::uint32_t i = 0; i < 40 * 30; ++i) {
        const auto value = lesson::load_integer(in->contents, type, i);
        EXPECT_EQ(value, deep.samples[i]);
        above_8_bits += value > 255;
    }
    EXPECT_GT(above_8_bits, 1000u);
}

// A file with a single size for both sides takes other shapes padded with zeros.
TEST(PreviewRun, square_files_take_every_shape) {
    const std::string source = R"cu(/*--- lanescope
[params]
n     = { default = 16, min = 1, max = 64 }
width = { default = 3, choices = [1, 3, 5] }
[buffers]
in   = { type = "float", shape = ["n", "n"], init = "iota" }
mask = { type = "float", shape = ["width", "width"], init = "zero" }
out  = { type = "float", shape = ["n", "n"] }
[[launch]]
kernel = "filter"
grid   = ["ceil_div(n, 8)", "ceil_div(n, 8)"]
block  = ["8", "8"]
args   = ["in", "mask", "out", "n", "width"]
[[expect]]
buffer = "out"
equals = "convolve(in, mask)"
---*/
__global__ void filter(const float* in, const float* mask, float* out, int n, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    float sum = 0;
    for (int r = 0; r < width; ++r)
        for (int c = 0; c < width; ++c) {
            int i = y + r - width / 2, j = x + c - width / 2;
            if (i >= 0 && i < n && j >= 0 && j < n) sum += in[i * n + j] * mask[r * width + c];
        }
    out[y * n + x] = sum;
}
)cu";
    const auto kernel = parse_kernel(source, "square.cu");
    ASSERT_TRUE(kernel) << to_text(kernel.diagnostics());
    for (const auto& [width, height] : {std::pair{37u, 20u}, {20u, 37u}, {1u, 30u}, {24u, 24u}})
        for (const Border border : {Border::zero, Border::wrap}) {
            Request request = request_for(noise_image(width, height, 2), "box:3", border, any_mask());
            request.kernel = std::make_shared<const KernelFile>(*kernel);
            const Result<std::unique_ptr<preview::Run>> run = preview::Run::make(request);
            ASSERT_TRUE(run) << to_text(run.diagnostics());
            const std::uint64_t side = std::max(width, height) + (border == Border::wrap ? 2 : 0);
            EXPECT_EQ((*run)->fit().rows, side);
            EXPECT_EQ((*run)->fit().columns, side);
            (void)result_of(**run);
            EXPECT_LT((*run)->difference().largest, 0.001) << width << " × " << height;
        }
    Request large = request_for(noise_image(20, 65, 1), "box:3", Border::zero, any_mask());
    large.kernel = std::make_shared<const KernelFile>(*kernel);
    EXPECT_NE(to_text(preview::Run::make(large).diagnostics()).find("at most 64, but the image has 65 rows"),
              std::string::npos);
}

TEST(PreviewRun, a_wrong_kernel_is_seen) {
    std::string source = read_kernel(kernel_path("basic_2d"))->source;
    source.replace(source.find("int sum = 0"), 11, "int sum = 9999999");
    Request request = request_for(noise_image(20, 20, 1), "box:3", Border::zero, kernel_path("basic_2d"));
    request.kernel = std::make_shared<const KernelFile>(*parse_kernel(source, "wrong.cu"));
    const std::unique_ptr<preview::Run> run = std::move(*preview::Run::make(request));
    (void)result_of(*run);
    EXPECT_GT(run->difference().largest_in_levels + run->difference().largest, 1);

    source.replace(source.find("if (row >= rows || col >= cols)"), 31,
                   "if (row >= rows || col >= cols || row == 3)");
    request.kernel = std::make_shared<const KernelFile>(*parse_kernel(source, "wrong.cu"));
    const std::unique_ptr<preview::Run> gap = std::move(*preview::Run::make(request));
    ASSERT_TRUE(gap->run(std::nullopt, nullptr, {}));
    EXPECT_EQ(gap->missing(), 20u);
}

}  // namespace run_test
}  // namespace lanescope::preview
