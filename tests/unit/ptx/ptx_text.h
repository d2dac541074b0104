// Helpers of the PTX tests: texts, corpus files, and modules that must parse.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "ptx/parser.h"

namespace lanescope::ptx {

inline const std::string header = ".version 9.0\n.target sm_90\n.address_size 64\n";

inline std::string corpus_text(const std::string& name) {
    std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/corpus/ptx/" + name, std::ios::binary);
    EXPECT_TRUE(file.good()) << name;
    return {std::istreambuf_iterator<char>(file), {}};
}

inline Module parsed(const std::string& text) {
    Result<Module> module = parse(text, "test.ptx");
    if (!module) {
        ADD_FAILURE() << to_text(module.diagnostics());
        return {};
    }
    return std::move(*module);
}

// Returns a kernel with this body, from line 4 of the text on.
inline std::string kernel(const std::string& body) {
    return header + ".entry k(.param .u64 p){" + body + "}\n";
}

}  // namespace lanescope::ptx
