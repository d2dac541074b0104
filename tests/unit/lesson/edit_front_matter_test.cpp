// Changes of single keys of a front matter keep the rest of its text.
#include <gtest/gtest.h>

#include <numeric>

#include "lesson/front_matter.h"

namespace lanescope::lesson {
namespace edit_front_matter_test {

const std::string file = R"cu(// A file of mine.
/*--- lanescope
# first a word about it
title = 'Größe'   # with an umlaut

[params]
# the size
n     = { default = 64, min = 1, label = "Länge" }  # more is slower
block = { default = 0x40, choices = [32, 64] }

[buffers]
in  = { type = "int", count = "n", init = "iota" } # given
out = { type = "int", count = "n" }

# the only launch
[[launch]]
kernel = "f"      # below
grid   = ["ceil_div(n, block)"]
block  = "block"
shared = "0"
args   = [
  "in",   # read
  "out",
]

[[expect]]
problems = ["race"]   # on purpose

[[expect]]
buffer = "out"
equals = "copy(in)"
---*/
__global__ void f(int* in, int* out) {}
)cu";

struct Edit {
    FrontMatter front;
    FrontMatterOrigins origins;
    std::string source;

    explicit Edit(std::string text = file) : source(std::move(text)) {
        auto read = parse_front_matter(source, "f.cu");
        EXPECT_TRUE(read) << to_text(read.diagnostics());
        front = *read;
        const auto number = [](std::vector<int>& numbers, std::size_t count) {
            numbers.resize(count);
            std::iota(numbers.begin(), numbers.end(), 0);
        };
        number(origins.parameters, front.parameters.size());
        number(origins.buffers, front.buffers.size());
        number(origins.launches, front.launches.size());
        number(origins.expectations, front.expectations.size());
    }
    std::string made() const { return with_front_matter(source, front, origins); }
};

// Returns the text with one part replaced.
std::string with(std::string text, const std::string& part, const std::string& replacement) {
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return at == std::string::npos ? text : text.replace(at, part.size(), replacement);
}

TEST(EditFrontMatter, nothing_changes_nothing) {
    EXPECT_EQ(Edit().made(), file);
}

TEST(EditFrontMatter, values_are_changed_where_they_stand) {
    Edit edit;
    edit.front.title = "Size";
    edit.front.parameters[0].label = "length";
    edit.front.parameters[1].default_value = 32;
    edit.front.launches[0].args.pop_back();
    edit.front.launches[0].shared.text = "4 * n";
    std::string expected = with(file, "'Größe'", "\"Size\"");
    expected = with(expected, "\"Länge\"", "\"length\"");
    expected = with(expected, "0x40", "32");
    expected = with(expected, "\"0\"", "\"4 * n\"");
    expected = with(expected, "[\n  \"in\",   # read\n  \"out\",\n]", "[\"in\"]");
    EXPECT_EQ(edit.made(), expected);
}

TEST(EditFrontMatter, keys_come_and_go) {
    Edit edit;
    edit.front.parameters[0].min.reset();
    edit.front.parameters[0].max = 128;
    edit.front.buffers[1].init.text = "zero";
    edit.front.launches[0].repeat.text = "i = 0; i < 2; i + 1";
    edit.front.expectations[0].equals.text.clear();
    edit.front.expectations[0].values = {1};
    std::string expected = with(file, "{ default = 64, min = 1, label = \"Länge\" }",
                                "{ default = 64, label = \"Länge\", max = 128 }");
    expected = with(expected, "out = { type = \"int\", count = \"n\" }",
                    "out = { type = \"int\", count = \"n\", init = \"zero\" }");
    expected = with(expected, "  \"out\",\n]\n", "  \"out\",\n]\nrepeat = \"i = 0; i < 2; i + 1\"\n");
    expected = with(expected, "equals = \"copy(in)\"\n", "values = [1]\n");
    EXPECT_EQ(edit.made(), expected);
}

TEST(EditFrontMatter, entries_come_and_go) {
    Edit edit;
    edit.front.parameters.erase(edit.front.parameters.begin() + 1);
    edit.front.parameters.push_back({"steps", "", 3, {}, {}, {}, 0});
    edit.origins.parameters = {0, -1};
    edit.front.launches[0].grid[0].text = "n";
    edit.front.launches[0].block[0].text = "64";
    edit.front.launches.push_back(edit.front.launches[0]);
    edit.origins.launches.push_back(-1);
    edit.front.expectations.clear();
    edit.origins.expectations.clear();
    const std::string made = edit.made();
    std::string expected =
        with(file, "block = { default = 0x40, choices = [32, 64] }\n", "steps = { default = 3 }\n");
    expected = with(expected, "[\"ceil_div(n, block)\"]", "[\"n\"]");
    expected = with(expected, "block  = \"block\"", "block  = [\"64\"]");
    expected = with(expected, "  \"out\",\n]\n",
                    "  \"out\",\n]\n\n[[launch]]\nkernel = \"f\"\ngrid   = [\"n\"]\nblock  = [\"64\"]\n"
                    "args   = [\"in\", \"out\"]\n");
    expected = with(expected, "\n[[expect]]\nbuffer = \"out\"\nequals = \"copy(in)\"\n", "");
    EXPECT_EQ(made, expected);
}

TEST(EditFrontMatter, names_change_with_what_refers_to_them) {
    Edit edit;
    edit.front.buffers[0].name = "data";
    edit.front.launches[0].args[0].text = "data";
    edit.front.expectations[0].equals.text = "copy(data)";
    const std::string made = edit.made();
    EXPECT_NE(made.find("\ndata  = { type = \"int\", count = \"n\", init = \"iota\" } # given\n"),
              std::string::npos)
        << made;
    EXPECT_NE(made.find("# with an umlaut"), std::string::npos);
}

TEST(EditFrontMatter, a_missing_section_is_made) {
    const std::string bare =
        "/*--- lanescope\n[[launch]]\nkernel = \"f\"\ngrid = 1\nblock = 32\nargs = []\n# the end\n---*/\n"
        "__global__ void f() {}\n";
    Edit edit(bare);
    edit.front.title = "Bare";
    edit.front.parameters.push_back({"n", "", 3, {}, {}, {}, 0});
    edit.origins.parameters.push_back(-1);
    EXPECT_EQ(edit.made(),
              "/*--- lanescope\ntitle = \"Bare\"\n[[launch]]\nkernel = \"f\"\ngrid = 1\nblock = 32\nargs = "
              "[]\n# the end\n"
              "\n[params]\nn = { default = 3 }\n---*/\n__global__ void f() {}\n");
}

TEST(EditFrontMatter, what_is_written_in_another_way_is_written_anew) {
    const std::string dotted =
        "/*--- lanescope\nparams.n.default = 8 # many\n[[launch]]\nkernel = \"f\"\ngrid = 1\nblock = "
        "32\nargs = []\n---*/\n"
        "__global__ void f() {}\n";
    Edit edit(dotted);
    edit.front.parameters[0].max = 9;
    const auto read = parse_front_matter(edit.made(), "f.cu");
    ASSERT_TRUE(read) << edit.made();
    EXPECT_EQ(read->parameters[0].max, 9);
    EXPECT_TRUE(edit.made().ends_with("---*/\n__global__ void f() {}\n")) << edit.made();
}

TEST(EditFrontMatter, a_file_without_one_gets_one) {
    Edit edit;
    const std::string code = "__global__ void f() {}\n";
    EXPECT_EQ(with_front_matter(code, edit.front, edit.origins), write_front_matter(edit.front) + code);
}

}  // namespace edit_front_matter_test
}  // namespace lanescope::lesson
