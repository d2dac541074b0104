// The values of lane expressions.
#include <algorithm>
#include <bit>
#include <cmath>

#include "execution/lanes/lane_scope.h"

namespace lanescope::execution {

namespace {

using expression::Node;
using Op = Node::Op;

LaneFailure wrong(std::string message, int column) {
    return {LaneFailure::Kind::wrong, std::move(message), column};
}

// C++20, [lex.icon]: the first type that holds the number; decimal numbers without a suffix are signed.
Number number_of(const expression::Literal& literal) {
    using Kind = Number::Kind;
    if (literal.is_real) return real_number(literal.has_f ? Kind::f32 : Kind::f64, literal.real);
    const std::uint64_t whole = literal.whole;
    const bool may_be_unsigned = literal.has_u || literal.hexadecimal;
    const bool wide = literal.has_l || whole > (may_be_unsigned ? 0xffffffffull : 0x7fffffffull);
    if (wide) return whole_number(literal.has_u || whole >> 63 ? Kind::u64 : Kind::i64, whole);
    return whole_number(literal.has_u || whole > 0x7fffffffull ? Kind::u32 : Kind::i32, whole);
}

class Evaluator {
  public:
    Evaluator(const expression::SyntaxTree& tree, const LaneScope& scope) : tree_(tree), scope_(scope) {}

    LaneOutcome value(std::uint32_t at) const {
        const Node& node = tree_[at];
        switch (node.op) {
            case Op::number:
                return number_of(node.literal);
            case Op::name:
                if (node.text == "true" || node.text == "false") return truth_value(node.text == "true");
                return scope_.find(node.text, node.column);
            case Op::member:
                if (const std::string name = thread_name_of(tree_, node); !name.empty())
                    return scope_.find(name, tree_[node.parts[0]].column);
                return member(node, value(node.parts[0]));
            case Op::arrow:
                return member(node, pointed(node, value(node.parts[0]), 0));
            case Op::index:
                return element(node);
            case Op::dereference:
                return pointed(node, value(node.parts[0]), 0);
            case Op::unary:
                return unary(node);
            case Op::binary:
                return binary(node);
            case Op::logical_and:
            case Op::logical_or:
                return logical(node);
            case Op::conditional: {
                const LaneOutcome condition = number(node.parts[0]);
                if (std::holds_alternative<LaneFailure>(condition)) return condition;
                return value(node.parts[std::get<Number>(condition).truth() ? 1 : 2]);
            }
            case Op::call:
                return call(node);
        }
        return wrong("unknown", node.column);
    }

  private:
    // A Number or a LaneFailure.
    LaneOutcome number(std::uint32_t at) const { return loaded_number(value(at), tree_[at].column); }
    LaneOutcome loaded_number(LaneOutcome from, int column) const {
        LaneOutcome result = loaded(std::move(from), scope_, column);
        const LaneObject* object = std::get_if<LaneObject>(&result);
        if (!object) return result;
        if (const auto address = address_of(*object)) return whole_number(Number::Kind::u64, *address);
        const std::string& type = scope_.types()[object->type].name;
        return wrong(object->extents.empty() ? "'" + type + "' is not a number" : "an array is not a number",
                     column);
    }

    // The address that a pointer holds; nothing for another type, or without a value.
    std::optional<std::uint64_t> address_of(const LaneObject& object) const {
        const ValueType& type = scope_.types()[object.type];
        if (!object.extents.empty() || type.kind != ValueType::Kind::pointer) return std::nullopt;
        const auto bytes = scope_.read(object, type.size_bytes);
        if (!bytes) return std::nullopt;
        std::uint64_t address = 0;
        for (std::size_t i = std::min<std::size_t>(bytes->size(), 8); i-- > 0;)
            address = address << 8 | std::to_integer<std::uint64_t>((*bytes)[i]);
        return address;
    }

    LaneOutcome member(const Node& node, LaneOutcome from) const {
        LaneObject* object = std::get_if<LaneObject>(&from);
        if (std::holds_alternative<LaneFailure>(from)) return from;
        if (!object || !object->extents.empty()) return wrong("this has no members", node.column);
        const ValueType& type = scope_.types()[object->type];
        for (const TypeMember& each : type.members) {
            if (each.name != node.text) continue;
            return part(*object, each.offset_bytes, each.type, node.column);
        }
        return wrong("'" + type.name + "' has no member '" + node.text + "'", node.column);
    }

    LaneOutcome part(const LaneObject& whole, std::uint64_t offset, TypeId type, int column) const {
        LaneObject made = whole;
        made.type = type;
        if (whole.in_memory) {
            made.offset += offset;
            return made;
        }
        const std::uint64_t size = scope_.types()[type].size_bytes;
        if (offset + size > whole.bytes.size()) return wrong("this lies outside of the value", column);
        const auto first = whole.bytes.begin() + static_cast<std::ptrdiff_t>(offset);
        made.bytes.assign(first, first + static_cast<std::ptrdiff_t>(size));
        return made;
    }

    // The object `distance` elements behind what a pointer or an array points to.
    LaneOutcome pointed(const Node& node, LaneOutcome from, std::int64_t distance) const {
        if (std::holds_alternative<LaneFailure>(from)) return from;
        const LaneObject* object = std::get_if<LaneObject>(&from);
        if (!object) return wrong("this must be a pointer or an array", node.column);
        const TypeTable& types = scope_.types();
        const ValueType& type = types[object->type];
        if (!object->extents.empty()) return of_extents(*object, distance, node.column);
        if (type.kind == ValueType::Kind::array) {
            const std::uint64_t size = types[type.element].size_bytes;
            if (distance < 0 || (type.count != 0 && std::uint64_t(distance) >= type.count))
                return outside(distance, type.count, node.column);
            return part(*object, std::uint64_t(distance) * size, type.element, node.column);
        }
        if (type.kind != ValueType::Kind::pointer)
            return wrong("this must be a pointer or an array", node.column);
        const auto address = address_of(*object);
        if (!address)
            return LaneFailure{LaneFailure::Kind::unset, "the pointer has no value yet", node.column};
        const std::uint64_t size = types[type.element].size_bytes;
        if (size == 0) return wrong("the type that this points to has no known size", node.column);
        const auto found = scope_.at_address(*address + std::uint64_t(distance) * size, type.element);
        if (!found) return wrong("the pointer does not point to memory of the program", node.column);
        return *found;
    }

    LaneOutcome of_extents(const LaneObject& object, std::int64_t distance, int column) const {
        const std::uint64_t count = object.extents.front();
        if (distance < 0 || std::uint64_t(distance) >= count) return outside(distance, count, column);
        LaneObject made = object;
        made.extents.erase(made.extents.begin());
        std::uint64_t size = scope_.types()[object.type].size_bytes;
        for (const std::uint64_t extent : made.extents)
            size *= extent;
        made.offset += std::uint64_t(distance) * size;
        return made;
    }

    static LaneFailure outside(std::int64_t index, std::uint64_t count, int column) {
        return wrong(
            "index " + std::to_string(index) + " is outside of the array of " + std::to_string(count),
            column);
    }

    LaneOutcome element(const Node& node) const {
        LaneOutcome array = value(node.parts[0]);
        if (std::holds_alternative<LaneFailure>(array)) return array;
        const LaneOutcome index = number(node.parts[1]);
        if (std::holds_alternative<LaneFailure>(index)) return index;
        const Number& at = std::get<Number>(index);
        if (at.is_real()) return wrong("an index must be a whole number", node.column);
        return pointed(node, std::move(array), at.as_index());
    }

    LaneOutcome unary(const Node& node) const {
        const LaneOutcome operand = number(node.parts[0]);
        if (std::holds_alternative<LaneFailure>(operand)) return operand;
        const auto result = apply_unary(node.text[0], std::get<Number>(operand));
        if (!result) return wrong("'" + node.text + "' needs whole numbers", node.column);
        return *result;
    }

    // A pointer plus or minus a distance; nothing for any other operation.
    std::optional<LaneOutcome> moved_pointer(const Node& node, const LaneOutcome& left) const {
        const LaneObject* object = std::get_if<LaneObject>(&left);
        if (!object || (node.text != "+" && node.text != "-")) return std::nullopt;
        const auto address = address_of(*object);
        if (!address) return std::nullopt;
        const LaneOutcome right = number(node.parts[1]);
        if (std::holds_alternative<LaneFailure>(right)) return right;
        const Number& by = std::get<Number>(right);
        if (by.kind == Number::Kind::u64 || by.is_real()) return std::nullopt;  // of two addresses
        const TypeTable& types = scope_.types();
        const std::uint64_t size = types[types[object->type].element].size_bytes;
        const std::uint64_t distance = std::uint64_t(by.as_index()) * size;
        const std::uint64_t sum = node.text == "+" ? *address + distance : *address - distance;
        LaneObject made;
        made.type = object->type;
        for (unsigned byte = 0; byte < 8; ++byte)
            made.bytes.push_back(std::byte(sum >> (8 * byte) & 0xff));
        return made;
    }

    LaneOutcome binary(const Node& node) const {
        const LaneOutcome object = value(node.parts[0]);
        if (auto moved = moved_pointer(node, object)) return *moved;
        const LaneOutcome left = loaded_number(object, tree_[node.parts[0]].column);
        if (std::holds_alternative<LaneFailure>(left)) return left;
        const LaneOutcome right = number(node.parts[1]);
        if (std::holds_alternative<LaneFailure>(right)) return right;
        const Number &a = std::get<Number>(left), &b = std::get<Number>(right);
        if (const auto result = combine(node.text, a, b)) return *result;
        return wrong(
            a.is_real() || b.is_real() ? "'" + node.text + "' needs whole numbers" : "division by zero",
            node.column);
    }

    LaneOutcome logical(const Node& node) const {
        const LaneOutcome left = number(node.parts[0]);
        if (std::holds_alternative<LaneFailure>(left)) return left;
        const bool truth = std::get<Number>(left).truth();
        if (truth == (node.op == Op::logical_or)) return truth_value(truth);
        const LaneOutcome right = number(node.parts[1]);
        if (std::holds_alternative<LaneFailure>(right)) return right;
        return truth_value(std::get<Number>(right).truth());
    }

    LaneOutcome call(const Node& node) const {
        std::vector<Number> given;
        for (const std::uint32_t argument : node.parts) {
            const LaneOutcome each = number(argument);
            if (std::holds_alternative<LaneFailure>(each)) return each;
            given.push_back(std::get<Number>(each));
        }
        using Kind = Number::Kind;
        const std::string& name = node.text;
        const Number& a = given[0];
        if (name == "min" || name == "max") {
            const Kind kind = std::max({a.kind, given[1].kind, Kind::i32});
            const bool less = combine("<", a, given[1])->truth();
            return converted(less == (name == "min") ? a : given[1], kind);
        }
        if (name == "abs")
            return combine("<", a, whole_number(Kind::i32, 0))->truth() ? *apply_unary('-', a) : a;
        if (name == "sqrt") return real_number(std::max(a.kind, Kind::f32), std::sqrt(a.as_real()));
        if (name == "popc" || name == "__popc") {
            const std::uint64_t bits = a.kind <= Kind::u32 ? std::uint32_t(a.bits) : a.bits;
            return whole_number(Kind::i32, std::uint64_t(std::popcount(bits)));
        }
        if (name == "bool") return truth_value(a.truth());
        const std::pair<const char*, Kind> kinds[] = {{"int", Kind::i32},   {"unsigned", Kind::u32},
                                                      {"long", Kind::i64},  {"ulong", Kind::u64},
                                                      {"float", Kind::f32}, {"double", Kind::f64}};
        for (const auto& [type, kind] : kinds)
            if (name == type) return converted(a, kind);
        return whole_number(Kind::i32, std::uint64_t(std::int64_t(std::int8_t(a.as_index()))));  // char
    }

    const expression::SyntaxTree& tree_;
    const LaneScope& scope_;
};

}  // namespace

LaneOutcome LaneExpression::evaluate(const LaneScope& scope) const {
    return Evaluator(tree_, scope).value(tree_.root);
}

}  // namespace lanescope::execution
