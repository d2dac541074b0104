#include "render/texture.h"

namespace lanescope::render {

std::array<int, 2> texture_size(GLuint name) {
    std::array<int, 2> size{};
    glGetTextureLevelParameteriv(name, 0, GL_TEXTURE_WIDTH, &size[0]);
    glGetTextureLevelParameteriv(name, 0, GL_TEXTURE_HEIGHT, &size[1]);
    return size;
}

}  // namespace lanescope::render
