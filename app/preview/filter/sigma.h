// Expressions for the width of a blur: numbers, `size`, `radius`, + - * / and parentheses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::preview {

struct SigmaResult {
    double value = 0;
    std::string message;     // what is wrong; empty: nothing
    std::size_t offset = 0;  // of the mistake in the text
};
SigmaResult evaluate_sigma(std::string_view text, std::uint32_t size);

}  // namespace lanescope::preview
