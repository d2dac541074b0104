// A form of an instruction as a kernel: its text with placeholders, its operands and what it reads and
// writes. candidates.py describes the placeholders.
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
constexpr std::uint32_t slot_bytes = 8;  // an operand of one lane in the buffers

struct Operand {
    std::string name;
    std::string type;     // "s32", "pred", …
    std::string flavour;  // of its values; may be empty
};

struct Form {
    std::string code;  // as written; also the form's name
    std::vector<Operand> inputs, outputs;
    std::string place;  // the memory that it uses: a letter, or empty

    std::string instruction() const;  // what is tested: a mnemonic with its modifiers, "add.sat.s32"
    bool uses_memory() const { return !place.empty(); }
};

Result<Form> parse_form(std::string_view code);
// One form a line; '#' starts a comment.
Result<std::vector<Form>> read_forms(const std::string& path);

// PTX of a module with one kernel a form, named k0, k1, … It takes three pointers: inputs (operand after
// operand, 8 bytes a lane), memory (16 bytes a lane, read and written) and outputs (as the inputs).
std::string module_of(const std::vector<Form>& forms);

std::uint32_t size_bytes(const std::string& type);  // of a stored value: predicates and bytes take 4 and 2

// What the lanes of one launch work on: the same for the same form, everywhere.
struct Work {
    std::vector<std::byte> inputs, memory;
};
Work work_of(const Form& form);

// Outputs and memory without the padding between operands: what a recording holds.
std::vector<std::byte> packed(const Form& form, const std::vector<std::byte>& outputs,
                              const std::vector<std::byte>& memory);

}  // namespace lanescope::parity
