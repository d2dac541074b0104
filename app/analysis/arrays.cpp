#include "analysis/arrays.h"

#include <algorithm>
#include <bit>

namespace lanescope::analysis {
namespace {

using trace::Event;
using trace::EventKind;
using trace::Mask;
using trace::Space;

// The lowest and the highest offset that lanes can have.
struct ByteSpan {
    std::uint64_t low = 0, high = 0;
};
ByteSpan span_of(const Event& access) {
    if (!access.affine) {
        const unsigned bits = 8u * access.offset_bytes;
        const std::uint64_t most = bits >= 64 ? ~0ull : (std::uint64_t{1} << bits) - 1;
        return {access.base, access.base + most < access.base ? ~0ull : access.base + most};
    }
    const std::uint64_t first =
        access.base + static_cast<unsigned>(std::countr_zero(access.mask)) * access.stride;
    const std::uint64_t last =
        access.base + (31u - static_cast<unsigned>(std::countl_zero(access.mask))) * access.stride;
    return {std::min(first, last), std::max(first, last)};
}

}  // namespace

ArrayCounter::ArrayCounter(const trace::Trace& trace, const trace::Launch& launch) {
    add_symbols(trace.symbols, trace);
    add_symbols(launch.shared, trace);
    for (Places& places : places_)
        std::sort(places.sorted.begin(), places.sorted.end(),
                  [](const Place& a, const Place& b) { return a.begin < b.begin; });
}

void ArrayCounter::add_symbols(const std::vector<trace::Symbol>& symbols, const trace::Trace& trace) {
    for (const trace::Symbol& symbol : symbols) {
        if (symbol.space == Space::local) continue;
        const std::uint64_t cell = std::max<std::uint64_t>(trace.program.types[symbol.element].size_bytes, 1);
        places_[static_cast<std::size_t>(symbol.space)].sorted.push_back(
            {symbol.offset, symbol.offset + symbol.size_bytes, arrays_.size()});
        arrays_.push_back({symbol.name, symbol.space, symbol.size_bytes / cell});
    }
}

const ArrayCounter::Place* ArrayCounter::find(Places& places, std::uint64_t offset) const {
    if (places.last.holds(offset)) return &places.last;
    const auto after =
        std::upper_bound(places.sorted.begin(), places.sorted.end(), offset,
                         [](std::uint64_t at, const Place& place) { return at < place.begin; });
    if (after == places.sorted.begin() || !std::prev(after)->holds(offset)) return nullptr;
    places.last = *std::prev(after);
    return &places.last;
}

void ArrayCounter::count(const Event& access, const Place& place, std::uint64_t lanes) {
    ArrayMetrics& array = arrays_[place.array];
    (access.kind == EventKind::load    ? array.loads
     : access.kind == EventKind::store ? array.stores
                                       : array.atomics) += lanes;
}

void ArrayCounter::add(const Event& access) {
    if (access.mask == 0 || access.space == Space::local) return;
    Places& places = places_[static_cast<std::size_t>(access.space)];
    const ByteSpan span = span_of(access);
    const Place* place = find(places, span.low);
    if (place != nullptr && place->holds(span.high))
        return count(access, *place, static_cast<unsigned>(std::popcount(access.mask)));
    unsigned nth = 0;
    for (Mask rest = access.mask; rest != 0; rest &= rest - 1, ++nth) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        if (const Place* of_lane = find(places, trace::offset_of(access, lane, nth)))
            count(access, *of_lane, 1);
    }
}

std::vector<ArrayMetrics> ArrayCounter::finish() {
    std::erase_if(arrays_,
                  [](const ArrayMetrics& array) { return array.loads + array.stores + array.atomics == 0; });
    return std::move(arrays_);
}

}  // namespace lanescope::analysis
