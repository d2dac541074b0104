// The table of actions is complete, gives no key to two actions, and app/WINDOW.md lists its keys.
#include <algorithm>
#include <map>
#include <set>

#include "base/files.h"
#include "keyboard_player.h"
#include "ui/kit/key_hints.h"

namespace lanescope::ui {
namespace keys_test {

constexpr Layer layers[] = {Layer::panels,  Layer::compare,       Layer::lecture, Layer::black_screen,
                            Layer::tour,    Layer::dialog,        Layer::typing,  Layer::typing_source,
                            Layer::preview, Layer::preview_typing};

TEST(Table, the_page_of_the_window_lists_its_keys) {
    const Result<std::string> page = read_text_file(LANESCOPE_SOURCE_DIR "/app/WINDOW.md");
    ASSERT_TRUE(page);
    EXPECT_NE(page->find("\n" + key_table() + "\n"), std::string::npos) << "put this into app/WINDOW.md:\n"
                                                                        << key_table();
}

TEST(Table, every_action_has_an_id_a_title_a_help_and_a_run) {
    std::set<std::string_view> ids;
    for (const Action& action : actions()) {
        EXPECT_TRUE(ids.insert(action.id).second) << action.id;
        EXPECT_NE(action.id.find('.'), action.id.npos) << action.id;
        EXPECT_FALSE(action.title.empty() || action.help.empty()) << action.id;
        EXPECT_NE(action.run, nullptr) << action.id;
        EXPECT_EQ(find_action(action.id), &action);
        const bool has_keys = !action.keys.empty() || !action.unlisted.empty();
        EXPECT_EQ(has_keys, action.heard != 0) << action.id;
        EXPECT_TRUE(action.keys.empty() || !keys_of(action).empty()) << action.id;
    }
    EXPECT_EQ(find_action("no.such"), nullptr);
}

TEST(Table, a_key_stands_for_one_action_in_each_layer) {
    for (const Layer layer : layers) {
        std::map<std::string, std::string_view> known;
        for (const Action& action : actions()) {
            if ((action.heard & Layers(layer)) == 0) continue;
            for (const std::vector<Chord>& keys : {action.keys, action.unlisted})
                for (const Chord& chord : keys) {
                    const auto [at, first] = known.emplace(to_text(chord), action.id);
                    EXPECT_TRUE(first) << to_text(chord) << ": " << at->second << ", " << action.id;
                }
        }
    }
}

TEST(Table, menu_rows_are_distinct) {
    std::set<int> rows;
    for (const Action& action : actions()) {
        if (action.menu > 0) {
            EXPECT_TRUE(rows.insert(action.menu).second) << action.id;
        }
    }
}

TEST(Table, keys_are_written_as_they_stand_on_a_keyboard) {
    EXPECT_EQ(to_text(control(U's', true)), "Ctrl + Shift + S");
    EXPECT_EQ(to_text(shifted(Key::f10)), "Shift + F10");
    EXPECT_EQ(to_text(typed(U' ')), "Space");
    EXPECT_EQ(to_text({Key::f5}), "F5");
    EXPECT_EQ(to_text({Key::f12}), "F12");
    EXPECT_EQ(to_text({Key::page_down}), "Page Down");
    EXPECT_EQ(hint("source.edit"), "edit the source (E)");
    EXPECT_EQ(with_keys("{step.back} and {preview.fit}, {}"), "← and 0, ");
}

// Without an open file, every action that cannot run gives the reason in a sentence.
TEST_F(KeyboardTest, a_disabled_action_says_why_and_does_nothing) {
    session_ = &empty_;
    std::size_t disabled = 0;
    for (const Action& action : actions()) {
        Requests asked;
        const std::string why_not = reason(action, place());
        if (why_not.empty()) continue;
        ++disabled;
        EXPECT_TRUE(why_not.ends_with(".")) << action.id << ": " << why_not;
        EXPECT_EQ(why_not.find("()"), why_not.npos) << "a key is missing: " << why_not;
        perform(action, place(), asked);
        EXPECT_TRUE(asked.commands.empty() && asked.after_typing.empty() && asked.preview.empty());
        ASSERT_EQ(asked.changes.size(), 1u);
        WindowState told;
        asked.changes[0](told);
        EXPECT_EQ(told.notice.text, why_not);
        EXPECT_GT(told.notice.until_s, window_.now_s);
    }
    EXPECT_GT(disabled, 20u);
}

TEST_F(KeyboardTest, the_notice_goes_with_the_next_action_that_runs) {
    session_ = &empty_;
    EXPECT_TRUE(press(Key::right).empty());
    EXPECT_EQ(window_.notice.text, "No file is open. Press Ctrl + O to open one.");
    press('l');
    EXPECT_EQ(window_.notice.text, "");
}

// Every key of the table reaches its action in every layer that hears it.
TEST_F(KeyboardTest, every_listed_key_is_heard) {
    for (const Action& action : actions())
        for (const Chord& chord : action.keys)
            for (const Layer layer : layers)
                if ((action.heard & Layers(layer)) != 0) {
                    const Action* found = action_for(chord, layer);
                    ASSERT_NE(found, nullptr) << action.id;
                    EXPECT_EQ(found->id, action.id) << to_text(chord);
                }
}

// --- Typing without a field --------------------------------------------------------------------------------

class Typing : public KeyboardTest {
  protected:
    // Types letters at this interval and returns the commands after the keyboard is quiet.
    session::Commands type(const std::string& text, double apart_s) {
        session::Commands asked;
        const auto add = [&](const Requests& more) {
            asked.insert(asked.end(), more.commands.begin(), more.commands.end());
        };
        for (const char c : text) {
            add(frame({typed(static_cast<unsigned char>(c))}));
            for (int slice = 0; slice < 10; ++slice) {
                window_.now_s += apart_s / 10;
                add(frame());
            }
        }
        window_.now_s += 2;
        add(frame());
        return asked;
    }
    bool is_as_before() const {
        return !window_.source.editing && !window_.signals.add_watch && !window_.notes.editing &&
               !window_.comparing && !window_.exporting;
    }
};

TEST_F(Typing, fast_letters_start_nothing) {
    for (const char* text : {"gt", "tg", "while (t < n)", "get", "next", "wegen", "text", "edge"}) {
        for (const session::Command& command : type(text, 0.08))
            EXPECT_TRUE(command.as<session::HideResults>()) << text;
        EXPECT_TRUE(is_as_before()) << text;
        EXPECT_EQ(window_.notice.text, "To type, click into the source or press E.") << text;
        window_ = WindowState{};
        keyboard_ = Keyboard{};
    }
}

TEST_F(Typing, slow_letters_start_no_run) {
    for (const char* text : {"gt", "tag", "integer"})
        for (const session::Command& command : type(text, 0.3)) {
            EXPECT_FALSE(command.as<session::UseGpu>()) << text;
            EXPECT_FALSE(command.as<session::ExploreSchedules>()) << text;
        }
}

TEST_F(Typing, a_deliberate_press_is_heard) {
    EXPECT_TRUE(type("g", 0.2).at(0).as<session::UseGpu>());
    EXPECT_TRUE(type("t", 0.2).at(0).as<session::ExploreSchedules>());
    type("e", 0.2);
    EXPECT_TRUE(window_.source.editing);
    EXPECT_EQ(window_.notice.text, "");
}

TEST_F(Typing, views_change_at_once_and_each_letter_counts_after_a_pause) {
    window_.now_s = 10;
    frame({typed(U'm')});
    EXPECT_EQ(window_.stage_tab, StageTab::threads);
    window_.now_s += 0.2;
    frame({typed(U's')});
    EXPECT_EQ(window_.timeline_rows, TimelineRows::multiprocessors);
    window_.now_s += 0.1;
    frame({typed(U'm')});
    EXPECT_EQ(window_.stage_tab, StageTab::threads) << "the letter follows another one too fast";
    window_.now_s += 0.7;
    frame({typed(U'm')});
    EXPECT_EQ(window_.stage_tab, StageTab::cells) << "the letter counts after a pause";
}

TEST_F(Typing, a_key_that_is_held_down_is_not_typing) {
    const float before = window_.zoom;
    type("++++", 0.03);
    EXPECT_GT(window_.zoom, before * 1.3f);
    EXPECT_EQ(type("gggg", 0.03).size(), 1u) << "the key counts once, after it is released";
}

TEST_F(Typing, another_key_does_not_make_a_letter_wait_longer) {
    frame({typed(U'e')});
    EXPECT_FALSE(window_.source.editing);
    EXPECT_TRUE(keyboard_.waits());
    frame({{Key::right}});
    EXPECT_TRUE(window_.source.editing);
    EXPECT_FALSE(keyboard_.waits());
}

TEST_F(Typing, what_waited_is_dropped_when_an_input_takes_the_keyboard) {
    frame({typed(U'g')});
    typing_ = true;
    EXPECT_TRUE(type("x", 0.5).empty());
    EXPECT_FALSE(keyboard_.waits());
}

}  // namespace keys_test
}  // namespace lanescope::ui
