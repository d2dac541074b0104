#include "analysis/memory_order.h"

#include "analysis/code.h"
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

MemoryOrder order_of(const ptx::Instruction* instruction) {
    if (instruction == nullptr) return {};
    const Op op = instruction->op;
    const unsigned flags = ptx::info(op).flags;
    MemoryOrder order;
    order.copies = op == Op::cp_async;
    order.asynchronous = (flags & ptx::op_flag::async) != 0;
    if ((flags & ptx::op_flag::warp_sync) != 0 && op != Op::bar_warp_sync)
        order.exchange = ptx::info(op).text;
    order.relaxed_arrival = op == Op::barrier_cluster_arrive && instruction->has(Mod::relaxed);
    if (order.asynchronous || order.relaxed_arrival) return order;
    if (!order.exchange.empty()) return order;
    if (op == Op::ld || op == Op::st) return plain(*instruction);
    if ((flags & ptx::op_flag::atomic) != 0) return atomic(*instruction);
    const bool arrives = (flags & ptx::op_flag::arrives) != 0, tests = (flags & ptx::op_flag::tests) != 0;
    return arrives || tests ? barrier_object(arrives, tests) : order;
}

}  // namespace

// For targets before sm_80, CUDA's header builds barriers from atomics, and waits for them with a volatile
// load that no fence follows. __mbarrier_test_wait() promises the order all the same.
MemoryOrder memory_order(const Code& code, std::uint32_t pc) {
    MemoryOrder order = order_of(code.at(pc));
    if (order.is_volatile && code.file_at(pc).ends_with("cuda_awbarrier_helpers.h")) order.acquires = true;
    return order;
}

}  // namespace lanescope::analysis
