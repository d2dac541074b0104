#include "cudart/check/touched.h"

#include <algorithm>
#include <bit>

namespace lanescope::cudart {

namespace {

constexpr std::size_t most_ranges = 64;
constexpr std::size_t most_pages = 1 << 16;  // 96 MiB

bool collide(TouchKind a, TouchKind b) {
    if (a == TouchKind::read && b == TouchKind::read) return false;
    if (a == TouchKind::strong && b == TouchKind::strong) return false;
    return a != TouchKind::read || b != TouchKind::read;
}

// The bits of the bytes [begin, end) in their word of 64.
std::uint64_t ones(std::uint64_t begin, std::uint64_t end) {
    return end - begin == 64 ? ~0ull : ((1ull << (end - begin)) - 1) << begin % 64;
}

}  // namespace

void Touched::add(TouchKind kind, std::uint64_t address, std::uint64_t bytes) {
    if (bytes == 0) return;
    if (!ranges_.empty() && ranges_.back().kind == kind && ranges_.back().end == address) {
        ranges_.back().end += bytes;
        return;
    }
    if (ranges_.size() < most_ranges) {
        ranges_.push_back({address, address + bytes, kind});
        return;
    }
    for (std::uint64_t at = address; at < address + bytes;) {
        const std::uint64_t stop = std::min(address + bytes, (at / 64 + 1) * 64);
        if (pages_.size() >= most_pages && !pages_.contains(at / page_bytes)) {
            incomplete_ = true;
            return;
        }
        pages_[at / page_bytes].bits[static_cast<std::size_t>(kind)][at % page_bytes / 64] |= ones(at, stop);
        at = stop;
    }
}

std::uint64_t Touched::count_changed(std::uint64_t begin, std::uint64_t end) const {
    std::uint64_t found = 0;
    Bits bits{};
    for (std::uint64_t at = begin; at < end;) {
        const std::uint64_t number = at / page_bytes, stop = std::min(end, (number + 1) * page_bytes);
        const auto page = pages_.find(number);
        bits = {};
        if (page != pages_.end())
            for (std::size_t word = 0; word < words; ++word)
                for (const TouchKind kind : {TouchKind::write, TouchKind::strong})
                    bits[word] |= page->second.bits[static_cast<std::size_t>(kind)][word];
        for (const Range& each : ranges_)
            if (each.kind != TouchKind::read && each.begin < stop && each.end > at)
                for (std::uint64_t i = std::max(each.begin, at); i < std::min(each.end, stop);) {
                    const std::uint64_t next = std::min({each.end, stop, (i / 64 + 1) * 64});
                    bits[i % page_bytes / 64] |= ones(i, next);
                    i = next;
                }
        for (std::uint64_t i = at; i < stop; i = (i / 64 + 1) * 64)
            found += static_cast<std::uint64_t>(
                std::popcount(bits[i % page_bytes / 64] & ones(i, std::min(stop, (i / 64 + 1) * 64))));
        at = stop;
    }
    return found;
}

std::optional<Touched::Collision> Touched::with_ranges(const Touched& other) const {
    for (const Range& a : ranges_)
        for (const Range& b : other.ranges_)
            if (collide(a.kind, b.kind) && a.begin < b.end && b.begin < a.end)
                return Collision{std::max(a.begin, b.begin), a.kind, b.kind};
    for (const Range& a : ranges_)
        for (const auto& [number, page] : other.pages_) {
            const std::uint64_t start = number * page_bytes;
            if (start >= a.end || start + page_bytes <= a.begin) continue;
            for (std::size_t kind = 0; kind < touch_kinds; ++kind) {
                if (!collide(a.kind, static_cast<TouchKind>(kind))) continue;
                for (std::uint64_t at = std::max(start, a.begin); at < std::min(start + page_bytes, a.end);
                     ++at)
                    if ((page.bits[kind][at % page_bytes / 64] >> at % 64 & 1) != 0)
                        return Collision{at, a.kind, static_cast<TouchKind>(kind)};
            }
        }
    return std::nullopt;
}

std::optional<Touched::Collision> Touched::with_pages(const Touched& other) const {
    for (const auto& [number, page] : pages_) {
        const auto found = other.pages_.find(number);
        if (found == other.pages_.end()) continue;
        for (std::size_t a = 0; a < touch_kinds; ++a)
            for (std::size_t b = 0; b < touch_kinds; ++b) {
                if (!collide(static_cast<TouchKind>(a), static_cast<TouchKind>(b))) continue;
                for (std::size_t word = 0; word < words; ++word)
                    if (const std::uint64_t both = page.bits[a][word] & found->second.bits[b][word];
                        both != 0)
                        return Collision{number * page_bytes + word * 64 +
                                             static_cast<std::uint64_t>(std::countr_zero(both)),
                                         static_cast<TouchKind>(a), static_cast<TouchKind>(b)};
            }
    }
    return std::nullopt;
}

std::optional<Touched::Collision> Touched::collision(const Touched& other) const {
    if (const std::optional<Collision> found = with_ranges(other)) return found;
    if (const std::optional<Collision> found = other.with_ranges(*this))
        return Collision{found->address, found->second, found->first};
    return with_pages(other);
}

}  // namespace lanescope::cudart
