// C++ types from DWARF entries.
#pragma once

#include <string>
#include <unordered_map>

#include "base/value_type.h"
#include "ptx/dwarf_reader.h"

namespace lanescope::ptx::dwarf {

// Makes each type once. Inaccuracies: a pointer back to a structure that is being made has no pointee; a bit
// field's type is unknown; restrict and the const of a whole variable do not show in names.
class Types {
  public:
    Types(const Info& info, TypeTable& table) : info_(info), table_(table) {}

    // 0 when the entry names no type, or one that has no values ("void", functions).
    TypeId of(const Entry& entry) { return make(info_.target(entry, At::type), 0); }

    // The type that a reference refers to; the type itself for others.
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
    std::unordered_map<std::uint32_t, TypeId> made_;  // 0 while it is being made: a cycle ends there
};

}  // namespace lanescope::ptx::dwarf
