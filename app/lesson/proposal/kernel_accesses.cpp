#include "lesson/proposal/kernel_accesses.h"

#include <algorithm>

#include "expression/parser.h"

namespace lanescope::lesson {

using expression::Node;
using expression::SyntaxTree;

namespace {

bool ends_operand(const CppToken& token) {
    return token.kind != CppToken::Kind::punctuation || token.is(")") || token.is("]");
}

}  // namespace

std::string AccessReader::operator_at(std::size_t at, std::size_t end) const {
    std::string text;
    for (std::size_t i = at; i < std::min(end, at + 3); ++i) {
        if (tokens_[i].kind != CppToken::Kind::punctuation || tokens_[i].text.size() != 1) break;
        if (i > at && !adjacent(i - 1)) break;
        text += tokens_[i].text;
        if (text == "++" || text == "--") return text;
        if (text.back() == '=') {
            const bool comparison = text == "<=" || text == ">=" || text == "!=" || text == "==" ||
                                    (i + 1 < end && is(i + 1, "=") && adjacent(i));
            return comparison ? "" : text;
        }
    }
    return "";
}

std::optional<SyntaxTree> AccessReader::parse(std::size_t begin, std::size_t end) const {
    std::vector<CppToken> part;
    for (std::size_t i = begin; i < std::min(end, tokens_.size()); ++i) {
        const bool address = tokens_[i].is("&") && (i == begin || !ends_operand(tokens_[i - 1])) &&
                             !(is(i + 1, "&") && adjacent(i)) && !(i > 0 && is(i - 1, "&"));
        if (!address) part.push_back(tokens_[i]);
    }
    Result<SyntaxTree> tree = expression::parse(model_.expression_text(part, shape_.types));
    if (!tree) return std::nullopt;
    return std::move(*tree);
}

std::optional<Target> AccessReader::address(std::size_t begin, std::size_t end) const {
    const auto tree = begin < end ? parse(begin, end) : std::nullopt;
    if (!tree) return std::nullopt;
    const Node& root = (*tree)[tree->root];
    const bool of_element = is(begin, "&") || (is(begin, "(") && !is(begin + 1, "*"));
    if (root.op == Node::Op::index && of_element) {
        auto made = evaluator_.target(*tree, root.parts[0], state_);
        if (made) made->offset = sum(made->offset, evaluator_.range(*tree, root.parts[1], state_));
        return made;
    }
    return evaluator_.target(*tree, tree->root, state_);
}

std::optional<Target> AccessReader::target_of(const std::string& name) const {
    if (const auto known = state_.pointers.find(name); known != state_.pointers.end()) return known->second;
    if (shape_.pointers.contains(name) && !state_.variables.contains(name))
        return Target{name, exactly(Polynomial(0))};
    return std::nullopt;
}

void AccessReader::scan(std::size_t begin, std::size_t end) {
    if (begin >= end) return;
    if (const auto tree = parse(begin, end))
        visit(*tree, tree->root, Access::read);
    else
        scan_subscripts(begin, end, Access::read);
}

void AccessReader::scan_subscripts(std::size_t begin, std::size_t end, Access access) {
    for (std::size_t i = begin; i < end; ++i) {
        if (!tokens_[i].is_identifier()) continue;
        const auto pointer = target_of(std::string(tokens_[i].text));
        const bool compared = (is(i + 1, "!") || is(i + 1, "=")) && is(i + 2, "=");  // "mean != nullptr"
        if (!pointer || compared) continue;
        if (!is(i + 1, "[")) {
            record(*pointer, {}, Access::both);
            continue;
        }
        const std::size_t close = closing(tokens_, i + 1);
        const auto index = parse(i + 2, close);
        const std::string op = operator_at(close + 1, end);
        const Access kind = op == "=" ? Access::write : op.empty() ? access : Access::both;
        record(*pointer, index ? evaluator_.range(*index, index->root, state_) : Bounds{}, kind);
    }
}

void AccessReader::visit_assuming(const SyntaxTree& tree, std::uint32_t condition, bool truth,
                                  std::uint32_t part) {
    BoundState kept = state_;
    evaluator_.assume(tree, condition, truth, state_);
    visit(tree, part, Access::read);
    state_ = std::move(kept);
}

void AccessReader::visit(const SyntaxTree& tree, std::uint32_t at, Access access) {
    const Node& node = tree[at];
    switch (node.op) {
        case Node::Op::logical_and:
        case Node::Op::logical_or:
            visit(tree, node.parts[0], Access::read);
            return visit_assuming(tree, node.parts[0], node.op == Node::Op::logical_and, node.parts[1]);
        case Node::Op::conditional:
            visit(tree, node.parts[0], Access::read);
            visit_assuming(tree, node.parts[0], true, node.parts[1]);
            return visit_assuming(tree, node.parts[0], false, node.parts[2]);
        case Node::Op::index: {
            const auto to = evaluator_.target(tree, node.parts[0], state_);
            if (to) {
                note_index(tree, node.parts[1]);
                record(*to, evaluator_.range(tree, node.parts[1], state_), access);
            } else {
                visit(tree, node.parts[0], access);
            }
            return visit(tree, node.parts[1], Access::read);
        }
        case Node::Op::dereference:
            if (const auto to = evaluator_.target(tree, node.parts[0], state_))
                return record(*to, exactly(Polynomial(0)), access);
            return visit(tree, node.parts[0], access);
        case Node::Op::arrow:
            if (const auto to = evaluator_.target(tree, node.parts[0], state_))
                return record(*to, exactly(Polynomial(0)), access);
            return visit(tree, node.parts[0], access);
        case Node::Op::member:
            return visit(tree, node.parts[0], access);
        case Node::Op::call:
            return visit_call(tree, node);
        default:
            for (const std::uint32_t part : node.parts)
                visit(tree, part, Access::read);
    }
}

void AccessReader::visit_call(const SyntaxTree& tree, const Node& node) {
    const bool atomic = node.text.starts_with("atomic");
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
        const auto to = evaluator_.target(tree, node.parts[i], state_);
        if (!to)
            visit(tree, node.parts[i], atomic && i == 0 ? Access::write : Access::read);
        else if (atomic || node.text.starts_with("__ld") || (i == 0 && node.text.starts_with("__st")))
            record(*to, exactly(Polynomial(0)), node.text.starts_with("__ld") ? Access::read : Access::write);
        else
            record(*to, {}, Access::both);
    }
}

// Arrays whose elements are indices of others.
void AccessReader::note_index(const SyntaxTree& tree, std::uint32_t at) {
    const Node& node = tree[at];
    if (node.op == Node::Op::index) {
        if (const auto to = evaluator_.target(tree, node.parts[0], state_))
            facts_.pointers[to->base].index = true;
        return;
    }
    for (const std::uint32_t part : node.parts)
        note_index(tree, part);
}

void AccessReader::record(const Target& to, const Bounds& index, Access access) {
    const Bounds at = sum(to.offset, index);
    const auto elements = at.high ? Polynomial::sum(*at.high, Polynomial(1)) : std::nullopt;
    if (to.base.starts_with("extern ")) {
        Polynomial& known = facts_.shared[to.base.substr(7)];
        if (elements)
            if (const auto more = larger(known, *elements)) known = *more;
        return;
    }
    KernelFacts::Use& use = facts_.pointers[to.base];
    // What is read after it was written by the same kernel needs no contents.
    if (access != Access::write) use.read = true;
    if (access != Access::read) use.written = true;
    if (!elements)
        use.unknown = true;
    else
        use.elements = use.elements ? larger(*use.elements, *elements) : *elements;
}

void AccessReader::undefine(const std::string& name) {
    state_.definitions.erase(name);
    std::erase_if(state_.definitions, [&](const auto& definition) {
        const auto& nodes = definition.second->nodes;
        return std::any_of(nodes.begin(), nodes.end(),
                           [&](const Node& node) { return node.op == Node::Op::name && node.text == name; });
    });
}

std::set<std::string> find_offsets(const std::vector<CppToken>& body, const std::set<std::string>& arrays) {
    std::set<std::string> found, written;
    constexpr std::size_t most_tokens = 20'000;
    if (body.size() > most_tokens) return found;
    for (std::size_t i = 0; i + 4 < body.size(); ++i) {
        const std::string name(body[i].text);
        if (!arrays.contains(name) || !body[i + 1].is("[")) continue;
        const std::size_t close = closing(body, i + 1);
        if (close + 2 >= body.size()) continue;
        if (body[close + 1].is("=") && !body[close + 2].is("=")) written.insert(name);
        if (close < i + 5 || !body[close - 1].is("1") || !body[close - 2].is("+")) continue;
        const std::string index = joined(body, i + 2, close - 2);
        for (std::size_t j = 0; j + 3 < body.size(); ++j)
            if (body[j].text == body[i].text && body[j + 1].is("[") &&
                joined(body, j + 2, closing(body, j + 1)) == index)
                found.insert(name);
    }
    std::erase_if(found, [&](const std::string& name) { return written.contains(name); });
    return found;
}

}  // namespace lanescope::lesson
