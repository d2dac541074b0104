// The functions of OpenGL 4.5 core and the device that executes them.
#pragma once

#include <glad/gl.h>

#include <string>

#include "base/result.h"

namespace lanescope::render {

struct GlDevice {
    std::string vendor;
    std::string renderer;  // "NVIDIA H200/PCIe/SSE2", "llvmpipe (LLVM 15.0.6, 256 bits)"
    std::string version;
    std::string reached_through;  // "EGL device 0", "window", …
    bool software = false;        // drawn by the CPU
};

using GlFunctionLoader = void (*(*)(const char*))();

// Loads the functions of the current context. Error: the context is older than OpenGL 4.5 core.
Result<GlDevice> load_gl(GlFunctionLoader loader, std::string reached_through);

// Returns the errors that the driver has queued since the last call, by name. `what` names the checked action
// in the message.
Result<void> check_gl(const std::string& what);

}  // namespace lanescope::render
