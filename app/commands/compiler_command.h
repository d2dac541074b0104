// `lanescope doctor --get-compiler`: NVRTC for this user.
#pragma once

namespace lanescope {

// Exit: 0 NVRTC is there and works, be it since now; 1 it could not be got.
int get_compiler_command();

}  // namespace lanescope
