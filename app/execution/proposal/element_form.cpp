#include "execution/proposal/element_form.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "lesson/element_type.h"

namespace lanescope::execution {

namespace {

using lesson::ElementType;

constexpr std::size_t most_leaves = 4096;
constexpr std::uint64_t most_words = 256, most_structures = 16;

struct Collector {
    const TypeTable& types;
    TypeLayout made;

    bool add(TypeId id, std::uint64_t offset, const std::string& name, int depth) {
        const ValueType& type = types[id];
        if (depth > 16 || made.leaves.size() + made.pointers.size() > most_leaves) return false;
        const bool bfloat = type.name.find("bfloat16") != std::string::npos && type.size_bytes == 2;
        if (bfloat) {
            made.leaves.push_back({offset, "ushort", false, true, name});
            return true;
        }
        switch (type.kind) {
            case ValueType::Kind::scalar:
            case ValueType::Kind::enumeration: {
                const std::string number = number_type(type);
                if (number.empty()) return false;
                const bool truth =
                    type.kind == ValueType::Kind::enumeration || type.scalar == Scalar::boolean;
                made.leaves.push_back({offset, number, truth, false, name});
                return true;
            }
            case ValueType::Kind::pointer:
                made.pointers.push_back({offset, name, type.element});
                return true;
            case ValueType::Kind::array: {
                const std::uint64_t bytes = types[type.element].size_bytes;
                if (type.count > most_leaves) return false;
                for (std::uint64_t i = 0; i < type.count; ++i)
                    if (!add(type.element, offset + i * bytes, name, depth + 1)) return false;
                return true;
            }
            case ValueType::Kind::structure:
                return add_members(type, offset, depth);
            default:
                return false;
        }
    }

    bool add_members(const ValueType& type, std::uint64_t offset, int depth) {
        std::uint64_t end = 0;
        for (const TypeMember& member : type.members) {
            if (member.offset_bytes < end) return false;  // a union
            end = member.offset_bytes + types[member.type].size_bytes;
            if (!add(member.type, offset + member.offset_bytes, member.name, depth + 1)) return false;
        }
        return true;
    }
};

// A small whole number that looks random: of the k-th scalar.
std::uint64_t varied(std::uint64_t k, bool truth) {
    const std::uint64_t mixed = (k + 1) * 0x9e3779b97f4a7c15ull >> 40;
    return truth ? mixed % 2 : mixed % 10;
}

void put_scalar(std::vector<std::byte>& bytes, const Leaf& leaf, std::uint64_t at, std::uint64_t value) {
    const ElementType type = *lesson::element_type(leaf.type);
    if (at + type.bytes() > bytes.size()) return;
    const std::span<std::byte> place(bytes.data() + at, type.bytes());
    if (leaf.bfloat)
        store_integer(place, type, 0, std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16);
    else if (type.floating())
        store_real(place, type, 0, static_cast<double>(value));
    else
        store_integer(place, type, 0, value);
}

// The words of some elements, one after the other.
std::vector<double> words_of(std::uint64_t bytes_of_one, const std::vector<Leaf>& leaves,
                             const ElementType& word) {
    const std::uint64_t words = bytes_of_one / word.bytes();
    const std::uint64_t count =
        std::clamp<std::uint64_t>(most_words / std::max<std::uint64_t>(1, words), 1, most_structures);
    std::vector<std::byte> bytes(count * bytes_of_one);
    for (std::uint64_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < leaves.size(); ++k)
            put_scalar(bytes, leaves[k], i * bytes_of_one + leaves[k].offset,
                       varied(i * leaves.size() + k, leaves[k].truth));
    std::vector<double> made;
    for (std::uint64_t i = 0; i < count * words; ++i)
        made.push_back(static_cast<double>(load_integer(bytes, word, i)));
    return made;
}

ElementForm structure_form(std::uint64_t bytes, const std::vector<Leaf>& leaves) {
    ElementForm form;
    const Leaf& first = leaves.empty() ? Leaf{0, "uchar", true, false} : leaves.front();
    const ElementType scalar = *lesson::element_type(first.type);
    const bool alike = std::all_of(leaves.begin(), leaves.end(), [&](const Leaf& leaf) {
        return leaf.type == first.type && leaf.truth == first.truth && !leaf.bfloat;
    });
    if (alike && bytes == std::max<std::size_t>(1, leaves.size()) * scalar.bytes()) {
        form.buffer.type = first.type;
        form.buffer.init = {first.truth ? "random(0, 1)" : "random(0, 9)", 0, 0};
        form.cells = static_cast<std::int64_t>(std::max<std::size_t>(1, leaves.size()));
        return form;
    }
    // Words of other widths cannot be written as numbers without a loss.
    form = form_of_bytes(bytes);
    form.buffer.init = {};
    form.buffer.values = words_of(bytes, leaves, *lesson::element_type(form.buffer.type));
    return form;
}

}  // namespace

std::string number_type(const ValueType& type) {
    const std::uint32_t bytes = type.size_bytes;
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) return {};
    const std::size_t row = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
    constexpr std::array with_sign{"char", "short", "int", "long"},
        without{"uchar", "ushort", "uint", "ulong"}, real{"", "half", "float", "double"};
    switch (type.scalar) {
        case Scalar::floating:
            return real[row];
        case Scalar::character:
        case Scalar::signed_int:
            return with_sign[row];
        case Scalar::boolean:
        case Scalar::unsigned_int:
            return without[row];
        default:
            return {};
    }
}

std::optional<TypeLayout> layout_of(const TypeTable& types, TypeId type) {
    Collector collector{types, {}};
    if (!collector.add(type, 0, {}, 0)) return std::nullopt;
    return std::move(collector.made);
}

ElementForm form_of_bytes(std::uint64_t bytes) {
    ElementForm form;
    form.buffer.type = bytes % 4 == 0 ? "uint" : "uchar";
    form.buffer.init = {"random(0, 9)", 0, 0};
    form.cells = static_cast<std::int64_t>(bytes % 4 == 0 ? bytes / 4 : bytes);
    return form;
}

std::optional<ElementForm> element_form(const TypeTable& types, TypeId id) {
    const ValueType& type = types[id];
    if (type.size_bytes == 0) return std::nullopt;
    std::string name = type.name;
    if (name.starts_with("__half")) name.erase(0, 2);
    if (const std::size_t at = name.find("longlong"); at != name.npos) name.replace(at, 8, "long");
    if (type.kind == ValueType::Kind::structure && lesson::element_type(name) &&
        lesson::element_type(name)->bytes() == type.size_bytes) {
        ElementForm form;
        form.buffer.type = name;
        form.buffer.init = {"random(0, 9)", 0, 0};
        return form;
    }
    const std::optional<TypeLayout> layout = layout_of(types, id);
    if (!layout) return form_of_bytes(type.size_bytes);
    if (!layout->pointers.empty()) return std::nullopt;
    return structure_form(type.size_bytes, layout->leaves);
}

}  // namespace lanescope::execution
