// Times the preview's picture on a GPU: an RGBA image with a 5 × 5 mask, from the image on the device to the
// drawn texture, without a copy through the host. Prints one JSON object; needs an NVIDIA GPU with OpenGL.
//   preview_gpu_bench [SIDE [RUNS]]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "compile/compiler.h"
#include "gpu/driver/context.h"
#include "gpu/served/device_command.h"
#include "image/image.h"
#include "render/headless.h"
#include "ui/preview/preview_gpu.h"

namespace {

using namespace lanescope;
using Clock = std::chrono::steady_clock;

image::Image noise(std::uint32_t side) {
    image::Image image;
    image.width = image.height = side;
    image.channels = 4;
    image.samples.resize(image.pixels() * 4);
    for (std::size_t i = 0; i < image.samples.size(); ++i)
        image.samples[i] = static_cast<std::uint16_t>(i * 2654435761u >> 24 & 255);
    return image;
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
}

Result<void> measure(const char* file, const std::shared_ptr<const image::Image>& image, int runs,
                     bool last) {
    preview::Request request;
    request.image = image;
    request.filter = *preview::parse_filter("gaussian:5");
    Result<preview::KernelFile> kernel = preview::read_kernel(std::string(LANESCOPE_BENCH_ROOT) + file);
    if (!kernel) return kernel.diagnostics();
    request.kernel = std::make_shared<const preview::KernelFile>(std::move(*kernel));
    const auto run = preview::Run::make(request);
    if (!run) return run.diagnostics();
    ui::PreviewGpu gpu;  // with a process of its own
    const auto ms_since = [](Clock::time_point from) {
        return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
    };
    std::vector<double> kernels, device, mapping, running, copying, averaging, whole, fetching;
    double first_ms = 0;
    for (int i = 0; i < runs + 3; ++i) {
        const Clock::time_point begin = Clock::now();
        if (const auto begun = gpu.begin(); !begun) return begun;
        const double mapped = ms_since(begin);
        const auto times = gpu.run(**run, nullptr);
        if (!times) return times.diagnostics();
        const double ran = ms_since(begin);
        if (const auto ended = gpu.end(true); !ended) return ended;
        glFinish();
        const double copied = ms_since(begin);
        gpu.average();
        glFinish();
        const double averaged = ms_since(begin);
        if (i == 0) first_ms = averaged;
        if (i < 3) continue;
        if (const auto fetched = gpu.fetch(**run); !fetched) return fetched;
        fetching.push_back(ms_since(begin) - averaged);
        mapping.push_back(mapped);
        running.push_back(ran - mapped);
        copying.push_back(copied - ran);
        averaging.push_back(averaged - copied);
        whole.push_back(copied);
        kernels.push_back(times->kernels_ms);
        device.push_back(times->on_device_ms);
    }
    if (!gpu.texture()) return error(gpu.note());
    std::printf(
        "  {\"kernel\": \"%s\", \"kernels_ms\": %.3f, \"on_device_ms\": %.3f, \"map_ms\": %.3f, \"run_ms\": "
        "%.3f, "
        "\"copy_ms\": %.3f, \"to_texture_ms\": %.3f, \"average_ms\": %.3f, \"fetch_ms\": %.1f, \"first_ms\": "
        "%.0f}%s\n",
        file + 1, median(kernels), median(device), median(mapping), median(running), median(copying),
        median(whole), median(averaging), median(fetching), first_ms, last ? "" : ",");
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (!words.empty() && words.front() == "__compile") return compile::compile_worker_main();
    if (!words.empty() && words.front() == "__device")
        return gpu::end_process(gpu::device_server_main({words.begin() + 1, words.end()}, "bench"));
    const int side = argc > 1 ? std::atoi(argv[1]) : 4096, runs = argc > 2 ? std::atoi(argv[2]) : 21;
    if (side < 1 || side > 8192 || runs < 1) return 2;
    const auto context = render::HeadlessContext::create();
    if (!context) {
        std::fputs(to_text(context.diagnostics()).c_str(), stderr);
        return 1;
    }
    std::printf(
        "{\"opengl\": \"%s\", \"side\": %d, \"channels\": 4, \"mask\": \"gaussian:5\", \"runs\": %d, "
        "\"medians\": [\n",
        context->device().renderer.c_str(), side, runs);
    const auto image = std::make_shared<const image::Image>(noise(static_cast<std::uint32_t>(side)));
    const char* const files[] = {"/kernels/convolution/basic_2d.cu", "/kernels/convolution/tiled_2d.cu",
                                 "/kernels/convolution/separable.cu", "/kernels/convolution/fastest.cu",
                                 "/assets/preview/any_mask.cu"};
    for (const char* file : files)
        if (const Result<void> measured = measure(file, image, runs, file == files[4]); !measured) {
            std::fputs(to_text(measured.diagnostics()).c_str(), stderr);
            return 1;
        }
    std::puts("]}");
    return 0;
}
