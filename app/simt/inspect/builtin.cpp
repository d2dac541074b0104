#include "simt/inspect/builtin.h"

#include <string_view>
#include <unordered_map>

namespace lanescope::simt {

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
        {"__cudaCDP2Free", Builtin::cuda_free}};
    if (function.has_body) return Builtin::none;
    const auto found = known.find(function.name);
    return found == known.end() ? Builtin::none : found->second;
}

}  // namespace lanescope::simt
