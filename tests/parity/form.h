// A form of an instruction: its text with placeholders, its operands, and the kernel that runs it.
// candidates.py describes the placeholders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lanescope::parity {

constexpr std::uint32_t lanes = 256;  // in two blocks of 128 threads
constexpr std::uint32_t block_threads = 128;
constexpr std::uint32_t lane_memory_bytes = 16;
constexpr std::uint32_t slot_bytes = 8;  // size of an operand of one lane in the buffers

struct Operand {
    std::string name;
    std::string type;     // "s32", "pred", …
    std::string flavour;  // kind of its values; may be empty
};

struct Form {
    std::string code;  // text with placeholders; also the name of the form
    std::vector<Operand> inputs, outputs;
    std::string place;  // letter of the memory that the form uses; may be empty

    std::string instruction() const;  // the mnemonic under test with its modifiers: "add.sat.s32"
    bool uses_memory() const { return !place.empty(); }
};

Result<Form> parse_form(std::string_view code);
// Reads a file with one form a line; '#' starts a comment.
Result<std::vector<Form>> read_forms(const std::string& path);

// Returns the PTX of a module with one kernel for each form, named k0, k1, … A kernel takes three pointers:
// inputs (operand after operand, 8 bytes a lane), memory (16 bytes a lane, read and written) and outputs
// (laid out as the inputs).
std::string module_of(const std::vector<Form>& forms);

// Returns the size of a stored value; a predicate takes 4 bytes, a byte takes 2.
std::uint32_t size_bytes(const std::string& type);

// Input of the lanes of one launch. It depends only on the form.
struct Work {
    std::vector<std::byte> inputs, memory;
};
Work work_of(const Form& form);

// Returns outputs and memory without the padding between operands, as a recording holds them.
std::vector<std::byte> packed(const Form& form, const std::vector<std::byte>& outputs,
                              const std::vector<std::byte>& memory);

}  // namespace lanescope::parity
