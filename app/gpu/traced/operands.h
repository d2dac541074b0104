// Instructions of which the operands are recorded: what they do to memory follows from these and from what
// memory holds.
#pragma once

#include <vector>

#include "ptx/instrument.h"
#include "ptx/module.h"

namespace lanescope::gpu {

// How the decoder treats an instruction, beyond single loads, stores and atomic operations.
enum class Operation : std::uint8_t {
    none,
    fetch,          // tex, tld4
    surface,        // suld, sust
    matrix_rows,    // ldmatrix, stmatrix
    matrix,         // wmma.load, wmma.store
    copy,           // cp.async
    bulk_copy,      // cp.async.bulk
    copy_arrival,   // cp.async.mbarrier.arrive
    barrier_object  // mbarrier.*
};

Operation operation_of(const ptx::Instruction& made);

// What is recorded before the instruction, in this order:
//   fetch         object, coordinates (with the layer, as written)
//   surface       object, coordinates, of sust the stored elements
//   matrix_rows   address, of stmatrix the registers
//   matrix        address, leading dimension if it is written, of wmma.store the registers
//   copy          destination, source, then the source's size or the predicate that ignores it, if written
//   bulk_copy     destination, source, size, of copies into shared memory the mbarrier object
//   copy_arrival  the mbarrier object
//   barrier_object  its address, then the other sources
std::vector<ptx::RecordedOperand> recorded_operands(const ptx::Instruction& made);

// Whether the first operand is recorded afterwards: the state of an mbarrier object, or whether a wait
// succeeded.
bool records_result(const ptx::Instruction& made);

// Tests of mbarrier objects: the time at which they end decides about their place in the trace.
inline bool tests_barrier_object(ptx::Op op) {
    return op == ptx::Op::mbarrier_test_wait || op == ptx::Op::mbarrier_try_wait;
}

}  // namespace lanescope::gpu
