// Front matter with its parameters set: sizes, contents, launches as numbers, and the check of the results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/value_type.h"
#include "lesson/front_matter.h"

namespace lanescope::lesson {

using ParameterValues = std::map<std::string, std::int64_t>;

struct BufferInstance {
    std::string name;
    std::string type;
    std::uint32_t element_bytes = 0;
    std::uint64_t count = 0;
    std::vector<std::uint64_t> extents;  // {count} or {rows, columns}
    std::string space;
    bool text = false;
    bool initialised = false;         // false: poison, or what the module says for a module-scope symbol
    std::vector<std::byte> contents;  // count × element_bytes when initialised
};

struct Argument {
    bool is_buffer = false;
    std::string buffer;
    std::int64_t integer = 0;  // of an expression; the engine converts it to the parameter's type
    double real = 0;
    bool is_real = false;
};

struct LaunchInstance {
    std::string kernel;
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::uint64_t shared_bytes = 0;
    std::vector<Argument> arguments;
    bool cooperative = false;
    std::uint32_t resident_blocks = 0;  // 0: any number
    int line = 0;
};

struct Instance {
    FrontMatter front;
    ParameterValues parameters;
    std::vector<BufferInstance> buffers;
    std::vector<LaunchInstance> launches;
};

// Errors: unknown parameter, a value outside its range or choices, an expression that does not evaluate (with
// its place), negative or absurd sizes (more than max_bytes of buffers), an unknown buffer in args, a grid or
// block that is no positive 32-bit number, more than 10,000 launches. All are found before anything is
// allocated. `file` is also where images are looked for.
Result<Instance> instantiate(const FrontMatter& front, const ParameterValues& overrides,
                             const std::string& file, std::uint64_t max_bytes = 2ull << 30);

// What the expressions of the front matter may use: the parameters, and count, width and height of every
// buffer
// ("in.count"; the width of a buffer without `shape` is its count, its height 1).
std::map<std::string, std::int64_t, std::less<>> names_of(const Instance& instance);

struct CostAmounts {
    std::int64_t bytes = 0, operations = 0;  // 0: not said
};
// Errors: an expression that does not evaluate, or a negative amount, at its place in `file`.
Result<CostAmounts> cost_of(const Cost& cost, const Instance& instance, const std::string& file);

// "n=1024" → {"n", 1024}; also 2^20, a power, and expressions without names (setting_value in
// lesson/expression.h).
Result<std::pair<std::string, std::int64_t>> parse_setting(const std::string& text);

// The result of one [[expect]].
struct ExpectOutcome {
    std::string buffer;
    bool ok = false;
    std::string mismatch;  // "out[3]: 17, expected 18 (2 of 8 differ)"; empty when ok
};

// Contents of a buffer after the last launch; `set` has one flag per byte, or none when nobody knows: then
// all count as set.
struct BufferResult {
    std::vector<std::byte> contents;
    std::vector<bool> set;
};
using Results = std::map<std::string, BufferResult>;

// Compares with the named host references (references.h) over the initial contents of `instance`. An element
// that was not set is a mismatch. Floating point may differ by the tolerance times the size of the terms
// (1e-5 for float, 1e-12 for double, 2e-3 for half unless the expectation says otherwise).
Result<std::vector<ExpectOutcome>> check(const Instance& instance, const Results& results,
                                         const std::string& file);

}  // namespace lanescope::lesson
