// Saved traces: a damaged file is refused or opens as a trace that can be walked. The input edits a small trace, five
// bytes an edit, and the checksum is made for the outcome, so that the checks behind it are what is tested; it is also
// read as a file of its own.
#include <cstdint>
#include <filesystem>
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

void edit(std::string& bytes, const std::uint8_t* by) {
    const std::size_t place = (std::size_t{by[0]} << 16 | std::size_t{by[1]} << 8 | by[2]) * 7919;
    // The end of the file holds the turns and the events; most of it is text and memory.
    const std::size_t at = by[3] % 4 == 0 ? place % bytes.size() : bytes.size() - 1 - place % (bytes.size() / 4);
    if (by[3] % 16 == 1 && bytes.size() > 1000)
        bytes.erase(at, 1);
    else if (by[3] % 16 == 2)
        bytes.insert(at, 1, static_cast<char>(by[4]));
    else
        bytes[at] = static_cast<char>(by[4]);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    (void)trace::read(std::string_view(reinterpret_cast<const char*>(data), size), "input");
    std::string bytes = small_trace();
    for (std::size_t at = 0; at + 5 <= size && at < 25; at += 5) edit(bytes, data + at);
    const std::uint64_t sum = trace::checksum(bytes);
    bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    if (const auto opened = trace::read(bytes, "input")) trace::walk(*opened);
    return 0;
}
