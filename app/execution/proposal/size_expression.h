// Finds the expression over sizes that covers what two runs with other sizes used.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lesson/expression.h"

namespace lanescope::execution {

// "2 * n" or "n" with one element more.
struct SizeText {
    std::int64_t factor = 1;
    std::string text;  // empty: the number `more`
    std::int64_t more = 0;

    std::string whole() const;                 // "2 * n + 1"
    std::string times(std::int64_t by) const;  // of each of its elements
};

// "a * b" in its simplest form, for whole numbers and expressions.
std::string product(const std::string& a, const std::string& b);

class SizeChoice {
  public:
    // `bases`: expressions over the names, the likeliest first. The names have the values of two runs.
    SizeChoice(const std::vector<std::string>& bases, const lesson::Names& first,
               const lesson::Names& second);

    // The smallest size that is at least `first` in the first run and `second` in the second.
    SizeText covering(std::uint64_t first, std::uint64_t second) const;
    // The expression that has this value in the first run; empty: none.
    std::string equal(std::uint64_t first) const;

  private:
    struct Candidate {
        std::int64_t factor = 1;
        std::string text;
        std::int64_t first = 0, second = 0;
    };
    std::vector<Candidate> candidates_;
};

}  // namespace lanescope::execution
