// Texts of diagnostics, for expectations.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "image/decode.h"

namespace lanescope::image {

template <class T>
std::string problem_of(const Result<T>& result) {
    return result ? "no error" : to_text(result.diagnostics());
}

inline void expect_problem(std::string_view bytes, const std::string& part) {
    const std::string problem = problem_of(decode(bytes, "folder/x.img"));
    EXPECT_NE(problem.find(part), std::string::npos) << problem;
    EXPECT_TRUE(problem.starts_with("folder/x.img: error: ")) << problem;
}

}  // namespace lanescope::image
