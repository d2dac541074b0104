// Makes C++ types from DWARF entries.
#pragma once

#include <string>
#include <unordered_map>

#include "base/value_type.h"
#include "ptx/dwarf_reader.h"

namespace lanescope::ptx::dwarf {

// Makes each type once. Inaccuracies: a pointer back to an unfinished structure has no pointee; the type of a
// bit field is unknown; names omit restrict and the const of a whole variable.
class Types {
  public:
    Types(const Info& info, TypeTable& table) : info_(info), table_(table) {}

    // Returns the entry's type; 0 if it has none or if the type has no values ("void", functions).
    TypeId of(const Entry& entry) { return make(info_.target(entry, At::type), 0); }

    // Returns the type to which a reference refers; for other types, the type itself.
    TypeId referred(const Entry& entry);

  private:
    TypeId make(std::uint32_t index, int depth);
    TypeId build(const Entry& entry, int depth);
    TypeId base(const Entry& entry);
    TypeId pointer(const Entry& entry, std::string_view mark, int depth);
    TypeId array(const Entry& entry, int depth);
    TypeId structure(const Entry& entry, int depth);
    TypeId enumeration(const Entry& entry);
    TypeId renamed(TypeId type, std::string_view name);
    TypeMember member(const Entry& entry, int depth);
    std::string name_of(std::uint32_t index, int depth) const;

    const Info& info_;
    TypeTable& table_;
    std::size_t copied_members_ = 0;
    std::unordered_map<std::uint32_t, TypeId> made_;  // 0 while a type is unfinished, which ends cycles
};

}  // namespace lanescope::ptx::dwarf
