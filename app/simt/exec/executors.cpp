#include "simt/exec/executors.h"

#include "simt/lanewise/selector.h"

namespace lanescope::simt {

namespace {

Exec select_lane_by_lane(const ptx::Instruction& instruction, bool) {
    return selector().arithmetic(instruction);
}

}  // namespace

Exec select_none(const ptx::Instruction&, bool) {
    return nullptr;
}

Exec select_executor(const ptx::Instruction& instruction, bool traced) {
    using Select = Exec (*)(const ptx::Instruction&, bool);
    static constexpr Select by_opcode[] = {
#define LANESCOPE_OP(name, text, operands, flags, counted, flow, blocks, form, executor) &select_##executor,
#define LANESCOPE_LANE_OP(...) &select_lane_by_lane,
#include "ptx/opcodes.def"
    };
    return by_opcode[static_cast<std::size_t>(instruction.op)](instruction, traced);
}

}  // namespace lanescope::simt
