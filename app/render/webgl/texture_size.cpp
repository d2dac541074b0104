#include <algorithm>
#include <vector>

#include "render/texture.h"

namespace lanescope::render {
namespace {

// How many pixels of a row or a column are there. WebGL leaves the bytes of pixels outside the framebuffer as
// they are ("Reading Pixels Outside the Framebuffer"), so what was there before shows through.
int length(int limit, bool row) {
    const auto read = [&](std::uint32_t before) {
        std::vector<std::uint32_t> pixels(std::size_t(limit), before);
        glReadPixels(0, 0, row ? limit : 1, row ? 1 : limit, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
        return pixels;
    };
    const std::vector<std::uint32_t> one = read(0), other = read(~0u);
    return int(std::mismatch(one.begin(), one.end(), other.begin()).first - one.begin());
}

}  // namespace

// OpenGL ES has the question from 3.1 on.
std::array<int, 2> texture_size(GLuint) {
    GLint limit = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    return {length(limit, true), length(limit, false)};
}

}  // namespace lanescope::render
