// The glossary: its file, the search for terms in texts, and entries for all terms of the window.
#include "scene/words/glossary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "base/files.h"
#include "scene/words/access_words.h"
#include "ui/kit/key_hints.h"
#include "ui/lesson/markdown.h"

namespace lanescope::ui {
namespace glossary_test {

std::size_t words_in(const std::string& text) {
    std::istringstream stream(text);
    std::size_t count = 0;
    for (std::string word; stream >> word;)
        ++count;
    return count;
}

std::string found_in(const Glossary& glossary, const std::string& text) {
    std::string found;
    for (const TermSpan& span : glossary.spans(text))
        found += (found.empty() ? "" : "|") + text.substr(span.begin, span.end - span.begin) + "=" +
                 glossary.terms()[span.term].name;
    return found;
}

Glossary small() {
    return *Glossary::parse(R"(
[[term]]
name = "bank"
text = "a bank"
[[term]]
name = "bank conflict"
also = ["conflict"]
text = "words of one bank"
[[term]]
name = "barrier"
also = ["__syncthreads"]
text = "all wait"
)",
                            "test");
}

TEST(Glossary, the_programs_own_is_complete_and_short) {
    ASSERT_TRUE(glossary_problems().empty()) << to_text(glossary_problems());
    EXPECT_GE(glossary().terms().size(), 40u);
    for (const Term& term : glossary().terms()) {
        EXPECT_LE(words_in(term.text), 90u) << term.name;
        EXPECT_GE(words_in(term.text), 12u) << term.name;
        EXPECT_EQ(term.text.find('\n'), std::string::npos) << term.name << ": the text must be one paragraph";
    }
}

TEST(Glossary, takes_the_words_of_another_language) {
    Glossary glossary = small();
    const Result<void> taken = glossary.translate(
        "[[term]]\nname = \"bank\"\nword = \"banc\"\nalso = [\"bancs mémoire\"]\ntext = \"un banc\"\n", "fr");
    ASSERT_TRUE(taken) << to_text(taken.diagnostics());
    EXPECT_EQ(glossary.terms()[0].text, "un banc");
    EXPECT_EQ(found_in(glossary, "le «\u00a0banc\u00a0» et les bancs mémoire"),
              "banc=banc|bancs mémoire=banc");
    EXPECT_EQ(found_in(glossary, "a bank, a barrier"), "barrier=barrier") << "what is not translated stays";
    const Result<void> unknown = glossary.translate("[[term]]\nname = \"bnak\"\nword = \"banc\"\n", "fr");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(to_text(unknown.diagnostics()), "fr:1:1: error: the glossary has no term 'bnak'\n");
}

TEST(Glossary, is_whole_in_each_language) {
    const std::filesystem::path assets = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "assets";
    for (const auto& file : std::filesystem::directory_iterator(assets)) {
        const std::string name = file.path().filename().string();
        if (!name.starts_with("glossary.") || name == "glossary.toml") continue;
        const auto english = read_text_file(assets / "glossary.toml"), text = read_text_file(file.path());
        ASSERT_TRUE(english && text);
        Glossary glossary = *Glossary::parse(*english, "glossary.toml");
        const std::vector<Term> before = glossary.terms();
        const Result<void> taken = glossary.translate(*text, name);
        ASSERT_TRUE(taken) << to_text(taken.diagnostics());
        for (std::size_t i = 0; i < before.size(); ++i)
            EXPECT_NE(glossary.terms()[i].text, before[i].text) << name << ": " << before[i].name;
    }
}

TEST(Glossary, has_the_terms_of_the_field) {
    for (const char* word : {"divergence",    "warp",
                             "lane",          "SIMT efficiency",
                             "sector",        "request",
                             "wavefront",     "bank",
                             "bank conflict", "broadcast",
                             "coalescing",    "barrier",
                             "phase",         "race",
                             "atomic",        "shared memory",
                             "global memory", "constant memory",
                             "occupancy",     "block",
                             "local memory",  "grid",
                             "launch",        "turn",
                             "step",          "schedule",
                             "fence",         "shuffle",
                             "ballot",        "deadlock",
                             "look-back",     "tile",
                             "halo",          "reuse"})
        EXPECT_TRUE(glossary().find(word)) << word;
}

TEST(Glossary, finds_whole_words_in_any_case_and_the_longest_of_them) {
    const Glossary terms = small();
    EXPECT_EQ(found_in(terms, "A Bank conflict in two banks"), "Bank conflict=bank conflict|banks=bank");
    EXPECT_EQ(found_in(terms, "NO CONFLICT: 8 words"), "CONFLICT=bank conflict");
    EXPECT_EQ(found_in(terms, "bankrupt embank bank_of"), "");
    EXPECT_EQ(found_in(terms, "__syncthreads();"), "__syncthreads=barrier");
    EXPECT_EQ(found_in(terms, ""), "");
}

TEST(Glossary, searches_names_before_explanations) {
    const Glossary terms = small();
    ASSERT_EQ(terms.search("BANK").size(), 2u);
    EXPECT_EQ(terms.terms()[terms.search("word").at(0)].name, "bank conflict");
    EXPECT_EQ(terms.search("").size(), 3u);
    EXPECT_TRUE(terms.search("no such term").empty());
}

TEST(Glossary, bad_files_are_errors_with_lines) {
    for (const char* text :
         {"[[term]]\nname = \"a\"\n", "[[term]]\nname = \"a\"\ntext = \"b\"\nnam = 1\n", "[[[",
          "[[term]]\nname = \"a\"\ntext = \"b\"\nintroduced = \"zoo\"\n",
          "[[term]]\nname = \"a\"\ntext = \"b\"\n[[term]]\nname = \"A\"\ntext = \"c\"\n"}) {
        const auto read = Glossary::parse(text, "glossary.toml");
        ASSERT_FALSE(read) << text;
        EXPECT_GT(read.diagnostics().at(0).line, 0) << text;
    }
}

TEST(Glossary, explains_what_the_metrics_are_called) {
    analysis::Metrics some;
    some.atomics = 1;
    for (const MetricRow& row : metric_rows({}, some))
        EXPECT_NE(found_in(glossary(), row.name), "") << row.name;
}

// Returns the text of the string literals of a C++ source.
std::string literals_of(const std::string& source) {
    std::string text;
    for (std::size_t at = source.find('"'); at != source.npos; at = source.find('"', at + 1)) {
        const std::size_t begin = ++at;
        while (at < source.size() && source[at] != '"' && source[at] != '\n')
            at += source[at] == '\\' ? 2 : 1;
        if (at < source.size() && source[at] == '"') text += source.substr(begin, at - begin) + "\n";
    }
    return text;
}

TEST(Glossary, every_term_that_the_window_writes_has_an_entry) {
    const std::string vocabulary =
        "thread warp lane block grid launch kernel turn step phase schedule divergence divergent branch "
        "barrier fence race "
        "deadlock atomic register shared global constant local bank conflict broadcast request sector "
        "wavefront pass "
        "coalesced aligned stride tile halo reuse occupancy latency bandwidth multiprocessor wave shuffle "
        "ballot vote "
        "mask scan reduction histogram convolution transpose scope uninitialised guard engine heat "
        "contention";
    const std::set<std::string> parts_of_terms = {"shared", "global", "constant",
                                                  "local"};  // followed by "memory"
    const std::filesystem::path app = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "app";
    std::string written;
    for (const char* room : {"ui", "scene"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(app / room))
            if (entry.path().extension() == ".cpp") written += literals_of(*read_text_file(entry.path()));
    ASSERT_GT(written.size(), 10000u);
    std::istringstream stream(vocabulary);
    for (std::string word; stream >> word;) {
        if (written.find(word) == written.npos) continue;
        EXPECT_TRUE(glossary().find(parts_of_terms.count(word) ? word + " memory" : word)) << word;
    }
}

TEST(Markdown, does_not_mark_words_of_other_senses) {
    const Glossary terms =
        *Glossary::parse("[[term]]\nname = \"active mask\"\nambiguous = [\"mask\"]\ntext = \"a\"\n", "test");
    EXPECT_EQ(found_in(terms, "mask"), "mask=active mask");
    auto text = parse_markdown("The mask of a filter, an active mask.");
    mark_terms(text, terms);
    ASSERT_EQ(text[0].spans[0].terms.size(), 1u);
    EXPECT_EQ(text[0].spans[0].terms[0].begin, 25u);
}

TEST(Markdown, marks_each_term_where_it_comes_first) {
    auto text = parse_markdown("A bank, and another bank.\n\nA `bank` in code, a **barrier** in bold.");
    mark_terms(text, small());
    EXPECT_EQ(text[0].spans[0].terms.size(), 1u);
    EXPECT_EQ(text[0].spans[0].terms[0].begin, 2u);
    for (const Span& span : text[1].spans)
        EXPECT_EQ(span.terms.size(), span.style == SpanStyle::bold ? 1u : 0u) << span.text;
}

TEST(KeyHints, name_the_key_of_a_button) {
    EXPECT_NE(key_hint("Edit").find("(E)"), std::string::npos);
    EXPECT_NE(key_hint("Threads").find("(M)"), std::string::npos);
    EXPECT_NE(key_hint("rows: warps").find("(S)"), std::string::npos);
    EXPECT_NE(key_hint("Lecture").find("(L)"), std::string::npos);
    EXPECT_EQ(key_hint("Problems (3)"), key_hint("Problems"));
    EXPECT_NE(key_hint("○ animation (.gif)"), "");
    EXPECT_NE(key_hint("block (1, 0) of 4   "), "");
    EXPECT_NE(key_hint("0.5 steps/s"), "");
    EXPECT_EQ(key_hint("no such button"), "");
}

}  // namespace glossary_test
}  // namespace lanescope::ui
