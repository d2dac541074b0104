// The form of the front matter: its entries, the text that it writes, the places of mistakes.
#include <gtest/gtest.h>

#include "scene/lesson/form_model.h"

namespace lanescope::scene {
namespace form_test {

const std::string source = R"cu(/*--- lanescope
title = "A title"

[params]
n     = { default = 64, min = 1, max = 1024, label = "elements" }
block = { default = 64, choices = [32, 64] }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
m   = { type = "float", values = [1, 2.5] }
out = { type = "int", shape = ["n", "2"] }

[[launch]]
kernel = "f"
grid   = ["ceil_div(n, block)", "2"]
block  = ["block"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
values = [1, 2]

[[expect]]
problems = ["race"]

[cost]
bytes = "4 * n"
---*/
__global__ void f(int* in, int* out, int n) {}
)cu";

FormModel form_for(const std::string& text) {
    const auto front = lesson::parse_front_matter(text, "f.cu");
    EXPECT_TRUE(front) << to_text(front.diagnostics());
    return form_of(*front);
}

TEST(Form, shows_every_entry_as_text) {
    FormModel form = form_for(source);
    EXPECT_EQ(form.title, "A title");
    EXPECT_EQ(form.of(FormSection::parameters)[0].fields,
              (std::vector<std::string>{"n", "elements", "64", "1", "1024", ""}));
    EXPECT_EQ(form.of(FormSection::parameters)[1].fields[5], "32, 64");
    EXPECT_EQ(form.of(FormSection::buffers)[2].fields[3], "n, 2");
    EXPECT_EQ(form.of(FormSection::launches)[0].fields[1], "ceil_div(n, block), 2");
    EXPECT_EQ(form.of(FormSection::expectations)[0].fields[2], "1, 2");
}

TEST(Form, writes_what_was_entered_and_keeps_the_rest) {
    FormModel form = form_for(source);
    form.of(FormSection::parameters)[0].fields[2] = "128";
    form.of(FormSection::launches)[0].fields[1] = "max(n, block), 1";
    const auto made = source_with(form, source, "f.cu");
    ASSERT_TRUE(made);
    const std::string& written = *made;
    EXPECT_TRUE(written.ends_with("---*/\n__global__ void f(int* in, int* out, int n) {}\n")) << written;
    const auto front = lesson::parse_front_matter(written, "f.cu");
    ASSERT_TRUE(front) << to_text(front.diagnostics());
    EXPECT_EQ(front->parameters[0].default_value, 128);
    ASSERT_EQ(front->launches[0].grid.size(), 2u) << "a comma in brackets is not a separator";
    EXPECT_EQ(front->launches[0].grid[0].text, "max(n, block)");
    EXPECT_EQ(front->buffers[1].values, (std::vector<double>{1, 2.5}))
        << "text that the form does not show must stay";
    EXPECT_EQ(front->expected_problems, std::vector<std::string>{"race"});
    EXPECT_EQ(front->cost.bytes.text, "4 * n");
}

TEST(Form, keeps_comments_and_the_lines_that_nobody_changed) {
    std::string noted = source;
    const auto put = [&](const std::string& behind, const std::string& text) {
        noted.insert(noted.find(behind) + behind.size(), text);
    };
    put("label = \"elements\" }", "   # how many");
    put("[buffers]\n", "# what goes in\n");
    FormModel form = form_for(noted);
    form.of(FormSection::parameters)[0].fields[2] = "128";
    const auto made = source_with(form, noted, "f.cu");
    ASSERT_TRUE(made);
    std::string expected = noted;
    expected.replace(expected.find("default = 64"), 12, "default = 128");
    EXPECT_EQ(*made, expected) << "only one number may change";
}

TEST(Form, goes_before_a_file_that_has_no_front_matter) {
    const std::string bare = "__global__ void f(int* a) { a[0] = 1; }\n";
    const auto other = lesson::parse_front_matter(source, "f.cu");
    ASSERT_TRUE(other);
    lesson::FrontMatter proposed = *other;  // as a proposal makes it: without a place in the file
    proposed.present = false;
    FormModel form = form_of(proposed);
    for (FormRow& row : form.of(FormSection::launches))
        row.origin = -1;
    const auto made = source_with(form, bare, "f.cu");
    ASSERT_TRUE(made) << form.error;
    const std::string& written = *made;
    EXPECT_TRUE(written.starts_with("/*--- lanescope"));
    EXPECT_TRUE(written.ends_with(bare));
    EXPECT_TRUE(lesson::parse_front_matter(written, "f.cu")->present);
}

// Expects that the wrong field is reported and that nothing is written.
void expect_mistake(FormSection section, std::size_t row, std::size_t field, const std::string& entered) {
    FormModel form = form_for(source);
    form.of(section)[row].fields[field] = entered;
    EXPECT_FALSE(source_with(form, source, "f.cu")) << entered;
    EXPECT_FALSE(form.of(section)[row].error.empty()) << entered << " " << form.error;
    EXPECT_EQ(form.of(section)[row].wrong, field) << entered << ": " << form.of(section)[row].error;
}

TEST(Form, bad_entries_are_told_at_their_fields) {
    expect_mistake(FormSection::parameters, 0, 2, "many");
    expect_mistake(FormSection::parameters, 0, 4, "1.5");
    expect_mistake(FormSection::parameters, 1, 5, "32, x");
    expect_mistake(FormSection::buffers, 0, 1, "integer");
    expect_mistake(FormSection::buffers, 0, 2, "n +");
    expect_mistake(FormSection::buffers, 0, 4, "shuffled(3)");
    expect_mistake(FormSection::launches, 0, 1, "n n");
    expect_mistake(FormSection::launches, 0, 2, "0");
    expect_mistake(FormSection::launches, 0, 4, "in, nothing");
    expect_mistake(FormSection::expectations, 0, 0, "nowhere");
}

}  // namespace form_test
}  // namespace lanescope::scene
