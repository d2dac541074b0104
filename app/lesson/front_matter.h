// The TOML block at the head of a kernel file: parameters, buffers, launches, expectations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value_type.h"

namespace lanescope::lesson {

// An expression with the place it stands at, for errors.
struct Expression {
    std::string text;
    int line = 0;
    int column = 0;
};

struct Parameter {
    std::string name;
    std::string label;  // shown beside the control; the name when empty
    std::int64_t default_value = 0;
    std::optional<std::int64_t> min, max;
    std::vector<std::int64_t> choices;  // empty: any value in [min, max]
    int line = 0;
};

// Why the parameter cannot have this value ("7 is none of its choices 32, 64"); empty when it can.
std::string why_not(const Parameter& parameter, std::int64_t value);

struct Buffer {
    std::string name;
    std::string type;               // "int", "float4", …
    Expression count;               // elements; empty when `shape`, `values` or `text` give it
    std::vector<Expression> shape;  // {h, w}: drawn as a matrix
    std::string space = "global";  // "global", "constant", "device": the latter two name module-scope symbols
    Expression init;    // "random(0, 9)", "iota", "zero", "constant(3)"; empty: unset, see contents.h
    std::string text;   // its bytes, repeated when `count` is larger
    std::string image;  // path relative to the file
    std::vector<double> values;  // repeated when `count` is larger
    int line = 0;

    bool has_contents() const {
        return !init.text.empty() || !text.empty() || !image.empty() || !values.empty();
    }
};

struct LaunchSpec {
    std::string kernel;             // "reduce", "reduce<int, Plus>"
    std::vector<Expression> grid;   // 1 to 3
    std::vector<Expression> block;  // 1 to 3
    Expression shared;              // dynamic shared memory in bytes; "0" by default
    std::vector<Expression> args;   // buffer names or expressions
    Expression repeat;              // "r = n / 2; r >= 1; r / 2"; empty: once
    bool cooperative = false;
    Expression resident;  // blocks that may be resident at a time; "0" by default: any number
    int line = 0;
};

struct Expectation {
    std::string buffer;
    Expression equals;  // a named reference (references.h): "block_sums(in, block)"; empty when `values`
    std::vector<double> values;
    double tolerance = 0;  // relative, for floating-point buffers; 0: the default of the type
    int line = 0;
};

// What one run of all launches must move and compute, for GB/s and operations a second: [cost] in the front
// matter, or the keys of the same names in lesson.toml.
struct Cost {
    Expression bytes;  // over parameters and buffer sizes, like `grid`; empty: not said
    Expression operations;
    std::string peer;  // the library's implementation to time beside it; empty: none
};

struct FrontMatter {
    bool present = false;  // false: the file has none
    std::string title;
    std::vector<Parameter> parameters;  // in the order of the file
    std::vector<Buffer> buffers;
    std::vector<LaunchSpec> launches;
    std::vector<Expectation> expectations;
    std::vector<std::string>
        expected_problems;  // kinds, as the JSON spells them: [expect] problems = ["race"]
    Cost cost;
    int first_line = 0, last_line = 0;  // of the comment in the file
};

// Reads the comment "/*--- lanescope … ---*/" before any code. Errors: file, line, column and what was
// expected.
Result<FrontMatter> parse_front_matter(std::string_view source, const std::string& file);

// The same as text, comment marks included, for a file that has none yet.
std::string write_front_matter(const FrontMatter& front);

// Where the TOML of a source's front matter stands, without the marks of its comment; nothing when it has
// none.
struct TextRange {
    std::size_t begin = 0, end = 0;
};
std::optional<TextRange> front_matter_range(std::string_view source);

// Of which entry of a source's front matter an entry of another one is the successor; -1: it is new.
struct FrontMatterOrigins {
    std::vector<int> parameters, buffers, launches, expectations;
};
// The source with title, parameters, buffers, launches and expectations of `wanted` instead of its own. Keys
// with other values are changed where they stand, so that comments, order and alignment are kept. Where that
// cannot be done (a table that is written in an unusual way) the front matter is written anew. A source
// without one gets it before its first line.
std::string with_front_matter(const std::string& source, const FrontMatter& wanted,
                              const FrontMatterOrigins& origins);

// The kernels that a source text defines, in its order: comments, strings and preprocessor lines are skipped,
// names are qualified by their namespaces.
struct KernelSignature {
    std::string name;
    std::vector<std::string> template_parameters;  // "typename T", "int block"; empty: no template
    struct Param {
        std::string type;  // "const int*"
        std::string name;
    };
    std::vector<Param> params;
    bool two_dimensional = false;  // its body names threadIdx.y or blockIdx.y
    int line = 0;
};
std::vector<KernelSignature> find_kernels(std::string_view source);

// A launch of the first kernel, proposed from its signature, for files without front matter. Errors: no
// kernel; a parameter type that has no buffer or number form.
Result<FrontMatter> propose(const std::vector<KernelSignature>& kernels, const std::string& file);

}  // namespace lanescope::lesson
