// What NVIDIA's assembler makes of a file's kernels: registers, spills, shared memory; and, by its
// disassembler, which lines have many registers in use and which lines spill.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "compile/disassembler.h"

namespace lanescope::session {

struct KernelResources {
    std::string kernel;  // as the file names it
    std::string symbol;
    int registers = 0;  // of a thread
    // For one thread; the stack holds arrays and what is spilled. Each spilling instruction counts once.
    std::uint64_t stack_bytes = 0, spill_store_bytes = 0, spill_load_bytes = 0;
    std::uint64_t shared_bytes = 0, constant_bytes = 0;  // static, of a block; the first constant bank
    int barriers = 0;

    bool spills() const { return spill_store_bytes + spill_load_bytes > 0; }
};

// The instructions of one line, in all kernels.
struct LineResources {
    std::uint32_t line = 0;
    int live_registers = 0;  // the most at one of its instructions
    std::uint32_t instructions = 0;
    std::uint32_t spill_stores = 0, spill_loads = 0;
    std::uint64_t spill_store_bytes = 0, spill_load_bytes = 0;  // of a thread
    std::uint32_t local_stores = 0, local_loads = 0;            // of arrays and the stack

    bool spills() const { return spill_stores + spill_loads > 0; }
};

struct Resources {
    std::string target;
    std::vector<KernelResources> kernels;
    std::vector<LineResources> lines;  // ascending
    std::string absent;                // the reason why there are no kernels; empty if there are some
    std::string lines_absent;          // the same for lines

    const KernelResources* of_kernel(const std::string& kernel) const;
    const LineResources* of_line(std::uint32_t line) const;
    int most_live() const;
};

// The code that is examined.
struct ExaminedCode {
    std::string ptx;
    std::string user_file;                       // its name in the PTX's .file entries
    std::map<std::string, std::string> symbols;  // of kernels, by their names
};
Resources resources_of(const ExaminedCode& code);

// Reads the assembler's notes: "Used 32 registers, …". Kernels have the names of their symbols.
std::vector<KernelResources> read_assembler_notes(const std::vector<std::string>& notes);
// Reads what nvdisasm prints. Versions before 13.2 do not mark spills; then accesses beside the stack pointer
// are spills in kernels of which the assembler says so.
std::vector<LineResources> read_disassembly(const compile::Disassembly& printed, const std::string& user_file,
                                            const std::vector<KernelResources>& kernels);

// "32 registers a thread; spills 808 bytes of stores and 864 bytes of loads a thread; …"
std::string kernel_words(const KernelResources& kernel);
// "32 live registers; spills 3 stores (12 bytes) and 2 loads (8 bytes)"
std::string line_words(const LineResources& line);

nlohmann::ordered_json to_json(const Resources& resources);

}  // namespace lanescope::session
