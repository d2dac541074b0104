// The syntax tree of an expression. Each evaluator defines what names and types mean.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::expression {

// A number as it is spelled; the spelling determines its C++ type.
struct Literal {
    std::uint64_t whole = 0;  // of whole numbers
    double real = 0;          // of real ones
    bool is_real = false;
    bool hexadecimal = false;
    bool octal = false;                                // by its leading zero; `whole` is read as decimal
    bool has_u = false, has_l = false, has_f = false;  // suffixes: 1u, 1l and 1ll, 1.0f

    bool has_suffix() const { return has_u || has_l || has_f; }
};

struct Node {
    enum class Op : std::uint8_t {
        number,
        name,
        member,       // a.b: parts[0] is a, text is b
        arrow,        // a->b
        index,        // a[b]
        dereference,  // *a
        unary,        // text: - + ! ~
        binary,       // text: C++'s operator
        logical_and,
        logical_or,
        conditional,  // a ? b : c
        call          // text is the function, parts are its arguments
    };
    Op op{};
    std::string text;
    Literal literal;
    std::vector<std::uint32_t> parts;
    int column = 0;  // of the operator, of the number or of the name; bytes from 1
};

struct SyntaxTree {
    std::vector<Node> nodes;  // a node comes after its parts
    std::uint32_t root = 0;

    const Node& operator[](std::uint32_t at) const { return nodes[at]; }
    // Returns "a.b" for a member of a name; empty for all other nodes.
    std::string dotted_name(const Node& node) const;
};

}  // namespace lanescope::expression
