#include "ptx/module.h"

#include <algorithm>

namespace lanescope::ptx {
namespace {

const Suffix* nth(const std::vector<Suffix>& suffixes, Suffix::Kind kind, unsigned n) {
    for (const Suffix& suffix : suffixes)
        if (suffix.kind == kind && n-- == 0) return &suffix;
    return nullptr;
}

template <class Things, class Wanted>
const typename Things::value_type* first_where(const Things& things, Wanted wanted) {
    const auto found = std::find_if(things.begin(), things.end(), wanted);
    return found == things.end() ? nullptr : &*found;
}

}  // namespace

bool Instruction::has(Mod mod) const {
    return std::any_of(suffixes.begin(), suffixes.end(), [mod](Suffix suffix) { return suffix.is(mod); });
}

Type Instruction::type(unsigned n) const {
    const Suffix* suffix = nth(suffixes, Suffix::Kind::type, n);
    return suffix ? static_cast<Type>(suffix->value) : Type::none;
}

Space Instruction::space(unsigned n) const {
    const Suffix* suffix = nth(suffixes, Suffix::Kind::space, n);
    return suffix ? static_cast<Space>(suffix->value) : Space::generic;
}

unsigned Instruction::vector_length() const {
    for (const Suffix suffix : suffixes) {
        if (suffix.is(Mod::v2)) return 2;
        if (suffix.is(Mod::v4)) return 4;
        if (suffix.is(Mod::v8)) return 8;
    }
    return 1;
}

bool Instruction::operator==(const Instruction& other) const {
    return op == other.op && guard == other.guard && guard_negated == other.guard_negated &&
           row == other.row && suffixes == other.suffixes && operands == other.operands;
}

std::uint64_t Variable::size_bytes() const {
    std::uint64_t size = std::uint64_t{ptx::size_bytes(type)} * vector_length;
    for (const std::uint64_t extent : extents)
        if (__builtin_mul_overflow(size, extent, &size)) return std::numeric_limits<std::uint64_t>::max();
    return size;
}

std::uint32_t Variable::alignment_bytes() const {
    return alignment ? alignment : std::max(1u, ptx::size_bytes(type) * vector_length);
}

const Function* Module::find_function(std::string_view name) const {
    const Function* defined =
        first_where(functions, [&](const Function& f) { return f.has_body && f.name == name; });
    return defined ? defined : first_where(functions, [&](const Function& f) { return f.name == name; });
}

const Variable* Module::find_variable(std::string_view name) const {
    const auto defines = [&](const Variable& v) { return v.linkage != Linkage::external && v.name == name; };
    const Variable* defined = first_where(variables, defines);
    return defined ? defined : first_where(variables, [&](const Variable& v) { return v.name == name; });
}

const Section* Module::find_section(std::string_view name) const {
    return first_where(sections, [&](const Section& section) { return section.name == name; });
}

const SourceFile* Module::find_file(std::uint32_t number) const {
    return first_where(files, [&](const SourceFile& file) { return file.number == number; });
}

}  // namespace lanescope::ptx
