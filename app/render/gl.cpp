#include "render/gl.h"

#include <utility>

namespace lanescope::render {
namespace {

std::string gl_text(GLenum name) {
    const auto* text = reinterpret_cast<const char*>(glGetString(name));
    return text ? text : "unknown";
}

bool draws_in_software(const std::string& renderer) {
    for (const char* name : {"llvmpipe", "softpipe", "swrast", "SWR", "SwiftShader", "Software Rasterizer"})
        if (renderer.find(name) != std::string::npos) return true;
    return false;
}

const char* error_name(GLenum code) {
    switch (code) {
        case GL_INVALID_ENUM:
            return "GL_INVALID_ENUM";
        case GL_INVALID_VALUE:
            return "GL_INVALID_VALUE";
        case GL_INVALID_OPERATION:
            return "GL_INVALID_OPERATION";
        case GL_INVALID_FRAMEBUFFER_OPERATION:
            return "GL_INVALID_FRAMEBUFFER_OPERATION";
        case GL_OUT_OF_MEMORY:
            return "GL_OUT_OF_MEMORY";
        default:
            return "unknown error";
    }
}

}  // namespace

GlDevice current_device(std::string reached_through) {
    GlDevice device{gl_text(GL_VENDOR), gl_text(GL_RENDERER), gl_text(GL_VERSION), std::move(reached_through),
                    false};
    device.software = draws_in_software(device.renderer);
    return device;
}

Result<void> check_gl(const std::string& what) {
    constexpr int most = 16;  // a lost context returns errors forever
    std::string names;
    for (int i = 0; i < most; ++i) {
        const GLenum code = glGetError();
        if (code == GL_NO_ERROR) break;
        if (!names.empty()) names += ", ";
        names += error_name(code);
    }
    if (names.empty()) return {};
    return error(what + ": OpenGL reports " + names);
}

}  // namespace lanescope::render
