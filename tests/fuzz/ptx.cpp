// Fuzzes PTX text: a module that parses must give the same text when it is printed, parsed and printed again,
// and its debug sections must be read or refused.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ptx/debug_info.h"
#include "ptx/parser.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lanescope;
    const auto module = ptx::parse(std::string_view(reinterpret_cast<const char*>(data), size));
    if (!module) return 0;
    const std::string text = ptx::print(*module);
    const auto again = ptx::parse(text);
    if (!again || ptx::print(*again) != text) std::abort();
    (void)ptx::read_debug_info(*module, "kernel.cu");
    return 0;
}
