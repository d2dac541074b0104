// Compares the machine's results with recorded ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "form.h"

namespace lanescope::parity {

struct Difference {
    std::size_t values = 0;  // values that were compared
    std::size_t differ = 0;
    std::uint64_t ulp = 0;  // the largest difference of float outputs in units of the last place
    double absolute = 0;    // the largest absolute difference of float outputs
    bool kind = false;      // a NaN, an infinity or a value other than a float differs
    std::string first;      // a description of the first difference
};

// Compares two packed() results of the form.
Difference compare(const Form& form, const Work& work, const std::vector<std::byte>& found,
                   const std::vector<std::byte>& expected);

// Returns the distance of two finite numbers, given as bits of "f16", "bf16", "f32" or "f64",
// in representable numbers.
std::uint64_t ulps_between(const std::string& type, std::uint64_t a, std::uint64_t b);
bool is_finite(const std::string& type, std::uint64_t bits);

}  // namespace lanescope::parity
