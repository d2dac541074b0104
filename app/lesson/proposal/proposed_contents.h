// The contents of proposed buffers: varied, the same each time, and fit for what a kernel does with them.
#pragma once

#include <optional>
#include <string>

#include "lesson/front_matter.h"
#include "lesson/proposal/source_model.h"

namespace lanescope::lesson {

enum class ContentsWish : std::uint8_t {
    varied,   // what a kernel reads
    zero,     // what it only writes, or counts in
    offsets,  // growing: where rows begin
    small     // of indices: 0 to 9
};

struct ElementForm {
    Buffer buffer;           // type and contents; without name and count
    std::int64_t cells = 1;  // of the buffer, for one element of the kernel's type
    std::string structure;   // its name, if the element is one
};

// Nothing for types that the texts do not explain, and for structures with addresses.
std::optional<ElementForm> element_form(const SourceModel& model, const std::string& type, ContentsWish wish);

// Writes a small number, as a scalar of a structure has it, into its bytes.
void put_scalar(std::vector<std::byte>& bytes, const Leaf& leaf, std::uint64_t at, std::uint64_t value);

}  // namespace lanescope::lesson
