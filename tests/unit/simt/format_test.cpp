// The device's printf.
#include "simt/math/format.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "device.h"
#include "simt/inspect/names.h"

namespace lanescope::simt {
namespace format_test {

class Arguments {
  public:
    template <class T>
    Arguments& add(T value) {
        while (bytes_.size() % sizeof(T) != 0)
            bytes_.push_back(0xcc);
        const std::size_t at = bytes_.size();
        bytes_.resize(at + sizeof(T));
        std::memcpy(bytes_.data() + at, &value, sizeof value);
        return *this;
    }
    std::string print(const std::string& format) const {
        return format_printf(
                   format,
                   [&](std::uint64_t offset, unsigned size) {
                       std::uint64_t value = 0;
                       for (unsigned i = 0; i < size && offset + i < bytes_.size(); ++i)
                           value |= std::uint64_t{bytes_[offset + i]} << (8 * i);
                       return value;
                   },
                   [](std::uint64_t address) {
                       return address == 1 ? std::optional<std::string>("text") : std::nullopt;
                   })
            .text;
    }

  private:
    std::vector<std::uint8_t> bytes_;
};

TEST(Printf, integers) {
    EXPECT_EQ(Arguments().add(-5).add(7u).add(255).print("%d %u %x"), "-5 7 ff");
    EXPECT_EQ(Arguments().add(-5ll).add(~0ull).add(8ll).print("%lld %llu %lo"), "-5 18446744073709551615 10");
    EXPECT_EQ(Arguments().add(300).add(70000).print("%hhu %hd"), "44 4464");
    EXPECT_EQ(Arguments().add(42).print("[%6d]"), "[    42]");
    EXPECT_EQ(Arguments().add(42).print("[%-6d]"), "[42    ]");
    EXPECT_EQ(Arguments().add(42).add(255).print("[%+06d] %#x"), "[+00042] 0xff");
    EXPECT_EQ(Arguments().add(8).add(42).print("[%*d]"), "[      42]");
    EXPECT_EQ(Arguments().add(-8).add(42).print("[%*d]"), "[42      ]");
}

TEST(Printf, floats) {
    EXPECT_EQ(Arguments().add(1.5).add(2.25).add(12345.678).add(0.0001).print("%f %.1f %e %g"),
              "1.500000 2.2 1.234568e+04 0.0001");
    EXPECT_EQ(Arguments().add(1).add(1.0 / 3).print("%d %8.3f"), "1    0.333");
    EXPECT_EQ(Arguments().add(1.0 / 0.0).print("%f"), "inf");
}

TEST(Printf, texts_characters_pointers) {
    EXPECT_EQ(Arguments()
                  .add(std::uint64_t{1})
                  .add('A' + 0)
                  .add(std::uint64_t{0xabc})
                  .add(std::uint64_t{0})
                  .print("%s|%c|%p|%p|%%"),
              "text|A|0xabc|(nil)|%");
    EXPECT_EQ(Arguments().add(std::uint64_t{1}).add(std::uint64_t{1}).print("[%6s][%-6.2s]"),
              "[  text][te    ]");
    EXPECT_EQ(Arguments().add(std::uint64_t{2}).print("%s"), "(bad address)");
}

TEST(Printf, bad_formats_stay_as_they_are) {
    EXPECT_EQ(Arguments().print("100%"), "100%");
    EXPECT_EQ(Arguments().add(1).print("%q %d"), "%q 1");
    EXPECT_EQ(Arguments().print("%-"), "%-");
    EXPECT_LE(Arguments().add(1).print("%999999999d").size(), 4096u);
    EXPECT_LE(Arguments().add(1e308).print("%.999999999f").size(), 5000u);
}

TEST(Printf, a_kernel_prints_lane_after_lane) {
    Device device(corpus("simt_kernels.ptx"));
    device.run("speak", {1, 1, 1}, {2, 1, 1}, 42);
    EXPECT_EQ(device.machine().console(),
              "thread  0 of 42:  0.00|42  |ff text a %\nthread  1 of 42:  0.25|42  |ff text b %\n"
              "-5000000000 18446744073709551615 1.234568e+04 0.0001 (nil)\n-5000000000 18446744073709551615 "
              "1.234568e+04 0.0001 (nil)\n");
}

// A kernel that calls a function of the device runtime with its argument, and prints the result.
std::string calls(const std::string& function, const std::string& guard) {
    return with_header(
        ".extern .func (.param .b64 r) " + function +
        " (.param .b32 a);\n.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
        ".global .align 1 .b8 f[4] = {37, 115, 10, 0};\n.visible .entry k(.param .u32 code) {\n"
        ".local .align 8 .b8 depot[8];\n.reg .b64 %rd<6>;\n.reg .b32 %r<4>;\n.reg .pred %p;\n"
        "ld.param.u32 %r1, [code];\nmov.u32 %r2, %tid.x;\nsetp." +
        guard +
        ".u32 %p, %r2, 1;\n@!%p bra E;\n"
        "{ .param .b32 p0; .param .b64 r0;\nst.param.b32 [p0], %r1;\ncall.uni (r0), " +
        function +
        ", (p0);\nld.param.b64 %rd1, [r0];\n}\nmov.u64 %rd2, depot;\ncvta.local.u64 %rd3, %rd2;\n"
        "st.u64 [%rd3], %rd1;\nmov.u64 %rd4, f;\ncvta.global.u64 %rd5, %rd4;\n"
        "{ .param .b64 p0; .param .b64 p1; .param .b32 r0;\nst.param.b64 [p0], %rd5;\nst.param.b64 [p1], "
        "%rd3;\ncall.uni (r0), vprintf, (p0, p1);\n}\nE:\nret;\n}\n");
}

TEST(DeviceRuntime, names_and_texts_of_errors) {
    Device names(calls("__cudaCDP2GetErrorName", "lt")), texts(calls("__cudaCDP2GetErrorString", "lt"));
    for (const unsigned code : {0u, 9u, 12345u}) {
        EXPECT_EQ(names.run("k", {1, 1, 1}, {32, 1, 1}, code).ending, Ending::finished);
        EXPECT_EQ(texts.run("k", {1, 1, 1}, {32, 1, 1}, code).ending, Ending::finished);
    }
    EXPECT_EQ(names.machine().console(),
              "cudaSuccess\ncudaErrorInvalidConfiguration\nunrecognized error code\n");
    EXPECT_EQ(texts.machine().console(),
              "no error\ninvalid configuration argument\nunrecognized error code\n");
    EXPECT_TRUE(names.kinds().empty() && texts.kinds().empty());
}

TEST(DeviceRuntime, a_function_that_is_not_there_ends_the_threads_that_reach_it) {
    const std::string function = "__cudaCDP2DeviceSetCacheConfig";
    Device never(calls(function, "gt"));
    EXPECT_EQ(never.run("k", {1, 1, 1}, {2, 1, 1}, 0u).ending, Ending::finished);
    EXPECT_TRUE(never.kinds().empty());
    Device one(calls(function, "eq"));
    one.run("k", {1, 1, 1}, {32, 1, 1}, 0u);
    EXPECT_EQ(one.only_problem().kind, trace::ProblemKind::unsupported);
    EXPECT_EQ(one.only_problem().occurrences, 1u);
    EXPECT_NE(one.only_problem().message.find("calls cudaDeviceSetCacheConfig"), std::string::npos)
        << one.only_problem().message;
    EXPECT_EQ(one.machine().console(), "");
}

TEST(Printf, the_console_is_limited) {
    Limits limits;
    limits.console_bytes = 100;
    Device device(corpus("simt_kernels.ptx"), {}, limits);
    device.run("speak", {1, 1, 1}, {32, 1, 1}, 42);
    EXPECT_LT(device.machine().console().size(), 200u);
    EXPECT_NE(device.machine().console().find("output ends here"), std::string::npos);
}

TEST(Names, are_those_of_the_source) {
    EXPECT_EQ(plain_name("_Z12reduceModuloPKfPfi"), "reduceModulo");
    EXPECT_EQ(plain_name("_Z6reduceIi4PlusEvPKT_"), "reduce<int, Plus>");
    EXPECT_EQ(plain_name("plain"), "plain");
    EXPECT_EQ(plain_name("_ZN3foo3barEi"), "foo::bar");
}

}  // namespace format_test
}  // namespace lanescope::simt
