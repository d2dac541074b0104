// Types of the user's variables and buffers, shared by debug information, traces and front matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

// brain: bfloat16, the upper half of a float.
enum class Scalar : std::uint8_t {
    none,
    boolean,
    character,
    signed_int,
    unsigned_int,
    floating,
    pointer,
    brain
};
constexpr bool is_real(Scalar scalar) {
    return scalar == Scalar::floating || scalar == Scalar::brain;
}

using TypeId = std::uint32_t;  // index into a TypeTable; 0 is "unknown"

struct TypeMember {
    std::string name;
    std::uint32_t offset_bytes = 0;
    TypeId type = 0;
};

struct ValueType {
    enum class Kind : std::uint8_t { unknown, scalar, pointer, array, structure, enumeration };
    Kind kind = Kind::unknown;
    Scalar scalar = Scalar::none;  // of a scalar, an enumeration or a pointer
    std::string name;              // as the source spells it: "unsigned int", "float4", "Pair<int>"
    std::uint32_t size_bytes = 0;  // 0 if not known (extern arrays)
    TypeId element = 0;            // pointee or element
    std::uint64_t count = 0;       // elements of an array, 0 if not known
    std::vector<TypeMember> members;
};

class TypeTable {
  public:
    TypeTable();  // holds the unknown type as number 0
    TypeId add(ValueType type);
    const ValueType& operator[](TypeId id) const { return types_[id < types_.size() ? id : 0]; }
    std::size_t size() const { return types_.size(); }

    // Returns the type with this name and adds it to the table if necessary; 0 if the name is unknown.
    // Scalars: char uchar short ushort int uint long ulong half float double bool, and the C++ spellings
    // ("unsigned int"). Vector types int2 … double2, float4 are structures with members x, y, z, w.
    TypeId named(std::string_view name);
    TypeId pointer_to(TypeId element);
    TypeId array_of(TypeId element, std::uint64_t count);

    // Strips arrays: float[8][33] gives float and the extents {8, 33}.
    TypeId element_of(TypeId id, std::vector<std::uint64_t>& extents) const;

  private:
    std::vector<ValueType> types_;
};

// Returns the text of one value: "24", "-3", "0.5", "'a'", "true", "{1, 2}", "0x7f…". Floats have the
// shortest form that reads back as the same value. With max_chars > 0, a longer text is rounded to fit
// ("1.2e9") and never truncated.
std::string format_value(const TypeTable& types, TypeId type, std::span<const std::byte> bytes,
                         int max_chars = 0);

// Returns the value as a number for colour scales; NaN for structures and unknown types.
double numeric_value(const TypeTable& types, TypeId type, std::span<const std::byte> bytes);

}  // namespace lanescope
