#include "base/number_text.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace lanescope {
namespace number_text_test {

TEST(NumberText, seconds_never_read_as_none) {
    EXPECT_EQ(seconds_text(0), "0 s");
    EXPECT_EQ(seconds_text(0.001), "1 ms");
    EXPECT_EQ(seconds_text(0.0004), "0.4 ms");
    EXPECT_EQ(seconds_text(0.05), "50 ms");
    EXPECT_EQ(seconds_text(0.5), "0.5 s");
    EXPECT_EQ(seconds_text(1.23456), "1.23 s");
    EXPECT_EQ(seconds_text(5), "5 s");
    EXPECT_EQ(seconds_text(59.97), "60 s");
    EXPECT_EQ(seconds_text(86'400), "86400 s");
}

TEST(Letters, change_their_case_in_ascii_alone) {
    EXPECT_EQ(lower_case(std::string("ISTANBUL ÄÖ @[`{")), "istanbul ÄÖ @[`{");
    EXPECT_EQ(upper_case('i'), 'I');
    EXPECT_EQ(upper_case('{'), '{');
}

}  // namespace number_text_test
}  // namespace lanescope
