// The functions of OpenGL 4.5 core, or of OpenGL ES 3.0 in a browser (WebGL 2), and the device that executes
// them. What a browser lacks is in the folder webgl/; the other files use what both have.
#pragma once

#include LANESCOPE_OPENGL_HEADER  // CMakeLists.txt names it

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

// Loads the functions of the current context; a browser has no loader. Error: the context is older than
// OpenGL 4.5 core, or than OpenGL ES 3.0 in a browser.
Result<GlDevice> load_gl(GlFunctionLoader loader, std::string reached_through);

// What draws in the current context.
GlDevice current_device(std::string reached_through);

// Returns the errors that the driver has queued since the last call, by name. `what` names the checked action
// in the message.
Result<void> check_gl(const std::string& what);

}  // namespace lanescope::render
