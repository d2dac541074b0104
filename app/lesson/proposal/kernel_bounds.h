// Upper bounds of the indices that a kernel uses, from its guards and loops: how large its buffers must be.
// The body is read statement by statement, without a compiler. A variable has a lower and an upper bound,
// each a polynomial over sizes; a condition narrows it where it holds; a loop forgets what its body changes.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lesson/proposal/polynomial.h"
#include "lesson/proposal/source_model.h"

namespace lanescope::lesson {

// What stands for gridDim.x, .y and .z in polynomials until the grid is known.
inline constexpr std::array<const char*, 3> grid_atoms{"@grid_x", "@grid_y", "@grid_z"};

struct KernelFacts {
    struct Use {
        std::optional<Polynomial> elements;  // one more than the largest index; nothing if it is not known
        bool read = false, written = false;
        bool unknown = false;  // some index has no bound

        bool index = false;  // its values are indices of other arrays, or bound loops
    };
    std::map<std::string, Use> pointers;  // parameters, and arrays that the kernel does not declare itself
    std::array<std::optional<Polynomial>, 3> threads;  // that pass the guard, in each dimension
    std::array<std::optional<Polynomial>, 3> blocks;   // the same, where the guard counts blocks
    std::set<std::string> guards;                      // scalar parameters that bound an index
    std::map<std::string, Polynomial> shared;          // dynamic shared arrays: elements
    std::set<std::string> names;                       // every identifier of the body
};

struct KernelShape {
    std::array<Polynomial, 3> block{Polynomial(1), Polynomial(1), Polynomial(1)};
    std::map<std::string, Polynomial> scalars;     // parameters that are whole numbers
    std::map<std::string, std::string> constants;  // template parameters → values
    std::set<std::string> pointers;                // parameters that point, and module-scope arrays
    std::set<std::string> offsets;                 // arrays whose elements grow by 2: find_offsets()
    std::set<std::string> indices;                 // of these, those whose elements are whole numbers
    TypeArguments types;
};

// The largest value of an array that proposals fill with whole numbers.
inline constexpr std::int64_t largest_value = 9;

// Returns the arrays of which a kernel reads elements i and i + 1, and which it does not write: the offsets
// of rows.
std::set<std::string> find_offsets(const std::vector<CppToken>& body, const std::set<std::string>& arrays);

KernelFacts facts_of(const std::vector<CppToken>& body, const SourceModel& model, const KernelShape& shape);

}  // namespace lanescope::lesson
