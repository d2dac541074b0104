#include "preview/model/filter_choice.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/files.h"

namespace lanescope::preview {
namespace filter_choice_test {

FilterChoice chosen(const std::string& text) {
    return FilterChoice(*parse_filter(text));
}

const FilterChoice::Kind& kind_named(const std::string& name) {
    for (const FilterChoice::Kind& kind : FilterChoice::kinds())
        if (name == kind.name) return kind;
    throw std::logic_error(name);
}

TEST(FilterChoice, knows_the_kinds_that_masks_have) {
    std::vector<std::string> known, listed;
    for (const MaskKind& kind : mask_kinds())
        known.push_back(kind.name);
    for (const FilterChoice::Kind& kind : FilterChoice::kinds()) {
        listed.push_back(kind.name);
        EXPECT_TRUE(parse_filter(kind.name + std::string(kind.sized ? ":3" : ""))) << kind.name;
    }
    std::sort(known.begin(), known.end());
    std::sort(listed.begin(), listed.end());
    EXPECT_EQ(listed, known);
}

TEST(FilterChoice, another_kind_is_as_large_as_the_mask_was) {
    FilterChoice filter = chosen("gaussian:9:2");
    EXPECT_STREQ(filter.kind()->name, "gaussian");
    filter.choose(kind_named("box"));
    EXPECT_EQ(filter.filter().name, "box:9");
    EXPECT_EQ(filter.mask().rows, 9u);
    filter.choose(kind_named("sobel"));
    EXPECT_FALSE(filter.can_edit());
    EXPECT_FALSE(filter.can_resize());
    filter.choose(kind_named("box"));
    EXPECT_EQ(filter.mask().rows, 3u);
}

TEST(FilterChoice, sigma_is_the_names_or_the_usual_one) {
    FilterChoice filter = chosen("gaussian:5:1.4");
    EXPECT_EQ(filter.sigma(), 1.4);
    filter.set_sigma(0.001);
    EXPECT_EQ(filter.sigma(), 0.1);
    EXPECT_EQ(filter.mask(), gaussian(5, 0.1));
    filter.resize(7);
    EXPECT_EQ(filter.sigma(), default_sigma(7));
    EXPECT_EQ(filter.mask().rows, 7u);
    EXPECT_FALSE(chosen("box:3").sigma());
}

TEST(FilterChoice, every_edit_makes_the_mask_the_persons_own) {
    FilterChoice filter = chosen("gaussian:3");
    filter.set_cell(0, 1, 7, true);
    EXPECT_EQ(filter.kind(), nullptr);
    EXPECT_TRUE(filter.can_resize());
    for (const auto& [r, c] : {std::pair{0u, 1u}, {1u, 0u}, {1u, 2u}, {2u, 1u}})
        EXPECT_EQ(filter.mask().at(r, c), 7) << r << ' ' << c;
    filter.set_cell(0, 1, 5, false);
    EXPECT_EQ(filter.mask().at(0, 1), 5);
    EXPECT_EQ(filter.mask().at(2, 1), 7);
    filter.rotate();
    EXPECT_EQ(filter.mask().at(1, 2), 5);
    filter.transpose();
    EXPECT_EQ(filter.mask().at(2, 1), 5);
    EXPECT_TRUE(filter.can_normalise());
    filter.normalise();
    EXPECT_NEAR(filter.mask().sum(), 1, 1e-12);
    EXPECT_FALSE(filter.can_normalise());
    filter.resize(5);
    EXPECT_EQ(filter.mask().rows, 5u);
    EXPECT_EQ(filter.mask().at(0, 0), 0);
}

TEST(FilterChoice, a_file_keeps_the_mask) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("lanescope-" + std::to_string(getpid()) + ".mask");
    FilterChoice filter = chosen("sharpen");
    ASSERT_TRUE(filter.save(file));
    FilterChoice loaded = chosen("box:5");
    ASSERT_TRUE(loaded.load(file));
    EXPECT_EQ(loaded.mask(), filter.mask());
    EXPECT_EQ(loaded.kind(), nullptr);
    ASSERT_TRUE(write_file(file, "1 2\n"));
    EXPECT_FALSE(loaded.load(file));
    EXPECT_EQ(loaded.mask(), filter.mask());  // unchanged
    std::filesystem::remove(file);
    EXPECT_FALSE(loaded.load(file));
}

}  // namespace filter_choice_test
}  // namespace lanescope::preview
