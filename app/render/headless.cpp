#include "render/headless.h"

#define EGL_EGL_PROTOTYPES 0
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::render {

namespace {

// EGL, opened at run time: a program that only prints must start where no graphics library is.
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

// Opens libEGL.so.1 once, for the life of the program. Error: it is not there, or lacks a function.
const Result<EglLibrary>& egl_library() {
    static const Result<EglLibrary> opened = open_egl();
    return opened;
}

// The open library; HeadlessContext::create() has checked that it is there.
const EglLibrary& egl() {
    return *egl_library();
}

}  // namespace

struct HeadlessContext::State {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    EGLSurface surface = EGL_NO_SURFACE;  // only if the driver requires one
    GlDevice device;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (display == EGL_NO_DISPLAY) return;
        egl().make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (surface != EGL_NO_SURFACE) egl().destroy_surface(display, surface);
        if (context != EGL_NO_CONTEXT) egl().destroy_context(display, context);
        egl().terminate(display);
    }
};

namespace {

bool has_extension(const char* list, std::string_view name) {
    const std::string_view text = list ? list : "";
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || text[at - 1] == ' ') && (end == text.size() || text[end] == ' ')) return true;
    }
    return false;
}

template <class Function>
Function egl_function(const char* name) {
    return reinterpret_cast<Function>(egl().get_proc_address(name));
}

// A display to try; smaller ranks come first.
struct Candidate {
    int rank = 0;
    EGLenum platform = 0;  // 0: eglGetDisplay
    void* native = nullptr;
    std::string name;
};

enum Rank { nvidia, hardware, surfaceless, default_display, software };

void add_devices(std::vector<Candidate>& candidates) {
    const auto query_devices = egl_function<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
    const auto device_string = egl_function<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
    if (!query_devices) return;
    EGLint count = 0;
    if (!query_devices(0, nullptr, &count) || count <= 0) return;
    std::vector<EGLDeviceEXT> devices(static_cast<std::size_t>(count));
    if (!query_devices(count, devices.data(), &count)) return;
    for (EGLint i = 0; i < count; ++i) {
        const EGLDeviceEXT device = devices[static_cast<std::size_t>(i)];
        const char* extensions = device_string ? device_string(device, EGL_EXTENSIONS) : nullptr;
        Rank rank = hardware;
        if (has_extension(extensions, "EGL_NV_device_cuda")) rank = nvidia;
        if (has_extension(extensions, "EGL_MESA_device_software")) rank = software;
        candidates.push_back({rank, EGL_PLATFORM_DEVICE_EXT, device, "EGL device " + std::to_string(i)});
    }
}

std::vector<Candidate> find_candidates() {
    std::vector<Candidate> candidates;
    const char* client = egl().query_string(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (has_extension(client, "EGL_EXT_platform_device")) add_devices(candidates);
    if (has_extension(client, "EGL_MESA_platform_surfaceless"))
        candidates.push_back(
            {surfaceless, EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, "EGL without a surface"});
    candidates.push_back({default_display, 0, EGL_DEFAULT_DISPLAY, "EGL's default display"});
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
    return candidates;
}

EGLDisplay open_display(const Candidate& candidate) {
    if (candidate.platform == 0) return egl().get_display(EGL_DEFAULT_DISPLAY);
    const auto get_display = egl_function<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
    return get_display ? get_display(candidate.platform, candidate.native, nullptr) : EGL_NO_DISPLAY;
}

// Makes the context current without a surface if the driver can, otherwise with an unused pbuffer of one
// pixel.
bool make_current(EGLDisplay display, EGLConfig config, EGLContext context, EGLSurface& surface) {
    if (egl().make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return true;
    const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    surface = egl().create_pbuffer_surface(display, config, size);
    return surface != EGL_NO_SURFACE && egl().make_current(display, surface, surface, context);
}

bool create_context(EGLDisplay display, EGLContext& context, EGLSurface& surface) {
    if (!egl().bind_api(EGL_OPENGL_API)) return false;
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                             EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!egl().choose_config(display, wanted, &config, 1, &count) || count == 0) return false;
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                              4,
                              EGL_CONTEXT_MINOR_VERSION,
                              5,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                              EGL_NONE};
    context = egl().create_context(display, config, EGL_NO_CONTEXT, version);
    return context != EGL_NO_CONTEXT && make_current(display, config, context, surface);
}

}  // namespace

Result<HeadlessContext> HeadlessContext::create() {
    if (!egl_library()) return egl_library().diagnostics();
    setenv("EGL_LOG_LEVEL", "fatal", 0);  // otherwise Mesa prints a warning for each failed device
    std::string tried;
    for (const Candidate& candidate : find_candidates()) {
        if (!tried.empty()) tried += ", ";
        tried += candidate.name;
        auto state = std::make_unique<State>();
        const EGLDisplay display = open_display(candidate);
        if (display == EGL_NO_DISPLAY || !egl().initialize(display, nullptr, nullptr)) continue;
        state->display = display;
        if (!create_context(display, state->context, state->surface)) continue;
        auto device = load_gl(egl().get_proc_address, candidate.name);
        if (!device) continue;
        state->device = std::move(*device);
        return HeadlessContext(std::move(state));
    }
    return error("no OpenGL 4.5 without a display (tried: " + tried + ")",
                 "install Mesa (libgl1-mesa-dri, libegl-mesa0) for a software driver");
}

HeadlessContext::HeadlessContext(std::unique_ptr<State> state) : state_(std::move(state)) {}
HeadlessContext::~HeadlessContext() = default;
HeadlessContext::HeadlessContext(HeadlessContext&&) noexcept = default;
HeadlessContext& HeadlessContext::operator=(HeadlessContext&&) noexcept = default;

const GlDevice& HeadlessContext::device() const {
    return state_->device;
}

}  // namespace lanescope::render
