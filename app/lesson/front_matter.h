// The TOML block at the start of a kernel file: parameters, buffers, launches, expectations.
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

// An expression with its position for errors.
struct Expression {
    std::string text;
    int line = 0;
    int column = 0;
};

struct Parameter {
    std::string name;
    std::string label;  // shown beside the control; if empty, the name is shown
    std::int64_t default_value = 0;
    std::optional<std::int64_t> min, max;
    std::vector<std::int64_t> choices;  // empty: any value in [min, max]
    int line = 0;
};

// Returns why the parameter cannot have this value ("7 is not one of its choices 32, 64"); empty if it can.
std::string why_not(const Parameter& parameter, std::int64_t value);

struct Buffer {
    std::string name;
    std::string type;               // "int", "float4", …
    Expression count;               // elements; empty if `shape`, `values` or `text` gives it
    std::vector<Expression> shape;  // {h, w}; the buffer is drawn as a matrix
    std::string space = "global";   // "global", "constant", "device"; the last two mean module-scope symbols
    Expression init;    // "random(0, 9)", "iota", "zero", "constant(3)"; empty: unset, see contents.h
    std::string text;   // its bytes, repeated if `count` is larger
    std::string image;  // path relative to the file
    std::string file;   // path of a .npy or raw file in the file's folder
    std::vector<Expression> addresses;  // "in + 4", "n"; repeated if `count` is larger
    std::vector<double> values;         // repeated if `count` is larger
    std::uint64_t seed = 0;  // of random contents, for other ones of the same form; not in the file
    int line = 0;

    bool has_contents() const {
        return !init.text.empty() || !text.empty() || !image.empty() || !file.empty() || !values.empty() ||
               !addresses.empty();
    }
};

// A buffer that kernels read through a texture object: an argument with this name is the object's handle.
struct TextureEntry {
    std::string name, buffer;
    std::string address = "clamp";  // "border", "wrap", "mirror": what stands beyond the ends
    std::string filter = "point";   // "linear"
    bool normalized = false;        // coordinates from 0 to 1
    int line = 0;
};

struct LaunchSpec {
    std::string kernel;             // "reduce", "reduce<int, Plus>"
    std::vector<Expression> grid;   // 1 to 3
    std::vector<Expression> block;  // 1 to 3
    Expression shared;              // dynamic shared memory in bytes; "0" by default
    std::vector<Expression> args;   // buffers, "in + 4", textures, or expressions
    Expression repeat;              // "r = n / 2; r >= 1; r / 2"; if empty, launch once
    std::vector<Expression> inner;  // repetitions in each round of `repeat`, from the outside inwards
    bool together = false;  // repeated with the launch before it: each round launches one after the other
    bool cooperative = false;
    Expression resident;  // limit of resident blocks; "0" by default: no limit
    int line = 0;
};

struct Expectation {
    std::string buffer;
    Expression equals;  // a host reference (references.h): "block_sums(in, block)"; empty with `values`
    std::vector<double> values;
    Expression first;      // only so many elements are compared; empty: all
    double tolerance = 0;  // relative, for floating-point buffers; 0: the default of the type
    int line = 0;
};

// The bytes and operations that one run of all launches needs at least, for GB/s and operations per second:
// [cost] in the front matter or the keys of the same names in lesson.toml.
struct Cost {
    Expression bytes;  // over parameters and buffer sizes, like `grid`; empty: unknown
    Expression operations;
    std::string peer;  // the library implementation to time beside it; empty: none
};

// How the stage draws an array of the code; array_entries.h reads it.
struct ArrayEntry {
    std::string name;
    std::vector<Expression> shape;    // of the cells that are shown, 1 or 2 extents; empty: as declared
    std::string view;                 // "cells", "matrix", "image", "bars", "text"; empty: proposed
    std::vector<std::string> labels;  // of its cells
    Expression named;                 // instead of the labels: "letters(4)"
    std::vector<std::string> axes;    // names of rows and columns, or empty
    std::string align;                // the array under whose cells its cells stand, or empty
    int line = 0;
};

// How the stage and the warps draw the run.
struct Drawing {
    std::vector<ArrayEntry> arrays;
    std::string lane_label;  // an expression that the lanes show first; empty: proposed
    std::string file;        // of the positions; empty: the kernel's file
};

// What a file says about its compilation; empty: as usual.
struct CompileEntries {
    std::string arch;                  // "sm_90"
    std::string standard;              // "c++20"
    std::vector<std::string> defines;  // "N=1024"
};

// What belongs to a proposed launch and cannot be written into a file.
struct ProposalFacts {
    std::vector<std::string> kernels;  // that a launch can be proposed for, in the order of the texts
    std::vector<std::string> notes;    // what was guessed, a sentence each
    // What the command line or host code states, and what is a guess: "grid", "count a", "fill a", "value n".
    std::vector<std::string> stated, guessed;
};

struct FrontMatter {
    bool present = false;  // false if the file has no front matter
    std::string file;      // where it stands, if not in the kernel's file
    std::string title;
    std::string exercise;  // that the file solves: "reduction/fix_the_race"; empty: none
    CompileEntries compiler;
    std::vector<Parameter> parameters;  // in the order of the file
    std::vector<Buffer> buffers;
    std::vector<TextureEntry> textures;
    std::vector<LaunchSpec> launches;
    std::vector<Expectation> expectations;
    std::vector<std::string> expected_problems;  // kinds in JSON spelling: [expect] problems = ["race"]
    Cost cost;
    Drawing drawing;
    ProposalFacts proposal;             // of a front matter that was proposed
    int first_line = 0, last_line = 0;  // lines of the comment in the file
};

// Reads the comment "/*--- lanescope … ---*/" before any code. Errors have file, line, column and what was
// expected.
Result<FrontMatter> parse_front_matter(std::string_view source, const std::string& file);

// Reads a file of its own that holds the TOML without comment marks.
Result<FrontMatter> parse_front_matter_file(std::string_view toml, const std::string& file);

// The kinds of problems in JSON's spelling: "race", "unsynced_lanes", …
const std::vector<std::string>& problem_kind_names();

// Returns the template kernels that launches name, such as "reduce<int>", each once. They are the same for
// all values of the parameters, so that a parameter never changes what is compiled.
std::vector<std::string> template_kernels(const FrontMatter& front);

// Returns the front matter as text with its comment marks, for a file that has none yet.
std::string write_front_matter(const FrontMatter& front);

// The range of the TOML in a source's front matter, without the comment marks; nothing if there is no front
// matter.
struct TextRange {
    std::size_t begin = 0, end = 0;
};
std::optional<TextRange> front_matter_range(std::string_view source);

// For each entry of a changed front matter, the index of the original entry; -1 for a new entry.
struct FrontMatterOrigins {
    std::vector<int> parameters, buffers, launches, expectations;
};
// Returns the source with title, parameters, buffers, launches and expectations of `wanted` instead of its
// own. Changes only keys with other values, in place, so that comments, order and alignment stay. If that is
// impossible (a table in an unusual notation), writes the front matter anew. A source without front matter
// gets it before its first line.
std::string with_front_matter(const std::string& source, const FrontMatter& wanted,
                              const FrontMatterOrigins& origins);

}  // namespace lanescope::lesson
