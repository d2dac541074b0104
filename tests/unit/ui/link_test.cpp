#include "ui/state/link.h"

#include <gtest/gtest.h>

#include "base/folders.h"

namespace lanescope::ui {
namespace link_test {

using Arguments = std::vector<std::string>;

TEST(LinkOptions, are_those_of_the_command_line) {
    const std::string kernels = (resource_folder() / "kernels").string();
    const auto made = options_of_link(
        "?lesson=scan/blelloch&step=32&view=flow&n=16&page=1&lecture=0&schedule=threads:0*3,1&token=secret",
        "/own");
    ASSERT_TRUE(made);
    EXPECT_EQ(*made, (Arguments{kernels + "/scan/blelloch.cu", "--step=32", "--view=flow", "--set=n=16",
                                "--page", "--schedule=threads:0*3,1"}));
    EXPECT_EQ(*options_of_link("trace=my%20scan.trace", "/own"), Arguments{"/own/my scan.trace"});
    EXPECT_EQ(*options_of_link("", "/own"), Arguments{});
}

TEST(LinkOptions, of_bad_links_are_errors) {
    for (const char* query : {"lesson=../../etc/passwd", "file=/etc/passwd", "trace=..", "n", "=3",
                              "step=", "lesson=scan/blelloch&file=a.cu"})
        EXPECT_FALSE(options_of_link(query, "/own")) << query;
}

// A name that begins with dashes is a parameter, not an option of the program.
TEST(LinkOptions, never_are_options_that_a_link_has_not) {
    EXPECT_EQ(*options_of_link("--save=/tmp/x&gpu=ssh:host", "/own"),
              (Arguments{"--set=--save=/tmp/x", "--set=gpu=ssh:host"}));
}

}  // namespace link_test
}  // namespace lanescope::ui
