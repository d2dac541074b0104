// Saved traces: a damaged file is refused or opens as a trace that can be walked. The input says which bytes
// of a small trace become others; the checksum is made for the outcome, so that the checks behind it are what
// is tested. The input is also read as a file of its own.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>

#include "../unit/trace/model.h"
#include "../unit/trace/walk.h"
#include "base/files.h"
#include "trace/checksum.h"
#include "trace/io.h"

namespace {

using namespace lanescope;

const std::string& small_trace() {
    static const std::string bytes = [] {
        const trace::ModelRun run({.seed = 8, .turns_per_launch = 12, .launches = 2});
        const auto path = std::filesystem::temp_directory_path() / "lanescope-fuzz-seed.trace";
        if (!trace::save(*run.trace, path)) std::abort();
        const std::string saved = *read_file(path);
        std::filesystem::remove(path);
        return saved.substr(0, saved.size() - sizeof(std::uint64_t));
    }();
    return bytes;
}

void edit(std::string& bytes, std::mt19937_64& random) {
    // The end of the file holds the turns and the events; most of it is text and memory.
    const std::size_t at =
        random() % 4 == 0 ? random() % bytes.size() : bytes.size() - 1 - random() % (bytes.size() / 4);
    const auto byte = static_cast<char>(random() % 3 == 0 ? random() % 4 * 85 : random());
    switch (random() % 8) {
        case 0:
            bytes.erase(at, 1);
            break;
        case 1:
            bytes.insert(at, 1, byte);
            break;
        default:
            bytes[at] = byte;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    (void)trace::read(std::string_view(reinterpret_cast<const char*>(data), size), "input");
    std::string bytes = small_trace();
    std::mt19937_64 random(trace::checksum(std::string_view(reinterpret_cast<const char*>(data), size)));
    for (std::size_t edits = 1 + random() % 4; edits > 0; --edits)
        edit(bytes, random);
    const std::uint64_t sum = trace::checksum(bytes);
    bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    if (const auto opened = trace::read(bytes, "input")) trace::walk(*opened);
    return 0;
}
