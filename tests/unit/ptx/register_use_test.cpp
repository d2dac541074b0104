#include "ptx/register_use.h"

#include <gtest/gtest.h>

#include "ptx_text.h"

namespace lanescope::ptx {
namespace register_use_test {

using Names = std::vector<std::string>;

struct Uses {
    Names reads, writes;
};

Uses uses(const std::string& statement) {
    const Module module = parsed(header +
                                 ".func f();\n.entry k(.param .u64 a) { .reg .b32 %r<9>; .reg .b64 %rd<9>; "
                                 ".reg .pred %p<4>; .param .b32 x; l: " +
                                 statement + "}");
    const Function& function = module.functions.at(1);
    Uses found;
    for (const std::uint32_t i : reads(function.instructions.at(0)))
        found.reads.push_back(function.registers.at(i).name);
    for (const std::uint32_t i : writes(function.instructions.at(0)))
        found.writes.push_back(function.registers.at(i).name);
    return found;
}

void expect(const std::string& statement, const Names& read, const Names& written) {
    const Uses found = uses(statement);
    EXPECT_EQ(found.reads, read) << statement;
    EXPECT_EQ(found.writes, written) << statement;
}

TEST(RegisterUse, destinations_and_sources) {
    expect("add.s32 %r1, %r2, %r2;", {"%r2", "%r2"}, {"%r1"});
    expect("@%p1 mov.u32 %r1, %tid.x;", {"%p1"}, {"%r1"});
    expect("setp.lt.and.s32 %p1|%p2, %r1, 5, !%p3;", {"%r1", "%p3"}, {"%p1", "%p2"});
    expect("mov.b64 {%r1, _}, %rd1;", {"%rd1"}, {"%r1"});
    expect("bar.sync %r1, %r2;", {"%r1", "%r2"}, {});
    expect("bar.red.popc.u32 %r1, %r2, %p1;", {"%r2", "%p1"}, {"%r1"});
    expect("@!%p1 bra l;", {"%p1"}, {});
}

TEST(RegisterUse, addresses_are_read) {
    expect("ld.v2.u32 {%r1, %r2}, [%rd1+4];", {"%rd1"}, {"%r1", "%r2"});
    expect("st.u32 [%rd1], %r1;", {"%rd1", "%r1"}, {});
    expect("ld.param.u64 %rd1, [a];", {}, {"%rd1"});
    expect("atom.global.cas.b32 %r1, [%rd1], %r2, %r3;", {"%rd1", "%r2", "%r3"}, {"%r1"});
    expect("red.global.add.u32 [%rd1], %r2;", {"%rd1", "%r2"}, {});
    expect("tex.2d.v4.f32.s32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5, %r6}];", {"%rd1", "%r5", "%r6"},
           {"%r1", "%r2", "%r3", "%r4"});
}

TEST(RegisterUse, calls) {
    expect("call (%r1), f, (%r2, x);", {"%r2"}, {"%r1"});
    expect("call f, (%r2);", {"%r2"}, {});
    expect("call %rd1, ();", {"%rd1"}, {});
}

}  // namespace register_use_test
}  // namespace lanescope::ptx
