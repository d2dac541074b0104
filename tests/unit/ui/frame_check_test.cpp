#include "ui/kit/frame_check.h"

#include <gtest/gtest.h>

#include <optional>

#include "render/headless.h"
#include "ui/kit/frame_outline.h"
#include "ui/kit/imgui_layer.h"
#include "ui/kit/widgets.h"
#include "ui/vector/vector_picture.h"

namespace lanescope::ui {
namespace frame_check_test {

// Draws one panel in a frame of its own.
class FrameCheck : public testing::Test {
  protected:
    void SetUp() override {
        auto context = render::HeadlessContext::create();
        if (!context) GTEST_SKIP() << to_text(context.diagnostics());
        context_.emplace(std::move(*context));
        layer_.emplace(nullptr);
        layer_->name_widgets();
        layer_->set_scale(1);
    }

    template <class Draw>
    void frame(const Draw& draw) {
        layer_->begin({400, 300}, 0.1);
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({400, 300});
        ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground);
        name_panel({0, 0, 400, 300}, theme().panel);
        draw(ImGui::GetWindowDrawList());
        ImGui::End();
        ImGui::Render();
    }
    using Problems = std::vector<std::string>;
    static void word(ImDrawList* draw, const char* text, float x, float y) {
        draw_text(draw, fonts().text, {x, y}, theme().text, text);
    }

    std::optional<render::HeadlessContext> context_;
    std::optional<ImGuiLayer> layer_;
};

TEST_F(FrameCheck, a_good_frame_has_no_problem) {
    frame([](ImDrawList* draw) {
        word(draw, "whole", 10, 10);
        draw_text_within(draw, fonts().text, {10, 40}, theme().text, "a sentence that is too long", 90);
        click_area("small", {10, 80, 4, 4});
    });
    EXPECT_EQ(layer_->problems(), Problems{});
}

TEST_F(FrameCheck, text_that_is_cut_is_named) {
    frame([](ImDrawList* draw) {
        word(draw, "to the right", 360, 10);
        word(draw, "below", 10, 292);
        word(draw, "cut by hand…", 10, 40);
    });
    EXPECT_EQ(layer_->problems(), (Problems{"panel: 'below' is cut at its upper or lower edge",
                                            "panel: 'cut by hand…' does not show its rest to a resting mouse",
                                            "panel: 'to the right' is cut at its side"}));
}

TEST_F(FrameCheck, texts_that_overlap_are_named) {
    frame([](ImDrawList* draw) { word(draw, "over", 10, 10), word(draw, "under", 20, 14); });
    EXPECT_EQ(layer_->problems(), Problems{"panel: 'over' and 'under' overlap"});
}

TEST_F(FrameCheck, text_below_something_is_not_in_sight) {
    frame([](ImDrawList* draw) {
        word(draw, "under", 20, 14);
        draw->AddRectFilled({0, 0}, {400, 60}, theme().panel_raised);
        word(draw, "over", 10, 10);
    });
    EXPECT_EQ(layer_->problems(), Problems{});
}

TEST_F(FrameCheck, text_that_is_hard_to_read_is_named) {
    frame([](ImDrawList* draw) {
        draw->AddRectFilled({0, 0}, {200, 60}, IM_COL32(200, 200, 200, 255));
        draw_text(draw, fonts().text, {10, 10}, IM_COL32_WHITE, "pale");
        draw_text(draw, fonts().text, {10, 30}, legible(IM_COL32_WHITE, IM_COL32(200, 200, 200, 255)),
                  "dark");
    });
    ASSERT_EQ(layer_->problems().size(), 1u);
    EXPECT_TRUE(layer_->problems().front().starts_with("panel: 'pale' has contrast"))
        << layer_->problems().front();
}

TEST_F(FrameCheck, what_is_too_small_to_click_is_named) {
    frame([](ImDrawList* draw) { word(draw, "text", 10, 10), name_button("row", {10, 10, 200, 12}); });
    EXPECT_EQ(layer_->problems(), Problems{"panel/row: #×# px to click"});
}

TEST_F(FrameCheck, an_empty_panel_is_named) {
    frame([](ImDrawList*) {});
    EXPECT_EQ(layer_->problems(), Problems{"panel: shows nothing"});
}

TEST_F(FrameCheck, an_outline_has_rows_columns_pictures_and_buttons) {
    frame([](ImDrawList* draw) {
        word(draw, "right", 200, 10), word(draw, "left", 10, 10);
        {
            const TellInWords told([] { return std::string("a picture\n"); });
            word(draw, "7", 10, 40);
        }
        word(draw, "last", 10, 70);
        click_area("cell 12", {10, 100, 30, 30});
    });
    EXPECT_EQ(layer_->outline(), "== panel\nleft | right\na picture\nlast\nbuttons: cell #\n");
}

// --- The same frame as shapes ------------------------------------------------------------------------------

class Shapes : public FrameCheck {
  protected:
    template <class Draw>
    std::vector<Shape> shapes(const Draw& draw) {
        layer_->draw_sharp();
        frame(draw);
        Result<std::vector<Shape>> read = shapes_of(read_frame(*ImGui::GetDrawData()));
        EXPECT_TRUE(read);
        return read ? *read : std::vector<Shape>{};
    }
    template <class Form>
    static std::vector<Form> all(const std::vector<Shape>& shapes) {
        std::vector<Form> found;
        for (const Shape& shape : shapes)
            if (const auto* form = std::get_if<Form>(&shape.form)) found.push_back(*form);
        return found;
    }
};

TEST_F(Shapes, a_curve_is_one_line_and_a_polygon_one_polygon) {
    const std::vector<Shape> read = shapes([](ImDrawList* draw) {
        draw->AddBezierCubic({10, 100}, {10, 40}, {90, 40}, {90, 100}, theme().read_edge, 2, 24);
        draw->AddCircleFilled({200, 100}, 30, theme().write, 16);
        draw->AddRectFilled({10, 150}, {60, 200}, theme().cell);
    });
    const std::vector<Line> lines = all<Line>(read);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines.front().points.size(), 25u);
    EXPECT_NEAR(lines.front().width, 2, 0.01);
    const std::vector<Polygon> polygons = all<Polygon>(read);
    ASSERT_EQ(polygons.size(), 2u);
    EXPECT_EQ(polygons[0].corners.size(), 16u);
    EXPECT_EQ(polygons[1].corners.size(), 4u);
}

TEST_F(Shapes, text_has_its_face_its_size_and_its_place) {
    const std::vector<Words> words = all<Words>(shapes([](ImDrawList* draw) {
        word(draw, "a < b & c", 10, 10);
        draw_text(draw, fonts().mono, {10, 60}, theme().text, "s[0]");
    }));
    ASSERT_EQ(words.size(), 2u);
    EXPECT_EQ(words[0].text, "a < b & c");
    EXPECT_NEAR(words[0].size, 14, 0.5);
    EXPECT_NEAR(words[0].begin.x, 10, 0.5);
    EXPECT_NEAR(words[0].width, text_width(fonts().text, "a < b & c"), 1);
    EXPECT_TRUE(words[1].face.monospaced);
}

TEST_F(Shapes, are_written_as_svg_and_as_tikz) {
    VectorFrame frame{{400, 300}, IM_COL32(255, 255, 255, 255), {}, shapes([](ImDrawList* draw) {
                          word(draw, "a < b & c → 100 %", 10, 10);
                          draw->PushClipRect({0, 100}, {50, 200});
                          draw->AddRectFilled({10, 150}, {90, 180}, IM_COL32(255, 0, 0, 128));
                          draw->PopClipRect();
                      })};
    const Result<std::string> svg = svg_of(frame, "p"), tikz = tikz_of(frame);
    ASSERT_TRUE(svg && tikz);
    for (const char* part : {">a &lt; b &amp; c → 100 %</text>", "<clipPath id=\"pc0\">",
                             "fill=\"#ff0000\" fill-opacity=\"0.5\" clip-path=\"url(#pc0)\""})
        EXPECT_NE(svg->find(part), std::string::npos) << part << "\n" << *svg;
    for (const char* part :
         {"a\\ $<$\\ b\\ \\&\\ c\\ $\\rightarrow$\\ 100\\ \\%", "\\clip (0,100) rectangle (50,200);",
          "opacity=0.5] (10,150) -- (90,150) -- (90,180) -- (10,180) -- cycle;"})
        EXPECT_NE(tikz->find(part), std::string::npos) << part << "\n" << *tikz;
}

}  // namespace frame_check_test
}  // namespace lanescope::ui
