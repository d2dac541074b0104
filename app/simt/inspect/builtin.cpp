#include "simt/inspect/builtin.h"

#include <string_view>
#include <unordered_map>

namespace lanescope::simt {

namespace {

constexpr std::string_view runtime_prefix = "__cudaCDP2";

}  // namespace

std::string user_name(const std::string& symbol) {
    return symbol.starts_with(runtime_prefix) ? "cuda" + symbol.substr(runtime_prefix.size()) : symbol;
}

Builtin builtin_of(const ptx::Function& function) {
    static const std::unordered_map<std::string_view, Builtin> known{
        {"vprintf", Builtin::printf},
        {"__assertfail", Builtin::assertion},
        {"malloc", Builtin::allocate},
        {"free", Builtin::release},
        {"__cudaCDP2GetParameterBufferV2", Builtin::parameter_buffer},
        {"__cudaCDP2LaunchDeviceV2", Builtin::launch_device},
        {"__cudaCDP2LaunchDeviceV2_ptsz", Builtin::launch_device},
        {"__cudaCDP2GetLastError", Builtin::last_error},
        {"__cudaCDP2PeekAtLastError", Builtin::peek_error},
        {"__cudaCDP2StreamCreateWithFlags", Builtin::create_stream},
        {"__cudaCDP2StreamDestroy", Builtin::destroy_stream},
        {"__cudaCDP2GetDevice", Builtin::device_number},
        {"__cudaCDP2GetDeviceCount", Builtin::device_count},
        {"__cudaCDP2Malloc", Builtin::cuda_malloc},
        {"__cudaCDP2Free", Builtin::cuda_free},
        {"__cudaCDP2GetErrorName", Builtin::error_name},
        {"__cudaCDP2GetErrorString", Builtin::error_text}};
    if (function.has_body) return Builtin::none;
    const auto found = known.find(function.name);
    if (found != known.end()) return found->second;
    return function.name.starts_with(runtime_prefix) ? Builtin::missing : Builtin::none;
}

}  // namespace lanescope::simt
