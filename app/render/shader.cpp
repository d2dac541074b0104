#include "render/shader.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/folders.h"

namespace lanescope::render {
namespace {

namespace fs = std::filesystem;

// The text of a shader with the files that it includes. `#line FILE-LINE NUMBER` gives the driver's messages
// the right positions.
struct Source {
    std::vector<fs::path> files;  // by file number in the driver's messages
    std::string text;

    Result<void> add(const fs::path& path);
};

Result<void> Source::add(const fs::path& path) {
    const Result<std::string> whole = read_text_file(path);
    if (!whole) return whole.diagnostics();
    const std::size_t number = files.size();
    files.push_back(path);
    std::istringstream lines(*whole);
    int line_number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++line_number;
        const std::string marker = "#include \"";
        if (line.rfind(marker, 0) != 0) {
            text += line + '\n';
            continue;
        }
        const std::string name = line.substr(marker.size(), line.find('"', marker.size()) - marker.size());
        text += "#line 1 " + std::to_string(files.size()) + '\n';
        if (Result<void> added = add(path.parent_path() / name); !added) return added;
        text += "#line " + std::to_string(line_number + 1) + ' ' + std::to_string(number) + '\n';
    }
    return {};
}

GLenum stage_of(const fs::path& path) {
    const std::string ending = path.extension().string();
    return ending == ".vert" ? GL_VERTEX_SHADER : ending == ".frag" ? GL_FRAGMENT_SHADER : GL_COMPUTE_SHADER;
}

// Drivers begin a message with file number and line: "0:12(3): error" or "0(12) : error".
Diagnostic located(const Source& source, const std::string& log) {
    char* end = nullptr;
    const char* start = log.c_str();
    const unsigned long file = std::strtoul(start, &end, 10);
    const unsigned long line = end != start && *end != 0 ? std::strtoul(end + 1, nullptr, 10) : 0;
    const std::string first = log.substr(0, log.find('\n'));
    const fs::path& path = source.files[file < source.files.size() ? file : 0];
    return error_at(path.string(), static_cast<int>(line), 0, "the driver refuses this shader: " + first);
}

Result<GLuint> compile(const fs::path& path) {
    Source source;
    if (const Result<void> added = source.add(path); !added) return added.diagnostics();
    const GLuint shader = glCreateShader(stage_of(path));
    const char* text = source.text.c_str();
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled == GL_TRUE) return shader;
    std::string log(4096, '\0');
    GLsizei length = 0;
    glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    glDeleteShader(shader);
    return located(source, log);
}

}  // namespace

Result<Shader> Shader::load(const std::vector<std::string>& files) {
    Shader made;
    made.program_ = glCreateProgram();
    std::string names;
    for (const std::string& file : files) {
        const Result<GLuint> stage = compile(resource_folder() / "shaders" / file);
        if (!stage) return stage.diagnostics();
        glAttachShader(made.program_, *stage);
        glDeleteShader(*stage);  // deletes it together with the program
        names += (names.empty() ? "" : ", ") + file;
    }
    glLinkProgram(made.program_);
    GLint linked = GL_FALSE;
    glGetProgramiv(made.program_, GL_LINK_STATUS, &linked);
    if (linked == GL_TRUE) return made;
    std::string log(4096, '\0');
    GLsizei length = 0;
    glGetProgramInfoLog(made.program_, static_cast<GLsizei>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    return error("the driver does not link " + names + ": " + log.substr(0, log.find('\n')));
}

Shader::~Shader() {
    if (program_) glDeleteProgram(program_);
}

Shader::Shader(Shader&& other) noexcept : program_(std::exchange(other.program_, 0)) {}

Shader& Shader::operator=(Shader&& other) noexcept {
    std::swap(program_, other.program_);
    return *this;
}

void Shader::set_colours(const char* name, const std::uint32_t* rgba8, std::size_t count) const {
    std::vector<float> channels;
    for (std::size_t i = 0; i < count; ++i)
        for (int shift = 0; shift < 32; shift += 8)
            channels.push_back(static_cast<float>(rgba8[i] >> shift & 255) / 255.0f);
    glProgramUniform4fv(program_, at(name), static_cast<GLsizei>(count), channels.data());
}

void Shader::set_colours(const char* name, std::initializer_list<std::uint32_t> rgba8) const {
    set_colours(name, rgba8.begin(), rgba8.size());
}

}  // namespace lanescope::render
