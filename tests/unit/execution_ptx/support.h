// Shorthand for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"
#include "execution/ptx/ptx_file.h"
#include "execution/run/run.h"

namespace lanescope::execution {

template <class T>
std::string problems_of(const Result<T>& result) {
    return result ? "no error" : to_text(result.diagnostics());
}

// A module with one kernel.
inline std::string kernel_text(const std::string& parameters, const std::string& body,
                               const std::string& name = "k", const std::string& directives = "") {
    return ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry " + name + "(" + parameters +
           ")\n" + directives +
           "{\n.reg .pred %p<8>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<32>;\n.reg .f32 %f<16>;\n" + body +
           "ret;\n}\n";
}

inline Result<RunResult> run_text(const std::string& text, const std::string& file = "k.ptx",
                                  const lesson::ParameterValues& parameters = {}) {
    RunRequest request;
    request.file = file;
    request.source = text;
    request.parameters = parameters;
    return execute(request);
}

inline Result<RunResult> run_file(const std::filesystem::path& file,
                                  const lesson::ParameterValues& parameters = {}) {
    return run_text(*read_text_file(file), file.string(), parameters);
}

template <class T>
std::vector<T> values_of(const std::vector<std::byte>& bytes) {
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
}

template <class T>
std::vector<T> before(const RunResult& run, const std::string& name) {
    for (const lesson::BufferInstance& each : run.instance.buffers)
        if (each.name == name) return values_of<T>(each.contents);
    ADD_FAILURE() << "no buffer " << name;
    return {};
}

template <class T>
std::vector<T> after(const RunResult& run, const std::string& name) {
    for (const BufferView& each : run.buffers)
        if (each.name == name) return values_of<T>(each.contents);
    ADD_FAILURE() << "no buffer " << name;
    return {};
}

}  // namespace lanescope::execution
