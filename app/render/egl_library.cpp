#include "render/egl_library.h"

#include <dlfcn.h>

namespace lanescope::render {

namespace {

constexpr const char* egl_hint = "install it (Debian and Ubuntu: libegl1)";

Result<EglLibrary> open_egl() {
    void* library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return error("no OpenGL without a display: the library libEGL.so.1 is missing", egl_hint);
    EglLibrary egl;
    bool complete = true;
    const auto load = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
        complete = complete && function != nullptr;
    };
    load(egl.get_proc_address, "eglGetProcAddress");
    load(egl.query_string, "eglQueryString");
    load(egl.get_display, "eglGetDisplay");
    load(egl.initialize, "eglInitialize");
    load(egl.terminate, "eglTerminate");
    load(egl.bind_api, "eglBindAPI");
    load(egl.choose_config, "eglChooseConfig");
    load(egl.create_context, "eglCreateContext");
    load(egl.destroy_context, "eglDestroyContext");
    load(egl.create_pbuffer_surface, "eglCreatePbufferSurface");
    load(egl.destroy_surface, "eglDestroySurface");
    load(egl.make_current, "eglMakeCurrent");
    if (!complete)
        return error("no OpenGL without a display: functions are missing in libEGL.so.1", egl_hint);
    return egl;
}

}  // namespace

const Result<EglLibrary>& egl_library() {
    static const Result<EglLibrary> opened = open_egl();
    return opened;
}

}  // namespace lanescope::render
