#include "analysis/layouts/matrix_rows.h"

#include <algorithm>
#include <numeric>

namespace lanescope::analysis {

std::uint64_t row_length(std::span<const std::uint64_t> cells) {
    std::uint64_t distance = 0, longest = 0;
    for (std::size_t begin = 0, before = 0; begin < cells.size();) {
        std::size_t end = begin + 1;
        while (end < cells.size() && cells[end] == cells[end - 1] + 1)
            ++end;
        longest = std::max<std::uint64_t>(longest, end - begin);
        if (begin != 0) distance = std::gcd(distance, cells[begin] - cells[before]);
        before = begin;
        begin = end;
    }
    return longest <= distance ? distance : 0;
}

}  // namespace lanescope::analysis
