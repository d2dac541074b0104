#include <gtest/gtest.h>

#include "scene/inspector/roofline_plot.h"

namespace lanescope::scene {
namespace roofline_test {

using Places = std::vector<std::optional<float>>;

TEST(LabelPlaces, stay_where_they_are_wanted_if_there_is_room) {
    EXPECT_EQ(label_places({10, 30, 50}, 3, 10, 60), (Places{10, 30, 50}));
    EXPECT_EQ(label_places({}, 0, 10, 60), Places());
}

TEST(LabelPlaces, never_overlap_nor_leave_the_column) {
    const std::vector<float> wanted{2, 2, 3, 40, 41, 58, 59, 59};
    const Places places = label_places(wanted, 8, 7, 60);
    float last = -3.5f;
    for (const std::optional<float>& place : places) {
        ASSERT_TRUE(place);
        EXPECT_GE(*place, last + 7);
        last = *place;
    }
    EXPECT_LE(last, 60 - 3.5f);
}

TEST(LabelPlaces, leave_out_the_last_but_not_the_kept_one) {
    const Places places = label_places({1, 2, 3, 4, 5}, 4, 10, 30);
    EXPECT_TRUE(places[0] && places[1] && places[4]);
    EXPECT_FALSE(places[2] || places[3]);
    EXPECT_EQ(label_places({1}, 0, 10, 5), Places{std::nullopt});
}

lesson::Topic topic_of(const std::vector<std::string>& names) {
    lesson::Topic topic;
    topic.name = "reduction";
    for (const std::string& name : names) {
        lesson::LessonEntry entry;
        entry.name = name;
        entry.title = "The " + name + " one";
        entry.path = "kernels/reduction/" + name + ".cu";
        topic.lessons.push_back(entry);
    }
    return topic;
}

session::TimingRecord record(const std::string& name, std::int64_t operations, double ms) {
    session::TimingRecord made;
    made.file = "kernels/reduction/" + name + ".cu";
    made.operations = operations;
    made.bytes = 8'000'000;
    made.timing.median_ms = ms;
    return made;
}

class Plot : public testing::Test {
  protected:
    session::TimingRecord light_ = record("light", 8'000'000, 0.004),
                          heavy_ = record("heavy", 800'000'000, 0.02), none_ = record("none", 0, 1);
    lesson::Topic topic_ = topic_of({"light", "heavy", "none"});

    session::Roofline roofline(const std::vector<const session::TimingRecord*>& records) const {
        session::Timings timings;
        timings.report.device.name = "Test GPU";
        timings.report.device.copy_gb_per_s = 4000;
        session::RooflineFacts facts;
        facts.device.name = "Test GPU";
        facts.peaks = {{"float_multiply_add", 60'000}};
        facts.lessons = {{light_.file, {"", "float_multiply_add", 0}},
                         {heavy_.file, {"", "float_multiply_add", 0}}};
        return roofline_of(timings, records, facts);
    }
};

TEST_F(Plot, has_all_dots_and_ceilings_within_the_axes) {
    const RooflinePlot plot = roofline_plot(roofline({&light_, &heavy_, &none_}), topic_, &topic_.lessons[0]);
    ASSERT_EQ(plot.dots.size(), 2u);
    EXPECT_EQ(plot.dots[0].title, "The heavy one") << "the highest first";
    EXPECT_TRUE(plot.dots[1].open);
    for (const RooflineDot& dot : plot.dots) {
        EXPECT_GT(dot.x, 0);
        EXPECT_LT(dot.x, 1);
        EXPECT_GT(dot.y, 0);
        EXPECT_LT(dot.y, 1);
    }
    ASSERT_EQ(plot.ceilings.size(), 2u);
    EXPECT_EQ(plot.ceilings[0].label, "copy 4 000 GB/s");
    EXPECT_EQ(plot.ceilings[1].label, "multiply-adds 60 000 GOP/s");
    EXPECT_NEAR(plot.ceilings[0].to_x, plot.ceilings[1].from_x, 1e-9) << "the slope ends at the level line";
    EXPECT_NEAR(plot.ceilings[0].to_y, plot.ceilings[1].from_y, 1e-9);
    // At one operation a byte the slope is at 4000 GOP/s: twice the kernel's 2000.
    const double unit = plot.dots[0].x - plot.dots[1].x;  // two powers of ten
    const double slope =
        (plot.ceilings[0].to_y - plot.ceilings[0].from_y) / (plot.ceilings[0].to_x - plot.ceilings[0].from_x);
    EXPECT_GT(slope, 0);
    EXPECT_GT(unit, 0);
    EXPECT_NE(plot.note.find("Without operations on data or a time: none."), std::string::npos);
    EXPECT_NE(plot.dots[1].details.find("2 000 GOP/s, 50 % of what the memory would allow: 4 000"),
              std::string::npos)
        << plot.dots[1].details;
}

TEST_F(Plot, has_a_place_by_the_bytes_of_the_memory_if_it_is_within_the_axes) {
    const auto counted = [](double bytes) {
        return session::CounterComparison{
            7,
            "",
            {{"k", {{"dram_read_bytes", {}, bytes, "", false}, {"dram_write_bytes", {}, 0, "", false}}}}};
    };
    light_.counters = counted(4'000'000);  // half of the bytes that must be moved
    heavy_.counters = counted(1);
    const RooflinePlot plot = roofline_plot(roofline({&light_, &heavy_}), topic_, nullptr);
    ASSERT_EQ(plot.dots.size(), 2u);
    ASSERT_TRUE(plot.dots[1].dram_x);
    EXPECT_GT(*plot.dots[1].dram_x, plot.dots[1].x);
    EXPECT_NE(plot.dots[1].details.find("wrote 4 MB of its memory (DRAM): 2 operations for each"),
              std::string::npos)
        << plot.dots[1].details;
    EXPECT_FALSE(plot.dots[0].dram_x) << "far beyond the axes";
    EXPECT_NE(plot.note.find("Squares: by the bytes"), std::string::npos) << plot.note;
}

TEST_F(Plot, says_why_there_is_none) {
    const RooflinePlot plot = roofline_plot(roofline({&none_}), topic_, nullptr);
    EXPECT_TRUE(plot.dots.empty());
    EXPECT_NE(plot.note.find("there is no roofline"), std::string::npos);
}

}  // namespace roofline_test
}  // namespace lanescope::scene
