// Barriers that some lanes of a warp miss. A warp arrives at bar.sync as a whole on hardware; here lanes are
// counted, and what a real machine does not promise is reported.
#include <string>

#include "simt/control.h"
#include "simt/faults.h"
#include "simt/run.h"

namespace lanescope::simt {

namespace {

// Nothing but the way out of the kernel: moves, jumps, return.
bool leaves_directly(const Warp& warp, std::uint32_t pc) {
    if (warp.frame->parent != nullptr) return false;
    const Program& program = warp.run->program;
    const DecodedFunction& function = program.functions[warp.frame->function];
    for (unsigned steps = 0; steps < 64 && pc < function.end_pc; ++steps) {
        const Decoded& decoded = warp.run->code()[pc];
        if ((decoded.flags & decoded_flag::flow_only) == 0) return false;
        const ptx::Op op = program.ops[pc];
        if (op == ptx::Op::ret || op == ptx::Op::exit) return true;
        pc = op == ptx::Op::bra ? decoded.target : pc + 1;
    }
    return false;
}

const Group* waiting_elsewhere(const Warp& warp, std::uint32_t pc) {
    for (const Group& group : warp.groups)
        if (group.state == GroupState::at_barrier && group.wait_pc != pc) return &group;
    return nullptr;
}

void report_apart(Warp& warp, const Group& waiting, std::uint32_t pc, Mask lanes, const std::string& what) {
    Frame* running = warp.frame;
    warp.frame = waiting.frame;
    const std::string others = threads_text(lanes, warp.first_thread());
    report(warp, trace::ProblemKind::barrier_divergence, waiting.wait_pc, waiting.mask,
           "waited at a barrier while " + others + " of the same warp " + what, pc, running);
    warp.frame = running;
}

}  // namespace

void check_barrier_alignment(Warp& warp, std::uint32_t pc) {
    if (warp.groups.size() < 2) return;
    const Group& self = warp.groups[warp.current];
    if (const Group* other = waiting_elsewhere(warp, pc))
        return report_apart(warp, *other, pc, warp.active, "waited at another one");
    if (!self.ran_past) return;
    for (const Group& group : warp.groups)
        if (group.state == GroupState::at_barrier)
            return report_apart(warp, group, pc, warp.active, "ran past it and came back");
}

void report_skipped_barrier(Warp& warp, std::uint32_t pc, Mask lanes) {
    if (warp.groups.size() < 2 || !warp.groups[warp.current].ran_past) return;
    for (const Group& group : warp.groups)
        if (group.state == GroupState::at_barrier)
            return report_apart(warp, group, pc, lanes, "ran past it to the end of the kernel");
}

void note_running_past(Warp& warp) {
    Group& self = warp.groups[warp.current];
    if (self.ran_past) {
        bool anyone = false;
        for (const Group& group : warp.groups)
            anyone = anyone || group.state == GroupState::at_barrier;
        self.ran_past = anyone;
        return;
    }
    for (const Group& group : warp.groups) {
        if (group.state != GroupState::at_barrier || compare_positions(group, self) >= 0) continue;
        self.ran_past = !leaves_directly(warp, self.pc);
        return;
    }
}

}  // namespace lanescope::simt
