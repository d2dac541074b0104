// Finds the declarations of a CUDA source text and their execution-space marks without compiling it.
// Modelled: namespaces, linkage blocks, class bodies, templates, constructors with initialiser lists, both
// branches of #if … #else, marks behind macros. Inaccuracies: a declaration that a macro makes as a whole is
// not seen, and every angle bracket in a declaration is taken for a template's.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/cpp_lexer.h"

namespace lanescope::compile {

struct Declaration {
    enum class Kind : std::uint8_t { function, function_declaration, class_type, other };
    Kind kind = Kind::other;
    std::string name;             // unqualified, of a function or the first variable; empty if not known
    std::size_t begin = 0;        // byte offsets [begin, end), without a template header
    std::size_t whole_begin = 0;  // begin of the template header, if any
    std::size_t end = 0;
    std::size_t body_begin = 0;  // of a function: its brace or the colon of its initialiser list
    bool device = false;         // marked __device__, __global__, __constant__, __shared__ or __managed__
    bool is_constexpr = false;
    bool is_friend = false;
    bool qualified = false;   // A::f, a member defined outside its class
    bool host_words = false;  // a function's signature, or another declaration's text, uses host names
    bool in_class = false;
    int parent = -1;  // the enclosing class_type
};

// Macros that mark device code ("HD" of "#define HD __host__ __device__") and macros that mean __shared__.
struct MarkMacros {
    std::set<std::string, std::less<>> device;
    std::set<std::string, std::less<>> shared;
};

void collect_mark_macros(const std::vector<CppToken>& tokens, MarkMacros& macros);

// Returns the declarations in order of their beginning; members follow their class.
std::vector<Declaration> find_declarations(const std::vector<CppToken>& tokens, const MarkMacros& macros);

bool is_device_mark(std::string_view word, const MarkMacros& macros);

}  // namespace lanescope::compile
