// Resolves names in a function body: scopes, shadowing, numbered registers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/module.h"

namespace lanescope::ptx {

// Names are views into the PTX text, which outlives the parse.
class NameScopes {
  public:
    struct Meaning {
        Reference variable;              // kind none: a register
        std::uint32_t first = no_index;  // index into Function::registers
        std::uint32_t count = 0;         // numbered registers of a range, elements of a vector register, or 1
    };

    void enter() { ++depth_; }
    void leave();  // forgets declarations since enter()

    // Returns false if this scope already has the name.
    bool declare(std::string_view name, Meaning meaning) { return add(names_, name, meaning); }
    bool declare_range(std::string_view prefix, std::uint32_t first, std::uint32_t count);

    // Finds a name, innermost scope first. A register found by number ("%r7" of "%r<10>") has count 1.
    std::optional<Meaning> find(std::string_view name) const;

  private:
    struct Entry {
        Meaning meaning;
        std::uint32_t depth = 0;
    };
    using Table = std::unordered_map<std::string_view, Entry>;
    struct Undo {
        Table* table;
        std::string_view name;
        std::optional<Entry> before;
        std::uint32_t depth;
    };

    bool add(Table& table, std::string_view name, Meaning meaning);
    std::optional<Entry> find_numbered(std::string_view name) const;

    Table names_, ranges_;
    std::vector<Undo> undo_;
    std::uint32_t depth_ = 0;
};

}  // namespace lanescope::ptx
