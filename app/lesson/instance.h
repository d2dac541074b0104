// Front matter with values for its parameters: sizes, contents and launches as numbers, and the check of the
// results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/value_type.h"
#include "lesson/front_matter.h"

namespace lanescope::lesson {

using ParameterValues = std::map<std::string, std::int64_t>;

struct BufferAddress {
    std::string buffer;
    std::uint64_t offset_bytes = 0;  // at most the buffer's size
};

struct BufferInstance {
    std::string name;
    std::string type;
    std::uint32_t element_bytes = 0;
    std::uint64_t count = 0;
    std::vector<std::uint64_t> extents;  // {count} or {rows, columns}
    std::string space;
    bool text = false;
    bool initialised = false;         // false: poison, or the module's value of a module-scope symbol
    std::vector<std::byte> contents;  // count × element_bytes if initialised
    // The addresses that the engine puts into the contents, by their bytes there.
    std::map<std::uint64_t, BufferAddress> addresses;
};

// How an array is drawn, where the file says so: a buffer with two extents, or an entry of [arrays].
struct ShapeInstance {
    std::string name;
    std::vector<std::uint64_t> extents;  // of the cells that are shown; empty: as declared
    std::string view;                    // one of array_views; empty: proposed
    std::vector<std::string> labels;     // of its cells
    std::vector<std::string> axes;       // names of its rows and columns
    std::string align;                   // the array under whose cells its cells stand; empty: none
};

struct Argument {
    bool is_buffer = false;
    BufferAddress address;     // of a buffer; a texture has its name here
    std::int64_t integer = 0;  // value of an expression; the engine converts it to the parameter's type
    double real = 0;
    bool is_real = false;
};

struct LaunchInstance {
    std::string kernel;
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::uint64_t shared_bytes = 0;
    std::vector<Argument> arguments;
    bool cooperative = false;
    std::uint32_t resident_blocks = 0;  // 0: no limit
    int line = 0;
};

struct Instance {
    FrontMatter front;
    ParameterValues parameters;
    std::vector<BufferInstance> buffers;
    std::vector<LaunchInstance> launches;
    std::vector<ShapeInstance> shapes;
};

// Errors: unknown parameter, a value outside its range or choices, an expression that does not evaluate (with
// its position), negative or absurd sizes (more than max_bytes of buffers), an unknown buffer in args, a grid
// or block that is not a positive 32-bit number, more than 10,000 launches. All are found before any
// allocation. Paths of images are relative to the folder of `file`.
Result<Instance> instantiate(const FrontMatter& front, const ParameterValues& overrides,
                             const std::string& file, std::uint64_t max_bytes = 2ull << 30);

// Returns the names for expressions of the front matter: the parameters, and count, width and height of every
// buffer ("in.count"). The width of a buffer without `shape` is its count and its height is 1.
std::map<std::string, std::int64_t, std::less<>> names_of(const Instance& instance);

struct CostAmounts {
    std::int64_t bytes = 0, operations = 0;  // 0: unknown
};
// Errors, with their position in `file`: an expression that does not evaluate, a negative amount.
Result<CostAmounts> cost_of(const Cost& cost, const Instance& instance, const std::string& file);

// Parses "n=1024" to {"n", 1024}. The value may be a power, 2^20, or an expression without names
// (setting_value in lesson/expression.h).
Result<std::pair<std::string, std::int64_t>> parse_setting(const std::string& text);

// The result of one [[expect]].
struct ExpectOutcome {
    std::string buffer;
    bool ok = false;
    std::string mismatch;                  // "out[3]: 17, expected 18 (2 of 8 differ)"; empty if ok
    std::optional<std::uint64_t> element;  // the first one that differs
};

// Contents of a buffer after the last launch. `set` has one flag per byte; if it is empty, all bytes count as
// set.
struct BufferResult {
    std::vector<std::byte> contents;
    std::vector<bool> set;
};
using Results = std::map<std::string, BufferResult>;

// Compares the results with the host references (references.h) over the initial contents of `instance`. An
// element that was not set is a mismatch. Floating point may differ by the tolerance times the size of the
// terms (1e-5 for float, 1e-12 for double, 2e-3 for half unless the expectation sets another).
Result<std::vector<ExpectOutcome>> check(const Instance& instance, const Results& results,
                                         const std::string& file);

}  // namespace lanescope::lesson
