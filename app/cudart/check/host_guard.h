// Notices when the host accesses page-locked or managed memory that work writes for which the host has not
// waited: until then, the host's pages of it are closed.
//
// Inaccuracies: of a buffer of several pages, only those are closed that the work writes as a whole, because
// the system's own calls fail on a closed page. A launch that can signal to the host closes none.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "cudart/check/touched.h"

namespace lanescope::cudart {

class HostGuard {
  public:
    // Memory that the host and the device share, at one address.
    void add_memory(std::uint64_t address, std::uint64_t bytes) { memory_[address] = bytes; }
    void remove_memory(std::uint64_t address);
    bool has_memory() const { return !memory_.empty(); }
    bool shares(std::uint64_t address) const;  // or lies in a page of it

    // Work was submitted, of this number.
    void close(std::uint64_t work, const Touched& touched);
    // Opens what only work writes for which the host has waited.
    void keep(const std::function<bool(std::uint64_t)>& is_pending);
    // False: the address was open.
    bool open(std::uint64_t address);

  private:
    struct Pages {
        std::uint64_t work = 0, begin = 0, end = 0;
    };
    void close_buffer(std::uint64_t work, const Touched& touched, std::uint64_t begin, std::uint64_t end);

    std::map<std::uint64_t, std::uint64_t> memory_;  // its bytes, by address
    std::deque<Pages> closed_;
};

}  // namespace lanescope::cudart
