// Functions that the programs of this folder share.
#pragma once

#include <cstdio>
#include <ctime>
#include <string>

#include "base/result.h"

namespace lanescope::parity {

inline int fail(const Diagnostics& diagnostics) {
    std::fprintf(stderr, "%s\n", to_text(diagnostics).c_str());
    return 2;
}

inline std::string today() {
    const std::time_t now = std::time(nullptr);
    char text[16];
    std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
    return text;
}

}  // namespace lanescope::parity
