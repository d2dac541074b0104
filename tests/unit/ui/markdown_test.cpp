#include <gtest/gtest.h>
#include <imgui.h>

#include <random>

#include "ui/lesson/markdown.h"

namespace lanescope::ui {
namespace markdown_test {

std::string words_of(const std::vector<Span>& spans) {
    std::string words;
    for (const Span& span : spans)
        words += span.text;
    return words;
}

TEST(Markdown, headings_code_and_figures_are_paragraphs_of_their_own) {
    const auto text = parse_markdown(
        "Before\n## Why *this* works\n```cuda\nif (t < n)\n\n\tout[t] = 0;\n```\n![One "
        "`round`](stage?code=f(x) +=&visit=2)\n");
    ASSERT_EQ(text.size(), 4u);
    EXPECT_EQ(text[1].kind, ParagraphKind::heading);
    EXPECT_EQ(text[1].level, 2);
    EXPECT_EQ(text[1].spans[1].style, SpanStyle::emphasis);
    EXPECT_EQ(text[2].kind, ParagraphKind::code);
    EXPECT_EQ(text[2].lines, (std::vector<std::string>{"if (t < n)", "", "    out[t] = 0;"}));
    EXPECT_EQ(text[3].kind, ParagraphKind::figure);
    EXPECT_EQ(text[3].target, "stage?code=f(x) +=&visit=2");
    EXPECT_EQ(words_of(text[3].spans), "One round");
}

TEST(Markdown, lists_nest_and_are_numbered) {
    const auto text = parse_markdown(
        "1. one\n   - inner\n     and more\n   - inner two\n2. two\n\n   a paragraph of two\n\nOutside.\n");
    ASSERT_EQ(text.size(), 6u);
    EXPECT_EQ(text[0].number, "1.");
    EXPECT_EQ(text[0].level, 1);
    EXPECT_TRUE(text[1].bullet);
    EXPECT_EQ(text[1].level, 2);
    EXPECT_EQ(words_of(text[1].spans), "inner and more");
    EXPECT_EQ(text[2].level, 2);
    EXPECT_EQ(text[3].number, "2.");
    EXPECT_EQ(text[4].level, 1);
    EXPECT_FALSE(text[4].bullet);
    EXPECT_EQ(text[5].level, 0);
}

TEST(Markdown, tables_have_as_many_cells_in_each_row) {
    const auto text = parse_markdown(
        "Before\n| a | `x | y` | c\\|d |\n|:--|--:|:-:|\n| 1 |\n| 1 | **2** | 3 | 4 |\nAfter\n");
    ASSERT_EQ(text.size(), 3u);
    const Paragraph& table = text[1];
    ASSERT_EQ(table.kind, ParagraphKind::table);
    EXPECT_EQ(table.sides, (std::vector{ColumnSide::left, ColumnSide::right, ColumnSide::middle}));
    ASSERT_EQ(table.rows.size(), 3u);
    for (const TableRow& row : table.rows)
        EXPECT_EQ(row.size(), 3u);
    EXPECT_EQ(words_of(table.rows[0][1]), "x | y");
    EXPECT_EQ(words_of(table.rows[0][2]), "c|d");
    EXPECT_EQ(table.rows[2][1][0].style, SpanStyle::bold);
    EXPECT_EQ(parse_markdown("| no | table |\nis here").size(), 1u);
}

TEST(Markdown, plain_text_has_no_marks) {
    EXPECT_EQ(lesson::plain_text("`last` is **false**, see [Scan](scan).\nMore."),
              "last is false, see Scan. More.");
    EXPECT_EQ(lesson::plain_text("- one `a`\n- two\n\n| x | `y` |\n|---|---|\n| 1 | 2 |\n\n![f](flow)\n"),
              "• one a\n• two\nx · y\n1 · 2");
    EXPECT_EQ(lesson::plain_text("a * b ` c"), "a * b ` c");
}

TEST(Markdown, stars_that_multiply_are_text) {
    for (const char* source : {"2 * n * 3", "a*b*c", "*p = 1", "n*(n - 1)*2"}) {
        const auto spans = parse_spans(source);
        ASSERT_EQ(spans.size(), 1u) << source;
        EXPECT_EQ(spans[0].text, source);
    }
    EXPECT_EQ(parse_spans("an *exclusive* scan")[1].style, SpanStyle::emphasis);
    EXPECT_EQ(words_of(parse_spans("\\*not\\* `a\\b`")), "*not* a\\b");
    const auto nested = parse_spans("**bold `code` [link](x)**");
    ASSERT_EQ(nested.size(), 4u);
    EXPECT_EQ(nested[0].style, SpanStyle::bold);
    EXPECT_EQ(nested[1].style, SpanStyle::code);
    EXPECT_EQ(nested[3].target, "x");
}

// Lays out texts without a window.
class MarkdownLayout : public testing::Test {
  protected:
    void SetUp() override {
        ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;
        load_theme(1);
        ImGuiIO& io = ImGui::GetIO();
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
        io.DisplaySize = {1600, 1000};
        io.DeltaTime = 1;
        ImGui::NewFrame();
    }
    void TearDown() override {
        ImGui::EndFrame();
        ImGui::DestroyContext();
    }
    float height(const std::string& text, float width) const {
        return lay_out_markdown(nullptr, parse_markdown(text), {0, 0}, width, window_);
    }
    // Draws the text at (0, 0) and returns the right end of what was drawn.
    float right_end(const std::string& text, float width) const {
        ImDrawList* draw = ImGui::GetBackgroundDrawList();
        const int first = draw->VtxBuffer.Size;
        lay_out_markdown(draw, parse_markdown(text), {0, 0}, width, window_);
        float right = 0;
        for (int i = first; i < draw->VtxBuffer.Size; ++i)
            right = std::max(right, draw->VtxBuffer[i].pos.x);
        return right;
    }
    WindowState window_;
};

TEST_F(MarkdownLayout, everything_stays_within_the_width) {
    const std::string long_word(300, 'w');
    for (const std::string& text :
         {long_word, "a " + long_word + " `" + long_word + "`", "```\n" + long_word + "\n```",
          "| a | " + long_word + " |\n|---|---|\n| some words in a cell that wrap | " + long_word + " |",
          "- " + long_word + "\n  - " + long_word, "# " + long_word, "![" + long_word + "](flow)",
          std::string("ä ö ü ß € → 💡 ") + long_word})
        for (const float width : {420.0f, 200.0f})
            EXPECT_LE(right_end(text, width), width + 4) << text.substr(0, 20) << " in " << width;
}

TEST_F(MarkdownLayout, code_shrinks_before_it_is_broken) {
    const std::string line(60, 'x');
    EXPECT_LT(height("```\n" + line + "\n```", 420), 2 * height("```\nx\n```", 420) - 15);
    EXPECT_GT(height("```\n" + std::string(400, 'x') + "\n```", 420), 2 * height("```\nx\n```", 420));
}

TEST_F(MarkdownLayout, narrow_columns_need_more_lines) {
    const std::string table = "| what | meaning |\n|---|---|\n| lane | one of the 32 threads of a warp |";
    EXPECT_GT(height(table, 120), height(table, 420));
}

class CountingFigures : public FigureSource {
  public:
    float figure_height(const std::string&, float, const WindowState&) override { return 100; }
    bool draw_figure(ImDrawList*, const std::string& target, const Rect& area, const WindowState&) override {
        drawn = target;
        height = area.height;
        return true;
    }
    std::string drawn;
    float height = 0;
};

TEST_F(MarkdownLayout, figures_have_room_and_are_clicked) {
    const auto text = parse_markdown("![Caption](flow)");
    CountingFigures figures;
    std::string clicked;
    const float without = lay_out_markdown(nullptr, text, {0, 0}, 420, window_);
    EXPECT_GE(lay_out_markdown(nullptr, text, {0, 0}, 420, window_, {nullptr, &figures}), without + 100);
    lay_out_markdown(ImGui::GetBackgroundDrawList(), text, {0, 0}, 420, window_, {&clicked, &figures});
    EXPECT_EQ(figures.drawn, "flow");
    EXPECT_EQ(figures.height, 100);
    EXPECT_EQ(clicked, "figure:flow");
}

TEST_F(MarkdownLayout, bad_texts_are_laid_out_all_the_same) {
    constexpr std::string_view pieces[] = {
        "|",  "|---|", "\n", "```",   "- ",   "1. ",  "* ",
        "**", "*",     "`",  "[",     "](",   ")",    "![",
        "#",  "## ",   " ",  "\t",    "\\",   "\xff", "\xc3",
        "ä",  "x",     "\r", "word ", "    ", ":-:|", std::string_view("\0", 1)};
    std::mt19937 random(18);
    for (int round = 0; round < 400; ++round) {
        std::string text;
        for (int i = 0; i < 60; ++i)
            text += pieces[random() % std::size(pieces)];
        const auto paragraphs = parse_markdown(text);
        for (const Paragraph& paragraph : paragraphs)
            for (const TableRow& row : paragraph.rows)
                EXPECT_EQ(row.size(), paragraph.sides.size());
        EXPECT_GE(lay_out_markdown(ImGui::GetBackgroundDrawList(), paragraphs, {0, 0}, 100, window_), 0);
    }
    std::string deep;
    for (int i = 0; i < 200; ++i)
        deep += std::string(std::size_t(i) * 2, ' ') + "- x\n";
    EXPECT_LT(right_end(deep, 420), 440);
}

TEST(Markdown, bad_texts_of_many_marks_take_no_quadratic_time) {
    for (const char* mark : {"[", "**", "`a**", "*a ", "![", "|", "[a]("}) {
        std::string text;
        while (text.size() < 400'000)
            text += mark;
        EXPECT_FALSE(parse_markdown(text + "end").empty()) << mark;
    }
}

}  // namespace markdown_test
}  // namespace lanescope::ui
