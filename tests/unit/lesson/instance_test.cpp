#include "lesson/instance.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "support.h"

namespace lanescope::lesson {
namespace instance_test {

const std::string sized =
    "[params]\nn = {default = 64, min = 0}\nblock = {default = 64, choices = [32, 64]}\n";

std::string error_of(const std::string& toml, const ParameterValues& overrides = {}) {
    return problems_of(instantiate(front_of(toml), overrides, "k.cu"));
}

std::string buffer(const std::string& fields) {
    return sized + "[buffers]\na = {" + fields + "}\n" + some_launch;
}

std::vector<double> contents(const std::string& fields, const ParameterValues& overrides = {}) {
    return numbers_in(instance_of(buffer(fields), overrides).buffers.at(0));
}

TEST(instance, takes_defaults_and_overrides) {
    const Instance made = instance_of(buffer("type = \"int\", count = \"n / 2\""), {{"n", 10}});
    EXPECT_EQ(made.parameters.at("n"), 10);
    EXPECT_EQ(made.parameters.at("block"), 64);
    EXPECT_EQ(made.buffers[0].count, 5u);
    EXPECT_EQ(made.buffers[0].element_bytes, 4u);
    EXPECT_FALSE(made.buffers[0].initialised);
    EXPECT_TRUE(made.buffers[0].contents.empty());
}

TEST(instance, bad_overrides) {
    const std::string file = sized + some_launch;
    EXPECT_EQ(error_of(file, {{"blok", 64}}),
              "k.cu: error: unknown parameter 'blok' (did you mean 'block'? known: n, block)\n");
    EXPECT_EQ(error_of(file, {{"n", -1}}), "k.cu:3: error: parameter 'n': -1 is below its minimum 0\n");
    EXPECT_EQ(error_of(file, {{"block", 33}}),
              "k.cu:4: error: parameter 'block': 33 is not one of its choices 32, 64\n");
    EXPECT_EQ(error_of(some_launch, {{"n", 1}}),
              "k.cu: error: unknown parameter 'n' (the file has no parameters)\n");
}

TEST(instance, contents_of_every_kind) {
    EXPECT_EQ(contents("type = \"int\", count = 4, init = \"iota\""), (std::vector<double>{0, 1, 2, 3}));
    EXPECT_EQ(contents("type = \"short\", count = 3, init = \"iota(10, -10)\""),
              (std::vector<double>{10, 0, -10}));
    EXPECT_EQ(contents("type = \"float\", count = 3, init = \"iota(0.5, 0.25)\""),
              (std::vector<double>{0.5, 0.75, 1}));
    EXPECT_EQ(contents("type = \"half\", count = 2, init = \"constant(n)\""), (std::vector<double>{64, 64}));
    EXPECT_EQ(contents("type = \"ulong\", count = 2, init = \"zero\""), (std::vector<double>{0, 0}));
    EXPECT_EQ(contents("type = \"float2\", count = 2, init = \"iota\""), (std::vector<double>{0, 1, 2, 3}));
    EXPECT_EQ(contents("type = \"uchar\", count = 5, values = [1, 255]"),
              (std::vector<double>{1, 255, 1, 255, 1}));
    EXPECT_EQ(contents("type = \"double\", values = [0.1, -2]"), (std::vector<double>{0.1, -2}));
    EXPECT_EQ(contents("type = \"char\", text = \"ab\", count = 3"), (std::vector<double>{97, 98, 97}));
    EXPECT_EQ(contents("type = \"int\", text = \"ab\""), (std::vector<double>{97, 98}));
    EXPECT_EQ(contents("type = \"int\", shape = [2, 3], init = \"iota\"").size(), 6u);
    EXPECT_EQ(contents("type = \"int\", count = \"n\", init = \"iota\"", {{"n", 0}}).size(), 0u);
    EXPECT_TRUE(instance_of(buffer("type = \"char\", text = \"ab\"")).buffers[0].text);
}

TEST(instance, random_contents_are_the_same_everywhere) {
    // PCG32, seeded with the FNV-1a hash of "a". It must not change, so that pictures and texts stay correct.
    EXPECT_EQ(contents("type = \"int\", count = 8, init = \"random(0, 9)\""),
              (std::vector<double>{3, 3, 2, 2, 3, 8, 8, 4}));
    EXPECT_EQ(contents("type = \"double\", count = 2, init = \"random(0.0, 1.0)\""),
              (std::vector<double>{0.37629423510819193, 0.24768982143074958}));
}

// Several threads make the parts of large contents. With 61 values, 59 of 2^32 draws are rejected, and each
// rejection shifts all later values.
TEST(instance, large_random_contents_are_those_of_one_sequence) {
    constexpr std::uint64_t count = 1u << 28, bound = 61;
    const auto front = parse_front_matter(
        "/*--- lanescope\n[buffers]\na = {type = \"uchar\", count = \"pow(2, 28)\", init = "
        "\"random(0, 60)\"}\n[[launch]]\nkernel = \"k\"\ngrid = [\"1\"]\nblock = [\"1\"]\n---*/\n",
        "k.cu");
    ASSERT_TRUE(front) << to_text(front.diagnostics());
    const auto made = instantiate(*front, {}, "k.cu");
    ASSERT_TRUE(made);
    const std::vector<std::byte>& contents = made->buffers[0].contents;
    std::uint64_t state = 0, hash = 0xcbf29ce484222325u, rejected = 0, differ = 0;
    const auto next = [&] {
        const std::uint64_t old = state;
        state = old * 6364136223846793005u + 1442695040888963407u;
        const auto shifted = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
        const auto rotation = static_cast<std::uint32_t>(old >> 59);
        return (shifted >> rotation) | (shifted << ((32 - rotation) & 31));
    };
    hash = (hash ^ 'a') * 0x100000001b3u;
    next(), state += hash, next();
    for (std::uint64_t i = 0; i < count; ++i) {
        std::uint32_t draw = next();
        for (; draw < (std::uint64_t{1} << 32) % bound; draw = next())
            ++rejected;
        differ += std::byte{static_cast<unsigned char>(draw % bound)} != contents[i];
    }
    EXPECT_GT(rejected, 0u);
    EXPECT_EQ(differ, 0u);
}

TEST(instance, random_contents_fill_their_range) {
    const auto whole = contents("type = \"int\", count = 1000, init = \"random(-2, 2)\"");
    EXPECT_EQ(std::set<double>(whole.begin(), whole.end()), (std::set<double>{-2, -1, 0, 1, 2}));
    const auto real = contents("type = \"float\", count = 1000, init = \"random(-1.0, 1.0)\"");
    EXPECT_GE(*std::min_element(real.begin(), real.end()), -1.0);
    EXPECT_LT(*std::max_element(real.begin(), real.end()), 1.0);
    EXPECT_LT(*std::min_element(real.begin(), real.end()), -0.9);
    const auto full = contents("type = \"long\", count = 99, init = \"random(-pow(2, 62), pow(2, 62))\"");
    EXPECT_GT(*std::max_element(full.begin(), full.end()), std::ldexp(1, 60));
    EXPECT_EQ(contents("type = \"int\", count = 3, init = \"random(5, 5)\""), (std::vector<double>{5, 5, 5}));
    const Instance two = instance_of(
        "[buffers]\na = {type = \"int\", count = 50, init = \"random(0, 99)\"}\n"
        "b = {type = \"int\", count = 50, init = \"random(0, 99)\"}\n" +
        some_launch);
    EXPECT_NE(two.buffers[0].contents, two.buffers[1].contents);
}

TEST(instance, contents_from_an_expression_of_the_index) {
    EXPECT_EQ(contents("type = \"int\", count = 5, init = \"each(i * i % n - 1)\"", {{"n", 5}}),
              (std::vector<double>{-1, 0, 3, 3, 0}));
    EXPECT_EQ(contents("type = \"float\", count = 3, init = \"each(i < 1 ? n : 0)\""),
              (std::vector<double>{64, 0, 0}));
    EXPECT_EQ(contents("type = \"int2\", count = 2, init = \"each(i)\""), (std::vector<double>{0, 1, 2, 3}));
    const auto many =
        contents("type = \"int\", count = 1000000, init = \"each(max(i, 7) / 2)\"");  // in parts
    for (std::size_t i = 0; i < many.size(); ++i)
        ASSERT_EQ(many[i], static_cast<double>(std::max<std::size_t>(i, 7) / 2)) << i;
}

TEST(instance, bad_contents_from_an_expression) {
    EXPECT_EQ(error_of(buffer("type = \"uchar\", count = 300, init = \"each(i)\"")),
              "k.cu:6:48: error: element 256 of 'a': 256 does not fit into uchar\n");
    EXPECT_NE(error_of(buffer("type = \"int\", count = 600000, init = \"each(1 / (i / 2 - 3))\""))
                  .find("element 6 of 'a': a division by zero"),
              std::string::npos);
    EXPECT_NE(problems_of(parse_front_matter("/*--- lanescope\n" +
                                                 buffer("type = \"int\", count = 1, init = \"each(k)\"") +
                                                 "---*/\n",
                                             "k.cu"))
                  .find("unknown name 'k'"),
              std::string::npos);
}

TEST(instance, bad_contents) {
    EXPECT_EQ(error_of(buffer("type = \"uchar\", count = 1, init = \"constant(256)\"")),
              "k.cu:6:50: error: '256' does not fit into uchar\n");
    EXPECT_NE(
        error_of(buffer("type = \"uint\", count = 1, init = \"random(-1, 1)\"")).find("'-1' does not fit"),
        std::string::npos);
    EXPECT_NE(
        error_of(buffer("type = \"ulong\", count = 1, init = \"constant(-1)\"")).find("'-1' does not fit"),
        std::string::npos);
    EXPECT_NE(
        error_of(buffer("type = \"int\", count = 1, init = \"constant(0.5)\"")).find("'0.5' does not fit"),
        std::string::npos);
    EXPECT_NE(error_of(buffer("type = \"int\", count = 1, init = \"random(2, 1)\""))
                  .find("the lower bound is above"),
              std::string::npos);
    EXPECT_NE(error_of(buffer("type = \"int\", count = 1, init = \"constant(1 / (n - 64))\""))
                  .find("division by zero"),
              std::string::npos);
    EXPECT_NE(
        error_of(buffer("type = \"int2\", values = [1, 2, 3]")).find("do not form whole elements of int2"),
        std::string::npos);
}

TEST(instance, bad_sizes_are_refused_before_anything_is_allocated) {
    EXPECT_EQ(error_of(buffer("type = \"int\", count = \"4 * pow(10, 12)\"")),
              "k.cu:6:29: error: the buffer 'a' needs 14 TiB (at most 2048 MiB are allowed)\n");
    EXPECT_NE(error_of(buffer("type = \"int\", count = \"n - 65\"")).find("has -1 elements"),
              std::string::npos);
    EXPECT_NE(
        error_of(buffer("type = \"int\", count = \"pow(2, 62) * n\"")).find("does not fit into 64 bits"),
        std::string::npos);
    EXPECT_NE(error_of(buffer("type = \"int\", shape = [\"1 << 62\", \"1 << 62\"]")).find("EiB"),
              std::string::npos);
    EXPECT_NE(error_of(buffer("type = \"double4\", count = \"pow(2, 63) - 1\"")), "no error");
    const std::string three =
        "[buffers]\na = {type = \"int\", count = \"1 << 28\"}\nb = {type = \"int\", count = \"1 << 28\"}\n"
        "c = {type = \"char\", count = 1}\n" +
        some_launch;
    EXPECT_EQ(error_of(three), "k.cu:5:29: error: the buffer 'c' needs 1 byte (0 bytes are left)\n");
}

TEST(instance, launches_are_numbers) {
    const Instance made =
        instance_of(sized +
                    "[buffers]\na = {type = \"int\", count = 4}\n"
                    "[[launch]]\nkernel = \"f<int, 2>\"\ngrid = [\"ceil_div(n, block)\", 2]\n"
                    "block = \"block\"\nshared = \"block * 4\"\ncooperative = true\n"
                    "resident = \"n / 16\"\nargs = [\"a\", \"n + 1\", 0.5, -3, \"a.count\"]\n");
    ASSERT_EQ(made.launches.size(), 1u);
    const LaunchInstance& launch = made.launches[0];
    EXPECT_EQ(launch.kernel, "f<int, 2>");
    EXPECT_EQ(launch.grid, (std::array<std::uint32_t, 3>{1, 2, 1}));
    EXPECT_EQ(launch.block, (std::array<std::uint32_t, 3>{64, 1, 1}));
    EXPECT_EQ(launch.shared_bytes, 256u);
    EXPECT_TRUE(launch.cooperative);
    EXPECT_EQ(launch.resident_blocks, 4u);
    ASSERT_EQ(launch.arguments.size(), 5u);
    EXPECT_TRUE(launch.arguments[0].is_buffer);
    EXPECT_EQ(launch.arguments[1].integer, 65);
    EXPECT_TRUE(launch.arguments[2].is_real);
    EXPECT_EQ(launch.arguments[2].real, 0.5);
    EXPECT_EQ(launch.arguments[3].integer, -3);
    EXPECT_EQ(launch.arguments[4].integer, 4);
}

TEST(instance, repetitions_unroll) {
    const Instance made = instance_of(sized +
                                      "[[launch]]\nkernel = \"k\"\ngrid = \"r\"\nblock = 1\nargs = [\"r\"]\n"
                                      "repeat = \"r = n / 2; r >= 1; r / 2\"\n");
    ASSERT_EQ(made.launches.size(), 6u);
    EXPECT_EQ(made.launches[0].grid[0], 32u);
    EXPECT_EQ(made.launches[5].arguments[0].integer, 1);
    const Instance never = instance_of(sized + some_launch + "repeat = \"r = 0; r > 0; r - 1\"\n");
    EXPECT_TRUE(never.launches.empty());
    FrontMatter front = front_of(some_launch + "repeat = \"r = 1; r > 0; r - 1\"\n");
    front.launches.push_back(front.launches[0]);
    front.launches[1].repeat = {};
    front.launches[1].grid[0].text = "r";  // `r` is only known in the first launch's repetition
    EXPECT_NE(problems_of(instantiate(front, {}, "k.cu")).find("unknown name 'r'"), std::string::npos);
}

TEST(instance, launches_are_repeated_together) {
    const Instance made = instance_of(sized +
                                      "[[launch]]\nkernel = \"f\"\ngrid = 1\nblock = 1\nargs = [\"r\"]\n"
                                      "repeat = \"r = 1; r < 3; r + 1\"\n"
                                      "[[launch]]\nkernel = \"g\"\ngrid = \"r\"\nblock = 1\ntogether = true\n"
                                      "[[launch]]\nkernel = \"h\"\ngrid = 1\nblock = 1\n");
    std::string kernels;
    for (const LaunchInstance& launch : made.launches)
        kernels += launch.kernel;
    EXPECT_EQ(kernels, "fgfgh");
    EXPECT_EQ(made.launches[3].grid[0], 2u);
    EXPECT_NE(
        problems_of(parse_front_matter("/*--- lanescope\n[[launch]]\nkernel = \"f\"\ngrid = 1\nblock = 1\n"
                                       "together = true\n---*/\n",
                                       "k.cu"))
            .find("'together' stands at the first launch"),
        std::string::npos);
}

TEST(instance, an_argument_is_one_of_two_buffers) {
    const Instance made = instance_of(
        "[buffers]\na = {type = \"int\", count = 4}\nb = {type = \"int\", count = 4}\n"
        "[[launch]]\nkernel = \"k\"\ngrid = 1\nblock = 1\nrepeat = \"r = 0; r < 3; r + 1\"\n"
        "args = [\"r % 2 ? b : a\", \"r == 0 ? a : (r > 1) ? b + r : b\"]\n");
    ASSERT_EQ(made.launches.size(), 3u);
    std::string first, second;
    for (const LaunchInstance& launch : made.launches) {
        first += launch.arguments[0].address.buffer;
        second += launch.arguments[1].address.buffer;
    }
    EXPECT_EQ(first, "aba");
    EXPECT_EQ(second, "abb");
    EXPECT_EQ(made.launches[2].arguments[1].address.offset_bytes, 8u);
}

TEST(instance, bad_launches) {
    EXPECT_EQ(
        error_of(sized + "[[launch]]\nkernel = \"k\"\ngrid = \"ceil_div(n, block)\"\nblock = 1\n",
                 {{"n", 0}}),
        "k.cu:7:9: error: the grid is 0 (a launch needs at least 1, as in max(1, ceil_div(n, block)))\n");
    EXPECT_NE(error_of(sized + "[[launch]]\nkernel = \"k\"\ngrid = 1\nblock = [1, -4]\n")
                  .find("k.cu:8:13: error: the block is -4"),
              std::string::npos);
    EXPECT_NE(error_of(sized + "[[launch]]\nkernel = \"k\"\ngrid = \"1 << 32\"\nblock = 1\n")
                  .find("less than 2^32"),
              std::string::npos);
    EXPECT_NE(error_of(some_launch + "shared = \"-1\"\n").find("-1 bytes of shared memory"),
              std::string::npos);
    EXPECT_NE(error_of(some_launch + "repeat = \"r = 1; r > 0; r + 1\"\n")
                  .find("k.cu:6:11: error: more than 20000 launches"),
              std::string::npos);
    EXPECT_NE(error_of(some_launch + "repeat = \"r = 1; r > 0; 1 / (r - 1)\"\n").find("division by zero"),
              std::string::npos);
}

TEST(instance, settings) {
    EXPECT_EQ(parse_setting("n=1024")->second, 1024);
    EXPECT_EQ(parse_setting("n=2^20")->second, 1048576);
    EXPECT_EQ(parse_setting("n=3 * 10^6")->second, 3000000);
    EXPECT_EQ(parse_setting("n=-2^2")->second, -4);
    EXPECT_EQ(parse_setting("n=2^3^2")->second, 512);
    EXPECT_EQ(parse_setting("n=007")->second, 7);
    EXPECT_EQ(parse_setting("n = 1 << 4")->first, "n");
    EXPECT_EQ(parse_setting("a_1=-3")->first, "a_1");
    for (const char* bad : {"", "n", "=3", "n=", "n=x", "2n=3", "n=1/0", "n=1.5"})
        EXPECT_FALSE(parse_setting(bad)) << bad;
}

TEST(instance, names_hold_the_sizes_of_buffers) {
    const Instance made = instance_of(sized +
                                      "[buffers]\nm = {type = \"int\", shape = [3, 5]}\n"
                                      "v = {type = \"int\", count = \"m.width + m.height\"}\n" +
                                      some_launch);
    EXPECT_EQ(made.buffers[1].count, 8u);
    const auto names = names_of(made);
    EXPECT_EQ(names.at("m.count"), 15);
    EXPECT_EQ(names.at("v.height"), 1);
    EXPECT_EQ(names.at("n"), 64);
}

}  // namespace instance_test
}  // namespace lanescope::lesson
