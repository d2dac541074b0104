// Times a whole 5 × 5 filter of 512 × 512 grey pixels on the CPU SIMT machine.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <string_view>

#include "compile/compiler.h"
#include "image/image.h"
#include "preview/run/run.h"

namespace {

using namespace lanescope::preview;

lanescope::image::Image grey(std::uint32_t side) {
    lanescope::image::Image image;
    image.width = image.height = side;
    image.channels = 1;
    image.samples.resize(image.pixels());
    for (std::size_t i = 0; i < image.samples.size(); ++i)
        image.samples[i] = static_cast<std::uint16_t>(i * 2654435761u >> 24 & 255);
    return image;
}

void filter(benchmark::State& state, const char* file) {
    Request request;
    request.image =
        std::make_shared<const lanescope::image::Image>(grey(static_cast<std::uint32_t>(state.range(0))));
    request.filter = *parse_filter("gaussian:5");
    auto kernel = read_kernel(std::string(LANESCOPE_BENCH_ROOT) + file);
    if (!kernel) return state.SkipWithError(to_text(kernel.diagnostics()).c_str());
    request.kernel = std::make_shared<const KernelFile>(std::move(*kernel));
    for (auto _ : state) {
        auto run = Run::make(request);  // the code comes from the cache
        if (!run) return state.SkipWithError(to_text(run.diagnostics()).c_str());
        if (const auto ran = (*run)->run(std::nullopt, nullptr, {}); !ran || (*run)->missing() != 0)
            return state.SkipWithError("the run failed");
        benchmark::DoNotOptimize((*run)->result().samples.data());
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "__compile")
        return lanescope::compile::compile_worker_main();
    for (const char* file : {"/kernels/convolution/basic_2d.cu", "/kernels/convolution/tiled_2d.cu",
                             "/assets/preview/any_mask.cu"})
        benchmark::RegisterBenchmark(file, filter, file)
            ->Arg(512)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime()
            ->MeasureProcessCPUTime();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
