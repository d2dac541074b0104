// Sparse memory on copy-on-write pages, for the regions of a trace's state and their snapshots.
//
// A region is a radix tree of pages. A copy shares everything; a write copies the pages, and the nodes above
// them, that another tree still holds. Pages that were never written do not exist and read as zeros without a
// value.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace lanescope::trace {

constexpr unsigned page_bits = 12;
constexpr std::size_t page_bytes = std::size_t{1} << page_bits;
constexpr unsigned page_number_bits = 48;  // page numbers from 2^48 on are outside every region

struct Page {
    std::array<std::byte, page_bytes> bytes{};
    std::array<std::uint64_t, page_bytes / 64> set{};  // bit i of word i / 64: byte i has a value
    std::atomic<std::uint32_t> references{0};

    Page() = default;
    Page(const Page& other) : bytes(other.bytes), set(other.set) {}
};

class PageTree {
  public:
    PageTree() = default;
    PageTree(const PageTree& other);
    PageTree(PageTree&& other) noexcept;
    PageTree& operator=(PageTree other) noexcept;
    ~PageTree();

    const Page* find(std::uint64_t number) const;  // null if never written
    // Returns the page; creates it if it is missing and copies it if it is shared. `number` <
    // 2^page_number_bits.
    Page& writable(std::uint64_t number) {
        return number == cached_number_ && cached_ != nullptr ? *cached_ : writable_slow(number);
    }

    // Drops everything and returns the number of pages that no other tree holds.
    std::uint64_t clear();
    std::uint64_t pages_made() const { return pages_made_; }  // by writable() since the beginning

    void each(const std::function<void(std::uint64_t number, const Page&)>& visit) const;

  private:
    Page& writable_slow(std::uint64_t number);

    void* root_ = nullptr;  // a Page if the height is 0, otherwise a Node
    unsigned height_ = 0;
    std::uint64_t pages_made_ = 0;
    // The page that was written last. A copy of the tree shares its pages and so also drops this one.
    mutable Page* cached_ = nullptr;
    std::uint64_t cached_number_ = 0;
};

}  // namespace lanescope::trace
