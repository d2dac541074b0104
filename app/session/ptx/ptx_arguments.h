// The arguments of a proposed launch: each parameter of the PTX as a buffer, a size, a number, or a structure
// of them.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "session/ptx/kernel_signature.h"
#include "session/ptx/parameter_facts.h"

namespace lanescope::session {

struct PtxArgument {
    enum class Kind : std::uint8_t { buffer, size, whole, real, unused };
    std::string name;
    Kind kind = Kind::unused;
    std::string type;              // of a buffer's elements
    std::uint32_t dimensions = 0;  // of an array of Numba's
    std::size_t word = 0;          // in KernelFacts::words; of an array, that of its address
    bool guessed = false;          // nothing says what the number means
};

// A parameter of the PTX that is a structure, and what lies in it.
struct PtxStructure {
    std::string name;
    std::uint32_t parameter = 0;
    std::uint64_t size_bytes = 0;
    std::vector<std::size_t> parts;  // arguments
};

struct PtxArguments {
    std::vector<PtxArgument> arguments;
    std::vector<PtxStructure> structures;
    // For each parameter of the PTX, its argument's number, or that of its structure behind them.
    std::vector<std::size_t> of_parameter;
    SourceSignature signature;
    std::vector<std::string> sizes;  // names, in order
    std::string extent;              // the size of Numba's arrays in every dimension; empty: there are none

    // The name of the size that the word holds; empty: it holds another thing.
    std::string size_of_word(std::size_t word, const KernelFacts& facts) const;
};

// Error: a structure whose size is not a multiple of eight bytes.
Result<PtxArguments> arguments_of(const ptx::Function& kernel, const KernelFacts& facts,
                                  const std::string& source, const std::string& file);

}  // namespace lanescope::session
