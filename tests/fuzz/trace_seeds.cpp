// Writes small traces without checksums as seeds.  fuzz_trace_seeds FOLDER
#include <cstdint>
#include <cstdio>
#include <filesystem>

#include "../unit/trace/model.h"
#include "base/files.h"
#include "trace/io.h"

namespace {

using namespace lanescope;

bool write_seed(const std::filesystem::path& path, const trace::ModelOptions& options) {
    if (!trace::save(*trace::ModelRun(options).trace, path)) return false;
    std::error_code failed;
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - sizeof(std::uint64_t), failed);
    return !failed;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    for (unsigned seed = 1; seed <= 6; ++seed) {
        const trace::ModelOptions options{
            .seed = seed, .turns_per_launch = 2 + 2 * seed, .launches = 1 + seed % 2};
        if (!write_seed(folder / ("model_" + std::to_string(seed)), options)) {
            std::fprintf(stderr, "cannot write to %s\n", argv[1]);
            return 1;
        }
    }
    return 0;
}
