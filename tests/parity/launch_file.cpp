// Launches a kernel file with front matter once on a GPU, so that a checker can watch it.
//   parity_launch [--ptx] FILE.cu debug|optimized [IMAGE]
// Buffers without contents keep the bytes that the driver gave them. --ptx prints the file's PTX
// and launches nothing. With IMAGE nothing is compiled: --ptx printed IMAGE.ptx before, and
// IMAGE.cubin was assembled from it.
#include <cstdio>
#include <string_view>

#include "base/files.h"
#include "gpu_file.h"
#include "tool.h"

namespace {

using namespace lanescope;
using namespace lanescope::parity;

int launch(const GpuFile& file, const std::string& image) {
    auto gpu = Gpu::open();
    if (!gpu.ok()) return fail(gpu.diagnostics());
    const auto ran = run_file(**gpu, file, Unset::untouched, image);
    if (!ran.ok()) {
        std::printf("%s, %s: %s\n", (*gpu)->device().c_str(), (*gpu)->driver().c_str(),
                    to_text(ran.diagnostics()).c_str());
        return 1;
    }
    std::printf("%s, %s: done\n", (*gpu)->device().c_str(), (*gpu)->driver().c_str());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "__compile") return compile::compile_worker_main();
    const bool print = argc > 1 && std::string_view(argv[1]) == "--ptx";
    const int first = print ? 2 : 1;
    if (argc < first + 2) {
        std::fprintf(stderr, "parity_launch [--ptx] FILE.cu debug|optimized [IMAGE]\n");
        return 2;
    }
    const bool debug = std::string_view(argv[first + 1]) == "debug";
    const std::string stem = argc > first + 2 ? argv[first + 2] : "";
    auto file = open_file(argv[first], debug ? compile::Code::debug : compile::Code::optimized,
                          stem.empty() ? "" : stem + ".ptx");
    if (!file.ok()) return fail(file.diagnostics());
    if (print) {
        std::fputs(file->compiled.ptx.c_str(), stdout);
        return 0;
    }
    if (stem.empty()) return launch(*file, "");
    auto image = read_file(stem + ".cubin");
    return image.ok() ? launch(*file, *image) : fail(image.diagnostics());
}
