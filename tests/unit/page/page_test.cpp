// The data of a page, replayed as assets/html/trace.js does, agrees with the session at every step.
#include "page/page.h"
#include "session/lane_explanation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "base/folders.h"
#include "base/text.h"
#include "lesson/course/figure.h"
#include "page/deck.h"
#include "page/html.h"
#include "page/print.h"
#include "page/slides.h"
#include "page/trace_events.h"
#include "session/session.h"

namespace lanescope::page {
namespace page_test {

using nlohmann::json;

execution::RunResult run_of(const std::string& name, const lesson::ParameterValues& parameters = {}) {
    execution::RunRequest request;
    request.file = LANESCOPE_SOURCE_DIR "/" + name;
    request.source = read_text_file(request.file).value();
    request.parameters = parameters;
    Result<execution::RunResult> result = execution::execute(request);
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

void expect_same(const execution::RunResult& run, const PageOptions& options) {
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
    const execution::RunResult run = run_of("kernels/first_steps/vector_add.cu", {{"n", 100000}});
    const json data = json::parse(page_data(run, {}).value());
    for (const json& array : data["blocks"][0]["arrays"]) {
        EXPECT_EQ(array["count"], 100000);
        EXPECT_LE(array["end"].get<std::size_t>() - array["first"].get<std::size_t>(), 16384u);
    }
    expect_same(run, {});
}

TEST(Page, is_one_file_without_foreign_text) {
    const execution::RunResult run = run_of("tests/page/hostile.cu");
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
    const execution::RunResult run = run_of("kernels/reduction/modulo.cu");
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

lesson::Topic small_topic() {
    lesson::Topic topic;
    topic.title = "Topic <b>";
    topic.goals = {"Know `a < b`."};
    lesson::LessonEntry entry;
    entry.name = "vector_add", entry.title = "First <lesson>";
    entry.path = LANESCOPE_SOURCE_DIR "/kernels/first_steps/vector_add.cu";
    entry.minutes = 5, entry.advanced = true;
    entry.text =
        "Text <script>alert(1)</script>\n\n## Part\n\nIt leads there.\n\n![Caption](stage?line=22)\n\nAfter "
        "it.";
    entry.look = "Look here.";
    entry.look_at.emplace().line.code = "c[i] =";
    entry.timing = "Memory decides.", entry.seen = "It adds.";
    for (const int step : {3, -1}) {
        lesson::StepNote& note = entry.notes.emplace_back();
        note.step = step, note.text = step < 0 ? "The figure." : "A note.";
        if (step < 0) note.at.emplace().line.number = 22;
    }
    entry.questions.emplace_back();
    entry.questions.back().ask = "Why?", entry.questions.back().answer = "Because.";
    entry.questions.emplace_back().ask = "What if?";
    entry.sources = {"A book"};
    topic.lessons.push_back(entry);
    return topic;
}

std::string order_of(const std::vector<Slide>& slides) {
    std::string order;
    for (const Slide& slide : slides)
        order += slide.heading.front().text + " (" + slide.part + ")\n";
    return order;
}

TEST(slides, have_an_idea_each_and_the_lecturer_says_the_rest) {
    const lesson::Topic topic = small_topic();
    const Result<std::vector<Slide>> slides = slides_of(topic);
    ASSERT_TRUE(slides) << to_text(slides.diagnostics());
    EXPECT_EQ(order_of(*slides),
              "Topic <b> ()\nFirst <lesson> (Topic <b>)\nCaption (First <lesson>)\n"
              "Line 26:  (First <lesson>)\nQuestions (First <lesson>)\nYou have seen (First <lesson>)\n");
    const Slide &title = (*slides)[1], &figure = (*slides)[2], &look = (*slides)[3];
    EXPECT_EQ(title.label, "5 minutes, advanced · vector_add.cu, line 26");
    EXPECT_FALSE(title.code.empty()) << "short code stands with the title";
    ASSERT_EQ(title.told.size(), 1u) << "what stands before the first idea";
    ASSERT_EQ(title.others.size(), 1u) << "a note about a step that no slide shows";
    EXPECT_EQ(title.others[0]->text, "A note.");
    ASSERT_EQ(figure.text.size(), 1u);
    EXPECT_EQ(figure.text[0].spans[0].text, "It leads there.");
    ASSERT_EQ(figure.here.size(), 1u) << "a note about the step of a figure stands with the figure";
    EXPECT_EQ(figure.here[0]->text, "The figure.");
    EXPECT_EQ(figure.told.size(), 3u) << "heading, the words that lead to the figure, those behind it";
    ASSERT_EQ(look.idea.size(), 1u);
    EXPECT_EQ(look.idea[0].target, "stage");
    EXPECT_EQ((*slides)[4].questions.size(), 2u);
}

TEST(slides, a_step_that_the_text_shows_has_no_second_picture) {
    lesson::Topic topic = small_topic();
    topic.lessons[0].text = "Before.\n\n![Caption](stage?code=c[i] =)";
    const Result<std::vector<Slide>> slides = slides_of(topic);
    ASSERT_TRUE(slides);
    EXPECT_EQ(order_of(*slides).find("Line "), std::string::npos);
    EXPECT_EQ((*slides)[2].text[0].spans[0].text, "Look here.")
        << "the words about the step are on its slide";
}

TEST(slides, tables_and_long_code_are_ideas_and_short_code_leads_to_one) {
    lesson::Topic topic = small_topic();
    topic.lessons[0].text =
        "First.\n\n**The table.** So:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nThen:\n\n```\none\n```\n\n"
        "![Caption](flow)\n\n```\n1\n2\n3\n4\n5\n```\n";
    const Result<std::vector<Slide>> slides = slides_of(topic);
    ASSERT_TRUE(slides);
    EXPECT_EQ((*slides)[2].heading[0].text, "The table");
    EXPECT_EQ((*slides)[3].heading[0].text, "Caption");
    EXPECT_EQ((*slides)[3].text.size(), 2u) << "the code, and what introduces it";
    EXPECT_EQ((*slides)[4].idea[0].lines.size(), 5u);
}

TEST(slides, of_chosen_lessons) {
    lesson::Topic topic = small_topic();
    topic.name = "small";
    topic.lessons.push_back(topic.lessons[0]);
    topic.lessons[1].name = "second", topic.lessons[1].advanced = false;
    const Result<lesson::Topic> core = core_of(topic), both = with_lessons(topic, {"second", "vector_add"});
    ASSERT_TRUE(core && both);
    ASSERT_EQ(core->lessons.size(), 1u);
    EXPECT_EQ(core->lessons[0].name, "second");
    EXPECT_EQ(both->lessons[0].name, "vector_add") << "in the course's order";
    const Result<lesson::Topic> bad = with_lessons(topic, {"third"});
    ASSERT_FALSE(bad);
    EXPECT_EQ(to_text(bad.diagnostics()),
              "error: the topic 'small' has no lesson 'third' (its lessons are vector_add, second)\n");
}

bool says_one_of(const std::vector<lesson::Paragraph>& text, std::initializer_list<const char*> words) {
    std::string said;
    for (const lesson::Paragraph& paragraph : text)
        for (const lesson::Span& span : paragraph.spans)
            said += span.text;
    said = lower_case(said);
    return std::any_of(words.begin(), words.end(),
                       [&](const char* each) { return said.find(each) != std::string::npos; });
}

bool speaks_of_a_picture(const std::vector<lesson::Paragraph>& text) {
    return says_one_of(text, {"the figure ", "the picture shows", "in the picture", "this picture",
                              "picture above", "picture below", "shown above", "shown below", "see above",
                              "see below", "you see below", "below you see", "times below"});
}

bool speaks_of_the_window(const std::vector<lesson::Paragraph>& text) {
    return says_one_of(
        text, {"access view", "timeline", "problems tab", "the tab ", "the panel", "step on", "choose the "});
}

// The notes about the step of a slide's figure must have the figure's place.
void expect_notes_about_the_picture(const Slide& slide) {
    ASSERT_FALSE(slide.idea.empty()) << slide.here.front()->text;
    const Result<lesson::Figure> figure = lesson::parse_figure(slide.idea[0].target);
    ASSERT_TRUE(figure);
    const std::optional<lesson::StepPlace>& at = figure->at ? figure->at : slide.entry->look_at;
    for (const lesson::StepNote* note : slide.here) {
        ASSERT_TRUE(at && note->at);
        EXPECT_EQ(to_text(at->line) + " " + std::to_string(at->visit),
                  to_text(note->at->line) + " " + std::to_string(note->at->visit));
    }
}

TEST(slides, of_the_course_speak_only_of_the_picture_that_they_have) {
    const lesson::Registry registry = lesson::load_registry(LANESCOPE_SOURCE_DIR "/kernels");
    ASSERT_GT(registry.topics.size(), 5u);
    for (const lesson::Topic& topic : registry.topics) {
        const Result<std::vector<Slide>> slides = slides_of(topic);
        ASSERT_TRUE(slides) << to_text(slides.diagnostics());
        std::map<std::string, int> shown;  // by lesson and target
        for (const Slide& slide : *slides) {
            const std::string name = topic.name + ": " + slide.part + ": " + slide.heading.front().text;
            const bool picture = !slide.idea.empty() && slide.idea[0].kind == lesson::ParagraphKind::figure;
            if (picture) ++shown[slide.entry->name + " " + slide.idea[0].target];
            EXPECT_FALSE(!picture && speaks_of_a_picture(slide.text)) << name;
            EXPECT_FALSE(!picture && speaks_of_a_picture(slide.told)) << name << ": notes";
            EXPECT_FALSE(picture && speaks_of_the_window(slide.text)) << name;
            if (!slide.here.empty()) expect_notes_about_the_picture(slide);
        }
        for (const lesson::LessonEntry& entry : topic.lessons)
            for (const lesson::Paragraph& paragraph : lesson::parse_markdown(entry.text))
                if (paragraph.kind == lesson::ParagraphKind::figure) {
                    EXPECT_EQ(shown[entry.name + " " + paragraph.target], 1)
                        << entry.name << paragraph.target;
                }
    }
}

TEST(slides, long_code_becomes_the_function_around_the_marked_line) {
    std::string source = "/*--- lanescope\n---*/\n\n__device__ int one() {\n    return 1;\n}\n\n";
    source += "__global__ void big(int* a,\n                    int n) {\n";
    for (int i = 0; i < 60; ++i)
        source += "    a[" + std::to_string(i) + "] = 0;\n";
    source += "}\n";
    const std::vector<CodeRow> whole = code_excerpt(source, 0);
    EXPECT_EQ(whole.front().line, 4u) << "without front matter";
    EXPECT_EQ(whole.back().line, 70u);
    const std::vector<CodeRow> rows = code_excerpt(source, 40);
    EXPECT_LE(rows.size(), 22u);
    EXPECT_EQ(rows[0].line, 8u);
    EXPECT_EQ(rows[1].line, 9u) << "the head of the function";
    EXPECT_EQ(rows[2].line, 0u) << "lines are left out";
    EXPECT_EQ(rows.back().line, 0u);
    std::size_t marked = 0;
    for (const CodeRow& row : rows)
        if (row.marked) marked = row.line;
    EXPECT_EQ(marked, 40u);
    const std::vector<CodeRow> end = code_excerpt(source, 69);
    EXPECT_EQ(end.back().line, 70u);
    const std::vector<CodeRow> other = code_excerpt(source, 5);
    EXPECT_EQ(other.front().line, 4u);
    EXPECT_EQ(other.back().line, 6u) << "only the function with the line";
}

DeckSource source_of(Result<FigureImage> image) {
    return {[image](const lesson::LessonEntry&, const std::string&, bool) { return image; },
            [](const lesson::LessonEntry&, const lesson::StepNote& note) {
                return std::optional(execution::PlacedStep{1, std::size_t(note.step)});
            }};
}

const FigureImage some_image{"PNG", 1160, 300, 210};

TEST(deck, holds_all_texts_of_a_topic_and_nothing_unescaped) {
    lesson::Topic topic = small_topic();
    DeckSource source = source_of(some_image);
    std::vector<std::string> targets;
    source.draw = [&](const lesson::LessonEntry&, const std::string& target, bool lanes) {
        targets.push_back(target + (lanes ? " with lanes" : ""));
        return Result<FigureImage>(some_image);
    };
    const Result<std::string> deck = make_deck(topic, source, {"1.0", true});
    ASSERT_TRUE(deck) << to_text(deck.diagnostics());
    for (const char* words :
         {"Topic &lt;b&gt;", "<code>a &lt; b</code>", "First &lt;lesson&gt;", "&lt;script&gt;alert(1)",
          "<h3>Caption</h3>", "width=\"1160\" height=\"300\"", "data-least=\"210\"",
          "data:image/png;base64,UE5H", "Look here.", "<strong>Step 4 of block 1:</strong> A note.",
          "The figure.", "Why?", "<div class=\"answer\"><p>Because.</p>", "What if?",
          "<span class=\"builtin\">__global__</span>", "row marked", "Memory decides.",
          "<body class=\"with-notes\""})
        EXPECT_NE(deck->find(words), std::string::npos) << words;
    EXPECT_EQ(deck->find("<script>alert"), std::string::npos);
    EXPECT_EQ(deck->find("{{"), std::string::npos);
    EXPECT_EQ(deck->find("visit"), std::string::npos) << "places in the code are not for a reader";
    EXPECT_EQ(targets, (std::vector<std::string>{"stage?line=22", "stage with lanes"}));
    topic.lessons[0].text = "![a](picture)";
    const Result<std::string> bad = make_deck(topic, source, {"1.0"});
    ASSERT_FALSE(bad);
    EXPECT_NE(to_text(bad.diagnostics()).find("'vector_add': unknown figure 'picture'"), std::string::npos);
}

TEST(deck, has_answers_as_wanted) {
    const lesson::Topic topic = small_topic();
    const auto deck = [&](Answers answers) {
        return make_deck(topic, source_of(some_image), {"1.0", false, answers});
    };
    const Result<std::string> on = deck(Answers::on), off = deck(Answers::off);
    ASSERT_TRUE(on && off);
    EXPECT_NE(on->find("<div class=\"answer told\"><p>Because."), std::string::npos);
    EXPECT_NE(off->find("Why?"), std::string::npos);
    EXPECT_EQ(off->find("Because."), std::string::npos);
}

TEST(deck, a_handout_has_the_whole_text_and_neither_answers_nor_notes) {
    const lesson::Topic topic = small_topic();
    const Result<std::string> handout =
        make_handout(topic, source_of(some_image), {"1.0", false, Answers::off});
    ASSERT_TRUE(handout) << to_text(handout.diagnostics());
    for (const char* words :
         {"<body class=\"handout\">", "alert(1)", "<h3>Part</h3>", "It leads there.", "<figcaption>Caption",
          "After it.", "Look here.", "Why?", "Memory decides.", "It adds.", "A book"})
        EXPECT_NE(handout->find(words), std::string::npos) << words;
    for (const char* words : {"Because.", "A note.", "The figure.", "<aside"})
        EXPECT_EQ(handout->find(words), std::string::npos) << words;
}

TEST(deck, a_kernel_that_does_not_run_is_told_once) {
    lesson::Topic topic = small_topic();
    topic.lessons[0].text = "![a](flow)\n\n![b](stage?line=22)";
    const Result<std::string> deck = make_deck(topic, source_of(error_at("a.cu", 2, 5, "no b")), {"1.0"});
    ASSERT_FALSE(deck);
    EXPECT_EQ(to_text(deck.diagnostics()), to_text(Diagnostics{error_at("a.cu", 2, 5, "no b")}));
}

// An executable that stands for a browser.
std::string fake_browser(const std::string& name, const std::string& script) {
    const std::filesystem::path folder = testing::TempDir() + "lanescope_browsers";
    std::filesystem::create_directories(folder);
    EXPECT_TRUE(write_file(folder / name, "#!/bin/sh\n" + script));
    std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
    return (folder / name).string();
}

TEST(print, keeps_the_sandbox_unless_root_and_the_browser_off_the_network) {
    const auto has = [](bool root, const std::string& argument) {
        const auto line = print_arguments("/b", "/tmp/f", "/tmp/f/a.html", "/tmp/f/a.pdf", root);
        return std::find(line.begin(), line.end(), argument) != line.end();
    };
    EXPECT_TRUE(has(true, "--no-sandbox"));
    EXPECT_FALSE(has(false, "--no-sandbox"));
    EXPECT_TRUE(has(false, "--host-resolver-rules=MAP * ~NOTFOUND"));
    EXPECT_TRUE(has(false, "--user-data-dir=/tmp/f/profile"));
    EXPECT_TRUE(has(false, "file:///tmp/f/a.html"));
}

TEST(print, writes_what_the_browser_prints_and_leaves_nothing_behind) {
    const std::string browser = fake_browser(
        "good",
        "for a in \"$@\"; do case $a in --print-to-pdf=*) f=${a#*=};; file://*) p=${a#file://};; esac; done\n"
        "printf '%%PDF-' >\"$f\"; cat \"$p\" >>\"$f\"; dirname \"$p\" >\"$0.folder\"\n");
    const std::string output = testing::TempDir() + "lanescope_slides.pdf";
    const Result<void> printed = print_pdf(browser, "<p>slides</p>", output);
    ASSERT_TRUE(printed) << to_text(printed.diagnostics());
    EXPECT_EQ(*read_file(output), "%PDF-<p>slides</p>");
    std::string folder = *read_file(browser + ".folder");
    folder.pop_back();
    EXPECT_FALSE(std::filesystem::exists(folder)) << folder;
    std::filesystem::remove(output);
}

TEST(print, says_why_there_is_no_pdf) {
    const std::string output = testing::TempDir() + "lanescope_no_slides.pdf";
    const Result<void> silent = print_pdf(fake_browser("silent", "exit 0\n"), "x", output);
    ASSERT_FALSE(silent);
    EXPECT_NE(to_text(silent.diagnostics()).find("prints no PDF"), std::string::npos);
    EXPECT_NE(to_text(silent.diagnostics()).find("print it from any browser"), std::string::npos);
    const Result<void> failing = print_pdf(
        fake_browser("failing", "echo first >&2; echo No usable sandbox! >&2; exit 1\n"), "x", output);
    ASSERT_FALSE(failing);
    EXPECT_NE(to_text(failing.diagnostics()).find("prints no PDF: No usable sandbox!"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(output));
}

// Slices of a thread do not overlap, flows begin before they end, and both ends lie in a slice.
void expect_sound_events(const json& events) {
    std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> slices;
    std::map<std::pair<std::string, int>, std::vector<json>> pairs;
    for (const json& event : events) {
        const std::string phase = event["ph"];
        if (phase == "X")
            slices[{event["pid"], event["tid"]}].emplace_back(
                event["ts"], event["ts"].get<double>() + event["dur"].get<double>());
        if (event.contains("id")) pairs[{event["cat"], event["id"]}].push_back(event);
    }
    for (auto& [thread, list] : slices) {
        std::sort(list.begin(), list.end());
        for (std::size_t i = 1; i < list.size(); ++i)
            EXPECT_LE(list[i - 1].second, list[i].first + 1e-9) << thread.second;
    }
    for (const auto& [id, ends] : pairs) {
        ASSERT_EQ(ends.size(), 2u) << id.first;
        EXPECT_LE(ends[0]["ts"], ends[1]["ts"]);
        EXPECT_EQ(ends[0]["ph"].get<std::string>() + ends[1]["ph"].get<std::string>(),
                  id.first == "copy" ? "be" : "sf");
        for (const json& end : ends) {
            if (id.first == "copy") continue;
            const auto& list = slices[{end["pid"], end["tid"]}];
            const double at = end["ts"];
            EXPECT_TRUE(std::any_of(list.begin(), list.end(), [&](const auto& slice) {
                return slice.first <= at && at <= slice.second;
            })) << end.dump();
        }
    }
}

std::size_t count_of(const json& events, const std::string& phase, const std::string& category) {
    return static_cast<std::size_t>(std::count_if(events.begin(), events.end(), [&](const json& event) {
        return event["ph"] == phase && event.value("cat", "") == category;
    }));
}

TEST(trace_events, have_lines_barriers_copies_and_problems) {
    struct {
        const char *file, *phase, *category;
    } const cases[] = {{"kernels/reduction/modulo.cu", "s", "barrier"},
                       {"kernels/convolution/filter3_overlap.cu", "X", "wait"},
                       {"kernels/pipelines/async_copy.cu", "b", "copy"},
                       {"kernels/reduction/exercises/fix_the_race.cu", "s", "problem"}};
    for (const auto& each : cases) {
        const Result<TraceEvents> made = make_trace_events(run_of(each.file), {});
        ASSERT_TRUE(made);
        const json events = json::parse(made->json)["traceEvents"];
        expect_sound_events(events);
        EXPECT_GT(count_of(events, each.phase, each.category), 0u) << each.file;
        EXPECT_GT(count_of(events, "X", "line"), 0u);
        EXPECT_EQ(made->left_out, "");
    }
}

TEST(trace_events, of_a_program_have_its_calls_and_streams) {
    using Event = program::HostEvent;
    program::ProgramRun program;
    program.host.resize(4);
    program.host[0].kind = Event::Kind::create_stream;
    program.host[1].kind = program.host[2].kind = Event::Kind::copy;
    program.host[3].kind = Event::Kind::synchronise;
    program.host[3].of = "device";
    program.host[0].stream = program.host[1].stream = 1;
    program.host[2].stream = 0;
    program.host[1].to.buffer = program.host[2].to.buffer = 1;
    const Result<TraceEvents> made =
        make_trace_events(run_of("kernels/reduction/modulo.cu"), {.program = &program});
    ASSERT_TRUE(made) << to_text(made.diagnostics());
    const json events = json::parse(made->json)["traceEvents"];
    expect_sound_events(events);
    EXPECT_EQ(count_of(events, "X", "host") + count_of(events, "i", "host"), program.host.size());
    EXPECT_GE(count_of(events, "X", "host"), 2u) << "the copies take time";
}

TEST(trace_events, of_the_clock_say_that_they_are_estimated) {
    const Result<TraceEvents> made =
        make_trace_events(run_of("kernels/reduction/modulo.cu"), {.clock = true});
    ASSERT_TRUE(made) << to_text(made.diagnostics());
    const json data = json::parse(made->json);
    expect_sound_events(data["traceEvents"]);
    EXPECT_NE(data["otherData"]["time"].get<std::string>().find("estimated"), std::string::npos);
}

TEST(trace_events, keep_whole_blocks_within_the_limit) {
    const execution::RunResult run = run_of("kernels/histogram/privatised.cu");
    const Result<TraceEvents> all = make_trace_events(run, {});
    ASSERT_TRUE(all);
    const std::size_t count = json::parse(all->json)["traceEvents"].size();
    const Result<TraceEvents> most = make_trace_events(run, {.max_events = count * 3 / 4});
    ASSERT_TRUE(most);
    const json data = json::parse(most->json);
    EXPECT_LE(data["traceEvents"].size(), count * 3 / 4);
    EXPECT_NE(most->left_out.find("only the first"), std::string::npos) << most->left_out;
    EXPECT_EQ(data["otherData"]["left_out"], most->left_out);
    EXPECT_FALSE(make_trace_events(run, {.blocks = {99}}));
}

}  // namespace page_test
}  // namespace lanescope::page
