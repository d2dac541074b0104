// The arguments of a proposed launch: each parameter of the kernel as a buffer, a size, a number, or a
// structure of them. Their types follow from the debug information, else from the name of the symbol and from
// the code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "execution/proposal/parameter_facts.h"
#include "execution/ptx/kernel_signature.h"
#include "lesson/front_matter.h"
#include "lesson/launch_words.h"
#include "lesson/proposal/stated_launch.h"
#include "ptx/debug_info.h"

namespace lanescope::execution {

struct KernelArgument {
    enum class Kind : std::uint8_t {
        buffer,
        table,  // a buffer of addresses: of the rows of `rows`
        fixed,  // a structure by value, whose contents are `form`
        size,
        whole,
        computed,  // from others, as `text` says
        real,
        unused
    };
    std::string name;
    Kind kind = Kind::unused;
    lesson::Buffer form;                // of a buffer: the type and contents of what is read
    std::int64_t cells = 1;             // of the buffer, for one element of the kernel's type
    std::uint32_t dimensions = 0;       // of an array of Numba's
    std::size_t word = 0;               // in KernelFacts::words; of an array, that of its address
    std::string rows;                   // of a table
    std::string literal;                // of a real number
    std::string text;                   // host code computes the number from others: "2 * n"
    std::optional<std::int64_t> value;  // of a size or whole number: host code passes it, or the name says it
    std::optional<std::int64_t> allocated_bytes;
    bool guessed = false;  // nothing says what the number means
    bool choice = false;   // an enumeration

    bool is_memory() const { return kind == Kind::buffer || kind == Kind::table; }
    std::uint64_t element_bytes() const;  // of the kernel's type
};

// A structure by value, and what lies in it.
struct KernelStructure {
    struct Part {
        std::size_t argument = 0;
        std::uint64_t offset = 0;
        std::uint32_t bytes = 8;
    };
    std::string name;
    std::uint64_t size_bytes = 0;
    std::vector<Part> parts;
};

struct KernelArguments {
    std::vector<KernelArgument> arguments;
    std::vector<KernelStructure> structures;
    // For each parameter of the PTX, its argument's number, or that of its structure behind them.
    std::vector<std::size_t> of_parameter;
    bool names_known = false, types_known = false;
    std::vector<std::string> sizes;  // names, in order
    std::string extent;              // the size of Numba's arrays in every dimension; empty: there are none

    // The size that the word holds: its name, or what it is computed from; empty: it holds another thing.
    std::string size_of_word(std::size_t word, const KernelFacts& facts) const;
    std::string free_name(std::string name) const;  // that no argument has
};

struct KernelText {
    std::string file;
    std::string source;                  // of the file that defines the kernel; empty: it is not there
    const lesson::StatedLaunch* stated;  // null: the text does not say it
    lesson::StatedParts parts;           // what a person states, which comes first
};

// Errors: an argument that no front matter can state, such as a structure with pointers behind a pointer.
Result<KernelArguments> arguments_of(const ptx::Module& module, const ptx::Function& kernel,
                                     const ptx::DebugInfo& debug, const KernelFacts& facts,
                                     const KernelText& text);

}  // namespace lanescope::execution
