// One OpenGL context, tried in a process of its own: a context that another library keeps (EGL beside GLX, or
// CUDA beside either) would change what the next one can do, and a driver that crashes takes only this
// process with it.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "render/gl.h"

namespace lanescope::doctor {

enum class GlPlace { headless, window };

struct GlAnswer {
    Result<render::GlDevice> device;  // error: there is no context
    // OpenGL reads memory that another process with CUDA has written; nothing: not tried.
    std::optional<Result<void>> shared;
};

// Starts this program as the process, with a time limit. `with_gpu`: memory is shared. A process that crashes
// or hangs is an error of what it was trying.
GlAnswer try_gl(GlPlace place, bool with_gpu);

// The process itself: reads what to try from standard input and prints the answer. Returns the exit status.
int gl_worker_main();

}  // namespace lanescope::doctor
