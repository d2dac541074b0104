// Decodes the DWARF entries of a PTX module without interpreting them. Modelled: DWARF 2 to 4 in the 32-bit
// format of NVRTC and nvcc (DWARF Debugging Information Format, 7.5), where an address is the name of a label
// or symbol. Inaccuracy: line tables are not read, because PTX has .loc instead.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "ptx/module.h"

namespace lanescope::ptx::dwarf {

// The tags and attributes in use; others are read and ignored.
enum class Tag : std::uint16_t {
    array_type = 0x01,
    class_type = 0x02,
    enumeration_type = 0x04,
    formal_parameter = 0x05,
    lexical_block = 0x0b,
    member = 0x0d,
    pointer_type = 0x0f,
    reference_type = 0x10,
    compile_unit = 0x11,
    structure_type = 0x13,
    subroutine_type = 0x15,
    typedef_ = 0x16,
    union_type = 0x17,
    inheritance = 0x1c,
    inlined_subroutine = 0x1d,
    ptr_to_member = 0x1f,
    subrange_type = 0x21,
    base_type = 0x24,
    const_type = 0x26,
    subprogram = 0x2e,
    variable = 0x34,
    volatile_type = 0x35,
    restrict_type = 0x37,
    namespace_ = 0x39,
    unspecified_type = 0x3b,
    rvalue_reference_type = 0x42,
};

enum class At : std::uint16_t {
    location = 0x02,
    name = 0x03,
    byte_size = 0x0b,
    bit_size = 0x0d,
    low_pc = 0x11,
    high_pc = 0x12,
    const_value = 0x1c,
    upper_bound = 0x2f,
    abstract_origin = 0x31,
    address_class = 0x33,
    artificial = 0x34,
    count = 0x37,
    data_member_location = 0x38,
    decl_file = 0x3a,
    decl_line = 0x3b,
    encoding = 0x3e,
    external = 0x3f,
    specification = 0x47,
    type = 0x49,
    call_column = 0x57,
    call_file = 0x58,
    call_line = 0x59,
    linkage_name = 0x6e,
    mips_linkage_name = 0x2007,
};

struct Attribute {
    enum class Kind : std::uint8_t { number, text, block, reference, address, section_offset };
    At at{};
    Kind kind = Kind::number;
    std::uint64_t value =
        0;  // number (sign-extended); block: its offset in the section; reference: offset of an entry
    std::uint64_t size = 0;  // of a block, or of a number in bytes (0: LEB)
    std::string_view text;
    const Section::Relocation* relocation = nullptr;  // if an address or a section offset is a symbol
};

constexpr std::uint32_t no_entry = no_index;

struct Entry {
    std::uint64_t offset = 0;  // in .debug_info
    Tag tag{};
    std::uint32_t parent = no_entry;
    std::vector<std::uint32_t> children;
    std::vector<Attribute> attributes;

    const Attribute* find(At at) const;
    std::uint64_t number(At at, std::uint64_t otherwise = 0) const;
    std::string_view text(At at) const;
};

// A position in a section that checks its bounds. After a failure, every read returns zero and failed() stays
// true.
class Cursor {
  public:
    Cursor(const Section& section, std::uint64_t at);

    std::uint64_t at() const { return at_; }
    std::uint64_t end() const { return section_->bytes.size(); }
    bool at_end() const { return at_ >= end(); }
    bool failed() const { return failed_; }
    void fail() { failed_ = true; }
    void skip(std::uint64_t bytes);
    void move_to(std::uint64_t at);

    std::uint64_t fixed(unsigned bytes);  // little-endian
    std::uint64_t uleb();                 // fails if it does not fit 64 bits
    std::int64_t sleb();
    std::string_view string();  // up to its NUL
    // Returns the bits of a ULEB of up to 32 bytes, least significant byte first (register names are such
    // numbers).
    std::vector<std::uint8_t> long_uleb();
    // Returns the relocation at the current position; null if the bytes there are plain.
    const Section::Relocation* relocation() const;

  private:
    const Section* section_;
    std::uint64_t at_;
    bool failed_ = false;
};

class Info {
  public:
    // Errors have the section's name as the file and the byte in the message.
    static Result<Info> read(const Module& module);

    const std::vector<Entry>& entries() const { return entries_; }
    const Entry& operator[](std::uint32_t index) const { return entries_[index]; }
    const std::vector<std::uint32_t>& units() const { return units_; }
    // Returns the index of the entry to which a reference attribute refers; no_entry if there is none.
    std::uint32_t target(const Entry& entry, At at) const;
    // Returns the entry that holds attribute `at` of this one: itself, its abstract origin or its
    // specification.
    const Entry& holder(const Entry& entry, At at) const;
    std::string_view linkage_name(const Entry& entry) const;
    int line(const Entry& entry) const;  // of the declaration, 0 if not known
    const Section* info_section() const { return info_; }
    const Section* location_section() const { return locations_; }

  private:
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> units_;
    std::unordered_map<std::uint64_t, std::uint32_t> by_offset_;
    const Section* info_ = nullptr;
    const Section* locations_ = nullptr;

    friend class InfoReader;
};

Diagnostic damaged(const Section& section, std::uint64_t at, const std::string& what);

// Returns the byte to which a relocation against a section or one of its labels refers.
std::uint64_t section_offset(const Section& section, const Section::Relocation& relocation);

}  // namespace lanescope::ptx::dwarf
