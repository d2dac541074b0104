// Memory of the GPU that another process made, such as one with CUDA, as OpenGL's storage: the extensions
// GL_EXT_memory_object and GL_EXT_memory_object_fd. OpenGL does not wait for the other process: what it draws
// must have been written before, and must not be written while it is drawn.
#pragma once

#include <array>
#include <cstdint>

#include "base/descriptor.h"
#include "base/result.h"
#include "render/gl.h"

namespace lanescope::render {

using GpuUuid = std::array<std::uint8_t, 16>;

// Called by load_gl() for the new context.
void load_imports(GlFunctionLoader loader);

// Whether the current context opens memory of this GPU. Errors: the driver lacks the extensions; another GPU
// draws.
Result<void> check_import(const GpuUuid& gpu);

// After check_import(). Errors appear in check_gl().
GLuint import_memory(Descriptor memory, std::uint64_t size_bytes);
void store_in_memory(GLuint buffer, std::uint64_t size_bytes, GLuint memory);
void delete_memory(GLuint memory);

}  // namespace lanescope::render
