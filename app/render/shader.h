// GPU programs from the files in shaders/.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "base/result.h"
#include "render/gl.h"

namespace lanescope::render {

class Shader {
  public:
    Shader() = default;
    // Loads files of shaders/. The extension gives the stage: .vert, .frag, .comp. A line `#include "file"`
    // includes that file. Errors: a missing file; the driver's message with its line.
    static Result<Shader> load(const std::vector<std::string>& files);
    ~Shader();
    Shader(Shader&& other) noexcept;
    Shader& operator=(Shader&& other) noexcept;

    void use() const { glUseProgram(program_); }
    // As in OpenGL, uniforms that the program does not use are ignored.
    void set(const char* name, float value) const { glProgramUniform1f(program_, at(name), value); }
    void set(const char* name, std::uint32_t value) const { glProgramUniform1ui(program_, at(name), value); }
    void set(const char* name, bool value) const { glProgramUniform1i(program_, at(name), value ? 1 : 0); }
    void set(const char* name, float x, float y) const { glProgramUniform2f(program_, at(name), x, y); }
    void set_wide(const char* name, std::uint64_t value) const {
        glProgramUniform2ui(program_, at(name), static_cast<GLuint>(value), static_cast<GLuint>(value >> 32));
    }
    void set_colours(const char* name, std::initializer_list<std::uint32_t> rgba8) const;
    void set_colours(const char* name, const std::uint32_t* rgba8, std::size_t count) const;

  private:
    GLint at(const char* name) const { return glGetUniformLocation(program_, name); }

    GLuint program_ = 0;
};

}  // namespace lanescope::render
