// Registers and spills of kernels and lines, from what NVIDIA's programs print.
#include "session/clock/resources.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "session/clock/clock.h"

namespace lanescope::session {
namespace resources_test {

// What nvJitLink 13.0 says with -verbose.
const std::vector<std::string> notes{
    "ptxas info    : 0 bytes gmem",
    "ptxas info    : Compiling entry function '_Z5tightPKfPfi' for 'sm_90'",
    "ptxas info    : Function properties for _Z5tightPKfPfi",
    "ptxas         .     376 bytes stack frame, 808 bytes spill stores, 864 bytes spill loads",
    "ptxas info    : Used 32 registers, used 1 barriers, 512 bytes smem",
    "ptxas info    : Compile time = 46.447 ms",
    "info    : 0 bytes gmem",
    "info    : Function properties for '_Z5tightPKfPfi':",
    "info    : used 32 registers, used 1 barriers, 376 stack, 1536 bytes smem, 548 bytes cmem[0], 0 bytes "
    "lmem",
    "ptxas info    : Compiling entry function '_Z5roomyPi' for 'sm_90'",
    "ptxas info    : Function properties for _Z5roomyPi",
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads",
    "ptxas info    : Used 60 registers, used 0 barriers, 16 bytes smem, 360 bytes cmem[0]"};

// Two lines of a kernel's code, as nvdisasm 13.5 prints them.
const compile::Disassembly printed{
    "\t.section\t.text._Z5tightPKfPfi,\"ax\",@progbits\n"
    "_Z5tightPKfPfi:\n"
    "\t//## File \"/a.cu\", line 5\n"
    "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
    ".L_x_5:\n"
    "        /*0010*/                   STL.64 [R1+0x38], R4                       (*\"SpillRefill\"*);\n"
    "\t//## File \"/usr/include/vector.h\", line 7\n"
    "        /*0020*/                   STL [R1+0x40], R5                          (*\"SpillRefill\"*);\n"
    "\t//## File \"/a.cu\", line 8\n"
    "        /*0030*/              @!P0 LDL R5, [R1+0x40]                          (*\"SpillRefill\"*);\n"
    "        /*0040*/                   LDL.128 R8, [R3] ;\n"
    "\t.section\t.text._Z5roomyPi,\"ax\",@progbits\n"
    "        /*0000*/                   NOP ;\n",
    "\t.section\t.text._Z5tightPKfPfi,\"ax\",@progbits\n"
    "                                             // +-------+--------+--------+\n"
    "                                             // | GPR   | PRED   | UGPR   |\n"
    "        /*0000*/                   LDC R1, c[0x0][0x28] ;     // |   1   |        |   2    |\n"
    "        /*0010*/                   STL.64 [R1+0x38], R4 ;     // |  12   |        |        |\n"
    "        /*0020*/                   STL [R1+0x40], R5 ;        // |  30   |        |        |\n"
    "        /*0030*/              @!P0 LDL R5, [R1+0x40] ;        // |   8   |        |        |\n"
    "        /*0040*/                   LDL.128 R8, [R3] ;         // |   9   |        |        |\n"};

TEST(Resources, are_read_from_the_assemblers_notes) {
    const std::vector<KernelResources> kernels = read_assembler_notes(notes);
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].symbol, "_Z5tightPKfPfi");
    EXPECT_EQ(kernels[0].registers, 32);
    EXPECT_EQ(kernels[0].barriers, 1);
    EXPECT_EQ(kernels[0].stack_bytes, 376u);
    EXPECT_EQ(kernels[0].spill_store_bytes, 808u);
    EXPECT_EQ(kernels[0].spill_load_bytes, 864u);
    EXPECT_EQ(kernels[0].shared_bytes, 512u);
    EXPECT_EQ(kernels[0].constant_bytes, 548u);
    EXPECT_EQ(kernels[1].registers, 60);
    EXPECT_EQ(kernels[1].shared_bytes, 16u);
    EXPECT_FALSE(kernels[1].spills());
    EXPECT_TRUE(read_assembler_notes({"bytes spill stores", "Used registers", ""}).empty());
}

TEST(Resources, of_lines_are_those_of_the_users_file) {
    const auto lines = read_disassembly(printed, "/a.cu", read_assembler_notes(notes));
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].line, 5u);
    EXPECT_EQ(lines[0].live_registers, 12);
    EXPECT_EQ(lines[0].instructions, 2u);
    EXPECT_EQ(lines[0].spill_stores, 1u);
    EXPECT_EQ(lines[0].spill_store_bytes, 8u);
    EXPECT_EQ(lines[1].line, 8u);
    EXPECT_EQ(lines[1].live_registers, 9);
    EXPECT_EQ(lines[1].spill_loads, 1u);
    EXPECT_EQ(lines[1].spill_load_bytes, 4u);
    EXPECT_EQ(lines[1].local_loads, 1u);
    EXPECT_EQ(line_words(lines[0]), "12 live registers; spills 1 store (8 bytes) and 0 loads (0 bytes)");
    EXPECT_TRUE(read_disassembly({"/*", "*/"}, "/a.cu", {}).empty());
}

// An older nvdisasm marks nothing: the assembler says whether a kernel spills.
TEST(Resources, without_marks_accesses_beside_the_stack_pointer_are_spills) {
    compile::Disassembly old = printed;
    const std::string mark = "(*\"SpillRefill\"*)";
    for (std::size_t at; (at = old.lines.find(mark)) != std::string::npos;)
        old.lines.erase(at, mark.size());
    const auto lines = read_disassembly(old, "/a.cu", read_assembler_notes(notes));
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].spill_stores, 1u);
    EXPECT_EQ(lines[1].spill_loads, 1u);
    EXPECT_EQ(lines[1].local_loads, 1u);
    EXPECT_FALSE(read_disassembly(old, "/a.cu", {})[0].spills());
}

TEST(Resources, text_and_json_have_kernels_limits_and_lines) {
    Resources resources;
    resources.target = "sm_90";
    resources.kernels = read_assembler_notes(notes);
    resources.kernels[0].kernel = "tight";
    resources.lines = read_disassembly(printed, "/a.cu", resources.kernels);
    EXPECT_EQ(resources.of_kernel("tight"), resources.kernels.data());
    EXPECT_EQ(resources.of_line(6), nullptr);
    EXPECT_EQ(resources.most_live(), 12);
    ClockedLaunch launch;
    launch.kernel = "tight";
    launch.occupancy = {"tight", 1, {1024, 32, 512}, {2, 64, 64, "threads"}};
    launch.limits = {{"threads", "64 warps / 32 of a block", 2}};
    const std::string text = resources_text(resources, {launch, launch}, "a\nb\nc\nd\n  e\n");
    EXPECT_EQ(text,
              "from NVIDIA's assembler for sm_90:\n"
              "tight: 32 registers a thread; spills 808 bytes of stores and 864 bytes of loads a thread; 376 "
              "bytes of stack a thread; 512 bytes of static shared memory a block; 1 barrier\n"
              "_Z5roomyPi: 60 registers a thread; spills nothing; 16 bytes of static shared memory a block\n"
              "launch tight: 2 blocks of 1024 threads on a multiprocessor, 64 of 64 warps, limited by "
              "threads\n"
              "  threads: 64 warps / 32 of a block = 2 blocks\n"
              "lines:\n"
              "  5  12 live registers; spills 1 store (8 bytes) and 0 loads (0 bytes)  e\n"
              "  8  9 live registers; spills 0 stores (0 bytes) and 1 load (4 bytes); local arrays: 0 stores "
              "and 1 load  \n");
    const auto json = resources_json(resources, {launch});
    EXPECT_EQ(json["kernels"][0]["spill_load_bytes"], 864);
    EXPECT_EQ(json["launches"][0]["limits"][0]["blocks"], 2);
    EXPECT_EQ(json["lines"][0]["live_registers"], 12);
    resources.absent = "nvJitLink is missing";
    EXPECT_EQ(resources_text(resources, {}, ""), "no resources: nvJitLink is missing\n");
}

}  // namespace resources_test
}  // namespace lanescope::session
