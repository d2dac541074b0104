// In both themes, meanings stay distinct with every kind of colour vision, and text is readable.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "colour_vision.h"
#include "gpu/sampled/stall_reasons.h"
#include "ui/kit/origin_colour.h"
#include "ui/kit/stall_look.h"
#include "ui/kit/theme.h"

namespace lanescope::ui {
namespace colours_test {

struct Named {
    const char* name;
    ImU32 colour;
};

class Colours : public testing::TestWithParam<Brightness> {
  protected:
    void SetUp() override { set_theme(GetParam()); }
    void TearDown() override { set_theme(Brightness::dark); }
};

// Three times the just noticeable distance. Shapes, edges and words repeat the meaning
// of each of these colours.
constexpr double least_distance = 0.06;

TEST_P(Colours, meanings_are_told_apart_with_every_kind_of_colour_vision) {
    const std::vector<Named> meanings = {
        {"active", theme().active_edge}, {"off", theme().off_edge},     {"barrier", theme().barrier},
        {"read", theme().read_edge},     {"write", theme().write_edge}, {"conflict", theme().conflict},
        {"race", theme().race},
    };
    for (const Vision& vision : visions)
        for (std::size_t i = 0; i < meanings.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GE(distance(vision, linear(meanings[i].colour), linear(meanings[j].colour)),
                          least_distance)
                    << vision.name << ": " << meanings[j].name << " and " << meanings[i].name;
}

TEST_P(Colours, text_has_the_contrast_of_wcag) {
    const std::vector<Named> surfaces = {
        {"background", theme().background}, {"panel", theme().panel}, {"raised", theme().panel_raised}};
    const std::vector<Named> words = {
        {"strong", theme().text_strong}, {"text", theme().text},       {"quiet", theme().text_quiet},
        {"faint", theme().text_faint},   {"heading", theme().heading}, {"accent", theme().accent},
        {"conflict", theme().conflict},  {"race", theme().race},       {"good", theme().good},
        {"library", theme().library},
    };
    for (const Named& surface : surfaces)
        for (const Named& word : words)
            EXPECT_GE(contrast(linear(word.colour), linear(surface.colour)), 4.5)
                << word.name << " on " << surface.name;
    const std::vector<Named> code = {
        {"text", theme().text},       {"keyword", theme().keyword}, {"type", theme().type_name},
        {"builtin", theme().builtin}, {"number", theme().number},   {"string", theme().string},
        {"comment", theme().comment},
    };
    for (const Named& word : code) {
        EXPECT_GE(contrast(linear(word.colour), linear(theme().panel)), 4.5) << word.name;
        EXPECT_GE(contrast(linear(word.colour), linear(theme().current_line)),
                  word.colour == theme().comment ? 3.0 : 4.5)
            << word.name << " on the current line";
    }
}

// WCAG 1.4.11: graphics with a meaning need contrast with their background.
TEST_P(Colours, edges_stand_out) {
    for (const Named& edge :
         {Named{"active", theme().active_edge}, Named{"barrier", theme().barrier},
          Named{"read", theme().read_edge}, Named{"write", theme().write_edge}, Named{"time", theme().time}})
        EXPECT_GE(contrast(linear(edge.colour), linear(theme().background)), 3.0) << edge.name;
}

// Related reasons share a hue: one is plain, the others are hatched. Rows lie on the panel.
TEST_P(Colours, reasons_of_warps_are_told_apart) {
    const std::vector<const char*> plain = {"issues",     "global_memory", "shared_memory", "barrier",
                                            "arithmetic", "branch",        "not_selected"};
    for (const char* name : plain) {
        EXPECT_FALSE(stall_look(name).hatched) << name;
        EXPECT_GE(contrast(linear(stall_look(name).colour), linear(theme().panel)), 3.0) << name;
    }
    for (const Vision& vision : visions)
        for (std::size_t i = 0; i < plain.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GE(distance(vision, linear(stall_look(plain[i]).colour),
                                   linear(stall_look(plain[j]).colour)),
                          least_distance)
                    << vision.name << ": " << plain[j] << " and " << plain[i];
    for (const gpu::StallReason& reason : gpu::stall_reasons()) {
        const bool is_plain = std::find(plain.begin(), plain.end(), reason.name) != plain.end();
        EXPECT_NE(stall_look(reason.name).hatched, is_plain) << reason.name;
    }
}

// Values stand in filled cells.
TEST_P(Colours, values_can_be_read_in_cells) {
    for (const Named& fill : {Named{"active", theme().active}, Named{"read", theme().read},
                              Named{"write", theme().write}, Named{"cell", theme().cell}})
        EXPECT_GE(contrast(linear(theme().text_strong), linear(fill.colour)), 4.5) << fill.name;
}

TEST_P(Colours, values_can_be_read_in_cells_of_every_origin) {
    for (int row = 0; row <= 8; ++row)
        for (int column = 0; column <= 32; ++column) {
            const ImU32 fill = origin_colour(float(column) / 32, float(row) / 8);
            EXPECT_GE(contrast(linear(theme().text_strong), linear(fill)), 4.5) << column << ", " << row;
        }
}

TEST_P(Colours, neighbouring_parts_of_an_array_have_different_colours) {
    for (int column = 0; column < 7; ++column)
        EXPECT_GE(distance(visions[0], linear(origin_colour(float(column) / 7, 0.5f)),
                           linear(origin_colour(float(column + 1) / 7, 0.5f))),
                  least_distance)
            << column;
    EXPECT_GE(distance(visions[0], linear(origin_colour(0.5f, 0)), linear(origin_colour(0.5f, 1))),
              least_distance);
}

INSTANTIATE_TEST_SUITE_P(Themes, Colours, testing::Values(Brightness::dark, Brightness::light),
                         [](const auto& each) { return each.param == Brightness::dark ? "dark" : "light"; });

// Tests the simulation: a red and a green that look alike without one kind of cone,
// and white that stays white.
TEST(ColourVision, simulation_merges_what_deficiencies_merge) {
    const Triple red = linear(IM_COL32(200, 90, 60, 255)), green = linear(IM_COL32(115, 115, 60, 255));
    EXPECT_GT(distance(visions[0], red, green), 0.12);
    EXPECT_LT(distance(visions[2], red, green), 0.08);
    for (const Vision& vision : visions)
        EXPECT_LT(distance(vision, {1, 1, 1}, seen_by(vision, {1, 1, 1})), 1e-3) << vision.name;
    EXPECT_NEAR(contrast({0, 0, 0}, {1, 1, 1}), 21, 1e-9);
}

}  // namespace colours_test
}  // namespace lanescope::ui
