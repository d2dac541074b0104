#include <utility>

#include "render/gl.h"
#include "render/imported_memory.h"

namespace lanescope::render {

Result<GlDevice> load_gl(GlFunctionLoader loader, std::string reached_through) {
    const int version = gladLoadGL(loader);
    if (version < GLAD_MAKE_VERSION(4, 5)) {
        std::string found = version == 0 ? "none"
                                         : std::to_string(GLAD_VERSION_MAJOR(version)) + "." +
                                               std::to_string(GLAD_VERSION_MINOR(version));
        return error("no OpenGL 4.5 (" + reached_through + " offers " + found + ")",
                     "install Mesa (libgl1-mesa-dri) for a software driver");
    }
    load_imports(loader);
    return current_device(std::move(reached_through));
}

}  // namespace lanescope::render
