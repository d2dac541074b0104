// One instruction set's choice of executors; compiled once for each.
#include "simt/exec/select.h"
#include "simt/exec/selector.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

namespace {

Exec select_arithmetic(const ptx::Instruction& instruction) {
    for (auto* family : {&select_integer, &select_bits, &select_float, &select_half, &select_compare,
                         &select_move, &select_packed, &select_convert})
        if (const Exec exec = family(instruction)) return exec;
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
