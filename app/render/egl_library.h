// EGL, opened at run time: a program that only prints must start where no graphics library is.
#pragma once

#define EGL_EGL_PROTOTYPES 0
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "base/result.h"

namespace lanescope::render {

struct EglLibrary {
    PFNEGLGETPROCADDRESSPROC get_proc_address = nullptr;
    PFNEGLQUERYSTRINGPROC query_string = nullptr;
    PFNEGLGETDISPLAYPROC get_display = nullptr;
    PFNEGLINITIALIZEPROC initialize = nullptr;
    PFNEGLTERMINATEPROC terminate = nullptr;
    PFNEGLBINDAPIPROC bind_api = nullptr;
    PFNEGLCHOOSECONFIGPROC choose_config = nullptr;
    PFNEGLCREATECONTEXTPROC create_context = nullptr;
    PFNEGLDESTROYCONTEXTPROC destroy_context = nullptr;
    PFNEGLCREATEPBUFFERSURFACEPROC create_pbuffer_surface = nullptr;
    PFNEGLDESTROYSURFACEPROC destroy_surface = nullptr;
    PFNEGLMAKECURRENTPROC make_current = nullptr;
};

// Opens libEGL.so.1 once, for the life of the program. Error: it is not there, or lacks a function.
const Result<EglLibrary>& egl_library();

}  // namespace lanescope::render
