#include "render/imported_memory.h"

#include <string_view>

namespace lanescope::render {

namespace {

// As the extensions' specifications in the Khronos registry have them.
constexpr GLenum num_device_uuids = 0x9596, device_uuid = 0x9597, opaque_descriptor = 0x9586;

struct ImportFunctions {
    void(GLAD_API_PTR* create)(GLsizei, GLuint*) = nullptr;
    void(GLAD_API_PTR* remove)(GLsizei, const GLuint*) = nullptr;
    void(GLAD_API_PTR* import)(GLuint, GLuint64, GLenum, GLint) = nullptr;
    void(GLAD_API_PTR* store)(GLuint, GLsizeiptr, GLuint, GLuint64) = nullptr;
    void(GLAD_API_PTR* uuid)(GLenum, GLuint, GLubyte*) = nullptr;

    bool complete() const { return create && remove && import && store && uuid; }
};

// As glad's own functions: those of the context that was made last.
ImportFunctions& functions() {
    static ImportFunctions loaded;
    return loaded;
}

template <class Function>
void find(GlFunctionLoader loader, Function& function, const char* name) {
    function = reinterpret_cast<Function>(loader(name));
}

bool has_extension(std::string_view name) {
    GLint count = 0;
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; ++i) {
        const auto* each = reinterpret_cast<const char*>(glGetStringi(GL_EXTENSIONS, static_cast<GLuint>(i)));
        if (each != nullptr && name == each) return true;
    }
    return false;
}

}  // namespace

void load_imports(GlFunctionLoader loader) {
    ImportFunctions& loaded = functions() = {};
    if (!has_extension("GL_EXT_memory_object") || !has_extension("GL_EXT_memory_object_fd")) return;
    find(loader, loaded.create, "glCreateMemoryObjectsEXT");
    find(loader, loaded.remove, "glDeleteMemoryObjectsEXT");
    find(loader, loaded.import, "glImportMemoryFdEXT");
    find(loader, loaded.store, "glNamedBufferStorageMemEXT");
    find(loader, loaded.uuid, "glGetUnsignedBytei_vEXT");
}

Result<void> check_import(const GpuUuid& gpu) {
    const ImportFunctions& loaded = functions();
    if (!loaded.complete())
        return error("this OpenGL driver does not open memory of other processes (GL_EXT_memory_object_fd)");
    GLint count = 0;
    glGetIntegerv(num_device_uuids, &count);
    for (GLint i = 0; i < count; ++i) {
        GpuUuid drawn{};
        loaded.uuid(device_uuid, static_cast<GLuint>(i), drawn.data());
        if (drawn == gpu) return {};
    }
    return error("OpenGL and CUDA are on different devices",
                 "OpenGL has to run on the NVIDIA GPU: install the driver's OpenGL libraries; where another "
                 "GPU draws, set __NV_PRIME_RENDER_OFFLOAD=1 and __GLX_VENDOR_LIBRARY_NAME=nvidia");
}

// The driver takes the descriptor, unless it reports an error.
GLuint import_memory(Descriptor memory, std::uint64_t size_bytes) {
    GLuint made = 0;
    functions().create(1, &made);
    functions().import(made, size_bytes, opaque_descriptor, memory.number());
    if (glGetError() == GL_NO_ERROR) (void)memory.release();
    return made;
}

void store_in_memory(GLuint buffer, std::uint64_t size_bytes, GLuint memory) {
    functions().store(buffer, static_cast<GLsizeiptr>(size_bytes), memory, 0);
}

void delete_memory(GLuint memory) {
    functions().remove(1, &memory);
}

}  // namespace lanescope::render
