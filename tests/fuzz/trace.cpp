// Fuzzes saved traces: a damaged file is refused, or opens as a trace that can be walked. An input is a file
// without its checksum; the target adds the checksum to reach the checks after it.
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "../unit/trace/walk.h"
#include "mutate.h"
#include "trace/checksum.h"
#include "trace/io.h"

// Sections follow the magic number and the version: a tag of 4 bytes, a size of 8 bytes, the contents.
std::vector<lanescope::fuzz::Part> lanescope::fuzz::parts(std::string_view input) {
    std::vector<Part> found;
    std::size_t at = 16 + 4;
    while (at + 12 <= input.size()) {
        std::uint64_t size = 0;
        std::memcpy(&size, input.data() + at + 4, 8);
        if (size > input.size() - at - 12) break;
        found.push_back({at + 12, size, at + 4});
        at += 12 + size;
    }
    return found;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lanescope;
    std::string bytes(reinterpret_cast<const char*>(data), size);
    const std::uint64_t sum = trace::checksum(bytes);
    bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    if (const auto opened = trace::read(bytes, "input")) trace::walk(*opened);
    return 0;
}
