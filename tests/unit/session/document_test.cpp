// The document without a session: text, disk, drafts and undo.
#include "session/document/document.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/files.h"

namespace lanescope::session {
namespace document_test {

namespace fs = std::filesystem;

struct OneFile : testing::Test {
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("lanescope_document_" + std::to_string(getpid()));
        fs::create_directories(folder_);
        file_ = folder_ / "a.cu";
        write(file_, "one");
        document_.open(file_, "one");
    }
    void TearDown() override { fs::remove_all(folder_); }

    void write(const fs::path& file, const std::string& text) {
        ASSERT_TRUE(write_file(file, text));
        // Two writes within the clock's resolution would have the same time.
        fs::last_write_time(file, fs::file_time_type::clock::now() + std::chrono::seconds(++writes_));
    }
    bool look_at_disk() { return document_.update(now_s_ += 1); }

    fs::path folder_, file_;
    Document document_;
    double now_s_ = 0;
    int writes_ = 0;
};

TEST_F(OneFile, typing_is_one_entry_that_can_be_taken_back_and_done_again) {
    EXPECT_EQ(document_.undo_label(), "");
    EXPECT_FALSE(document_.undo());
    document_.edit("one!");
    document_.edit("one!!");
    EXPECT_TRUE(document_.edited());
    EXPECT_EQ(document_.undo_label(), "typing");
    ASSERT_TRUE(document_.undo());
    EXPECT_EQ(document_.text(), "one");
    EXPECT_FALSE(document_.edited());
    ASSERT_TRUE(document_.redo());
    EXPECT_EQ(document_.text(), "one!!");
}

TEST_F(OneFile, settings_are_taken_back_with_their_label) {
    Settings settings = document_.settings();
    settings.parameters["n"] = 64;
    document_.set(settings, "n = 64");
    settings.code = compile::Code::optimized;
    document_.set(settings);  // without a label
    EXPECT_EQ(document_.undo_label(), "n = 64");
    ASSERT_TRUE(document_.undo());
    EXPECT_TRUE(document_.settings().parameters.empty());
    EXPECT_EQ(document_.settings().code, compile::Code::debug);
}

TEST_F(OneFile, a_document_that_was_not_edited_follows_the_disk) {
    write(file_, "two");
    EXPECT_TRUE(look_at_disk());
    EXPECT_EQ(document_.text(), "two");
    EXPECT_FALSE(document_.edited());
    EXPECT_FALSE(look_at_disk());
}

TEST_F(OneFile, a_change_on_disk_and_here_is_a_question_and_both_texts_stay_in_reach) {
    document_.edit("mine");
    write(file_, "theirs");
    EXPECT_FALSE(look_at_disk());
    ASSERT_EQ(document_.question().kind, Question::Kind::changed_on_disk);
    EXPECT_EQ(document_.question().text, "theirs");
    const Result<Document::Saved> saved = document_.save(file_);
    ASSERT_TRUE(saved);
    EXPECT_TRUE(saved->asked);
    EXPECT_EQ(*read_text_file(file_), "theirs") << "nothing is written while the question is open";
    EXPECT_TRUE(document_.answer(false));
    EXPECT_EQ(document_.text(), "theirs");
    ASSERT_TRUE(document_.undo());
    EXPECT_EQ(document_.text(), "mine");
}

TEST_F(OneFile, keeping_mine_makes_the_disks_text_reachable_by_undo) {
    document_.edit("mine");
    write(file_, "theirs");
    look_at_disk();
    EXPECT_FALSE(document_.answer(true));
    EXPECT_EQ(document_.text(), "mine");
    ASSERT_TRUE(document_.undo());
    EXPECT_EQ(document_.text(), "theirs");
}

TEST_F(OneFile, a_file_that_is_deleted_is_told_of_and_its_text_stays) {
    fs::remove(file_);
    look_at_disk();
    EXPECT_EQ(document_.question().kind, Question::Kind::none) << "an editor may be replacing the file";
    look_at_disk();
    ASSERT_EQ(document_.question().kind, Question::Kind::gone);
    EXPECT_EQ(document_.text(), "one");
    EXPECT_TRUE(document_.edited()) << "the text is nowhere else";
    EXPECT_FALSE(document_.answer(false));
    look_at_disk();
    look_at_disk();
    EXPECT_EQ(document_.question().kind, Question::Kind::none) << "it asks once";
    ASSERT_TRUE(document_.save(file_));
    EXPECT_EQ(*read_text_file(file_), "one");
    EXPECT_FALSE(document_.edited());
}

TEST_F(OneFile, a_deleted_file_that_comes_back_ends_the_question) {
    fs::remove(file_);
    look_at_disk();
    look_at_disk();
    ASSERT_EQ(document_.question().kind, Question::Kind::gone);
    write(file_, "one");
    EXPECT_FALSE(look_at_disk());
    EXPECT_EQ(document_.question().kind, Question::Kind::none);
    EXPECT_FALSE(document_.edited());
}

TEST_F(OneFile, saving_under_another_name_moves_the_document_and_leaves_the_first_file) {
    document_.edit("new");
    const fs::path other = folder_ / "sub" / "b.cu";
    ASSERT_TRUE(document_.save(other));
    EXPECT_EQ(document_.path(), other);
    EXPECT_FALSE(document_.edited());
    EXPECT_EQ(*read_text_file(other), "new");
    EXPECT_EQ(*read_text_file(file_), "one");
}

TEST_F(OneFile, bad_a_folder_that_cannot_be_written_is_an_error_and_the_text_stays) {
    document_.edit("new");
    ASSERT_TRUE(write_file(folder_ / "plain", "a file, not a folder"));
    const Result<Document::Saved> saved = document_.save(folder_ / "plain" / "b.cu");
    ASSERT_FALSE(saved);
    EXPECT_EQ(document_.path(), file_);
    EXPECT_EQ(document_.text(), "new");
    EXPECT_TRUE(document_.edited());
}

TEST_F(OneFile, a_draft_is_written_after_a_pause_and_offered_again) {
    document_.keep_drafts(folder_ / "drafts");
    document_.edit("draft");
    EXPECT_FALSE(document_.has_draft(file_));
    look_at_disk();
    look_at_disk();
    EXPECT_TRUE(document_.has_draft(file_));

    Document later;
    later.keep_drafts(folder_ / "drafts");
    later.open(file_, "one");
    ASSERT_EQ(later.question().kind, Question::Kind::draft_found);
    EXPECT_TRUE(later.answer(true));
    EXPECT_EQ(later.text(), "draft");
    ASSERT_TRUE(later.undo());
    EXPECT_EQ(later.text(), "one");
}

TEST_F(OneFile, a_draft_ends_with_its_text) {
    document_.keep_drafts(folder_ / "drafts");
    document_.edit("draft");
    look_at_disk(), look_at_disk();
    ASSERT_TRUE(document_.has_draft(file_));
    ASSERT_TRUE(document_.save(file_));
    EXPECT_FALSE(document_.has_draft(file_));
}

TEST_F(OneFile, each_file_takes_back_its_own_changes) {
    write(folder_ / "b.cu", "b");
    document_.edit("changed");
    document_.open(folder_ / "b.cu", "b");
    EXPECT_EQ(document_.undo_label(), "");
    EXPECT_FALSE(document_.undo());
    document_.edit("b changed");
    document_.open(file_, "one");
    ASSERT_TRUE(document_.undo()) << "the text that the file had when it was closed";
    EXPECT_EQ(document_.path(), file_);
    EXPECT_EQ(document_.text(), "changed");
    EXPECT_TRUE(document_.edited());
    ASSERT_TRUE(document_.redo());
    EXPECT_EQ(document_.text(), "one");
}

TEST_F(OneFile, changes_are_taken_back_under_another_name) {
    document_.edit("changed");
    const std::string before = *read_text_file(file_);
    ASSERT_TRUE(document_.save(folder_ / "copy.cu"));
    ASSERT_TRUE(document_.undo());
    EXPECT_EQ(document_.path(), folder_ / "copy.cu");
    EXPECT_EQ(document_.text(), before);
}

TEST_F(OneFile, a_read_only_document_has_no_history_and_no_draft) {
    document_.keep_drafts(folder_ / "drafts");
    document_.open(folder_ / "run.trace", "source of the trace", Document::Access::read_only);
    Settings settings;
    settings.code = compile::Code::optimized;
    document_.set(settings, "kind of code");
    EXPECT_EQ(document_.undo_label(), "");
    EXPECT_FALSE(look_at_disk());
    EXPECT_FALSE(document_.has_draft(folder_ / "run.trace"));
}

}  // namespace document_test
}  // namespace lanescope::session
