// Element types of buffers: char uchar short ushort int uint long ulong half float double, and their vectors
// of 2 to 4 components (int2 … double4), in CUDA's layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::lesson {

struct ElementType {
    enum class Kind : std::uint8_t { signed_int, unsigned_int, floating };
    Kind kind = Kind::signed_int;
    std::uint32_t scalar_bytes = 4;
    std::uint32_t components = 1;
    std::uint32_t bytes() const { return scalar_bytes * components; }
    bool floating() const { return kind == Kind::floating; }
};

std::optional<ElementType> element_type(std::string_view name);
const std::vector<std::string>& scalar_type_names();

// These load and store scalars in a buffer. `index` counts scalars, so component c of element i is i *
// components + c. Loads sign- or zero-extend an integer to 64 bits; stores truncate it to the scalar's size.
// Reals are rounded to nearest even. load_integer requires an integer type, store_real requires holds(type,
// value).
std::uint64_t load_integer(std::span<const std::byte> bytes, const ElementType& type, std::uint64_t index);
double load_real(std::span<const std::byte> bytes, const ElementType& type, std::uint64_t index);
void store_integer(std::span<std::byte> bytes, const ElementType& type, std::uint64_t index,
                   std::uint64_t value);
void store_real(std::span<std::byte> bytes, const ElementType& type, std::uint64_t index, double value);

// Returns whether the scalar type can hold this number: whole numbers in range for integers, any number for
// floating point.
bool holds(const ElementType& type, double value);

}  // namespace lanescope::lesson
