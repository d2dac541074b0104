#include <utility>

#include "render/gl.h"

namespace lanescope::render {

Result<GlDevice> load_gl(GlFunctionLoader, std::string reached_through) {
    GLint version = 0;  // OpenGL ES 2.0, which is WebGL 1, does not know the question
    glGetIntegerv(GL_MAJOR_VERSION, &version);
    (void)check_gl("");
    if (version < 3)
        return error("no WebGL 2 (" + reached_through + ")",
                     "use a current browser, and allow it to draw with the graphics processor");
    return current_device(std::move(reached_through));
}

}  // namespace lanescope::render
