#include "ptx/dwarf_types.h"

#include <algorithm>

#include "ptx/debug_symbols.h"

namespace lanescope::ptx::dwarf {

namespace {

constexpr int max_depth = 64;
constexpr std::uint32_t pointer_bytes = 8;
constexpr std::size_t max_name = 1024;
constexpr std::size_t max_copied_members = 1u << 20;
constexpr std::uint64_t max_type_bytes = std::uint64_t{1} << 31;

enum Encoding : std::uint64_t {
    boolean = 2,
    floating = 4,
    signed_number = 5,
    signed_char = 6,
    unsigned_number = 7,
    unsigned_char = 8
};

std::uint32_t byte_size(const Entry& entry) {
    return static_cast<std::uint32_t>(std::min(entry.number(At::byte_size), max_type_bytes));
}

// Returns "int[3]" for an element type and a count. The outer extent comes first: int[2][3] is two of int[3].
std::string array_name(const std::string& element, std::uint64_t count) {
    const std::size_t bracket = std::min(element.find('['), element.size());
    const std::string extent = "[" + (count ? std::to_string(count) : std::string()) + "]";
    return element.substr(0, bracket) + extent + element.substr(bracket);
}

// Returns the subrange's extent, 0 if it has none.
std::uint64_t extent_of(const Entry& subrange) {
    if (subrange.find(At::count)) return subrange.number(At::count);
    if (subrange.find(At::upper_bound)) return subrange.number(At::upper_bound) + 1;
    return 0;
}

// Lambdas have mangled names; for "_ZZ1kPiENKUliE_…" this returns "{lambda(int)#1}".
std::string own_name(const Entry& entry) {
    const std::string name(entry.text(At::name).substr(0, max_name));
    if (name.empty()) return "(unnamed)";
    return name.starts_with("_Z") ? source_name(name).name : name;
}

}  // namespace

TypeId Types::referred(const Entry& entry) {
    const std::uint32_t type = info_.target(entry, At::type);
    if (type == no_entry) return 0;
    const Tag tag = info_[type].tag;
    const bool reference = tag == Tag::reference_type || tag == Tag::rvalue_reference_type;
    return reference ? of(info_[type]) : make(type, 0);
}

TypeId Types::make(std::uint32_t index, int depth) {
    if (index == no_entry || depth > max_depth) return 0;
    const auto [place, fresh] = made_.try_emplace(index, 0);
    if (!fresh) return place->second;
    const TypeId type = build(info_[index], depth);
    made_[index] = type;
    return type;
}

TypeId Types::build(const Entry& entry, int depth) {
    switch (entry.tag) {
        case Tag::base_type:
            return base(entry);
        case Tag::pointer_type:
            return pointer(entry, "*", depth);
        case Tag::reference_type:
            return pointer(entry, "&", depth);
        case Tag::rvalue_reference_type:
            return pointer(entry, "&&", depth);
        case Tag::array_type:
            return array(entry, depth);
        case Tag::structure_type:
        case Tag::class_type:
        case Tag::union_type:
            return structure(entry, depth);
        case Tag::enumeration_type:
            return enumeration(entry);
        case Tag::typedef_:
            return renamed(make(info_.target(entry, At::type), depth + 1), entry.text(At::name));
        case Tag::const_type:
        case Tag::volatile_type:
        case Tag::restrict_type:
            return make(info_.target(entry, At::type), depth + 1);
        default:
            return 0;
    }
}

TypeId Types::base(const Entry& entry) {
    ValueType type;
    type.kind = ValueType::Kind::scalar;
    type.name = entry.text(At::name);
    type.size_bytes = byte_size(entry);
    switch (entry.number(At::encoding)) {
        case boolean:
            type.scalar = Scalar::boolean;
            break;
        case floating:
            type.scalar = Scalar::floating;
            break;
        case signed_number:
            type.scalar = Scalar::signed_int;
            break;
        case signed_char:
        case unsigned_char:
            type.scalar =
                entry.number(At::encoding) == signed_char ? Scalar::signed_int : Scalar::unsigned_int;
            break;
        case unsigned_number:
            type.scalar = Scalar::unsigned_int;
            break;
        default:
            return 0;
    }
    if (type.name == "char") type.scalar = Scalar::character;
    if (const TypeId known = table_.named(type.name);
        known != 0 && table_[known].size_bytes == type.size_bytes && table_[known].scalar == type.scalar)
        return known;
    return table_.add(std::move(type));
}

TypeId Types::pointer(const Entry& entry, std::string_view mark, int depth) {
    ValueType type;
    type.kind = ValueType::Kind::pointer;
    type.scalar = Scalar::pointer;
    type.size_bytes = pointer_bytes;
    const std::uint32_t pointee = info_.target(entry, At::type);
    type.name = name_of(pointee, depth + 1) + std::string(mark);
    type.element = make(pointee, depth + 1);
    return table_.add(std::move(type));
}

TypeId Types::array(const Entry& entry, int depth) {
    TypeId type = make(info_.target(entry, At::type), depth + 1);
    std::string name = name_of(info_.target(entry, At::type), depth + 1);
    for (auto child = entry.children.rbegin(); child != entry.children.rend(); ++child) {
        const Entry& subrange = info_[*child];
        if (subrange.tag != Tag::subrange_type) continue;
        ValueType outer;
        outer.kind = ValueType::Kind::array;
        outer.element = type;
        outer.count = extent_of(subrange);
        const std::uint64_t element_bytes = table_[type].size_bytes;
        if (outer.count <= max_type_bytes && outer.count * element_bytes <= max_type_bytes)
            outer.size_bytes = static_cast<std::uint32_t>(outer.count * element_bytes);
        else
            outer.count = 0;
        name = array_name(name, outer.count);
        outer.name = name;
        type = table_.add(std::move(outer));
    }
    return type;
}

TypeMember Types::member(const Entry& entry, int depth) {
    TypeMember out;
    out.name = entry.text(At::name);
    if (entry.tag == Tag::inheritance) out.name = name_of(info_.target(entry, At::type), depth + 1);
    if (!entry.find(At::bit_size)) out.type = make(info_.target(entry, At::type), depth + 1);
    const Attribute* location = entry.find(At::data_member_location);
    std::uint64_t offset = location ? location->value : 0;
    if (location && location->kind == Attribute::Kind::block) {
        constexpr std::uint64_t plus_uconst = 0x23;
        Cursor cursor(*info_.info_section(), location->value);
        const bool known = cursor.fixed(1) == plus_uconst;
        offset = cursor.uleb();
        if (!known || cursor.failed()) out.type = 0;
    }
    out.offset_bytes = static_cast<std::uint32_t>(std::min(offset, max_type_bytes));
    return out;
}

TypeId Types::structure(const Entry& entry, int depth) {
    const std::string name = own_name(entry);
    ValueType type;
    type.kind = ValueType::Kind::structure;
    type.name = name;
    type.size_bytes = byte_size(entry);
    if (name == "__half" || name == "__nv_bfloat16") {  // structures of headers that represent numbers
        const TypeId number = table_.named(name == "__half" ? "half" : name);
        if (table_[number].size_bytes == type.size_bytes) return number;
    }
    for (const std::uint32_t child : entry.children) {
        const Entry& part = info_[child];
        const bool inside =
            part.tag == Tag::inheritance || (part.tag == Tag::member && !part.find(At::external));
        if (!inside || part.number(At::artificial)) continue;
        TypeMember made = member(part, depth);
        // A member that exceeds the structure must not be read.
        if (made.offset_bytes > type.size_bytes ||
            table_[made.type].size_bytes > type.size_bytes - made.offset_bytes)
            made.type = 0;
        type.members.push_back(std::move(made));
    }
    return table_.add(std::move(type));
}

TypeId Types::enumeration(const Entry& entry) {
    ValueType type;
    type.kind = ValueType::Kind::enumeration;
    type.scalar = Scalar::unsigned_int;
    for (const std::uint32_t child : entry.children)
        if (static_cast<std::int64_t>(info_[child].number(At::const_value)) < 0)
            type.scalar = Scalar::signed_int;
    type.name = own_name(entry);
    type.size_bytes = byte_size(entry);
    return table_.add(std::move(type));
}

TypeId Types::renamed(TypeId type, std::string_view name) {
    if (type == 0 || name.empty() || table_[type].name == name) return type;
    copied_members_ += table_[type].members.size();
    if (copied_members_ > max_copied_members) return type;
    ValueType copy = table_[type];
    copy.name = name.substr(0, max_name);
    return table_.add(std::move(copy));
}

std::string Types::name_of(std::uint32_t index, int depth) const {
    if (index == no_entry) return "void";
    if (depth > max_depth) return "…";
    const Entry& entry = info_[index];
    const std::uint32_t to = info_.target(entry, At::type);
    switch (entry.tag) {
        case Tag::pointer_type:
            return name_of(to, depth + 1) + "*";
        case Tag::reference_type:
            return name_of(to, depth + 1) + "&";
        case Tag::rvalue_reference_type:
            return name_of(to, depth + 1) + "&&";
        case Tag::restrict_type:
            return name_of(to, depth + 1);
        case Tag::subroutine_type:
            return name_of(to, depth + 1) + "(…)";
        case Tag::const_type:
        case Tag::volatile_type: {
            const std::string inner = name_of(to, depth + 1);
            const std::string word = entry.tag == Tag::const_type ? "const" : "volatile";
            return inner.ends_with('*') ? inner + " " + word : word + " " + inner;
        }
        case Tag::array_type: {
            std::string name = name_of(to, depth + 1);
            for (auto child = entry.children.rbegin(); child != entry.children.rend(); ++child)
                if (info_[*child].tag == Tag::subrange_type)
                    name = array_name(name, extent_of(info_[*child]));
            return name;
        }
        default:
            break;
    }
    return own_name(entry);
}

}  // namespace lanescope::ptx::dwarf
