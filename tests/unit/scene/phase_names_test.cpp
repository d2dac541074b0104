// Names of phases from a loop variable.
#include "scene/timeline/phase_names.h"

#include <gtest/gtest.h>

#include "trace/recorder.h"

namespace lanescope::scene {
namespace phase_names_test {

// A warp passes four barriers; `stride` doubles from phase to phase, `same` stays, `lane` differs between
// threads.
std::shared_ptr<trace::Trace> record(bool doubling) {
    trace::Program program;
    const TypeId whole = program.types.named("int");
    program.source = {"kernel.cu", "a\n"};
    program.code_rows = {{0, 1, 1, 1}};
    trace::Function kernel;
    kernel.name = "kernel";
    kernel.user_code = true;
    kernel.end_pc = 1;
    kernel.slots = 3;
    for (const char* name : {"same", "lane", "stride"}) {
        trace::Variable variable;
        variable.name = name;
        variable.type = whole;
        variable.slot = std::uint32_t(kernel.variables.size());
        variable.scope_end_pc = 1;
        kernel.variables.push_back(variable);
    }
    program.functions = {kernel};
    trace::Recorder recorder;
    recorder.set_program(std::move(program));
    trace::Launch launch;
    launch.kernel = "kernel";
    launch.block.x = 32;
    recorder.begin_launch(launch);
    std::uint64_t before[3][32] = {};
    for (std::uint64_t phase = 0; phase < 4; ++phase) {
        recorder.begin_turn(0, 0, ~0u, 0, 1, 0);
        for (std::uint32_t slot = 0; slot < 3; ++slot) {
            std::uint64_t after[32];
            for (std::uint64_t lane = 0; lane < 32; ++lane)
                after[lane] = slot == 0 ? 7 : slot == 1 ? lane + phase : doubling ? 1ull << phase : 5;
            recorder.variable(slot, ~0u, before[slot], after, phase == 0 ? ~0u : 0);
            std::copy(after, after + 32, before[slot]);
        }
        recorder.end_turn(phase == 3 ? trace::TurnEnd::exited : trace::TurnEnd::barrier, 1);
    }
    recorder.end_launch();
    return recorder.finish();
}

std::vector<std::string> names(const trace::Trace& trace) {
    std::vector<PhaseSpan> phases;
    for (std::uint64_t turn = 0; turn < 4; ++turn)
        phases.push_back({0, 0, turn});
    return phase_names(trace, phases);
}

TEST(PhaseNames, come_from_the_variable_that_changes) {
    EXPECT_EQ(names(*record(true)),
              (std::vector<std::string>{"stride 1", "stride 2", "stride 4", "stride 8"}));
}

TEST(PhaseNames, are_left_out_where_nothing_changes) {
    EXPECT_EQ(names(*record(false)), std::vector<std::string>(4));
}

}  // namespace phase_names_test
}  // namespace lanescope::scene
