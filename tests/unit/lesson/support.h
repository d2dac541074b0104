// Shorthand for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "lesson/element_type.h"
#include "lesson/front_matter.h"
#include "lesson/instance.h"

namespace lanescope::lesson {

// Returns a kernel file whose front matter holds this TOML, from line 2 on.
inline std::string file_with(const std::string& toml) {
    return "/*--- lanescope\n" + toml + "---*/\n__global__ void k() {}\n";
}

template <class T>
std::string problems_of(const Result<T>& result) {
    return result ? "no error" : to_text(result.diagnostics());
}

inline FrontMatter front_of(const std::string& toml) {
    auto front = parse_front_matter(file_with(toml), "k.cu");
    EXPECT_TRUE(front) << problems_of(front);
    return front ? *front : FrontMatter{};
}

inline Instance instance_of(const std::string& toml, const ParameterValues& overrides = {}) {
    auto instance = instantiate(front_of(toml), overrides, "k.cu");
    EXPECT_TRUE(instance) << problems_of(instance);
    return instance ? *instance : Instance{};
}

inline std::vector<double> numbers_in(const BufferInstance& buffer) {
    const ElementType type = *element_type(buffer.type);
    std::vector<double> numbers;
    for (std::uint64_t i = 0; i < buffer.contents.size() / type.scalar_bytes; ++i)
        numbers.push_back(load_real(buffer.contents, type, i));
    return numbers;
}

inline BufferResult written(const std::vector<double>& values, const std::string& type_name) {
    const ElementType type = *element_type(type_name);
    BufferResult result;
    result.contents.resize(values.size() * type.scalar_bytes);
    for (std::size_t i = 0; i < values.size(); ++i)
        store_real(result.contents, type, i, values[i]);
    result.set.assign(result.contents.size(), true);
    return result;
}

// A correct [[launch]] that needs no arguments.
inline const std::string some_launch = "[[launch]]\nkernel = \"k\"\ngrid = 1\nblock = 1\n";

}  // namespace lanescope::lesson
