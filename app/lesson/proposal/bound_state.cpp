#include "lesson/proposal/bound_state.h"

#include <algorithm>

#include "expression/parser.h"

namespace lanescope::lesson {

namespace {

using expression::Node;
using expression::SyntaxTree;

// The text of an expression, the same for all spellings of its spaces and brackets.
std::string plain_text(const SyntaxTree& tree, std::uint32_t at) {
    const Node& node = tree[at];
    std::string text = node.op == Node::Op::number ? std::to_string(node.literal.whole) : node.text;
    if (node.parts.empty()) return text;
    text += "(";
    for (const std::uint32_t part : node.parts)
        text += plain_text(tree, part) + ",";
    return text + ")";
}

bool has_grid(const Polynomial& polynomial) {
    return std::any_of(grid_atoms.begin(), grid_atoms.end(),
                       [&](const char* atom) { return polynomial.contains(atom); });
}

std::optional<Polynomial> combined(std::optional<Polynomial> (*operation)(const Polynomial&,
                                                                          const Polynomial&),
                                   const std::optional<Polynomial>& a, const std::optional<Polynomial>& b) {
    return a && b ? operation(*a, *b) : std::nullopt;
}

bool starts_at_zero(const Bounds& bounds) {
    return bounds.low && bounds.low->never_negative();
}

}  // namespace

Bounds exactly(const Polynomial& value) {
    return {value, value};
}

Bounds sum(const Bounds& a, const Bounds& b) {
    return {combined(Polynomial::sum, a.low, b.low), combined(Polynomial::sum, a.high, b.high)};
}

Bounds difference(const Bounds& a, const Bounds& b) {
    return {combined(Polynomial::difference, a.low, b.high), combined(Polynomial::difference, a.high, b.low)};
}

Bounds product(const Bounds& a, const Bounds& b) {
    if (!starts_at_zero(a) || !starts_at_zero(b)) return {};
    return {combined(Polynomial::product, a.low, b.low), combined(Polynomial::product, a.high, b.high)};
}

Bounds quotient(const Bounds& a, const Bounds& b) {
    const std::int64_t by = b.high ? b.high->constant().value_or(0) : 0;
    if (!starts_at_zero(a)) return {};
    Bounds made{Polynomial(0), a.high};
    if (by <= 0 || !a.high) return made;
    if (const auto whole = a.high->constant())
        made.high = Polynomial(*whole / by);
    else if (const auto divided = a.high->divided(by))
        made.high = divided;
    else if (!has_grid(*a.high)) {
        const bool short_text = a.high->terms().size() == 1;
        made.high = Polynomial::of((short_text ? a.high->text() : "(" + a.high->text() + ")") + " / " +
                                   std::to_string(by));
    }
    return made;
}

std::optional<Polynomial> larger(const Polynomial& a, const Polynomial& b) {
    if (a == b) return a;
    if (const auto more = Polynomial::difference(a, b); more && more->never_negative()) return a;
    if (const auto more = Polynomial::difference(b, a); more && more->never_negative()) return b;
    if (has_grid(a) || has_grid(b)) return Polynomial::sum(a, b);
    return Polynomial::of("max(" + a.text() + ", " + b.text() + ")");
}

Bounds either(const Bounds& a, const Bounds& b) {
    Bounds made;
    if (a.high && b.high) made.high = larger(*a.high, *b.high);
    if (!a.low || !b.low) return made;
    if (*a.low == *b.low)
        made.low = a.low;
    else if (a.low->never_negative() && b.low->never_negative())
        made.low = Polynomial(0);
    return made;
}

Bounds BoundEvaluator::range_of_name(const std::string& name, const BoundState& state) const {
    if (const auto known = state.variables.find(name); known != state.variables.end()) {
        const auto definition = state.definitions.find(name);
        constexpr int most_open = 4;
        const bool vague = !known->second.high || has_grid(*known->second.high);
        if (!vague || definition == state.definitions.end() || definitions_open_ >= most_open)
            return known->second;
        ++definitions_open_;
        const Bounds now = range(*definition->second, definition->second->root, state);
        --definitions_open_;
        return now.high && (!known->second.high || !has_grid(*now.high)) ? now : known->second;
    }
    if (const auto scalar = shape_.scalars.find(name); scalar != shape_.scalars.end())
        return exactly(scalar->second);
    if (const auto value = model_.constant(name, shape_.constants)) return exactly(Polynomial(*value));
    return {};
}

Bounds BoundEvaluator::range_of_member(const std::string& name) const {
    constexpr std::array axes{'x', 'y', 'z'};
    for (std::size_t d = 0; d < axes.size(); ++d) {
        const std::string axis{'.', axes[d]};
        const Polynomial grid = Polynomial::of(grid_atoms[d]), &block = shape_.block[d], one(1);
        if (name == "threadIdx" + axis) return {Polynomial(0), Polynomial::difference(block, one)};
        if (name == "blockIdx" + axis) return {Polynomial(0), Polynomial::difference(grid, one)};
        if (name == "blockDim" + axis) return exactly(block);
        if (name == "gridDim" + axis) return {one, grid};
    }
    return {};
}

Bounds BoundEvaluator::range_of_binary(const SyntaxTree& tree, const Node& node,
                                       const BoundState& state) const {
    const Bounds a = range(tree, node.parts[0], state), b = range(tree, node.parts[1], state);
    const std::string& op = node.text;
    const auto shift = b.high ? b.high->constant() : std::nullopt;
    const bool shifts = shift && *shift >= 0 && *shift < 40;
    const Bounds power = shifts ? exactly(Polynomial(std::int64_t{1} << *shift)) : Bounds{};
    if (op == "+") return sum(a, b);
    if (op == "-") return difference(a, b);
    if (op == "*") return product(a, b);
    if (op == "/") return quotient(a, b);
    if (op == "<<") return shifts ? product(a, power) : Bounds{};
    if (op == ">>") return shifts ? quotient(a, power) : quotient(a, exactly(Polynomial(1)));
    if (op == "%" && starts_at_zero(a)) {
        Bounds made{Polynomial(0), a.high};
        if (b.high) made.high = Polynomial::difference(*b.high, Polynomial(1));
        return made;
    }
    if (op == "&") {
        const bool left = a.high && a.high->constant() && starts_at_zero(a);
        if (left || (b.high && b.high->constant() && starts_at_zero(b)))
            return {Polynomial(0), left ? a.high : b.high};
        return starts_at_zero(a) ? Bounds{Polynomial(0), a.high} : Bounds{};
    }
    if (op == "|" || op == "^") return starts_at_zero(a) && starts_at_zero(b) ? sum(a, b) : Bounds{};
    return {Polynomial(0), Polynomial(1)};  // a comparison
}

Bounds BoundEvaluator::range_of_call(const SyntaxTree& tree, const Node& node,
                                     const BoundState& state) const {
    const bool least = node.text == "min" || node.text == "umin" || node.text == "fminf";
    if (node.parts.size() == 2 && (least || node.text == "max")) {
        const Bounds a = range(tree, node.parts[0], state), b = range(tree, node.parts[1], state);
        if (!least) return either(a, b);
        Bounds made = either(a, b);
        const bool first = a.high && (!b.high || a.high->constant());
        made.high = first ? a.high : b.high;
        return made;
    }
    if (node.text == "__mul24" || node.text == "__umul24") {
        if (node.parts.size() != 2) return {};
        return product(range(tree, node.parts[0], state), range(tree, node.parts[1], state));
    }
    return {};
}

Bounds BoundEvaluator::range(const SyntaxTree& tree, std::uint32_t at, const BoundState& state) const {
    const Node& node = tree[at];
    Bounds made;
    switch (node.op) {
        case Node::Op::number:
            if (!node.literal.is_real && node.literal.whole < (std::uint64_t{1} << 40))
                made = exactly(Polynomial(static_cast<std::int64_t>(node.literal.whole)));
            break;
        case Node::Op::name:
            return range_of_name(node.text, state);
        case Node::Op::member:
            made = range_of_member(tree.dotted_name(node));
            break;
        case Node::Op::index: {
            const auto base = target(tree, node.parts[0], state);
            if (base && shape_.offsets.contains(base->base))
                made = product(exactly(Polynomial(2)), range(tree, node.parts[1], state));
            else if (base && shape_.indices.contains(base->base))
                made = {Polynomial(0), Polynomial(largest_value)};
            break;
        }
        case Node::Op::unary:
            if (node.text == "-")
                made = difference(exactly(Polynomial(0)), range(tree, node.parts[0], state));
            if (node.text == "+") made = range(tree, node.parts[0], state);
            if (node.text == "!") made = {Polynomial(0), Polynomial(1)};
            break;
        case Node::Op::binary:
            made = range_of_binary(tree, node, state);
            break;
        case Node::Op::conditional:
            made = either(range(tree, node.parts[1], state), range(tree, node.parts[2], state));
            break;
        case Node::Op::call:
            made = range_of_call(tree, node, state);
            break;
        case Node::Op::logical_and:
        case Node::Op::logical_or:
            made = {Polynomial(0), Polynomial(1)};
            break;
        default:
            break;
    }
    if (state.expressions.empty()) return made;
    if (const auto guard = state.expressions.find(plain_text(tree, at)); guard != state.expressions.end()) {
        if (guard->second.high) made.high = guard->second.high;
        if (guard->second.low) made.low = guard->second.low;
    }
    return made;
}

std::optional<Target> BoundEvaluator::target(const SyntaxTree& tree, std::uint32_t at,
                                             const BoundState& state) const {
    const Node& node = tree[at];
    if (node.op == Node::Op::name) {
        if (const auto known = state.pointers.find(node.text); known != state.pointers.end())
            return known->second;
        if (shape_.pointers.contains(node.text) && !state.variables.contains(node.text))
            return Target{node.text, exactly(Polynomial(0))};
    }
    if (node.op != Node::Op::binary || (node.text != "+" && node.text != "-")) return std::nullopt;
    for (const std::size_t side : {0, 1}) {
        std::optional<Target> made = target(tree, node.parts[side], state);
        if (!made || (side == 1 && node.text == "-")) continue;
        const Bounds offset = range(tree, node.parts[1 - side], state);
        made->offset = node.text == "+" ? sum(made->offset, offset) : difference(made->offset, offset);
        return made;
    }
    return std::nullopt;
}

// Notes which parameters bound an index.
void BoundEvaluator::note_sizes(const Polynomial& bound) {
    for (const std::string& atom : bound.atoms())
        for (const auto& [name, value] : shape_.scalars)
            if (value == Polynomial::of(atom)) facts_.guards.insert(name);
}

// Notes that threads with a value of up to `before` run, and that those above `bound` leave.
void BoundEvaluator::note_guard(const Polynomial& before, const Polynomial& bound) {
    if (has_grid(bound)) return;
    const auto holders = std::count_if(grid_atoms.begin(), grid_atoms.end(),
                                       [&](const char* atom) { return before.contains(atom); });
    if (holders != 1) return;
    for (std::size_t d = 0; d < grid_atoms.size(); ++d) {
        if (!before.contains(grid_atoms[d])) continue;
        const auto count = Polynomial::sum(bound, Polynomial(1));
        if (!count) return;
        const Polynomial& block = shape_.block[d];
        for (const auto& [monomial, coefficient] : before.terms()) {
            if (std::find(monomial.begin(), monomial.end(), grid_atoms[d]) == monomial.end()) continue;
            const std::int64_t size = block.constant().value_or(1);
            const bool by_threads =
                block.constant() ? coefficient % size == 0 && monomial.size() == 1 : monomial.size() == 2;
            const std::int64_t each = by_threads ? coefficient / size : coefficient;
            if (each < 1 || monomial.size() > 2 || (!by_threads && monomial.size() > 1)) return;
            auto& noted = by_threads ? facts_.threads[d] : facts_.blocks[d];
            const Polynomial work =
                each == 1 ? *count
                          : Polynomial::of("ceil_div(" + count->text() + ", " + std::to_string(each) + ")");
            noted = noted ? larger(*noted, work) : work;
        }
    }
}

void BoundEvaluator::narrow(const SyntaxTree& tree, std::uint32_t at, const Bounds& to, BoundState& state) {
    const Node& node = tree[at];
    const Bounds before = range(tree, at, state);
    if (to.high) note_sizes(*to.high);
    if (to.high && before.high) note_guard(*before.high, *to.high);
    if (node.op == Node::Op::number || shape_.scalars.contains(node.text)) return;
    const bool variable = node.op == Node::Op::name && state.variables.contains(node.text);
    Bounds& kept = variable ? state.variables[node.text] : state.expressions[plain_text(tree, at)];
    const auto known = before.high ? before.high->constant() : std::nullopt;
    const auto wanted = to.high ? to.high->constant() : std::nullopt;
    // A bound that is a number is better than one that is not.
    if (to.high && !kept.low && !before.low) kept.low = Polynomial(0);  // an index
    if (to.high && !(known && (!wanted || *known <= *wanted))) kept.high = to.high;
    if (to.low && !(before.low && before.low->never_negative() && !to.low->never_negative()))
        kept.low = to.low;
}

void BoundEvaluator::assume(const SyntaxTree& tree, std::uint32_t at, bool truth, BoundState& state) {
    const Node& node = tree[at];
    if (node.op == Node::Op::unary && node.text == "!") return assume(tree, node.parts[0], !truth, state);
    if ((node.op == Node::Op::logical_and && truth) || (node.op == Node::Op::logical_or && !truth)) {
        assume(tree, node.parts[0], truth, state);
        return assume(tree, node.parts[1], truth, state);
    }
    if (node.op != Node::Op::binary || node.parts.size() != 2) return;
    std::string op = node.text;
    if (!truth) {
        constexpr std::array<std::array<const char*, 2>, 6> opposites{
            {{"<", ">="}, {">=", "<"}, {">", "<="}, {"<=", ">"}, {"==", "!="}, {"!=", "=="}}};
        for (const auto& [from, to] : opposites)
            if (node.text == from) op = to;
    }
    const std::uint32_t left = node.parts[0], right = node.parts[1];
    const Bounds a = range(tree, left, state), b = range(tree, right, state), one = exactly(Polynomial(1));
    if (op == "<") {
        narrow(tree, left, {{}, difference(b, one).high}, state);
        narrow(tree, right, {sum(a, one).low, {}}, state);
    } else if (op == "<=") {
        narrow(tree, left, {{}, b.high}, state);
        narrow(tree, right, {a.low, {}}, state);
    } else if (op == ">") {
        narrow(tree, right, {{}, difference(a, one).high}, state);
        narrow(tree, left, {sum(b, one).low, {}}, state);
    } else if (op == ">=") {
        narrow(tree, right, {{}, a.high}, state);
        narrow(tree, left, {b.low, {}}, state);
    } else if (op == "==") {
        narrow(tree, left, b, state);
    }
}

}  // namespace lanescope::lesson
