#include "gpu/sampled/stall_reasons.h"

namespace lanescope::gpu {

// After NVIDIA, Nsight Compute documentation, "Warp Stall Sampling".
const std::vector<StallReason>& stall_reasons() {
    static const std::vector<StallReason> all{
        {"issues", "issues an instruction", "issues", "selected"},
        {"global_memory", "waits for global or local memory", "global memory", "long_scoreboard"},
        {"shared_memory", "waits for shared memory or another short operation", "shared memory",
         "short_scoreboard"},
        {"barrier", "waits at a barrier for other warps", "a barrier", "barrier"},
        {"arithmetic", "waits for the result of the instruction before", "arithmetic", "wait"},
        {"not_selected", "is ready, but another warp issues", "another warp", "not_selected"},
        {"memory_queue", "waits because too many memory accesses are queued", "the memory queue",
         "lg_throttle"},
        {"shared_queue", "waits because too many shared-memory accesses are queued",
         "the shared-memory queue", "mio_throttle"},
        {"pipe_busy", "waits for an arithmetic unit that is busy", "a busy unit", "math_pipe_throttle"},
        {"texture_queue", "waits because too many texture accesses are queued", "the texture queue",
         "tex_throttle"},
        {"constant_cache", "waits for constant memory", "constant memory", "imc_miss"},
        {"instructions", "waits for its next instructions", "instructions", "no_instructions"},
        {"instructions", "waits for its next instructions", "instructions", "no_inst"},
        {"branch", "waits for the target of a branch", "a branch", "branch_resolving"},
        {"fence", "waits for a fence or an atomic operation to be seen", "a fence", "membar"},
        {"dispatch", "waits for the dispatch of its instruction", "dispatch", "dispatch_stall"},
        {"dispatch", "waits for the dispatch of its instruction", "dispatch", "dispatch"},
        {"sleeping", "sleeps (__nanosleep)", "its sleep", "sleeping"},
        {"drain", "has ended and waits for its stores", "its stores", "drain"},
        {"warpgroup", "waits for other warps of its warp group", "its warp group", "gmma"},
        {"warpgroup", "waits for other warps of its warp group", "its warp group", "warpgroup_arrive"},
        {"other", "waits for another reason", "another reason", "misc"},
    };
    return all;
}

std::string_view stall_name(std::string_view cupti) {
    constexpr std::string_view stalled = "_stalled_", not_issued = "_not_issued";
    if (cupti.ends_with(not_issued)) cupti.remove_suffix(not_issued.size());
    if (const std::size_t at = cupti.rfind(stalled); at != std::string_view::npos)
        cupti.remove_prefix(at + stalled.size());
    for (const StallReason& reason : stall_reasons())
        if (reason.cupti == cupti) return reason.name;
    return "other";
}

std::string_view stall_words(std::string_view name) {
    for (const StallReason& reason : stall_reasons())
        if (reason.name == name) return reason.words;
    return stall_reasons().back().words;
}

std::string_view stall_cause(std::string_view name) {
    for (const StallReason& reason : stall_reasons())
        if (reason.name == name) return reason.cause;
    return stall_reasons().back().cause;
}

}  // namespace lanescope::gpu
