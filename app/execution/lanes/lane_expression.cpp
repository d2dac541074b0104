// The functions and names that lane expressions may use.
#include "execution/lanes/lane_expression.h"

#include <algorithm>
#include <array>

#include "expression/parser.h"

namespace lanescope::execution {

namespace {

using expression::Node;
using Op = Node::Op;

constexpr std::array<std::string_view, 2> two_arguments = {"min", "max"};
constexpr std::array<std::string_view, 12> one_argument = {
    "abs", "sqrt", "popc", "__popc", "bool", "int", "unsigned", "long", "ulong", "float", "double", "char"};
constexpr std::array<std::string_view, 4> triples = {"threadIdx", "blockIdx", "blockDim", "gridDim"};

template <std::size_t count>
bool holds(const std::array<std::string_view, count>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// Zero: there is no such function.
std::size_t arguments_of(std::string_view function) {
    return holds(two_arguments, function) ? 2 : holds(one_argument, function) ? 1 : 0;
}

}  // namespace

Result<LaneExpression> LaneExpression::parse(std::string_view text) {
    Result<expression::SyntaxTree> tree = expression::parse(text);
    if (!tree) return tree.diagnostics();
    for (const Node& node : tree->nodes) {
        if (node.op != Op::call) continue;
        const std::size_t wanted = arguments_of(node.text);
        if (wanted == 0)
            return error_at({}, 0, node.column, "unknown function '" + node.text + "'",
                            "use min, max, abs, sqrt, popc or a type such as float");
        if (node.parts.size() != wanted)
            return error_at({}, 0, node.column,
                            node.text + " takes " + (wanted == 1 ? "one argument" : "two arguments"));
    }
    LaneExpression made;
    made.text_ = text;
    made.tree_ = std::move(*tree);
    return made;
}

bool LaneExpression::names(std::string_view beginning) const {
    return std::any_of(tree_.nodes.begin(), tree_.nodes.end(), [&](const Node& node) {
        return node.op == Op::name && std::string_view(node.text).starts_with(beginning);
    });
}

bool is_thread_name(std::string_view name) {
    if (name == "lane" || name == "warp" || name == "warpSize") return true;
    const std::size_t dot = name.find('.');
    if (dot == std::string_view::npos || dot + 2 != name.size()) return false;
    const char part = name.back();
    return part >= 'x' && part <= 'z' && holds(triples, name.substr(0, dot));
}

std::string thread_name_of(const expression::SyntaxTree& tree, const Node& node) {
    if (node.op != Op::member || tree[node.parts[0]].op != Op::name ||
        !holds(triples, tree[node.parts[0]].text))
        return {};
    return tree.dotted_name(node);
}

Result<void> LaneExpression::check_names(const trace::Trace& trace) const {
    const auto known = [&](const std::string& name) {
        if (is_thread_name(name) || name == "true" || name == "false") return true;
        for (const trace::Function& function : trace.program.functions)
            for (const trace::Variable& variable : function.variables)
                if (variable.name == name) return true;
        const auto named = [&](const trace::Symbol& symbol) { return symbol.name == name; };
        if (std::any_of(trace.symbols.begin(), trace.symbols.end(), named)) return true;
        return std::any_of(trace.launches.begin(), trace.launches.end(), [&](const trace::Launch& launch) {
            return std::any_of(launch.shared.begin(), launch.shared.end(), named);
        });
    };
    std::vector<std::string> names(tree_.nodes.size());  // of the nodes that are names
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
        const Node& node = tree_.nodes[i];
        if (node.op == Op::name) names[i] = node.text;
        if (std::string whole = thread_name_of(tree_, node); !whole.empty())
            names[node.parts[0]] = std::move(whole);
    }
    for (std::size_t i = 0; i < names.size(); ++i)
        if (!names[i].empty() && !known(names[i]))
            return error_at({}, 0, tree_.nodes[i].column,
                            "this program has no variable or array '" + names[i] + "'");
    return {};
}

}  // namespace lanescope::execution
