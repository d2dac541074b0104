// Host references over affine maps: a pair (a, b) stands for x → a · x + b. Composition is associative, but
// not commutative.
#include "lesson/reference_parts.h"

namespace lanescope::lesson {

namespace {

// Stores the composition of the maps [first, end) of `in`, applied in this order; the identity if the range
// is empty.
void put_composed(const Source& in, std::uint64_t first, std::uint64_t end, Sink& out, std::uint64_t k) {
    std::uint64_t a = 1, b = 0;
    for (std::uint64_t i = first; i < end; ++i) {
        const auto next_a = in.at<std::uint64_t>(2 * i), next_b = in.at<std::uint64_t>(2 * i + 1);
        a = next_a * a;
        b = next_a * b + next_b;
    }
    out.put(2 * k, a);
    out.put(2 * k + 1, b);
}

}  // namespace

ReferenceFault compose(const Arguments& a, Sink& out) {
    if (out.size() != 2) return "gives 1 pair, but the buffer has " + std::to_string(out.size() / 2);
    put_composed(a.sources[0], 0, a.sources[0].size() / 2, out, 0);
    return {};
}

ReferenceFault block_compose(const Arguments& a, Sink& out) {
    if (a.numbers[0] < 1) return "needs a section of at least 1 element, got " + std::to_string(a.numbers[0]);
    const auto section = static_cast<std::uint64_t>(a.numbers[0]);
    const std::uint64_t pairs = a.sources[0].size() / 2, sections = pairs / section + (pairs % section > 0);
    if (out.size() / 2 < sections)
        return "gives " + std::to_string(sections) + " pairs, but the buffer has " +
               std::to_string(out.size() / 2);
    for (std::uint64_t k = 0; k < out.size() / 2; ++k) {  // sections past the end give the identity
        const std::uint64_t first = std::min(k, sections) * section;
        const std::uint64_t left = pairs - std::min(first, pairs);
        put_composed(a.sources[0], first, first + std::min(section, left), out, k);
    }
    return {};
}

}  // namespace lanescope::lesson
