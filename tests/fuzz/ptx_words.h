// Returns every word of opcodes.def.
#pragma once

#include <string>
#include <vector>

namespace lanescope::fuzz {

inline std::vector<std::string> ptx_words() {
    std::vector<std::string> all;
    const auto add = [&all](std::string word) {
        if (!word.empty() && word != ".") all.push_back(std::move(word));
    };
#define LANESCOPE_OP(name, text, ...) add(text);
#include "ptx/opcodes.def"
#define LANESCOPE_OP_ALIAS(text, name) add(text);
#include "ptx/opcodes.def"
#define LANESCOPE_TYPE(name, text, ...) add("." + std::string(text));
#include "ptx/opcodes.def"
#define LANESCOPE_SPACE(name, text, ...) add("." + std::string(text));
#include "ptx/opcodes.def"
#define LANESCOPE_MOD(name, text) add("." + std::string(text));
#include "ptx/opcodes.def"
#define LANESCOPE_SPECIAL(name, text) add(text);
#include "ptx/opcodes.def"
    for (const char* word :
         {".reg", ".entry", ".func", ".visible", ".extern", ".align", ".loc", ".file", ".section",
          ".callprototype", ".branchtargets", ".pragma", ".maxntid", ".v2", ".v4", ".param"})
        add(word);
    return all;
}

}  // namespace lanescope::fuzz
