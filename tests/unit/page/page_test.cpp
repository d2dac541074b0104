// The data of a page, replayed as assets/html/trace.js does, agrees with the session at every step.
#include "page/page.h"
#include "session/lane_explanation.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "base/folders.h"
#include "page/deck.h"
#include "page/html.h"
#include "session/session.h"

namespace lanescope::page {
namespace {

using nlohmann::json;

session::RunResult run_of(const std::string& name, const lesson::ParameterValues& parameters = {}) {
    session::RunRequest request;
    request.file = LANESCOPE_SOURCE_DIR "/" + name;
    request.source = read_text_file(request.file).value();
    request.parameters = parameters;
    Result<session::RunResult> result = session::execute(request);
    EXPECT_TRUE(result) << (result ? std::string() : to_text(result.diagnostics()));
    return std::move(*result);
}

// The state of a block on a page.
class Replayed {
  public:
    Replayed(const json& data, std::size_t block) : texts_(data["texts"]), block_(data["blocks"][block]) {
        for (const json& array : block_["arrays"])
            cells_.emplace_back(array["end"].get<std::size_t>() - array["first"].get<std::size_t>());
        values_.assign(block_["variables"].size(),
                       std::vector<std::size_t>(block_["warps"].get<std::size_t>() * 32));
        states_.assign(block_["warps"], std::string(32, ' '));
        sentences_.assign(block_["warps"], 0);
    }
    std::size_t steps() const { return block_["steps"].size(); }
    std::size_t first() const { return block_["first"]; }

    void apply(std::size_t index) {
        step_ = &block_["steps"][index];
        const json& changes = (*step_)[4];
        for (std::size_t i = 0; i < changes.size(); i += 3) {
            const std::size_t array = changes[i];
            cells_[array].at(changes[i + 1].get<std::size_t>() -
                             block_["arrays"][array]["first"].get<std::size_t>()) = changes[i + 2];
        }
        for (const json& row : (*step_)[6])
            states_[row[0]] = row[1].get<std::string>(), sentences_[row[0]] = row[2];
        for (const json& row : (*step_)[7]) {
            std::size_t given = 3;
            for (std::size_t lane = 0; lane < 32; ++lane)
                if (row[2].get<std::uint32_t>() >> lane & 1) {
                    values_[row[0]][row[1].get<std::size_t>() * 32 + lane] = row[given];
                    if (row.size() > 4) ++given;
                }
        }
    }

    void expect(const session::Session& shown) const {
        const session::StepState& step_state = *shown.playhead().step_state();
        ASSERT_EQ((*step_)[0], step_state.step.line);
        ASSERT_EQ((*step_)[1], step_state.step.phase);
        ASSERT_EQ((*step_)[2], step_state.step.launch);
        for (std::uint32_t warp = 0; warp < step_state.warps.size(); ++warp) {
            ASSERT_EQ(texts_[sentences_[warp]], session::warp_words(shown, warp));
            for (std::uint32_t lane = 0; lane < 32; ++lane) {
                const bool active = step_state.warps[warp][lane].status == trace::LaneStatus::active;
                const bool acted = (step_state.acted[warp] >> lane & 1) != 0;
                ASSERT_EQ(states_[warp][lane] == 'a', active && acted);
                ASSERT_EQ(states_[warp][lane] == 'e', active && !acted);
                ASSERT_EQ(states_[warp][lane] == 'b',
                          step_state.warps[warp][lane].status == trace::LaneStatus::at_barrier);
                for (std::size_t i = 0; i < values_.size(); ++i) {
                    const std::string name = block_["variables"][i][0];
                    const session::LaneValue value = shown.values().value(name, warp, lane);
                    const std::string wanted = value.set ? value.text : value.visible ? "–" : "";
                    ASSERT_EQ(texts_[values_[i][warp * 32 + lane]], wanted)
                        << name << " of warp " << warp << " lane " << lane;
                }
            }
        }
        for (std::size_t i = 0; i < cells_.size(); ++i)
            expect_array(shown, i);
    }

    // "s[3] > s[7]" for each arrow.
    std::set<std::string> links() const {
        std::set<std::string> all;
        const json& given = (*step_)[8];
        for (std::size_t i = 0; i < given.size(); i += 4)
            all.insert(cell(given[i], given[i + 1]) + " > " + cell(given[i + 2], given[i + 3]));
        return all;
    }

  private:
    std::string cell(std::size_t array, std::size_t index) const {
        return block_["arrays"][array]["name"].get<std::string>() + "[" + std::to_string(index) + "]";
    }
    void expect_array(const session::Session& shown, std::size_t index) const {
        const json& array = block_["arrays"][index];
        const trace::Step& step = shown.playhead().step_state()->step;
        if (array["launch"] != -1 && array["launch"] != step.launch) return;
        const std::vector<trace::Symbol>& symbols =
            array["space"] == "shared" ? shown.trace()->launches[step.launch].shared : shown.trace()->symbols;
        const auto symbol = std::find_if(symbols.begin(), symbols.end(),
                                         [&](const auto& s) { return s.name == array["name"]; });
        ASSERT_NE(symbol, symbols.end());
        const TypeTable& types = shown.trace()->program.types;
        const std::size_t size = types[symbol->element].size_bytes, first = array["first"];
        for (std::size_t i = 0; i < cells_[index].size(); ++i) {
            std::vector<std::byte> bytes(size);
            const std::unique_ptr<bool[]> set(new bool[size]());
            shown.playhead().replay()->read(symbol->space, step.launch,
                                            symbol->space == trace::Space::shared ? step.block : 0,
                                            symbol->offset + (first + i) * size, bytes, {set.get(), size});
            const bool known = std::all_of(set.get(), set.get() + size, [](bool b) { return b; });
            ASSERT_EQ(texts_[cells_[index][i]], known ? format_value(types, symbol->element, bytes) : "")
                << array["name"] << " " << first + i;
        }
    }

    const json &texts_, &block_;
    const json* step_ = nullptr;
    std::vector<std::vector<std::size_t>> cells_, values_;
    std::vector<std::string> states_;
    std::vector<std::size_t> sentences_;
};

void expect_same(const session::RunResult& run, const PageOptions& options) {
    const Result<std::string> text = page_data(run, options);
    ASSERT_TRUE(text) << to_text(text.diagnostics());
    const json data = json::parse(*text);
    session::Session shown(resource_folder() / "kernels");
    shown.set_run(run);
    for (std::size_t i = 0; i < data["blocks"].size(); ++i) {
        shown.apply(session::FocusBlock{data["blocks"][i]["block"]});
        Replayed page(data, i);
        for (std::size_t step = 0; step < page.steps(); ++step) {
            shown.apply(session::SeekStep{page.first() + step});
            page.apply(step);
            page.expect(shown);
            if (testing::Test::HasFatalFailure()) FAIL() << "block " << i << ", step " << page.first() + step;
        }
    }
}

TEST(Page, arrows_are_those_of_the_window) {
    const Result<std::string> text = page_data(run_of("kernels/scan/blelloch.cu"), {});
    ASSERT_TRUE(text) << to_text(text.diagnostics());
    const json data = json::parse(*text);
    Replayed page(data, 0);
    std::set<std::set<std::string>> seen;
    for (std::size_t step = 0; step < page.steps(); ++step) {
        page.apply(step);
        seen.insert(page.links());
    }
    EXPECT_TRUE(seen.contains({"s[3] > s[7]"})) << "an addition of the up-sweep joins one operand to its sum";
    EXPECT_TRUE(seen.contains({"s[3] > s[7]", "s[7] > s[3]"})) << "the swap, with a value in a register";
}

class Pages : public testing::TestWithParam<const char*> {};

TEST_P(Pages, every_step_is_the_session_s) {
    expect_same(run_of(GetParam()), {});
}

INSTANTIATE_TEST_SUITE_P(Course, Pages,
                         testing::Values("kernels/reduction/modulo.cu", "kernels/reduction/warp_shuffle.cu",
                                         "kernels/reduction/grid_two_launches.cu",
                                         "kernels/convolution/tiled_2d.cu", "kernels/atomics/lost_update.cu",
                                         "tests/checks/faulty/hillis_steele_one_barrier_missing.cu"));

TEST(Page, other_blocks_writes_are_there) {
    PageOptions options;
    options.blocks = {1, 0};
    options.first_step = 2;
    options.last_step = 20;
    expect_same(run_of("kernels/histogram/privatised.cu"), options);
}

TEST(Page, large_arrays_are_held_in_part) {
    const session::RunResult run = run_of("kernels/first_steps/vector_add.cu", {{"n", 100000}});
    const json data = json::parse(page_data(run, {}).value());
    for (const json& array : data["blocks"][0]["arrays"]) {
        EXPECT_EQ(array["count"], 100000);
        EXPECT_LE(array["end"].get<std::size_t>() - array["first"].get<std::size_t>(), 16384u);
    }
    expect_same(run, {});
}

TEST(Page, is_one_file_without_foreign_text) {
    const session::RunResult run = run_of("tests/page/hostile.cu");
    const Result<std::string> page = make_page(run, {.version = "1.2.3"});
    ASSERT_TRUE(page) << to_text(page.diagnostics());
    EXPECT_EQ(page->find("<img"), page->npos) << "text of the title became an element of the page";
    EXPECT_NE(page->find("&lt;/script&gt;"), page->npos);
    EXPECT_EQ(page->find("http://"), page->find("http://www.w3.org/2000/svg"))
        << "only the name of the SVG namespace may look like an address";
    EXPECT_EQ(page->find("https://"), page->npos);
    EXPECT_EQ(page->find("{{"), page->npos);
    EXPECT_EQ(page->find("src=\""), page->npos);
}

TEST(Page, bad_wishes_are_refused_with_what_to_ask_for) {
    const session::RunResult run = run_of("kernels/reduction/modulo.cu");
    const Result<std::string> beyond = make_page(run, {.first_step = 10, .last_step = 100000});
    ASSERT_FALSE(beyond);
    EXPECT_NE(to_text(beyond.diagnostics()).find("steps 1 to "), std::string::npos);
    EXPECT_FALSE(make_page(run, {.blocks = {7}}));
    const Result<std::string> large = make_page(run, {.max_bytes = 60000});
    ASSERT_FALSE(large);
    EXPECT_NE(to_text(large.diagnostics()).find("--steps 1.."), std::string::npos)
        << to_text(large.diagnostics());
    const std::atomic<bool> cancel = true;
    EXPECT_FALSE(make_page(run, {}, &cancel));
}

TEST(html, texts_are_escaped_and_nest) {
    const auto html = [](const std::string& text) {
        return html_of(lesson::parse_markdown(text),
                       [](const lesson::Paragraph& figure) { return "[" + figure.target + "]"; });
    };
    EXPECT_EQ(html("a <b> & `x<y>` **c** [d](scan) [e](https://f.org)"),
              "<p>a &lt;b&gt; &amp; <code>x&lt;y&gt;</code> <strong>c</strong> <em>d</em> "
              "<a href=\"https://f.org\">e</a></p>\n");
    EXPECT_EQ(html("- a\n  - b\n- c\n\nd"),
              "<ul><li>a<ul><li>b</li></ul>\n</li>\n<li>c</li></ul>\n<p>d</p>\n");
    EXPECT_EQ(html("| a | b |\n|---|--:|\n| 1 | 2 |"),
              "<table><tr><th>a</th><th class=\"right\">b</th></tr><tr><td>1</td><td "
              "class=\"right\">2</td></tr></table>\n");
    EXPECT_EQ(html("```\nif (a < b)\n```"), "<pre>if (a &lt; b)\n</pre>\n");
    EXPECT_EQ(html("![a](flow)"), "[flow]");
}

TEST(deck, holds_all_texts_of_a_topic_and_nothing_unescaped) {
    lesson::Topic topic;
    topic.title = "Topic <b>";
    topic.goals = {"Know `a < b`."};
    lesson::LessonEntry entry;
    entry.name = "vector_add", entry.title = "First <lesson>";
    entry.path = LANESCOPE_SOURCE_DIR "/kernels/first_steps/vector_add.cu";
    entry.text = "Text <script>alert(1)</script>\n\n## Part\n\n![Caption](stage?line=22)";
    entry.look = "Look here.";
    entry.notes.emplace_back().text = "A note.";
    entry.notes.back().step = 3;
    entry.questions.emplace_back();
    entry.questions.back().ask = "Why?", entry.questions.back().answer = "Because.";
    topic.lessons.push_back(entry);
    std::vector<bool> placed;
    const auto draw = [&](const lesson::LessonEntry&, const lesson::Figure& figure) -> Result<std::string> {
        placed.push_back(figure.at.has_value());
        return std::string("PNG");
    };
    const Result<std::string> deck = make_deck(topic, draw, "1.0");
    ASSERT_TRUE(deck) << to_text(deck.diagnostics());
    for (const char* words :
         {"Topic &lt;b&gt;", "<code>a &lt; b</code>", "First &lt;lesson&gt;", "&lt;script&gt;alert(1)",
          "<h3>Part</h3>", "Caption", "data:image/png;base64,UE5H", "Look here.", "At step 4:", "A note.",
          "Why?", "<details class=\"answer\"><summary>Answer</summary><p>Because.</p>", "__global__ void"})
        EXPECT_NE(deck->find(words), std::string::npos) << words;
    EXPECT_EQ(deck->find("<script>alert"), std::string::npos);
    EXPECT_EQ(deck->find("{{"), std::string::npos);
    EXPECT_EQ(placed, (std::vector<bool>{true, false})) << "the figure, and the step to look at";
    topic.lessons[0].text = "![a](picture)";
    const Result<std::string> bad = make_deck(topic, draw, "1.0");
    ASSERT_FALSE(bad);
    EXPECT_NE(to_text(bad.diagnostics()).find("'vector_add': unknown figure 'picture'"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::page
