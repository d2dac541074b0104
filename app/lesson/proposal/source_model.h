// What the texts of a program declare, as far as a proposal needs it: macros, constants, type names,
// structures. The texts are read without a compiler. Modelled: #if and #ifdef over known macros, macros with
// and without arguments, constants with initialisers, enumerators, typedef and using, structures of plain
// members. Inaccuracies: all texts share one scope; templates of structures, bit fields and base classes are
// unknown.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/cpp_lexer.h"
#include "expression/syntax_tree.h"
#include "lesson/proposal/stated_launch.h"

namespace lanescope::lesson {

// A type as a parameter or a member has it.
struct TypeUse {
    std::string name;  // without const and pointers, behind all aliases: "float", "Body", "unsigned int"
    int pointers = 0;
    bool constant = false;  // what it points to cannot be written
    bool reference = false;
};

// A scalar of a structure.
struct Leaf {
    std::uint64_t offset = 0;
    std::string type;       // a buffer's type, a scalar: "float", "uchar"
    bool truth = false;     // bool, or an enumeration: only 0 and 1
    bool bfloat = false;    // the upper half of a float
    std::string name = {};  // of the member that holds it; empty outside of structures
};

// A pointer in a structure.
struct PointerLeaf {
    std::uint64_t offset = 0;
    std::string name;
    TypeUse type;
};

struct Layout {
    std::uint64_t bytes = 0, alignment = 1;
    std::vector<Leaf> leaves;
    std::vector<PointerLeaf> addresses = {};
    bool pointers() const { return !addresses.empty(); }
};

using TypeArguments = std::map<std::string, std::string>;  // of a template: parameter → argument

class SourceModel {
  public:
    explicit SourceModel(const SourceRequest& request);

    // The tokens of each text that the preprocessor leaves, without directives and comments.
    const std::vector<std::vector<CppToken>>& texts() const { return texts_; }
    // The tokens of a part of a text.
    std::vector<CppToken> part(std::size_t text, std::size_t begin, std::size_t end) const;

    TypeUse type(const std::string& text, const TypeArguments& arguments = {}) const;
    // The buffer type of one element: "float4", "uchar"; nothing for structures and unknown types.
    std::optional<std::string> element(const std::string& name) const;
    std::optional<Layout> layout(const std::string& name, int depth = 0) const;
    bool is_type(std::string_view word) const;
    // Returns false once a text has cost too much: macros may expand without end.
    bool spend() const { return effort_left_ > 0 && effort_left_-- > 0; }

    // Tokens as an expression that expression::parse reads: without casts, with macros of arguments expanded.
    std::string expression_text(const std::vector<CppToken>& tokens, const TypeArguments& arguments = {},
                                int depth = 0) const;
    // The text that stands for a name: of a macro, a constant or an enumerator.
    std::optional<std::string> meaning(const std::string& name) const;
    // The value of an expression over constants. `names` come first.
    std::optional<std::int64_t> constant(const std::string& text,
                                         const std::map<std::string, std::string>& names = {},
                                         int depth = 0) const;

  private:
    struct Member {
        std::string type, name;
        std::string count;  // elements of an array; empty: one
    };
    struct FunctionMacro {
        std::vector<std::string> parameters;
        std::string body;
    };
    void preprocess(std::string_view text, std::vector<CppToken>& kept);
    void define(const CppToken& directive);
    // Host code may launch in macros: those that contain a launch are replaced by what they stand for.
    std::vector<CppToken> with_launches(const std::vector<CppToken>& tokens, int depth = 0);
    bool launches(const std::string& macro, int depth = 0) const;
    std::string replaced(const std::vector<CppToken>& tokens, std::size_t& at) const;
    bool holds(const CppToken& directive, std::string_view name) const;
    void read_declarations(const std::vector<CppToken>& tokens, int depth = 0);
    std::size_t read_typedef(const std::vector<CppToken>& tokens, std::size_t at, int depth);
    std::size_t read_structure(const std::vector<CppToken>& tokens, std::size_t at, std::string* anonymous,
                               int depth);
    std::size_t read_enumeration(const std::vector<CppToken>& tokens, std::size_t at);
    void read_constant(const std::vector<CppToken>& tokens, std::size_t at);
    std::optional<std::vector<Member>> members(const std::vector<CppToken>& tokens, std::size_t begin,
                                               std::size_t end) const;
    std::optional<std::int64_t> value(const expression::SyntaxTree& tree, std::uint32_t at,
                                      const std::map<std::string, std::string>& names, int depth) const;
    std::string expanded(const std::vector<CppToken>& tokens, std::size_t& at, const TypeArguments& arguments,
                         int depth) const;

    std::deque<std::string> kept_texts_;              // tokens point into them
    std::size_t replaced_end_ = ~std::size_t{0} / 2;  // tokens of macros lie behind those of every text
    std::vector<std::vector<CppToken>> texts_;
    std::map<std::string, std::string> macros_, constants_, aliases_;
    std::map<std::string, FunctionMacro> function_macros_;
    std::map<std::string, std::vector<Member>> structures_;
    std::set<std::string> enumerations_;
    mutable std::int64_t effort_left_ = 50'000;  // expressions to read
};

// What to write between two neighbouring tokens of a text, so that operators of two bytes stay whole.
inline const char* between(const CppToken& left, const CppToken& right) {
    const auto mark = CppToken::Kind::punctuation;
    return left.kind == mark && right.kind == mark && left.end == right.begin ? "" : " ";
}
// The text of tokens [begin, end), each space folded.
std::string joined(const std::vector<CppToken>& tokens, std::size_t begin, std::size_t end);
// The index of the bracket that closes the one at `open`, or the number of tokens.
std::size_t closing(const std::vector<CppToken>& tokens, std::size_t open);
// The ranges of [begin, end) between commas outside of brackets; `angles`: of angle brackets, too.
std::vector<std::pair<std::size_t, std::size_t>> between_commas(const std::vector<CppToken>& tokens,
                                                                std::size_t begin, std::size_t end,
                                                                bool angles = false);

}  // namespace lanescope::lesson
