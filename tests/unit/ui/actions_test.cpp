// What the palette finds, what a typed path can become, and the keys that open them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "ui/actions/actions.h"
#include "ui/actions/keys.h"
#include "ui/kit/path_prompt.h"
#include "ui/window/settings.h"

namespace lanescope::ui {
namespace {

namespace fs = std::filesystem;

class Actions : public testing::Test {
  protected:
    void SetUp() override { ImGui::CreateContext(); }
    void TearDown() override {
        ImGui::DestroyContext();
        set_theme(Brightness::dark);
    }
    std::vector<std::string> titles(const std::string& typed) {
        std::vector<std::string> found;
        for (const Action& action : find_actions(session_, shared_, typed))
            found.push_back(action.title);
        return found;
    }
    session::Commands press(Key key) {
        session::Commands commands;
        const KeyPress press{key, false};
        (void)handle_keys(std::span(&press, 1), session_, shared_, commands);
        return commands;
    }
    static bool holds(const std::vector<std::string>& all, const std::string& one) {
        return std::find(all.begin(), all.end(), one) != all.end();
    }

    session::Session session_{resource_folder() / "kernels"};
    WindowState shared_;
};

TEST_F(Actions, words_find_lessons_by_title_topic_and_file) {
    const auto found = titles("reduction MODULO");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0], "Interleaved (modulo)");
    EXPECT_TRUE(titles("no such words").empty());
    EXPECT_TRUE(holds(titles("acc"), "Access"));
    EXPECT_TRUE(holds(titles(""), "Open …"));
}

TEST_F(Actions, what_is_found_can_be_done) {
    session::Commands commands;
    find_actions(session_, shared_, "reduction modulo").at(0).act(shared_, commands);
    EXPECT_EQ(std::get<session::OpenFile>(commands.at(0)).path.filename(), "modulo.cu");
    find_actions(session_, shared_, "timings").at(0).act(shared_, commands);
    EXPECT_EQ(shared_.show_tab, InspectorTab::timings);
}

TEST_F(Actions, recent_files_stand_first) {
    session_.restore({{"/tmp/mine.cu", 3, {}}});
    EXPECT_EQ(titles("").at(0), "mine.cu");
    EXPECT_EQ(titles("mine").at(0), "mine.cu");
}

TEST_F(Actions, keys_with_ctrl_are_heard_while_text_is_typed) {
    ImGui::GetIO().WantTextInput = true;
    press(Key::open_file);
    EXPECT_EQ(shared_.dialog, Dialog::open_file);
    press(Key::palette);
    EXPECT_EQ(shared_.dialog, Dialog::palette);
    press(Key::escape);
    EXPECT_EQ(shared_.dialog, Dialog::none);
    EXPECT_TRUE(press(Key::undo).empty()) << "an input takes back what was typed in it";
    shared_.typing_source = true;
    EXPECT_TRUE(press(Key::undo).empty());
    ASSERT_EQ(shared_.after_typing.size(), 1u) << "behind what was typed so far";
    EXPECT_TRUE(std::holds_alternative<session::Undo>(shared_.after_typing[0]));
    ImGui::GetIO().WantTextInput = false;
    shared_.typing_source = false;
    EXPECT_TRUE(std::holds_alternative<session::Redo>(press(Key::redo).at(0)));
}

TEST_F(Actions, nothing_moves_under_a_dialog) {
    shared_.dialog = Dialog::menu;
    EXPECT_TRUE(press(Key::right).empty());
    press(Key::light);
    EXPECT_EQ(brightness(), Brightness::light);
}

// --- Paths -------------------------------------------------------------------------------------------------

class Paths : public testing::Test {
  protected:
    void SetUp() override {
        fs::remove_all(folder_);
        for (const char* name : {"alpha", "beta"})
            fs::create_directories(folder_ / name);
        for (const char* name : {"alpine.cu", "run.trace", "notes.txt", ".hidden.cu"})
            ASSERT_TRUE(write_file(folder_ / name, "x"));
    }
    void TearDown() override { fs::remove_all(folder_); }
    std::string names(const std::string& typed) const {
        std::string all;
        for (const PathChoice& choice : path_choices(folder_.string() + "/" + typed))
            all += choice.name + (choice.folder ? "/ " : " ");
        return all;
    }
    fs::path folder_ = fs::path(testing::TempDir()) / "lanescope_paths";
};

TEST_F(Paths, folders_and_what_can_be_opened_are_listed) {
    EXPECT_EQ(names(""), "alpha/ beta/ alpine.cu run.trace ");
    EXPECT_EQ(names("al"), "alpha/ alpine.cu ");
    EXPECT_EQ(names("."), ".hidden.cu ");
    EXPECT_EQ(names("nothing/"), "");
}

TEST_F(Paths, tab_completes_as_far_as_all_agree) {
    const std::string base = folder_.string() + "/";
    EXPECT_EQ(completed(base + "a", path_choices(base + "a")), base + "alp");
    EXPECT_EQ(completed(base + "b", path_choices(base + "b")), base + "beta/");
    EXPECT_EQ(completed(base + "r", path_choices(base + "r")), base + "run.trace");
    EXPECT_EQ(completed(base + "z", path_choices(base + "z")), base + "z");
}

TEST_F(Paths, a_copy_has_a_name_that_no_file_has) {
    EXPECT_EQ(proposed_name(folder_ / "alpine.cu", false), folder_ / "alpine-2.cu");
    EXPECT_EQ(proposed_name(folder_ / "run.trace", false), folder_ / "run.cu");
}

TEST(Habits, files_and_theme_are_kept) {
    const fs::path file = fs::path(testing::TempDir()) / "lanescope_habits.json";
    Settings settings;
    settings.brightness = Brightness::light;
    settings.recent = {{"/a/b.cu", 17, {{"n", 64}}}, {"/c.trace", 0, {}}};
    settings.marks["/tmp/a.cu"] = {{{7, "t == 5", false}, {9, "", true}}, {"s[t] + 1"}};
    ASSERT_TRUE(save_settings(settings, file));
    const Settings read = load_settings(file);
    EXPECT_EQ(read.brightness, Brightness::light);
    EXPECT_EQ(read.marks, settings.marks);
    ASSERT_EQ(read.recent.size(), 2u);
    EXPECT_EQ(read.recent[0].path, "/a/b.cu");
    EXPECT_EQ(read.recent[0].step, 17u);
    EXPECT_EQ(read.recent[0].parameters.at("n"), 64);
    for (const char* bad : {R"({"recent": 3, "marks": 1})",
                            R"({"marks": {"a": {"breakpoints": [7, {"line": "x"}], "watches": 2}}})",
                            R"({"recent": [1, {"path": 2}, {"step": 1}], "theme": 7})"}) {
        ASSERT_TRUE(write_file(file, bad));
        EXPECT_TRUE(load_settings(file).recent.empty()) << bad;
        EXPECT_TRUE(load_settings(file).marks.empty()) << bad;
    }
    fs::remove(file);
}

}  // namespace
}  // namespace lanescope::ui
