// Fuzzes .npy files: a header that is read must stay the same when it is written and read again.
#include "base/npy.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lanescope;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto header = read_npy(bytes);
    if (!header) return 0;
    const std::string written = npy_header(*header) + std::string(bytes.substr(header->data_offset));
    auto again = read_npy(written);
    if (!again) std::abort();
    again->data_offset = header->data_offset;
    if (*again != *header) std::abort();
    return 0;
}
