#include "lesson/front_matter.h"

#include "support.h"

namespace lanescope::lesson {
namespace front_matter_test {

const std::string reduction = R"toml(title = "Tree reduction"

[params]
n     = { default = 64, min = 1, max = 1048576, label = "elements" }
block = { default = 64, choices = [32, 64, 128] }

[buffers]
out = { type = "int", count = "ceil_div(n, block)" }
in  = { type = "int", count = "n", init = "random(0, 9)" }

[[launch]]
kernel = "reduce"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
shared = "block * 4"
args   = ["in", "out", "n", 0.5, "-3"]

[[expect]]
buffer = "out"
equals = "block_sums(in, block)"
)toml";

std::string error_of(const std::string& toml) {
    return problems_of(parse_front_matter(file_with(toml), "k.cu"));
}

TEST(front_matter, is_read_whole) {
    const FrontMatter front = front_of(reduction);
    EXPECT_TRUE(front.present);
    EXPECT_EQ(front.title, "Tree reduction");
    ASSERT_EQ(front.parameters.size(), 2u);
    EXPECT_EQ(front.parameters[0].name, "n");
    EXPECT_EQ(front.parameters[0].label, "elements");
    EXPECT_EQ(front.parameters[0].max, 1048576);
    EXPECT_EQ(front.parameters[0].line, 5);
    EXPECT_EQ(front.parameters[1].choices, (std::vector<std::int64_t>{32, 64, 128}));
    ASSERT_EQ(front.buffers.size(), 2u);
    EXPECT_EQ(front.buffers[0].name, "out");  // buffers keep the order of the file
    EXPECT_FALSE(front.buffers[0].has_contents());
    EXPECT_EQ(front.buffers[1].init.text, "random(0, 9)");
    ASSERT_EQ(front.launches.size(), 1u);
    EXPECT_EQ(front.launches[0].shared.text, "block * 4");
    EXPECT_EQ(front.launches[0].args[3].text, "0.5");
    EXPECT_EQ(front.launches[0].line, 12);
    ASSERT_EQ(front.expectations.size(), 1u);
    EXPECT_EQ(front.expectations[0].equals.text, "block_sums(in, block)");
    EXPECT_EQ(front.first_line, 1);
    EXPECT_EQ(front.last_line, 22);
}

TEST(front_matter, expressions_know_their_place) {
    const FrontMatter front = front_of(reduction);
    EXPECT_EQ(front.buffers[1].count.line, 10);
    EXPECT_EQ(front.buffers[1].count.column, 32);
    EXPECT_EQ(front.launches[0].grid[0].line, 14);
    EXPECT_EQ(front.launches[0].grid[0].column, 12);
}

TEST(front_matter, may_follow_comments_and_stay_away) {
    const auto none = parse_front_matter("// a comment\n__global__ void k() {}\n", "k.cu");
    ASSERT_TRUE(none);
    EXPECT_FALSE(none->present);
    const auto other = parse_front_matter("/*--- lanescopes\n---*/\n/* lanescope */", "k.cu");
    ASSERT_TRUE(other);
    EXPECT_FALSE(other->present);
    const std::string licence = "// licence\n/* text */ ";
    const auto behind = parse_front_matter(licence + file_with("nope = 1\n" + some_launch), "k.cu");
    EXPECT_EQ(problems_of(behind).substr(0, 9), "k.cu:3:1:");
    const auto same_line = parse_front_matter("/*--- lanescope nope = 1\n" + some_launch + "---*/", "k.cu");
    EXPECT_EQ(problems_of(same_line).substr(0, 10), "k.cu:1:17:");
    const auto in_text = parse_front_matter("const char* s = \"/*--- lanescope x ---*/\";\n", "k.cu");
    ASSERT_TRUE(in_text);
    EXPECT_FALSE(in_text->present);
}

TEST(front_matter, written_text_reads_back_the_same) {
    FrontMatter front = front_of(reduction);
    front.title = "quote \" back \\ end */ line\nbreak \x01 ü";
    front.launches[0].repeat.text = "r = n / 2; r >= 1; r / 2";
    front.launches[0].cooperative = true;
    front.launches[0].resident = {"n / 2", 0, 0};
    front.expected_problems = {"race"};
    const auto add = [&](const char* name, const char* type) -> Buffer& {
        front.buffers.emplace_back();
        front.buffers.back().name = name;
        front.buffers.back().type = type;
        return front.buffers.back();
    };
    add("pixels", "uchar4").image = "a.png";
    add("mask", "float").values = {0.1, -2, 1e30};
    front.buffers.back().space = "constant";
    add("m", "half2").shape = {Expression{"n", 0, 0}, Expression{"block", 0, 0}};
    front.buffers.back().init.text = "constant(0.5)";
    add("letters", "char").text = "Programming \t";
    const std::string written = write_front_matter(front);
    const auto again = parse_front_matter(written + "__global__ void reduce();\n", "k.cu");
    ASSERT_TRUE(again) << written << problems_of(again);
    EXPECT_EQ(write_front_matter(*again), written);
    EXPECT_EQ(again->title, front.title);
    EXPECT_EQ(again->buffers[3].values, front.buffers[3].values);
    EXPECT_EQ(again->buffers[4].shape[1].text, "block");
    EXPECT_EQ(again->launches[0].repeat.text, front.launches[0].repeat.text);
    EXPECT_TRUE(again->launches[0].cooperative);
    EXPECT_EQ(again->launches[0].resident.text, "n / 2");
    EXPECT_EQ(again->expected_problems, front.expected_problems);
    EXPECT_EQ(again->parameters[0].max, front.parameters[0].max);
}

std::string with_texture(const std::string& entry, const std::string& type = "float") {
    return "[buffers]\na = { type = \"" + type + "\", count = 8 }\n[textures]\nrow = " + entry +
           "\n[[launch]]\nkernel = \"k\"\ngrid = [1]\nblock = [8]\nargs = [\"row\", \"a\"]\n";
}

TEST(front_matter, textures_are_read_and_written) {
    const FrontMatter front = front_of(
        with_texture(R"({ buffer = "a", address = "mirror", filter = "linear", normalized = true })"));
    ASSERT_EQ(front.textures.size(), 1u);
    EXPECT_EQ(front.textures[0].buffer, "a");
    EXPECT_EQ(front.textures[0].address, "mirror");
    EXPECT_TRUE(front.textures[0].normalized);
    const std::string written = write_front_matter(front);
    EXPECT_NE(written.find(
                  "row = { buffer = \"a\", address = \"mirror\", filter = \"linear\", normalized = true }"),
              std::string::npos)
        << written;
}

TEST(front_matter, bad_textures_say_why) {
    const auto expect = [](const std::string& toml, const std::string& message) {
        EXPECT_NE(error_of(toml).find(message), std::string::npos) << error_of(toml);
    };
    expect(with_texture(R"({ buffer = "b" })"), "no buffer is named 'b'");
    expect(with_texture(R"({ buffer = "a", address = "mirror" })"), "works with normalized coordinates only");
    expect(with_texture(R"({ buffer = "a", address = "miror" })"), "unknown address 'miror'");
    expect(with_texture(R"({ buffer = "a", filter = "linear" })", "int"), "integers cannot be filtered");
    expect(with_texture(R"({ buffer = "a" })", "double"), "'a' cannot be a texture");
    expect(with_texture(R"({ buffer = "a" })", "float3"), "'a' cannot be a texture");
    expect(with_texture("{ address = \"clamp\" }"), "buffer");
}

TEST(front_matter, expected_problems_stand_alone_or_beside_buffers) {
    EXPECT_EQ(front_of(some_launch + "[expect]\nproblems = [\"race\"]\n").expected_problems.size(), 1u);
    const FrontMatter both =
        front_of("[buffers]\no = {type = \"int\", count = 1}\n" + some_launch +
                 "[[expect]]\nproblems = [\"race\"]\n[[expect]]\nbuffer = \"o\"\nvalues = [1]\n");
    EXPECT_EQ(both.expected_problems, std::vector<std::string>{"race"});
    EXPECT_EQ(both.expectations.size(), 1u);
}

TEST(front_matter, bad_placement) {
    EXPECT_EQ(problems_of(parse_front_matter("int x;\n" + file_with(some_launch), "k.cu")),
              "k.cu:2:1: error: the front matter follows code (move it to the start of the file)\n");
    EXPECT_NE(
        problems_of(parse_front_matter("/*--- lanescope\ntitle = \"x */ y\"\n---*/", "k.cu")).find("---*/"),
        std::string::npos);
    EXPECT_NE(problems_of(parse_front_matter("/*--- lanescope\ntitle = 1", "k.cu")).find("does not end"),
              std::string::npos);
    EXPECT_FALSE(parse_front_matter("/*--- lanescope---*/", "k.cu"));
    EXPECT_FALSE(parse_front_matter("/*--- lanescope*/", "k.cu"));
}

TEST(front_matter, bad_toml_is_located_in_the_file) {
    EXPECT_EQ(error_of("title = \"a\"\nn = = 3\n").substr(0, 7), "k.cu:3:");
    EXPECT_EQ(error_of("title = \"a\"\ntitle = \"b\"\n").substr(0, 7), "k.cu:3:");
    EXPECT_EQ(error_of("[params]\nn = {default = 1}\nn = {default = 2}\n").substr(0, 7), "k.cu:4:");
    EXPECT_EQ(error_of("title = \"never closed\n").substr(0, 7), "k.cu:2:");
    EXPECT_EQ(error_of("[[[launch]]\n").substr(0, 9), "k.cu:2:3:");
    EXPECT_EQ(error_of("a = [1, }]\n").substr(0, 9), "k.cu:2:9:");
}

TEST(front_matter, bad_keys_get_the_nearest_one) {
    EXPECT_EQ(error_of("titel = \"a\"\n" + some_launch),
              "k.cu:2:1: error: unknown key 'titel' in the front matter (did you mean 'title'? known: title, "
              "exercise, arch, std, define, params, "
              "buffers, textures, launch, expect, cost, arrays, lane_label)\n");
    EXPECT_NE(error_of("[buffers]\na = {type = \"int\", cuont = 1}\n").find("did you mean 'count'?"),
              std::string::npos);
    EXPECT_NE(error_of("[params]\na = {defalt = 1}\n").find("did you mean 'default'?"), std::string::npos);
    EXPECT_NE(error_of(some_launch + "arguments = []\n")
                  .find("k.cu:6:1: error: unknown key 'arguments' in [[launch]]"),
              std::string::npos);
}

struct BadCase {
    const char* name;
    std::string toml;
    std::string message;
};

class bad_front_matter : public testing::TestWithParam<BadCase> {};

TEST_P(bad_front_matter, is_refused) {
    EXPECT_NE(error_of(GetParam().toml).find(GetParam().message), std::string::npos)
        << error_of(GetParam().toml);
}

const std::string in_and_out =
    "[buffers]\nin = {type = \"int\", count = 4, init = \"iota\"}\n"
    "out = {type = \"int\", count = 4}\nreal = {type = \"float\", count = 4, init = \"iota\"}\n";
const std::string launch = some_launch;

INSTANTIATE_TEST_SUITE_P(
    cases, bad_front_matter,
    testing::Values(
        BadCase{"no_launch", "title = \"x\"\n", "k.cu:1: error: there is no [[launch]]"},
        BadCase{"title_number", "title = 3\n", "k.cu:2:9: error: 'title' is an integer (expected a string)"},
        BadCase{"launch_table", "[launch]\nkernel = \"k\"\n", "(expected tables that begin with [[launch]])"},
        BadCase{"params_number", "params = 3\n", "(expected a table)"},
        BadCase{"param_number", "[params]\nn = 3\n",
                "k.cu:3:5: error: a parameter must be a table (as in n = { default"},
        BadCase{"param_without_default", "[params]\nn = {min = 3}\n", "the parameter 'n' needs 'default'"},
        BadCase{"param_text", "[params]\nn = {default = \"3\"}\n",
                "'default' is a string (expected an integer)"},
        BadCase{"below_min", "[params]\nn = {default = 3, min = 4}\n",
                "k.cu:3:16: error: the default of 'n' is not allowed: 3 is below its minimum 4"},
        BadCase{"above_max", "[params]\nn = {default = 3, max = 2}\n", "3 is above its maximum 2"},
        BadCase{"no_choice", "[params]\nn = {default = 3, choices = [1, 2]}\n",
                "3 is not one of its choices 1, 2"},
        BadCase{"empty_choices", "[params]\nn = {default = 3, choices = []}\n", "'choices' is empty"},
        BadCase{"mixed_choices", "[params]\nn = {default = 3, choices = [3, \"4\"]}\n",
                "'choices' is a string"},
        BadCase{"min_above_max", "[params]\nn = {default = 3, min = 4, max = 2}\n",
                "'min' is greater than 'max'"},
        BadCase{"param_name", "[params]\n\"a b\" = {default = 3}\n", "'a b' cannot name a parameter"},
        BadCase{"param_function", "[params]\nmin = {default = 3}\n",
                "'min' is a function of the expressions"},
        BadCase{"same_name", "[params]\na = {default = 3}\n[buffers]\na = {type = \"int\", count = 1}\n",
                "k.cu:5:1: error: 'a' is already the name of a parameter or a buffer"},
        BadCase{"buffer_type", "[buffers]\na = {type = \"itn\", count = 1}\n",
                "k.cu:3:13: error: unknown buffer type 'itn' (did you mean 'int'?"},
        BadCase{"buffer_without_type", "[buffers]\na = {count = 1}\n", "the buffer 'a' needs 'type'"},
        BadCase{"buffer_without_count", "[buffers]\na = {type = \"int\"}\n", "the buffer 'a' needs 'count'"},
        BadCase{"buffer_space", "[buffers]\na = {type = \"int\", count = 1, space = \"shared\"}\n",
                "unknown space 'shared' (known: global, constant, device)"},
        BadCase{"count_and_shape", "[buffers]\na = {type = \"int\", count = 1, shape = [1, 1]}\n",
                "both 'count' and 'shape'"},
        BadCase{"shape_of_three", "[buffers]\na = {type = \"int\", shape = [1, 1, 1]}\n",
                "'shape' has 3 extents"},
        BadCase{"two_contents", "[buffers]\na = {type = \"int\", count = 1, init = \"zero\", values = [1]}\n",
                "contents from more than one key"},
        BadCase{"empty_values", "[buffers]\na = {type = \"int\", values = []}\n", "'values' is empty"},
        BadCase{"empty_text", "[buffers]\na = {type = \"char\", text = \"\"}\n", "'text' is empty"},
        BadCase{"values_out_of_range", "[buffers]\na = {type = \"uchar\", values = [1, 256]}\n",
                "is not a valid uchar"},
        BadCase{"values_too_exact", "[buffers]\na = {type = \"long\", values = [9007199254740993]}\n",
                "2^53"},
        BadCase{"text_in_float", "[buffers]\na = {type = \"float\", text = \"abc\"}\n",
                "text does not fit into float"},
        BadCase{"init_unknown", "[buffers]\na = {type = \"int\", count = 1, init = \"randm(0, 1)\"}\n",
                "k.cu:3:39: error: unknown contents 'randm' (did you mean 'random'?"},
        BadCase{"init_arguments", "[buffers]\na = {type = \"int\", count = 1, init = \"random(1)\"}\n",
                "'random' got 1 values"},
        BadCase{"init_name", "[buffers]\na = {type = \"int\", count = 1, init = \"constant(c)\"}\n",
                "unknown name 'c'"},
        BadCase{"init_number", "[buffers]\na = {type = \"int\", count = 1, init = 3}\n",
                "'init' is not a string"},
        BadCase{"count_of_later_buffer",
                "[buffers]\na = {type = \"int\", count = \"b.count\"}\nb = {type = \"int\", count = 1}\n",
                "unknown name 'b.count'"},
        BadCase{"kernel_missing", "[[launch]]\ngrid = 1\nblock = 1\n", "[[launch]] needs 'kernel'"},
        BadCase{"grid_missing", "[[launch]]\nkernel = \"k\"\nblock = 1\n", "[[launch]] needs 'grid'"},
        BadCase{"grid_of_four", "[[launch]]\nkernel = \"k\"\ngrid = [1, 1, 1, 1]\nblock = 1\n",
                "'grid' has 4 items (expected at most 3)"},
        BadCase{"grid_empty", "[[launch]]\nkernel = \"k\"\ngrid = []\nblock = 1\n", "'grid' is empty"},
        BadCase{"grid_boolean", "[[launch]]\nkernel = \"k\"\ngrid = true\nblock = 1\n",
                "'grid' is a boolean"},
        BadCase{"grid_blank", "[[launch]]\nkernel = \"k\"\ngrid = \" \"\nblock = 1\n", "'grid' is empty"},
        BadCase{"unknown_argument", in_and_out + launch + "args = [\"in\", \"ot\"]\n",
                "k.cu:10:16: error: 'ot' is neither a buffer nor a parameter (did you mean 'out'?"},
        BadCase{"buffer_in_expression", in_and_out + launch + "args = [\"2 * in\"]\n", "unknown name 'in'"},
        BadCase{"symbol_as_argument",
                "[buffers]\nc = {type = \"int\", count = 4, space = \"constant\"}\n" + launch +
                    "args = [\"c\"]\n",
                "'c' is a module-scope symbol"},
        BadCase{"repeat_form", launch + "repeat = \"r = 1\"\n", "is not a repetition"},
        BadCase{"repeat_taken",
                "[params]\nr = {default = 1}\n" + launch + "repeat = \"r = 1; r < 2; r + 1\"\n",
                "'r' is already a name"},
        BadCase{"repeat_out_of_scope",
                launch + "repeat = \"r = 1; r < 2; r + 1\"\n" +
                    "[[launch]]\nkernel = \"k\"\ngrid = \"r\"\nblock = 1\n",
                "unknown name 'r'"},
        BadCase{"cooperative_text", launch + "cooperative = \"yes\"\n", "'cooperative' is a string"},
        BadCase{"expect_unknown_buffer", in_and_out + launch + "[[expect]]\nbuffer = \"oot\"\nvalues = [1]\n",
                "k.cu:11:10: error: no buffer is named 'oot' (did you mean 'out'?"},
        BadCase{"expect_without_buffer", launch + "[[expect]]\nvalues = [1]\n",
                "an expectation needs 'buffer'"},
        BadCase{"expect_nothing", in_and_out + launch + "[[expect]]\nbuffer = \"out\"\n",
                "an expectation needs 'equals'"},
        BadCase{"expect_twice",
                in_and_out + launch + "[[expect]]\nbuffer = \"out\"\nequals = \"copy(in)\"\nvalues = [1]\n",
                "one of them"},
        BadCase{"expect_problem", launch + "[expect]\nproblems = [\"racing\"]\n",
                "unknown kind of problem 'racing'"},
        BadCase{
            "tolerance",
            in_and_out + launch + "[[expect]]\nbuffer = \"real\"\nequals = \"copy(in)\"\ntolerance = -1\n",
            "'tolerance' is negative"},
        BadCase{"reference_unknown",
                in_and_out + launch + "[[expect]]\nbuffer = \"out\"\nequals = \"block_sum(in, 2)\"\n",
                "unknown reference 'block_sum' (did you mean 'block_sums'? known: add, attention, "},
        BadCase{"reference_arguments",
                in_and_out + launch + "[[expect]]\nbuffer = \"out\"\nequals = \"block_sums(in)\"\n",
                "(expected block_sums(in, section))"},
        BadCase{"reference_of_output",
                in_and_out + launch + "[[expect]]\nbuffer = \"out\"\nequals = \"copy(out)\"\n",
                "the buffer 'out' has no initial contents to compare it with"},
        BadCase{"reference_of_nothing",
                in_and_out + launch + "[[expect]]\nbuffer = \"out\"\nequals = \"copy(inn)\"\n",
                "no buffer is named 'inn' (did you mean 'in'?"},
        BadCase{"reference_type",
                in_and_out + launch + "[[expect]]\nbuffer = \"out\"\nequals = \"copy(real)\"\n",
                "'copy' gives float, but the buffer holds int"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(front_matter, bad_files_report_everything_at_once) {
    const auto front =
        parse_front_matter(file_with("titel = 1\n[buffers]\na = {type = \"x\", count = \"q\"}\n"), "k.cu");
    ASSERT_FALSE(front);
    ASSERT_EQ(front.diagnostics().size(), 3u);
    EXPECT_EQ(front.diagnostics()[0].line, 2);
    EXPECT_EQ(front.diagnostics()[2].line, 4);
}

TEST(front_matter, bad_hostile_toml_does_not_crash) {
    std::string dotted = "a";
    for (int i = 0; i < 300'000; ++i)
        dotted += i % 2 ? ".a" : " . \"b\"";
    EXPECT_NE(error_of(dotted + " = 1\n").find("a key has more than 16 parts"), std::string::npos);
    EXPECT_NE(error_of("[" + dotted + "]\n").find("a key has more than 16 parts"), std::string::npos);
    EXPECT_NE(error_of("x = {" + dotted + " = 1}\n").find("a key has more than 16 parts"), std::string::npos);
    EXPECT_NE(error_of("a = " + std::string(100'000, '[') + "\n"), "no error");
    EXPECT_NE(error_of(std::string(5u << 20, 'a')).find("more than 4 MiB"), std::string::npos);
    EXPECT_NE(error_of(std::string("title = \"\x80\xff\"\n")), "no error");
    EXPECT_NE(error_of("[params]\nn =·4\n").find("a non-ASCII letter is outside quotation marks"),
              std::string::npos);
    EXPECT_NE(error_of(std::string("title = \"a\0b\"\n", 14)), "no error");
    std::string many = "[buffers]\na = {type = \"float\", values = [";
    for (int i = 0; i < 2000; ++i)
        many += "0.5, ";
    EXPECT_EQ(error_of(many + "1.5]}\n" + some_launch),
              "no error");  // dots of numbers are not parts of a key
}

}  // namespace front_matter_test
}  // namespace lanescope::lesson
