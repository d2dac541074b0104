// The bytes that a piece of work reads and writes, in device and host memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace lanescope::cudart {

enum class TouchKind : std::uint8_t { read, write, strong };  // strong: atomic or volatile
constexpr std::size_t touch_kinds = 3;

class Touched {
  public:
    void add(TouchKind kind, std::uint64_t address, std::uint64_t bytes);
    bool empty() const { return pages_.empty() && ranges_.empty(); }
    // Some of it is not known, because there is too much.
    bool incomplete() const { return incomplete_; }
    void set_incomplete() { incomplete_ = true; }
    // It has a fence that the host sees, so that the host may wait for a flag.
    bool signals_host() const { return signals_host_; }
    void set_signals_host() { signals_host_ = true; }
    // The bytes in [begin, end) that are touched by more than plain reads.
    std::uint64_t count_changed(std::uint64_t begin, std::uint64_t end) const;

    // A byte that both touch, one of them with a write. Strong accesses of both do not collide.
    struct Collision {
        std::uint64_t address = 0;
        TouchKind first{}, second{};
    };
    std::optional<Collision> collision(const Touched& other) const;

    static constexpr std::uint64_t page_bytes = 4096;

  private:
    static constexpr std::uint64_t words = page_bytes / 64;
    using Bits = std::array<std::uint64_t, words>;
    struct Page {
        std::array<Bits, touch_kinds> bits{};
    };
    struct Range {
        std::uint64_t begin = 0, end = 0;
        TouchKind kind{};
    };
    std::optional<Collision> with_ranges(const Touched& other) const;
    std::optional<Collision> with_pages(const Touched& other) const;

    std::unordered_map<std::uint64_t, Page> pages_;  // of many small pieces
    std::vector<Range> ranges_;                      // few, or large ones
    bool incomplete_ = false, signals_host_ = false;
};

}  // namespace lanescope::cudart
