// Finds the pages of global memory that a launch writes; reads of all other pages cannot race.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "analysis/shadow.h"
#include "base/sizes.h"
#include "trace/events.h"

namespace lanescope::analysis {

class WrittenPages {
  public:
    void add(const trace::Event& event) {
        unsigned nth = 0;
        for (trace::Mask rest = event.mask; rest != 0; rest &= rest - 1, ++nth) {
            const std::uint64_t offset =
                trace::offset_of(event, static_cast<unsigned>(std::countr_zero(rest)), nth);
            mark(offset / Shadow::page_bytes);
            mark((offset + event.width - 1) / Shadow::page_bytes);
        }
    }
    bool holds(std::uint64_t page) const {
        return page / 64 < bits_.size() && (bits_[page / 64] >> page % 64 & 1) != 0;
    }

  private:
    void mark(std::uint64_t page) {
        if (page / 64 >= bits_.size()) bits_.resize(to_size(page / 64 + page / 128 + 1));
        bits_[page / 64] |= std::uint64_t{1} << page % 64;
    }
    std::vector<std::uint64_t> bits_;
};

}  // namespace lanescope::analysis
