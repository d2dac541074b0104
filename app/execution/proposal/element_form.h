// How buffers hold the elements of a type of the debug information.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/value_type.h"
#include "lesson/front_matter.h"

namespace lanescope::execution {

// A scalar of a structure.
struct Leaf {
    std::uint64_t offset = 0;
    std::string type;       // a buffer's type, a scalar: "float", "uchar"
    bool truth = false;     // bool, or an enumeration: only 0 and 1
    bool bfloat = false;    // the upper half of a float
    std::string name = {};  // of the member that holds it; empty outside of structures
};

struct PointerMember {
    std::uint64_t offset = 0;
    std::string name;
    TypeId type = 0;  // of what it points to
};

struct TypeLayout {
    std::vector<Leaf> leaves;
    std::vector<PointerMember> pointers;
};
// The scalars and pointers of a type; nothing if some of them is not known, as with bit fields and unions.
std::optional<TypeLayout> layout_of(const TypeTable& types, TypeId type);

struct ElementForm {
    lesson::Buffer buffer;   // type, and contents that vary; without name and count
    std::int64_t cells = 1;  // of the buffer, for one element
};
// Nothing for types without a size and for structures with pointers.
std::optional<ElementForm> element_form(const TypeTable& types, TypeId type);
// The form of a structure of which only the size is known.
ElementForm form_of_bytes(std::uint64_t bytes);

// The type of a number: "uint"; empty for other types.
std::string number_type(const ValueType& type);

}  // namespace lanescope::execution
