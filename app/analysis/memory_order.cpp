#include "analysis/memory_order.h"

#include "ptx/module.h"

namespace lanescope::analysis {
namespace {

using ptx::Mod;
using ptx::Op;
using trace::FenceScope;

FenceScope scope_of(const ptx::Instruction& instruction) {
    if (instruction.has(Mod::cta)) return FenceScope::block;
    if (instruction.has(Mod::cluster)) return FenceScope::cluster;
    return instruction.has(Mod::sys) ? FenceScope::system : FenceScope::gpu;
}

MemoryOrder plain(const ptx::Instruction& instruction) {
    MemoryOrder order;
    order.is_volatile = instruction.has(Mod::volatile_);
    order.acquires = instruction.has(Mod::acquire);
    order.releases = instruction.has(Mod::release);
    order.strong = order.is_volatile || order.acquires || order.releases || instruction.has(Mod::relaxed);
    order.scope = order.is_volatile ? FenceScope::system : scope_of(instruction);
    return order;
}

MemoryOrder atomic(const ptx::Instruction& instruction) {
    MemoryOrder order;
    order.strong = order.atomic = true;
    order.compares = instruction.has(Mod::cas);
    order.polls = order.compares || instruction.has(Mod::exch);
    const bool both = instruction.has(Mod::acq_rel);
    order.acquires = both || instruction.has(Mod::acquire);
    order.releases = both || instruction.has(Mod::release);
    order.scope = scope_of(instruction);
    return order;
}

// Arriving releases and waiting acquires unless the instruction says otherwise.
MemoryOrder barrier_object(bool arrives, bool waits) {
    MemoryOrder order;
    order.strong = order.atomic = true;
    order.releases = arrives;
    order.acquires = waits;
    return order;
}

}  // namespace

MemoryOrder memory_order(const ptx::Instruction* instruction) {
    if (instruction == nullptr) return {};
    switch (instruction->op) {
        case Op::ld:
        case Op::st:
            return plain(*instruction);
        case Op::atom:
        case Op::red:
            return atomic(*instruction);
        case Op::mbarrier_arrive:
        case Op::mbarrier_arrive_expect_tx:
        case Op::mbarrier_arrive_drop:
        case Op::mbarrier_arrive_drop_expect_tx:
        case Op::mbarrier_expect_tx:
        case Op::mbarrier_complete_tx:
        case Op::cp_async_mbarrier_arrive:
            return barrier_object(true, false);
        case Op::mbarrier_test_wait:
        case Op::mbarrier_try_wait:
            return barrier_object(false, true);
        case Op::barrier_cluster_arrive: {
            MemoryOrder order;
            order.relaxed_arrival = instruction->has(Mod::relaxed);
            return order;
        }
        case Op::cp_async_bulk:
        case Op::cp_async_bulk_tensor:
        case Op::st_async:
        case Op::red_async: {
            MemoryOrder order;
            order.asynchronous = true;
            return order;
        }
        default:
            return {};
    }
}

}  // namespace lanescope::analysis
