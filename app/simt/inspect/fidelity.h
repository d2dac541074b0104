// How far the machine's results may be trusted, instruction by instruction: compared with a GPU's in
// tests/parity.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::simt {

struct Fidelity {
    enum class Kind : std::uint8_t {
        exact,        // the GPU's bits
        approximate,  // within a stated distance
        order,        // a sum whose last bits depend on the order of threads, as on a GPU
        own,          // a value that each machine has for itself, such as a clock
        unrecorded    // not compared
    };
    Kind kind = Kind::exact;
    std::uint64_t ulp = 0;  // of approximate: at most so many units of the last place
    double absolute = 0;    // or this distance, where results pass through zero; 0: `ulp` counts
    std::string why;
};
const char* to_text(Fidelity::Kind kind);
// "at most 2 units of the last place from an NVIDIA H200's"; empty if it is exact.
std::string words_of(const Fidelity& fidelity);

struct ComparedDevice {
    const char *device, *driver, *date;
    std::uint32_t forms, opcodes;
};
ComparedDevice compared_device();

// The instruction of a line of PTX, without its guard: "ex2.approx.f32"; empty if there is none.
std::string_view instruction_in(std::string_view line);
// The fidelity of the instruction in a line of PTX.
Fidelity fidelity_of(std::string_view line);

struct InexactInstruction {
    std::string instruction;
    Fidelity fidelity;
    std::vector<std::uint32_t> lines;  // of the source, ascending
};
// Collects the instructions that are not exact, in the order in which they come.
class InexactInstructions {
  public:
    void add(std::string_view ptx_line, std::uint32_t line);  // line 0: not known
    const std::vector<InexactInstruction>& found() const { return found_; }

  private:
    std::vector<InexactInstruction> found_;
};

// Every row of the table, for people and for tests: instructions with their fidelity.
const std::vector<InexactInstruction>& fidelity_table();

}  // namespace lanescope::simt
