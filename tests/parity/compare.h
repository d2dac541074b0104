// How far the machine's results are from a recording's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "form.h"

namespace lanescope::parity {

struct Difference {
    std::size_t values = 0;  // that were compared
    std::size_t differ = 0;
    std::uint64_t ulp = 0;  // the largest difference of float outputs in units of the last place
    double absolute = 0;    // the largest absolute difference of float outputs
    bool kind = false;      // a NaN, an infinity or a value other than a float differs
    std::string first;      // the first difference in words
};

// Of two packed() results of the form.
Difference compare(const Form& form, const Work& work, const std::vector<std::byte>& found,
                   const std::vector<std::byte>& expected);

// Distance in representable numbers; both finite. Bits of the float type "f16", "bf16", "f32" or "f64".
std::uint64_t ulps_between(const std::string& type, std::uint64_t a, std::uint64_t b);
bool is_finite(const std::string& type, std::uint64_t bits);

}  // namespace lanescope::parity
