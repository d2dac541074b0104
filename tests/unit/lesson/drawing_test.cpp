#include "lesson/instance.h"
#include "support.h"

namespace lanescope::lesson {
namespace drawing_test {

std::string with_arrays(const std::string& arrays, const std::string& top = "") {
    return top + R"toml([params]
tile = { default = 12 }
bins = { default = 7 }

[buffers]
in = { type = "int", shape = ["tile", "tile"], init = "iota" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in"]

[arrays]
)toml" + arrays +
           "\n";
}

// file_with() puts this code below the front matter.
Result<FrontMatter> parsed(const std::string& toml) {
    return parse_front_matter(
        "/*--- lanescope\n" + toml + "---*/\n__global__ void k(int* in) { extern __shared__ int s[]; }\n",
        "k.cu");
}

std::vector<ShapeInstance> shapes(const std::string& toml, const ParameterValues& values = {}) {
    const Result<FrontMatter> front = parsed(toml);
    EXPECT_TRUE(front) << problems_of(front);
    const Result<Instance> made = instantiate(*front, values, "k.cu");
    EXPECT_TRUE(made) << problems_of(made);
    return made ? made->shapes : std::vector<ShapeInstance>{};
}

TEST(drawing, shapes_are_expressions_and_buffers_have_theirs) {
    const std::vector<ShapeInstance> made =
        shapes(with_arrays(R"x(s = { shape = ["tile + 4", "tile + 4"], axes = ["row", "column"] })x"));
    ASSERT_EQ(made.size(), 2u);
    EXPECT_EQ(made[0].name, "in");
    EXPECT_EQ(made[0].extents, (std::vector<std::uint64_t>{12, 12}));
    EXPECT_EQ(made[1].extents, (std::vector<std::uint64_t>{16, 16}));
    EXPECT_EQ(made[1].axes[1], "column");
}

TEST(drawing, letters_name_bins) {
    const ShapeInstance bars =
        shapes(with_arrays(R"x(s = { view = "bars", labels = "letters(28 / bins)" })x"))[1];
    EXPECT_EQ(bars.view, "bars");
    ASSERT_EQ(bars.labels.size(), 7u);
    EXPECT_EQ(bars.labels[0], "a–d");
    EXPECT_EQ(bars.labels[6], "y–z");
    EXPECT_EQ(shapes(with_arrays(R"x(s = { labels = ["low", "high"] })x"))[1].labels[1], "high");
}

TEST(drawing, is_written_as_it_was_read) {
    const Result<FrontMatter> front = parsed(with_arrays(
        R"x(s = { view = "bars", labels = "letters(4)", align = "in" })x", "lane_label = \"sum\"\n"));
    ASSERT_TRUE(front);
    const Result<FrontMatter> again = parse_front_matter(write_front_matter(*front) + "int s;", "k.cu");
    ASSERT_TRUE(again) << problems_of(again);
    EXPECT_EQ(again->drawing.lane_label, "sum");
    ASSERT_EQ(again->drawing.arrays.size(), 1u);
    EXPECT_EQ(again->drawing.arrays[0].named.text, "letters(4)");
    EXPECT_EQ(again->drawing.arrays[0].align, "in");
}

TEST(drawing, bad_entries_are_located) {
    const auto error = [](const std::string& arrays) { return problems_of(parsed(with_arrays(arrays))); };
    EXPECT_NE(error("t = { view = \"bars\" }").find("k.cu:16:1: error: the code has no array 't'"),
              std::string::npos);
    EXPECT_NE(error("s = { view = \"bar\" }").find("unknown view 'bar' (did you mean 'bars'?"),
              std::string::npos);
    EXPECT_NE(error("s = { labels = \"digits(4)\" }").find("unknown labels 'digits(4)'"), std::string::npos);
    EXPECT_NE(error("s = { axes = [\"row\"] }").find("'axes' must name the rows and the columns"),
              std::string::npos);
    EXPECT_NE(error("s = { align = \"s\" }").find("'s' cannot stand under 's'"), std::string::npos);
    EXPECT_NE(error("s = { view = \"bars\", shape = [\"2\", \"2\"] }").find("must have one extent"),
              std::string::npos);
    const Result<FrontMatter> negative = parsed(with_arrays("s = { shape = [\"tile - 13\"] }"));
    ASSERT_TRUE(negative);
    EXPECT_NE(problems_of(instantiate(*negative, {}, "k.cu")).find("the shape of 's' has the extent -1"),
              std::string::npos);
}

}  // namespace drawing_test
}  // namespace lanescope::lesson
