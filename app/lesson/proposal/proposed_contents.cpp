#include "lesson/proposal/proposed_contents.h"

#include <algorithm>
#include <bit>

#include "lesson/element_type.h"

namespace lanescope::lesson {

namespace {

constexpr std::uint64_t most_words = 256, most_structures = 16;

std::string init_for(const ElementType& type, bool truth, ContentsWish wish) {
    switch (wish) {
        case ContentsWish::zero:
            return "zero";
        case ContentsWish::offsets:
            return type.floating() ? "random(0, 9)" : "iota(0, 2)";
        case ContentsWish::small:
        case ContentsWish::varied:
            break;
    }
    return truth ? "random(0, 1)" : "random(0, 9)";
}

// A small whole number that looks random: of the k-th scalar.
std::uint64_t varied(std::uint64_t k, bool truth) {
    const std::uint64_t mixed = (k + 1) * 0x9e3779b97f4a7c15ull >> 40;
    return truth ? mixed % 2 : mixed % 10;
}

// The words of some elements, one after the other.
std::vector<double> words_of(const Layout& layout, const ElementType& word, ContentsWish wish) {
    const std::uint64_t words = layout.bytes / word.bytes();
    const std::uint64_t count =
        std::clamp<std::uint64_t>(most_words / std::max<std::uint64_t>(1, words), 1, most_structures);
    std::vector<std::byte> bytes(count * layout.bytes);
    for (std::uint64_t i = 0; i < count && wish != ContentsWish::zero; ++i)
        for (std::size_t k = 0; k < layout.leaves.size(); ++k)
            put_scalar(bytes, layout.leaves[k], i * layout.bytes + layout.leaves[k].offset,
                       varied(i * layout.leaves.size() + k, layout.leaves[k].truth));
    std::vector<double> made;
    for (std::uint64_t i = 0; i < count * words; ++i)
        made.push_back(static_cast<double>(load_integer(bytes, word, i)));
    return made;
}

ElementForm structure_form(const std::string& name, const Layout& layout, ContentsWish wish) {
    ElementForm form;
    form.structure = name;
    const Leaf& first = layout.leaves.empty() ? Leaf{0, "uchar", true, false} : layout.leaves.front();
    const ElementType scalar = *element_type(first.type);
    const bool alike = std::all_of(layout.leaves.begin(), layout.leaves.end(), [&](const Leaf& leaf) {
        return leaf.type == first.type && leaf.truth == first.truth && !leaf.bfloat;
    });
    if (alike && layout.bytes == std::max<std::size_t>(1, layout.leaves.size()) * scalar.bytes()) {
        form.buffer.type = first.type;
        form.buffer.init = {init_for(scalar, first.truth, wish), 0, 0};
        form.cells = static_cast<std::int64_t>(std::max<std::size_t>(1, layout.leaves.size()));
        return form;
    }
    // Words of other widths cannot be written as numbers without a loss.
    form.buffer.type = layout.bytes % 4 == 0 ? "uint" : "uchar";
    const ElementType word = *element_type(form.buffer.type);
    form.cells = static_cast<std::int64_t>(layout.bytes / word.bytes());
    form.buffer.values = words_of(layout, word, wish);
    return form;
}

}  // namespace

void put_scalar(std::vector<std::byte>& bytes, const Leaf& leaf, std::uint64_t at, std::uint64_t value) {
    ElementType type = *element_type(leaf.type);
    const std::span<std::byte> place(bytes.data() + at, type.bytes());
    if (leaf.bfloat)
        store_integer(place, type, 0, std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16);
    else if (type.floating())
        store_real(place, type, 0, static_cast<double>(value));
    else
        store_integer(place, type, 0, value);
}

std::optional<ElementForm> element_form(const SourceModel& model, const std::string& type,
                                        ContentsWish wish) {
    const std::optional<Layout> layout = model.layout(type);
    if (!layout || layout->pointers()) return std::nullopt;
    const auto element = model.element(type);
    if (!element) return structure_form(type, *layout, wish);
    ElementForm form;
    form.buffer.type = *element;
    const Leaf& leaf = layout->leaves.front();
    if (leaf.bfloat && wish != ContentsWish::zero)
        form.buffer.values = words_of(*layout, *element_type(*element), wish);
    else
        form.buffer.init = {init_for(*element_type(*element), leaf.truth, wish), 0, 0};
    return form;
}

}  // namespace lanescope::lesson
