#include "lesson/course/overlay.h"

#include <filesystem>
#include <fstream>

#include "support.h"

namespace lanescope::lesson {
namespace overlay_test {

namespace fs = std::filesystem;

const std::string english = R"toml(order = 1
title = "Sums"
[[lesson]]
file = "a.cu"
title = "A"
text = "See [b](b).\n\n![the stage](stage?step=1)"
goals = ["one", "two"]
try = ["Why?"]
[[lesson.note]]
id = "first"
step = 1
text = "A note."
[[lesson.question]]
id = "sum"
ask = "How many?"
answer = "Four additions."
unit = "additions"
[[lesson.claim]]
id = "additions"
says = "Four additions"
is = "operations"
right = 4
[[lesson.schedules]]
name = "other"
schedule = "warp"
text = "the other way"
[[lesson]]
file = "b.cu"
title = "B"
text = "b"
)toml";

const std::string french = R"toml(title = "Sommes"
[[lesson]]
file = "a.cu"
title = "Le A"
text = "Voir [b](b).\n\n![la scène](stage?step=1)"
goals = ["un", "deux"]
try = ["Pourquoi ?"]
note = [{ id = "first", text = "Une note." }]
question = [{ id = "sum", ask = "Combien ?", answer = "Quatre additions.", unit = "additions" }]
claim = [{ id = "additions", says = "Quatre additions" }]
schedules = [{ name = "other", text = "dans l'autre sens" }]
[[lesson]]
file = "b.cu"
title = "Le B"
text = "b"
)toml";

class Overlay : public testing::Test {
  protected:
    void SetUp() override {
        root_ = fs::path(testing::TempDir()) / "lanescope_overlay_test";
        fs::remove_all(root_);
        fs::create_directories(root_ / "sums");
        put("sums/a.cu", "");
        put("sums/b.cu", "");
        put("sums/lesson.toml", english);
    }
    void TearDown() override { fs::remove_all(root_); }

    void put(const std::string& path, const std::string& text) const { std::ofstream(root_ / path) << text; }
    void put_french(const std::string& from, const std::string& to) const {
        std::string text = french;
        ASSERT_NE(text.find(from), std::string::npos);
        text.replace(text.find(from), from.size(), to);
        put("sums/lesson.fr.toml", text);
    }
    Registry load() const { return load_registry(root_, {}, "fr"); }
    // Without the folder before the file's name.
    std::string shortened(std::string text) const {
        const std::string folder = (root_ / "sums").string() + "/";
        for (std::size_t at = text.find(folder); at != text.npos; at = text.find(folder))
            text.erase(at, folder.size());
        return text;
    }
    std::string problems() const { return shortened(to_text(load().problems)); }
    std::string untranslated() const {
        const Registry registry = load();
        std::string text = to_text(registry.topics.at(0).untranslated);
        for (const LessonEntry& entry : registry.topics[0].lessons)
            text += to_text(entry.untranslated);
        return shortened(text);
    }

    fs::path root_;
};

TEST_F(Overlay, takes_the_place_of_the_english_texts) {
    put("sums/lesson.fr.toml", french);
    EXPECT_EQ(problems(), "");
    EXPECT_EQ(untranslated(), "");
    const Registry registry = load();
    EXPECT_EQ(registry.topics[0].title, "Sommes");
    const LessonEntry& a = registry.topics[0].lessons[0];
    EXPECT_EQ(a.title, "Le A");
    EXPECT_EQ(a.goals[1], "deux");
    EXPECT_EQ(a.notes[0].text, "Une note.");
    EXPECT_EQ(a.questions[0].ask, "Combien ?");
    EXPECT_EQ(a.questions[1].ask, "Pourquoi ?");
    EXPECT_EQ(a.claims[0].says, "Quatre additions");
    EXPECT_EQ(fs::path(a.claims[0].file).filename(), "lesson.fr.toml");
    EXPECT_EQ(std::get<std::int64_t>(a.claims[0].measure.right), 4);
    EXPECT_EQ(a.schedules[0].text, "dans l'autre sens");
    EXPECT_EQ(load_registry(root_, {}, "en").topics[0].title, "Sums");
    EXPECT_EQ(load_topic(root_ / "sums", "fr").topics[0].title, "Sommes");
}

TEST_F(Overlay, says_what_is_not_translated) {
    EXPECT_EQ(untranslated(),
              "lesson.fr.toml:1: error: 'title' of the topic is not translated\n"
              "lesson.fr.toml:1: error: the lesson 'a.cu' is not translated\n"
              "lesson.fr.toml:1: error: the lesson 'b.cu' is not translated\n");
    put_french("title = \"Le A\"\n", "");
    EXPECT_EQ(untranslated(), "lesson.fr.toml:2: error: 'title' of the lesson 'a.cu' is not translated\n");
    put_french("note = [{ id = \"first\", text = \"Une note.\" }]\n", "");
    EXPECT_EQ(untranslated(), "lesson.fr.toml:2: error: the note 'first' of 'a' is not translated\n");
    EXPECT_EQ(load().topics[0].lessons[0].notes[0].text, "A note.") << "it stays English";
    put_french("?step=1", "?step=2");
    EXPECT_EQ(
        untranslated(),
        "lesson.fr.toml:5: error: the figures and links of the lesson 'a.cu' are others than in English\n");
}

TEST_F(Overlay, refuses_what_the_topic_does_not_have) {
    put_french("file = \"b.cu\"", "file = \"c.cu\"");
    EXPECT_EQ(
        problems(),
        "lesson.fr.toml:13:8: error: [[lesson]] names 'c.cu', which lesson.toml does not have (did you mean "
        "'a.cu'? known: a.cu, b.cu)\n");
    put_french("id = \"first\"", "id = \"frist\"");
    EXPECT_NE(problems().find("lesson.fr.toml:8:"), std::string::npos) << problems();
    EXPECT_NE(problems().find("names 'frist', which lesson.toml does not have"), std::string::npos);
    put_french("\"un\", \"deux\"", "\"un\"");
    EXPECT_EQ(problems(),
              "lesson.fr.toml:6:9: error: the lesson 'a.cu' has 2 'goals' in lesson.toml, and 1 here\n");
    put_french("title = \"Le B\"", "title = \"Le B\"\nlook = \"x\"");
    EXPECT_NE(problems().find("the lesson 'b.cu' has no 'look' in lesson.toml"), std::string::npos);
    put_french("title = \"Le B\"", "titel = \"Le B\"");
    EXPECT_NE(problems().find("unknown key 'titel'"), std::string::npos) << problems();
    put("sums/lesson.fr.toml", "title = ");
    EXPECT_NE(problems().find("lesson.fr.toml:1:"), std::string::npos);
}

TEST_F(Overlay, needs_different_identifiers) {
    std::string twice = english;
    twice.replace(twice.find("id = \"sum\""), 10, "id = \"first\"");
    put("sums/lesson.toml", twice);
    EXPECT_NE(problems().find("lesson.toml:14:6: error: the id 'first' is used twice"), std::string::npos)
        << problems();
}

TEST_F(Overlay, does_not_name_the_topic) {
    const std::string exercise =
        "[[exercise]]\nname = \"e\"\ntitle = \"E\"\ntext = \"e\"\ngoals = [{ goal = \"result\" }]\n";
    fs::create_directories(root_ / "sums/exercises");
    put("sums/exercises/e.cu", "");
    put("sums/exercises/e.solution.cu", "");
    put("sums/lesson.toml", "name = \"adding\"\n" + english + exercise);
    EXPECT_TRUE(load().exercise("adding/e")) << problems();
    put("sums/lesson.toml", english + exercise);
    EXPECT_TRUE(load().exercise("sums/e")) << problems();
    put("sums/lesson.toml", "name = \"two words\"\n" + english);
    EXPECT_NE(problems().find("'two words' cannot name a topic"), std::string::npos);
}

}  // namespace overlay_test
}  // namespace lanescope::lesson
