// The palette, completion of paths, and the keys that open them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/files.h"
#include "base/folders.h"
#include "base/language.h"
#include "keyboard_player.h"
#include "ui/actions/find.h"
#include "ui/actions/table.h"
#include "ui/kit/path_prompt.h"
#include "ui/lecture/tour.h"
#include "ui/state/inspector_tabs.h"
#include "ui/state/stage_modes.h"
#include "ui/window/settings.h"

namespace lanescope::ui {
namespace actions_test {

namespace fs = std::filesystem;

class Actions : public KeyboardTest {
  protected:
    Actions() { session_ = &registry_; }
    std::vector<std::string> titles(const std::string& typed) {
        std::vector<std::string> found;
        for (const Choice& choice : find_choices(place(), typed))
            found.push_back(choice.title);
        return found;
    }
    // Returns the requests of a choice, including those of the actions that it names.
    Requests choose(const std::string& typed) {
        Requests asked;
        find_choices(place(), typed).at(0).run(asked);
        for (const std::string& id : std::exchange(asked.actions, {}))
            perform(*find_action(id), place(), asked);
        for (const WindowChange& change : asked.changes)
            change(window_);
        return asked;
    }
    static bool holds(const std::vector<std::string>& all, const std::string& one) {
        return std::find(all.begin(), all.end(), one) != all.end();
    }

    session::Session registry_{resource_folder() / "kernels"};  // no file is open
};

TEST_F(Actions, words_find_lessons_by_title_topic_and_file) {
    const auto found = titles("reduction MODULO");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0], "Interleaved (modulo)");
    EXPECT_EQ(titles("scan quadratic").size(), 1u) << "the topic's folder is found, too";
    EXPECT_TRUE(titles("no such words").empty());
    EXPECT_TRUE(holds(titles("acc"), "Access"));
    EXPECT_TRUE(holds(titles(""), "Open …"));
    EXPECT_TRUE(holds(titles("spotlight"), "Spotlight at the mouse"))
        << "the palette finds every action of the table";
}

TEST_F(Actions, what_is_found_can_be_done) {
    EXPECT_EQ(choose("reduction modulo").commands.at(0).as<session::OpenFile>()->path.filename(),
              "modulo.cu");
    choose("timings");
    EXPECT_EQ(window_.inspector.tab, InspectorTab::timings);
}

TEST_F(Actions, words_find_exercises) {
    ASSERT_EQ(titles("scan fix_the_race"), std::vector<std::string>{"Fix the race"});
    const Requests asked = choose("scan fix_the_race");
    EXPECT_EQ(asked.commands.at(0).as<session::OpenFile>()->path.filename(), "fix_the_race.cu");
    EXPECT_FALSE(window_.source.edit_opened) << "nothing opens in the editor without a click on it";
}

TEST_F(Actions, lessons_stand_before_exercises_and_recent_files) {
    registry_.restore({{{"/tmp/scan.cu", 3, {}}}, {}, {}});
    const std::vector<Choice> found = find_choices(place(), "scan");
    const auto first = [&](auto is) { return std::find_if(found.begin(), found.end(), is) - found.begin(); };
    const auto exercise = first([](const Choice& each) { return each.detail.starts_with("exercise"); });
    const auto lesson =
        first([](const Choice& each) { return each.detail.find(" · scan/") != std::string::npos; });
    const auto recent = first([](const Choice& each) { return each.title == "scan.cu"; });
    EXPECT_LT(lesson, exercise);
    EXPECT_LT(exercise, recent);
    ASSERT_LT(std::size_t(recent), found.size());
    for (auto each = found.begin() + exercise; each != found.end(); ++each)
        EXPECT_TRUE(each->detail.starts_with("exercise") ||
                    each->detail.find(" · scan/") == std::string::npos)
            << each->title;
}

TEST_F(Actions, numbers_of_blocks_and_threads_are_places) {
    session::Session blocks(resource_folder() / "kernels");
    blocks.apply(session::OpenFile{resource_folder() / "kernels/first_steps/vector_add.cu"});
    ASSERT_TRUE(blocks.wait());
    session_ = &blocks;
    const std::vector<std::string> found = titles("block 1");
    ASSERT_GE(found.size(), 2u);
    EXPECT_EQ(found[0], "Go to block 1");
    EXPECT_EQ(found[1], "Set block = 1");
    EXPECT_EQ(choose("block 1").commands.at(0).as<session::FocusBlock>()->block, 1u);
    EXPECT_EQ(titles("block = 1"), (std::vector<std::string>{"Set block = 1"}));
    EXPECT_EQ(titles("block 64"), (std::vector<std::string>{"Set block = 64", "Go to block 64"}));
    EXPECT_EQ(find_choices(place(), "block 64").at(1).why_not, "There are blocks 0 to 1.");
    EXPECT_EQ(choose("t2").commands.at(0).as<session::PinLane>()->lane, 2u);
    EXPECT_EQ(choose("thread 2").commands.at(0).as<session::PinLane>()->lane, 2u);
    EXPECT_EQ(choose("lane 1").commands.at(0).as<session::PinLane>()->lane, 1u);
    EXPECT_EQ(choose("warp 0").commands.at(0).as<session::PinLane>()->warp, 0u);
    EXPECT_EQ(choose("Step 2").commands.at(0).as<session::SeekStep>()->step, 1u);
    EXPECT_TRUE(titles("block 1 2").empty() && titles("warp 99999999999999999999").empty());
}

TEST_F(Actions, what_cannot_run_here_stands_last_and_says_why) {
    bool possible = true;
    for (const Choice& choice : find_choices(place(), "")) {
        EXPECT_TRUE(possible || !choice.why_not.empty()) << choice.title;
        possible = choice.why_not.empty();
    }
    const std::vector<Choice> menu = menu_choices(place());
    const auto save =
        std::find_if(menu.begin(), menu.end(), [](const Choice& each) { return each.title == "Save"; });
    ASSERT_NE(save, menu.end());
    EXPECT_EQ(save->why_not, "No file is open. Press Ctrl + O to open one.");
    EXPECT_EQ(save->detail, "Ctrl + S");
}

TEST_F(Actions, titles_say_what_would_happen_now) {
    EXPECT_TRUE(holds(titles("colours"), "Light colours"));
    window_.brightness = Brightness::light;
    EXPECT_TRUE(holds(titles("colours"), "Dark colours"));
    EXPECT_FALSE(holds(titles("disk"), "Load the file from disk"))
        << "there is no question about the file on disk";
}

TEST_F(Actions, recent_files_stand_first) {
    registry_.restore({{{"/tmp/mine.cu", 3, {}}}, {}, {}});
    EXPECT_EQ(titles("").at(0), "mine.cu");
    EXPECT_EQ(titles("mine").at(0), "mine.cu");
}

TEST_F(Actions, keys_with_ctrl_are_heard_while_text_is_typed) {
    typing_ = true;
    press(control(U'o'));
    EXPECT_EQ(window_.dialog, Dialog::open_file);
    press(control(U'p'));
    EXPECT_EQ(window_.dialog, Dialog::palette);
    press(Key::escape);
    EXPECT_EQ(window_.dialog, Dialog::none);
    EXPECT_TRUE(press(control(U'z')).empty()) << "an input undoes what was typed in it";
    window_.source.typing = true;
    const Requests undo = press_alone(control(U'z'));
    EXPECT_TRUE(undo.commands.empty());
    ASSERT_EQ(undo.after_typing.size(), 1u) << "after what was typed so far";
    EXPECT_TRUE(undo.after_typing[0].as<session::Undo>());
    const Requests redo = press_alone(control(U'z', true));
    EXPECT_TRUE(redo.after_typing.at(0).as<session::Redo>());
}

TEST_F(Actions, nothing_moves_under_a_dialog) {
    session_ = &opened();
    window_.dialog = Dialog::menu;
    EXPECT_TRUE(press(Key::right).empty());
    EXPECT_EQ(window_.notice.text, "");
    press(control(U't'));
    EXPECT_EQ(window_.brightness, Brightness::light);
}

TEST_F(Actions, the_preview_has_keys_of_its_own) {
    EXPECT_EQ(press_alone(typed(U'i')).preview, std::vector{PreviewCommand::toggle});
    window_.preview.open = true;
    EXPECT_EQ(press_alone(typed(U'0')).preview, std::vector{PreviewCommand::fit});
    EXPECT_EQ(press_alone({Key::escape}).preview, std::vector{PreviewCommand::close_one});
    EXPECT_EQ(press_alone(control(U's')).preview, std::vector{PreviewCommand::save_result});
    press(control(U'o'));
    EXPECT_EQ(window_.dialog, Dialog::open_file);
    press(Key::escape);
    window_.preview.editing = true;
    EXPECT_EQ(press_alone(control(U's')).preview, std::vector{PreviewCommand::save});
    EXPECT_EQ(press_alone(control(U'z', true)).preview, std::vector{PreviewCommand::redo});
    press('?');
    EXPECT_TRUE(window_.help.shown);
    press(Key::escape);
    EXPECT_FALSE(window_.help.shown) << "escape closes the help before the page";
    press('t');
    EXPECT_EQ(window_.notice.text,
              "The preview does not have this: Try all schedules. Press I to leave the preview.");
    typing_ = true;
    EXPECT_TRUE(press_alone(typed(U'i')).preview.empty());
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

TEST(Habits, bad_settings_are_kept_before_they_are_replaced) {
    const fs::path folder = fs::path(testing::TempDir()) / "lanescope_bad_habits",
                   file = folder / "window.json";
    fs::remove_all(folder);
    fs::create_directories(folder);
    const std::string damaged = "{\"recent\": [{\"path\": \"/a/b.cu\"";
    ASSERT_TRUE(write_file(file, damaged));
    ASSERT_TRUE(save_settings({}, file));
    EXPECT_EQ(*read_file(folder / "window.damaged1.json"), damaged);
    ASSERT_TRUE(save_settings({}, file));
    EXPECT_FALSE(fs::exists(folder / "window.damaged2.json")) << "what is good is not kept";
    fs::remove_all(folder);
}

TEST(Habits, files_and_theme_are_kept) {
    const fs::path file = fs::path(testing::TempDir()) / "lanescope_habits.json";
    Settings settings;
    settings.brightness = Brightness::light;
    const compile::Flags flags{{"/a/include"}, {"N=4"}, "c++20", "sm_90"};
    settings.recent = {{"/a/b.cu", 17, {{"n", 64}}, flags, "third"}, {"/c.trace", 0, {}}};
    settings.hidden = {.warps = true, .timeline = true};
    settings.marks["/tmp/a.cu"] = {{{0, "", true, "s[3]"}, {7, "t == 5", false}, {9, "", true}},
                                   {"s[t] + 1"}};
    settings.motion = MotionWish::off;
    EXPECT_TRUE(settings.time_runs) << "on by default";
    settings.time_runs = false;
    settings.on_gpu = true;
    ASSERT_TRUE(save_settings(settings, file));
    const Settings read = load_settings(file);
    EXPECT_EQ(read.brightness, Brightness::light);
    EXPECT_EQ(read.marks, settings.marks);
    EXPECT_EQ(read.motion, MotionWish::off);
    EXPECT_FALSE(read.time_runs);
    EXPECT_TRUE(read.on_gpu);
    EXPECT_EQ(read.hidden, settings.hidden);
    ASSERT_EQ(read.recent.size(), 2u);
    EXPECT_EQ(read.recent[0].path, "/a/b.cu");
    EXPECT_EQ(read.recent[0].step, 17u);
    EXPECT_EQ(read.recent[0].parameters.at("n"), 64);
    EXPECT_EQ(read.recent[0].flags, flags);
    EXPECT_EQ(read.recent[0].kernel, "third");
    EXPECT_EQ(read.recent[1].flags, compile::Flags());
    for (const char* bad : {R"({"recent": 3, "marks": 1})",
                            R"({"marks": {"a": {"breakpoints": [7, {"line": "x"}], "watches": 2}}})",
                            R"({"recent": [1, {"path": 2}, {"step": 1}], "theme": 7})"}) {
        ASSERT_TRUE(write_file(file, bad));
        EXPECT_TRUE(load_settings(file).recent.empty()) << bad;
        EXPECT_TRUE(load_settings(file).marks.empty()) << bad;
    }
    fs::remove(file);
}

// xgettext finds the words of the code (tests/style); those of the tables are checked here.
TEST(Catalogues, have_the_words_of_the_tables) {
    const fs::path folder = fs::path(LANESCOPE_SOURCE_DIR) / "assets" / "language";
    for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
        const auto text = read_text_file(file.path());
        ASSERT_TRUE(text);
        std::set<std::string> known;
        for (const auto& [english, words] : read_catalogue(*text))
            known.insert(english);
        const auto check = [&](std::string_view words) {
            EXPECT_TRUE(words.empty() || known.contains(std::string(words))) << file.path() << ": " << words;
        };
        for (const Action& action : actions()) {
            check(action.title);
            check(action.help);
        }
        for (const InspectorTabRow& tab : inspector_tabs)
            check(tab.word);
        for (const StageMode& mode : stage_modes)
            check(mode.word);
        for (const TourStop& stop : tour_stops()) {
            check(stop.title);
            check(stop.text);
        }
    }
}

}  // namespace actions_test
}  // namespace lanescope::ui
