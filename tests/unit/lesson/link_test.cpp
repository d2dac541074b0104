#include "lesson/course/link.h"

#include <gtest/gtest.h>

#include "base/folders.h"

namespace lanescope::lesson {
namespace link_test {

TEST(Link, names_a_lesson_wherever_its_file_is_named_from) {
    const std::filesystem::path file = resource_folder() / "kernels/scan/blelloch.cu";
    EXPECT_EQ(link_query(file), "lesson=scan/blelloch");
    EXPECT_EQ(link_query(std::filesystem::relative(file)), "lesson=scan/blelloch");
    EXPECT_EQ(link_query(file, {{"n", "16"}, {"schedule", "threads:0*3,1"}}),
              "lesson=scan/blelloch&n=16&schedule=threads:0*3,1");
    EXPECT_EQ(file_of_lesson("scan/blelloch"), file);
}

TEST(Link, names_other_files_without_their_folder) {
    EXPECT_EQ(link_query("/somewhere/my scan & sort.cu"), "file=my%20scan%20%26%20sort.cu");
}

TEST(Link, gives_back_what_was_put_in) {
    const LinkWords words = {{"file", "ü 100%=&+?#.cu"}, {"view", "flow"}};
    EXPECT_EQ(words_of_link("?" + link_query(words[0].second, {words[1]})), words);
    EXPECT_EQ(words_of_link("page&&n=%3&a=b=c+d%"), (LinkWords{{"page", ""}, {"n", "%3"}, {"a", "b=c d%"}}));
    EXPECT_TRUE(words_of_link("?").empty());
}

TEST(Link, needs_an_address_that_a_query_can_follow) {
    for (const char* address : {"https://your.server/lanescope/", "http://localhost:8000"})
        EXPECT_TRUE(check_web_address(address)) << address;
    for (const char* address : {"", "your.server", "file:///lanescope.html", "javascript:alert(1)",
                                "https://a/?b=c", "https://a/#b", "https://a/\"><script>", "https://a b/"})
        EXPECT_FALSE(check_web_address(address)) << address;
}

}  // namespace link_test
}  // namespace lanescope::lesson
