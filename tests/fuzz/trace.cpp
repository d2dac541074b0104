// Saved traces: a damaged file is refused or opens as a trace that can be walked.
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/files.h"
#include "trace/io.h"
#include "trace/steps.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lanescope;
    static const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("lanescope-fuzz-" + std::to_string(getpid()) + ".trace");
    if (!write_file(path, std::string_view(reinterpret_cast<const char*>(data), size))) return 0;
    const auto opened = trace::open(path);
    std::filesystem::remove(path);
    if (opened) (void)trace::build_steps(**opened, 0, trace::Granularity::line);
    return 0;
}
