// Records the buffers of kernel files with front matter after their last launch on a GPU.
//   parity_corpus OUT FILE.cu…
#include <cstdio>
#include <filesystem>

#include "gpu_file.h"
#include "recording.h"
#include "tool.h"

namespace {

using namespace lanescope;
using namespace lanescope::parity;

Result<void> record(Gpu& gpu, const std::string& path, compile::Code code, Recording& recording) {
    auto file = open_file(path, code);
    if (!file.ok()) return file.diagnostics();
    auto results = run_file(gpu, *file, Unset::pattern);
    if (!results.ok()) return results.diagnostics();
    for (const auto& [buffer, bytes] : *results)
        recording.records.push_back({corpus_record_name(std::filesystem::path(path).filename().string(),
                                                        code == compile::Code::debug, buffer),
                                     file_hash(file->source), bytes});
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "__compile") return compile::compile_worker_main();
    if (argc < 3) {
        std::fprintf(stderr, "usage: parity_corpus OUT FILE.cu…\n");
        return 2;
    }
    auto gpu = Gpu::open();
    if (!gpu.ok()) return fail(gpu.diagnostics());
    Recording recording{(*gpu)->device(), (*gpu)->driver(), today(), {}};
    int failed = 0;
    for (int i = 2; i < argc; ++i)
        for (const compile::Code code : {compile::Code::debug, compile::Code::optimized})
            if (auto done = record(**gpu, argv[i], code, recording); !done.ok()) {
                std::fprintf(stderr, "%s: %s\n", argv[i], to_text(done.diagnostics()).c_str());
                ++failed;
            }
    std::printf("%s, %s, %s: %zu buffers recorded, %d runs failed\n", recording.device.c_str(),
                recording.driver.c_str(), recording.date.c_str(), recording.records.size(), failed);
    if (auto saved = save(recording, argv[1]); !saved.ok()) return fail(saved.diagnostics());
    return failed == 0 ? 0 : 1;
}
