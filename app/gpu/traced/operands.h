// Instructions of which the operands are recorded: what they do to memory follows from these and from what
// memory holds.
#pragma once

#include <vector>

#include "ptx/instrument.h"
#include "ptx/module.h"

namespace lanescope::gpu {

// Whether what an instruction does to memory is found from its recorded operands: forms beyond single loads,
// stores and atomic operations.
bool records_operands(const ptx::Instruction& made);

// What is recorded before the instruction, by its form, in this order:
//   sample        object, coordinates (with the layer, as written)
//   surface       object, coordinates, of sust the stored elements
//   matrix_rows   address, of stmatrix the registers
//   fragment      address, leading dimension if it is written, of wmma.store the registers
//   copy          destination, source, then the source's size or the predicate that ignores it, if written
//   bulk_copy     destination, source, size, of copies into shared memory the mbarrier object
//   copy_arrival  the mbarrier object
//   mbarrier      its address, then the other sources
std::vector<ptx::RecordedOperand> recorded_operands(const ptx::Instruction& made);

// Whether the first operand is recorded afterwards: the state of an mbarrier object, or whether a wait
// succeeded.
bool records_result(const ptx::Instruction& made);

// Tests of mbarrier objects: the time at which they end decides about their place in the trace.
inline bool tests_barrier_object(ptx::Op op) {
    return (ptx::info(op).flags & ptx::op_flag::tests) != 0;
}

}  // namespace lanescope::gpu
