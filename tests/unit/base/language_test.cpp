#include "base/language.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

namespace lanescope {
namespace language_test {

// The variables that name a language, and the program's own files; the old values come back.
class Choice : public testing::Test {
  protected:
    void SetUp() override {
        for (const char* name : {"LANESCOPE_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "LANESCOPE_HOME"}) {
            const char* value = std::getenv(name);
            before_[name] = value != nullptr ? value : "";
            unsetenv(name);
        }
        setenv("LANESCOPE_HOME", LANESCOPE_SOURCE_DIR, 1);
    }
    void TearDown() override {
        set_language("en");
        for (const auto& [name, value] : before_)
            value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
    }

    std::map<std::string, std::string> before_;
};

std::string chosen(const std::string& asked = {}) {
    const Result<std::string> code = chosen_language(asked);
    return code ? *code : to_text(code.diagnostics());
}

TEST_F(Choice, is_english_without_a_wish) {
    EXPECT_EQ(chosen(), "en");
    setenv("LANG", "C.UTF-8", 1);
    EXPECT_EQ(chosen(), "en");
}

TEST_F(Choice, follows_the_locale_in_the_order_of_posix) {
    setenv("LANG", "fr_FR.UTF-8", 1);
    EXPECT_EQ(chosen(), "fr");
    setenv("LC_MESSAGES", "en_GB.UTF-8", 1);
    EXPECT_EQ(chosen(), "en");
    setenv("LC_ALL", "fr_CA@euro", 1);
    EXPECT_EQ(chosen(), "fr");
    setenv("LC_ALL", "xx_XX.UTF-8", 1);
    EXPECT_EQ(chosen(), "en") << "an unknown locale hides those behind it";
    setenv("LC_ALL", "", 1);
    setenv("LC_MESSAGES", "fr", 1);
    EXPECT_EQ(chosen(), "fr") << "an empty variable says nothing";
}

TEST_F(Choice, goes_to_the_option_then_to_the_own_variable) {
    setenv("LC_ALL", "fr_FR.UTF-8", 1);
    setenv("LANESCOPE_LANGUAGE", "en", 1);
    EXPECT_EQ(chosen(), "en");
    EXPECT_EQ(chosen("fr"), "fr");
}

TEST_F(Choice, refuses_an_unknown_language) {
    EXPECT_EQ(chosen("klingon"), "error: --language: there is no language 'klingon' (use one of en, fr)\n");
    setenv("LANESCOPE_LANGUAGE", "xx", 1);
    EXPECT_EQ(chosen(), "error: LANESCOPE_LANGUAGE: there is no language 'xx' (use one of en, fr)\n");
}

TEST_F(Choice, gives_words_in_the_language) {
    EXPECT_STREQ(tr("Question"), "Question");
    EXPECT_EQ(tr(std::string("Answer")), "Answer");
    set_language("fr");
    EXPECT_EQ(language(), "fr");
    EXPECT_STREQ(tr("Answer"), "Réponse");
    EXPECT_EQ(tr(std::string("Answer")), "Réponse");
    EXPECT_STREQ(tr("words that no catalogue has"), "words that no catalogue has");
}

TEST(Catalogue, joins_lines_and_leaves_out_what_is_not_translated) {
    const auto entries = read_catalogue(
        "# a comment\nmsgid \"\"\nmsgstr \"\"\n\"Language: fr\\n\"\n\n#: app/a.cpp:1\nmsgid \"one "
        "\"\n\"\\\"word\\\"\"\n"
        "msgstr \"un\"\n\" mot\\n\"\n\nmsgid \"later\"\nmsgstr \"\"\n\n#~ msgid \"old\"\n#~ msgstr "
        "\"vieux\"\n");
    ASSERT_EQ(entries.size(), 1u);
    EXPECT_EQ(entries[0].first, "one \"word\"");
    EXPECT_EQ(entries[0].second, "un mot\n");
}

}  // namespace language_test
}  // namespace lanescope
