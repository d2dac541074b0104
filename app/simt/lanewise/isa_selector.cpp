// One instruction set's choice of executors; compiled once for each.
#include "simt/lanewise/select.h"
#include "simt/lanewise/selector.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

namespace {

Exec select_arithmetic(const ptx::Instruction& instruction) {
    switch (instruction.op) {
#define LANESCOPE_OP(name, ...) \
    case ptx::Op::name:         \
        break;
#define LANESCOPE_LANE_OP(name, text, operands, flags, counted, flow, blocks, form, executor) \
    case ptx::Op::name:                                                                       \
        return select_##executor(instruction);
#include "ptx/opcodes.def"
    }
    return nullptr;
}

#define LANESCOPE_TEXT_OF(word) #word
#define LANESCOPE_TEXT(word) LANESCOPE_TEXT_OF(word)
constexpr Selector table{LANESCOPE_TEXT(LANESCOPE_SIMT_ISA),
                         &select_arithmetic,
                         &select_load,
                         &select_store,
                         &select_slot_load,
                         &select_slot_store};

}  // namespace

const Selector* isa_selector() {
    return &table;
}

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
