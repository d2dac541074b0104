// A cache of lines of four sectors, as L1 is one: a line that is present may lack sectors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lanescope::analysis {

// Eight ways, the least recently used line goes. Sectors have 32 bytes.
class SectorCache {
  public:
    explicit SectorCache(double bytes)
        : sets_(std::max<std::uint32_t>(1, static_cast<std::uint32_t>(bytes / line_bytes / ways))),
          lines_(std::size_t{sets_} * ways) {}

    // Returns whether the sector was present. With `fill`, it is afterwards.
    bool touch(std::uint32_t sector, bool fill) {
        const std::uint32_t line = sector / 4;
        const auto bit = static_cast<std::uint8_t>(1u << (sector & 3));
        Line* const set = lines_.data() + std::size_t{(line * 2654435761u >> 8) % sets_} * ways;
        Line* oldest = set;
        ++now_;
        for (Line* way = set; way != set + ways; ++way) {
            if (way->line == line && way->sectors != 0) {
                way->used = now_;
                const bool present = (way->sectors & bit) != 0;
                if (fill) way->sectors |= bit;
                return present;
            }
            if (way->used < oldest->used) oldest = way;
        }
        if (fill) *oldest = {line, now_, bit};
        return false;
    }

  private:
    static constexpr std::uint32_t ways = 8, line_bytes = 128;
    struct Line {
        std::uint32_t line = 0, used = 0;
        std::uint8_t sectors = 0;
    };
    std::uint32_t sets_;
    std::uint32_t now_ = 0;
    std::vector<Line> lines_;
};

}  // namespace lanescope::analysis
