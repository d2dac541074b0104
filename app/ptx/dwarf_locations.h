// Maps DWARF location expressions and lists to the labels and registers of the PTX text. Modelled: one
// register, an address (a local depot or a symbol) with an offset, and lists of these. Other expressions give
// no location.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/dwarf_reader.h"

namespace lanescope::ptx::dwarf {

struct Place {
    std::uint32_t function = no_index;  // index into Module::functions
    std::uint32_t instruction = 0;      // the instruction after the label
};

// The labels of all bodies by name.
class Labels {
  public:
    explicit Labels(const Module& module);
    // Returns null if there is no such label or if the attribute is not an address.
    const Place* find(std::string_view name) const;
    const Place* find(const Entry& entry, At at) const;
    // Returns false if no lane passes the label, because the preceding text never goes on and no branch
    // targets it.
    bool reached(std::string_view name) const { return !unreached_.contains(std::string(name)); }

  private:
    void add_function(const Function& function, std::uint32_t index);

    std::unordered_map<std::string_view, Place> places_;
    std::unordered_map<std::string, bool> unreached_;
};

struct Location {
    enum class Kind : std::uint8_t { unknown, reg, address };
    Kind kind = Kind::unknown;
    std::string name;          // of the register or the symbol
    std::uint64_t offset = 0;  // from the symbol
};

struct ListEntry {
    std::string label;  // of the range's start
    Location location;
};

// Reads the expression in a block of `section`.
Location read_expression(const Section& section, std::uint64_t at, std::uint64_t size);

// Reads the list at `at` of .debug_loc. Error: the list exceeds the section.
Result<std::vector<ListEntry>> read_list(const Section& section, std::uint64_t at);

}  // namespace lanescope::ptx::dwarf
