// The files of a session: undo, drafts, changes on disk, saving, restored positions.
#include <gtest/gtest.h>

#include <chrono>

#include "base/files.h"
#include "session/document/drafts.h"
#include "session/document/history.h"
#include "session/session.h"
#include "trace/io.h"

namespace lanescope::session {
namespace files_test {

namespace fs = std::filesystem;

const fs::path kernels = fs::path(LANESCOPE_SOURCE_DIR) / "kernels";

class SessionFiles : public testing::Test {
  protected:
    SessionFiles() : session_(kernels) {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::path(testing::TempDir()) / (std::string("lanescope_") + test->name());
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~SessionFiles() override { fs::remove_all(folder_); }

    fs::path copy_of(const char* lesson, const char* name) const {
        const fs::path copy = folder_ / name;
        EXPECT_TRUE(write_file(copy, *read_text_file(kernels / lesson)));
        return copy;
    }
    void open(const fs::path& file) {
        session_.apply(OpenFile{file});
        ASSERT_TRUE(session_.wait()) << to_text(session_.diagnostics());
    }
    void edit(const std::string& from, const std::string& to) {
        std::string text = session_.document().text();
        const std::size_t at = text.find(from);
        ASSERT_NE(at, text.npos);
        text.replace(at, from.size(), to);
        session_.apply(EditSource{text});
        session_.wait();
    }
    // Writes the file as another editor would.
    void write_behind(const fs::path& file, const std::string& text) {
        ASSERT_TRUE(write_file(file, text));
        fs::last_write_time(file, fs::file_time_type::clock::now() + std::chrono::seconds(2));
        session_.update(now_s_ += 100);
        session_.wait();
    }

    Session session_;
    fs::path folder_;
    double now_s_ = 0;
};

TEST_F(SessionFiles, undo_and_redo_go_through_edits_parameters_and_resets) {
    open(kernels / "reduction/modulo.cu");
    const std::string lesson = session_.document().text();
    EXPECT_EQ(session_.document().undo_label(), "");
    edit("t % stride", "t % (stride)");
    const std::string edited = session_.document().text();
    session_.apply(SetParameter{"n", 32});
    session_.apply(RevertSource{});
    ASSERT_TRUE(session_.wait());
    EXPECT_EQ(session_.document().text(), lesson);
    EXPECT_EQ(session_.parameters().at("n"), 128);
    EXPECT_EQ(session_.document().undo_label(), "reset to the lesson");
    session_.apply(Undo{});
    ASSERT_TRUE(session_.wait());
    EXPECT_EQ(session_.document().text(), edited) << "undo takes back the reset to the lesson";
    EXPECT_EQ(session_.parameters().at("n"), 32);
    EXPECT_EQ(session_.run()->source, edited) << "the restored text ran";
    session_.apply(Undo{});
    ASSERT_TRUE(session_.wait());
    EXPECT_EQ(session_.parameters().at("n"), 128);
    session_.apply(Undo{});
    ASSERT_TRUE(session_.wait());
    EXPECT_EQ(session_.document().text(), lesson);
    EXPECT_FALSE(session_.document().edited());
    session_.apply(Undo{});  // there is nothing left to undo
    for (int i = 0; i < 4; ++i)
        session_.apply(Redo{});
    EXPECT_EQ(session_.document().text(), lesson);
    EXPECT_EQ(session_.document().redo_label(), "");
}

TEST_F(SessionFiles, undo_stays_in_the_open_file) {
    open(kernels / "reduction/modulo.cu");
    edit("t % stride", "t % (stride)");
    open(kernels / "first_steps/vector_add.cu");
    EXPECT_EQ(session_.document().undo_label(), "");
    session_.apply(Undo{});
    EXPECT_EQ(session_.document().path().filename(), "vector_add.cu");
    open(kernels / "reduction/modulo.cu");
    EXPECT_EQ(session_.document().undo_label(), "closing of modulo.cu");
    session_.apply(Undo{});
    ASSERT_TRUE(session_.wait());
    EXPECT_TRUE(session_.document().edited());
    EXPECT_NE(session_.document().text().find("t % (stride)"), std::string::npos);
}

TEST_F(SessionFiles, an_edit_keeps_the_position) {
    open(kernels / "reduction/modulo.cu");
    session_.apply(SeekStep{24});
    const std::uint32_t line = session_.playhead().step_state()->step.line,
                        phase = session_.playhead().step_state()->step.phase;
    edit("extern __shared__", "// a line more\n    extern __shared__");
    EXPECT_EQ(session_.playhead().step_state()->index, 24u) << "the sequence of steps is the same";
    EXPECT_EQ(session_.playhead().step_state()->step.line, line + 1);
    session_.apply(SetParameter{"block", 32});
    ASSERT_TRUE(session_.wait());
    EXPECT_EQ(session_.playhead().step_state()->step.line, line + 1);
    EXPECT_EQ(session_.playhead().step_state()->step.phase, phase);
}

TEST_F(SessionFiles, the_last_good_run_is_said_to_be_one) {
    open(kernels / "reduction/modulo.cu");
    EXPECT_FALSE(session_.shows_last_good());
    edit("extern __shared__ int s[];", "extern __shared__ int s[]");
    EXPECT_TRUE(session_.shows_last_good());
    session_.apply(Undo{});
    ASSERT_TRUE(session_.wait());
    EXPECT_FALSE(session_.shows_last_good());
}

TEST_F(SessionFiles, bad_saving_over_a_lesson_is_refused) {
    const fs::path lesson = kernels / "reduction/modulo.cu";
    const std::string before = *read_text_file(lesson);
    open(lesson);
    edit("t % stride", "t % (stride)");
    session_.apply(SaveSource{lesson});
    EXPECT_EQ(*read_text_file(lesson), before);
    ASSERT_NE(session_.file_problem(), nullptr);
    EXPECT_NE(session_.file_problem()->why.message.find("never overwritten"), std::string::npos);
    const std::size_t step = 9;
    session_.apply(SeekStep{step});
    session_.apply(SaveSource{folder_ / "new" / "mine"});
    EXPECT_EQ(session_.document().path(), folder_ / "new" / "mine.cu");
    EXPECT_FALSE(session_.document().edited());
    EXPECT_EQ(session_.lesson(), nullptr);
    ASSERT_TRUE(session_.wait());
    EXPECT_EQ(*read_text_file(session_.document().path()), session_.document().text());
    EXPECT_EQ(session_.playhead().step_state()->index, step);
    EXPECT_EQ(session_.memory().recent.at(1).path, lesson);
}

TEST_F(SessionFiles, bad_save_is_told_until_one_succeeds_and_says_nothing_of_the_run) {
    const fs::path file = copy_of("first_steps/vector_add.cu", "mine.cu");
    open(file);
    // A folder stands where the text is written first, as if the disk were full.
    const fs::path in_the_way = file.string() + "." + std::to_string(getpid()) + ".part";
    fs::create_directory(in_the_way);
    const std::string text = session_.document().text();
    session_.apply(EditSource{"// note\n" + text});
    session_.apply(SaveSource{file});  // while the changed text is still run
    ASSERT_TRUE(session_.wait());
    ASSERT_NE(session_.file_problem(), nullptr);
    EXPECT_NE(session_.file_problem()->why.message.find("cannot be written"), std::string::npos);
    EXPECT_TRUE(session_.diagnostics().empty());
    EXPECT_FALSE(session_.shows_last_good());
    EXPECT_TRUE(session_.document().edited());
    fs::remove(in_the_way);
    session_.apply(SaveSource{file});
    EXPECT_EQ(session_.file_problem(), nullptr);
    EXPECT_EQ(*read_text_file(file), "// note\n" + text);
}

TEST_F(SessionFiles, bad_save_is_still_told_after_a_file_that_cannot_be_opened) {
    const fs::path file = copy_of("first_steps/vector_add.cu", "mine.cu");
    open(file);
    const fs::path in_the_way = file.string() + "." + std::to_string(getpid()) + ".part";
    fs::create_directory(in_the_way);
    edit("a[i] + b[i]", "b[i] + a[i]");
    session_.apply(SaveSource{file});
    session_.apply(OpenFile{folder_ / "gone.cu"});
    ASSERT_NE(session_.file_problem(), nullptr);
    EXPECT_EQ(session_.file_problem()->why.file, folder_ / "gone.cu");
    edit("b[i] + a[i]", "b[i] + a[i];  // same");  // runs
    ASSERT_NE(session_.file_problem(), nullptr) << "the text is still not saved";
    EXPECT_EQ(session_.file_problem()->kind, Session::FileProblem::Kind::save);
    EXPECT_TRUE(session_.diagnostics().empty());
    edit("__global__", "__global");
    EXPECT_FALSE(session_.diagnostics().empty());
    EXPECT_NE(session_.file_problem(), nullptr);
    fs::remove(in_the_way);
    session_.apply(SaveSource{file});
    EXPECT_EQ(session_.file_problem(), nullptr);
    EXPECT_FALSE(session_.diagnostics().empty()) << "a save says nothing of the run";
}

TEST_F(SessionFiles, bad_names_for_the_source_are_refused_before_anything_is_written) {
    const fs::path file = copy_of("first_steps/vector_add.cu", "mine.cu");
    ASSERT_TRUE(write_file(folder_ / "part.cuh", "// a header\n"));
    ASSERT_TRUE(write_file(file, "#include \"part.cuh\"\n" + *read_text_file(file)));
    open(file);
    for (const char* name : {"a.png", "a.trace", "part.cuh", "a.txt"}) {
        session_.apply(SaveSource{folder_ / name});
        EXPECT_NE(session_.file_problem(), nullptr) << name;
        EXPECT_EQ(session_.document().path(), file);
    }
    EXPECT_EQ(*read_text_file(folder_ / "part.cuh"), "// a header\n");
    EXPECT_FALSE(fs::exists(folder_ / "a.png"));
}

TEST_F(SessionFiles, a_save_keeps_the_encoding_and_the_line_ends) {
    const fs::path file = folder_ / "windows.cu";
    const std::string text = "__global__ void k(int* a) {\n    a[threadIdx.x] = 1;\n}\n";
    const TextForm form{TextForm::Encoding::utf16_little, TextForm::LineEnd::crlf};
    ASSERT_TRUE(write_file(file, encode_text(text, form)));
    open(file);
    EXPECT_EQ(session_.document().text(), text);
    EXPECT_FALSE(session_.document().edited());
    session_.apply(EditSource{"// é\n" + text});
    session_.apply(SaveSource{file});
    EXPECT_EQ(*read_file(file), encode_text("// é\n" + text, form));
}

TEST_F(SessionFiles, a_file_changed_on_disk_and_here_is_asked) {
    const fs::path file = copy_of("first_steps/vector_add.cu", "mine.cu");
    open(file);
    edit("a[i] + b[i]", "b[i] + a[i]");
    const std::string mine = session_.document().text(), theirs = *read_text_file(file) + "// theirs\n";
    write_behind(file, theirs);
    ASSERT_EQ(session_.document().question().kind, Question::Kind::changed_on_disk);
    EXPECT_EQ(session_.document().text(), mine) << "typed text stays until the question is answered";
    session_.apply(SaveSource{file});
    EXPECT_EQ(*read_text_file(file), theirs) << "the text on disk must not be overwritten, either";
    session_.apply(AnswerQuestion{false});
    EXPECT_EQ(session_.document().text(), theirs);
    EXPECT_FALSE(session_.document().edited());
    session_.apply(Undo{});
    EXPECT_EQ(session_.document().text(), mine) << "undo brings back the typed text";

    write_behind(file, theirs + "// again\n");
    ASSERT_EQ(session_.document().question().kind, Question::Kind::changed_on_disk);
    session_.apply(AnswerQuestion{true});
    EXPECT_EQ(session_.document().question().kind, Question::Kind::none);
    EXPECT_EQ(session_.document().text(), mine);
    session_.apply(SaveSource{file});
    EXPECT_EQ(*read_text_file(file), mine);
    session_.apply(Undo{});
    EXPECT_EQ(session_.document().text(), theirs + "// again\n") << "undo brings back the overwritten text";
    session_.wait();
}

TEST_F(SessionFiles, taking_back_does_not_answer_the_question) {
    const fs::path file = copy_of("first_steps/vector_add.cu", "mine.cu");
    open(file);
    const std::string original = session_.document().text(), theirs = original + "// theirs\n";
    edit("a[i] + b[i]", "b[i] + a[i]");
    session_.apply(SetCode{compile::Code::optimized});
    write_behind(file, theirs);
    ASSERT_EQ(session_.document().question().kind, Question::Kind::changed_on_disk);
    session_.apply(Undo{});
    EXPECT_EQ(session_.document().question().kind, Question::Kind::changed_on_disk)
        << "saving would lose the text on disk";
    session_.apply(SaveSource{file});
    EXPECT_EQ(*read_text_file(file), theirs);
    write_behind(file, original);
    EXPECT_EQ(session_.document().question().kind, Question::Kind::none)
        << "the disk has its original text again";
    session_.wait();
}

TEST_F(SessionFiles, a_key_on_its_way_while_the_disks_text_is_taken_over) {
    const fs::path file = copy_of("first_steps/vector_add.cu", "mine.cu");
    open(file);
    const std::string original = session_.document().text(), theirs = original + "// theirs\n";
    write_behind(file, theirs);
    ASSERT_EQ(session_.document().text(), theirs);
    session_.apply(EditSource{original + "/", original});
    EXPECT_EQ(session_.document().text(), original + "/") << "typed text stays";
    ASSERT_EQ(session_.document().question().kind, Question::Kind::changed_on_disk);
    session_.apply(AnswerQuestion{false});
    EXPECT_EQ(session_.document().text(), theirs);
    session_.wait();
}

TEST_F(SessionFiles, a_draft_outlives_the_session) {
    const fs::path file = copy_of("first_steps/vector_add.cu", "mine.cu"), drafts = folder_ / "drafts";
    session_.restore({{}, {}, drafts});
    open(file);
    edit("a[i] + b[i]", "b[i] + a[i]");
    session_.update(now_s_ += 10);
    const std::string typed = session_.document().text();
    EXPECT_TRUE(session_.document().has_draft(file))
        << "the draft is written at once, so that a crash loses nothing";

    Session next(kernels);
    next.restore({{}, {}, drafts});
    next.apply(OpenFile{file});
    ASSERT_EQ(next.document().question().kind, Question::Kind::draft_found);
    EXPECT_FALSE(next.document().edited());
    next.apply(AnswerQuestion{true});
    EXPECT_EQ(next.document().text(), typed);
    next.apply(SaveSource{file});
    EXPECT_FALSE(next.document().has_draft(file));
    next.wait();
}

TEST_F(SessionFiles, a_draft_that_is_left_can_be_taken_back) {
    const fs::path file = copy_of("first_steps/vector_add.cu", "mine.cu");
    session_.restore({{}, {}, folder_ / "drafts"});
    ASSERT_TRUE(Drafts(folder_ / "drafts").keep(file, "// the draft\n"));
    open(file);
    ASSERT_EQ(session_.document().question().kind, Question::Kind::draft_found);
    session_.apply(AnswerQuestion{false});
    EXPECT_FALSE(session_.document().has_draft(file));
    session_.apply(Undo{});
    EXPECT_EQ(session_.document().text(), "// the draft\n");
    session_.wait();
}

TEST_F(SessionFiles, a_draft_is_kept_until_its_question_is_answered) {
    const fs::path file = copy_of("first_steps/vector_add.cu", "mine.cu");
    session_.restore({{}, {}, folder_ / "drafts"});
    ASSERT_TRUE(Drafts(folder_ / "drafts").keep(file, "// the draft\n"));
    open(file);
    session_.apply(SetCode{compile::Code::optimized});
    session_.apply(Undo{});
    session_.wait();
    EXPECT_TRUE(session_.document().has_draft(file)) << "undoing another change does not answer the question";
    EXPECT_EQ(session_.document().question().kind, Question::Kind::draft_found);
    session_.apply(RevertSource{});
    session_.apply(Undo{});
    session_.apply(Undo{});
    EXPECT_EQ(session_.document().text(), "// the draft\n")
        << "a reset keeps the draft, and undo brings it back";
    session_.wait();
}

TEST_F(SessionFiles, a_file_goes_on_where_it_was_left) {
    const fs::path modulo = kernels / "reduction/modulo.cu";
    session_.restore({{{modulo, 7, {{"n", 32}, {"gone", 5}, {"block", 33}}}}, {}, {}});
    open(modulo);
    EXPECT_EQ(session_.parameters().at("n"), 32);
    EXPECT_EQ(session_.parameters().at("block"), 64) << "33 is not one of its choices";
    EXPECT_EQ(session_.playhead().step_state()->index, 7u);
    open(kernels / "first_steps/vector_add.cu");
    ASSERT_EQ(session_.memory().recent.size(), 2u);
    EXPECT_EQ(session_.memory().recent[1].path, modulo);
    EXPECT_EQ(session_.memory().recent[1].step, 7u);
    EXPECT_EQ(session_.memory().recent[1].parameters.at("n"), 32);
}

TEST_F(SessionFiles, a_saved_trace_opens_in_a_job) {
    open(kernels / "reduction/modulo.cu");
    const fs::path saved = folder_ / "modulo.trace";
    ASSERT_TRUE(trace::save(*session_.trace(), saved.string()));
    const std::size_t steps = session_.playhead().steps().size();
    open(saved);
    EXPECT_EQ(session_.document().path(), saved);
    EXPECT_EQ(session_.playhead().steps().size(), steps);
    session_.apply(EditSource{"x"});
    EXPECT_NE(session_.document().text(), "x") << "the text of a trace cannot be edited";
    ASSERT_NE(session_.file_problem(), nullptr);
    EXPECT_EQ(session_.file_problem()->kind, Session::FileProblem::Kind::edit);
    EXPECT_TRUE(session_.diagnostics().empty()) << "no run failed";
    ASSERT_TRUE(write_file(folder_ / "bad.trace", "no trace"));
    session_.apply(OpenFile{folder_ / "bad.trace"});
    EXPECT_FALSE(session_.wait());
    EXPECT_EQ(session_.document().path(), saved) << "the open file stays open";
    ASSERT_NE(session_.file_problem(), nullptr);
    EXPECT_EQ(session_.file_problem()->why.file, folder_ / "bad.trace");
    EXPECT_TRUE(session_.diagnostics().empty()) << "no run failed";
}

TEST_F(SessionFiles, bad_an_image_is_no_kernel) {
    open(kernels / "reduction/modulo.cu");
    session_.apply(OpenFile{"photo.png"});
    ASSERT_NE(session_.file_problem(), nullptr);
    EXPECT_NE(session_.file_problem()->why.message.find("is an image"), std::string::npos);
    EXPECT_TRUE(session_.diagnostics().empty()) << "no run failed";
    EXPECT_EQ(session_.document().path().filename(), "modulo.cu");
    session_.apply(RunAgain{});
    EXPECT_EQ(session_.file_problem(), nullptr);
}

// --- The history alone -------------------------------------------------------------------------------------

Snapshot text(const std::string& source) {
    Snapshot made;
    made.source = source;
    return made;
}

TEST(Histories, typing_at_one_place_is_one_change) {
    History history;
    history.remember_typing(text("ab"), "abc", 0);
    history.remember_typing(text("abc"), "abcd", 0.5);
    history.remember_typing(text("abcd"), "Xabcd", 0.8);  // elsewhere
    history.remember_typing(text("Xabcd"), "XYabcd", 5);  // after a pause
    std::vector<std::string> seen = {"XYabcd"};
    while (const auto before = history.undo(text(seen.back())))
        seen.push_back(before->source);
    EXPECT_EQ(seen, (std::vector<std::string>{"XYabcd", "Xabcd", "abcd", "ab"}));
    EXPECT_EQ(history.redo(text("ab"))->source, "abcd");
    history.remember_typing(text("abcd"), "abcde", 5.1);
    EXPECT_EQ(history.redo_label({}), "") << "a new change clears the redo history";
    EXPECT_EQ(history.undo(text("abcde"))->source, "abcd");
}

TEST(Histories, memory_is_bounded) {
    History history;
    const std::string large(1 << 20, 'x');
    for (int i = 0; i < 200; ++i)
        history.remember(text(large + std::to_string(i)), "change");
    int kept = 0;
    while (history.undo(text("")))
        ++kept;
    EXPECT_GE(kept, 30);
    EXPECT_LE(kept, 65);
}

}  // namespace files_test
}  // namespace lanescope::session
