#include "preview/model/kernel_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/files.h"
#include "pictures.h"

namespace lanescope::preview {
namespace kernel_files_test {

namespace fs = std::filesystem;

class KernelFilesTest : public testing::Test {
  protected:
    void SetUp() override {
        fs::create_directories(folder);
        ASSERT_TRUE(write_file(own, *read_text_file(kernel_path("basic_2d"))));
    }
    void TearDown() override { fs::remove_all(folder); }

    // Writes as another program would, and always changes the time of the file.
    static void write_outside(const fs::path& file, const std::string& text) {
        const fs::file_time_type before = fs::last_write_time(file);
        ASSERT_TRUE(write_file(file, text));
        fs::last_write_time(file, before + std::chrono::seconds(2));
    }

    const std::string& text() const { return files.document().text(); }
    bool type(const std::string& typed) {
        return files.edit([&](session::Document& document) {
            document.edit(typed);
            return true;
        });
    }
    bool undo() {
        return files.edit([](session::Document& document) { return document.undo(); });
    }

    const fs::path folder = fs::temp_directory_path() / ("lanescope-kernels-" + std::to_string(getpid()));
    const fs::path own = folder / "own.cu";
    KernelFiles files{{kernel_path("tiled_2d"), own}};
};

TEST_F(KernelFilesTest, the_first_is_chosen) {
    ASSERT_NE(files.kernel(), nullptr);
    EXPECT_EQ(files.kernel()->file, kernel_path("tiled_2d"));
    EXPECT_TRUE(files.ships());
    files.choose(1);
    EXPECT_FALSE(files.ships());
    EXPECT_EQ(files.kernel()->file, own.string());
}

TEST_F(KernelFilesTest, a_mistake_keeps_the_last_good_text) {
    files.choose(1);
    const std::shared_ptr<const KernelFile> good = files.kernel();
    EXPECT_TRUE(type("no front matter"));
    EXPECT_EQ(files.kernel(), good);
    EXPECT_FALSE(files.diagnostics().empty());
    EXPECT_TRUE(undo());
    EXPECT_TRUE(files.diagnostics().empty());
    EXPECT_EQ(files.kernel()->source, good->source);
    EXPECT_FALSE(undo());
}

TEST_F(KernelFilesTest, each_file_is_taken_back_on_its_own) {
    const std::string tiled = text();
    type(tiled + "// a");
    files.choose(1);
    EXPECT_TRUE(files.document().undo_label().empty());
    EXPECT_TRUE(files.edited(0));
    EXPECT_FALSE(files.edited(1));
    files.choose(0);
    EXPECT_EQ(text(), tiled + "// a");
    EXPECT_TRUE(undo());
    EXPECT_EQ(text(), tiled);
    EXPECT_FALSE(files.edited(0));
}

TEST_F(KernelFilesTest, a_file_that_changes_is_read_again) {
    files.choose(1);
    const std::string before = text();
    EXPECT_FALSE(files.update(10));
    write_outside(own, before + "// outside\n");
    EXPECT_FALSE(files.update(10.1));  // the disk is not checked at every frame
    EXPECT_TRUE(files.update(11));
    EXPECT_EQ(files.kernel()->source, before + "// outside\n");
    type(before + "// here\n");
    write_outside(own, before + "// outside again\n");
    EXPECT_FALSE(files.update(13));  // the document asks first
    EXPECT_EQ(files.document().question().kind, session::Question::Kind::changed_on_disk);
    EXPECT_EQ(text(), before + "// here\n");
    ASSERT_TRUE(files.save(own));  // and the question stays
    EXPECT_EQ(*read_text_file(own), before + "// outside again\n");
    EXPECT_TRUE(files.edit([](session::Document& document) { return document.answer(false); }));
    EXPECT_EQ(files.kernel()->source, before + "// outside again\n");
}

TEST_F(KernelFilesTest, what_ships_is_saved_under_another_name) {
    const std::string tiled = text();
    type(tiled + "// mine\n");
    EXPECT_FALSE(files.save(kernel_path("tiled_2d")));
    EXPECT_FALSE(files.save(folder / "mine.txt"));
    ASSERT_TRUE(files.save(folder / "mine.cu"));
    EXPECT_EQ(files.chosen_file(), folder / "mine.cu");
    EXPECT_EQ(files.document().path(), folder / "mine.cu");
    EXPECT_FALSE(files.document().edited());
    EXPECT_EQ(*read_text_file(folder / "mine.cu"), tiled + "// mine\n");
    EXPECT_EQ(files.files().size(), 3u);
    EXPECT_FALSE(files.edited(0));  // the original is unchanged
    files.choose(0);
    EXPECT_TRUE(undo());
    EXPECT_EQ(text(), tiled + "// mine\n");
}

TEST_F(KernelFilesTest, a_file_of_ones_own_is_saved_in_its_place) {
    files.choose(1);
    type(text() + "// mine\n");
    ASSERT_TRUE(files.save(own));
    EXPECT_FALSE(files.edited(1));
    EXPECT_EQ(*read_text_file(own), text());
    EXPECT_EQ(files.files().size(), 2u);
}

TEST_F(KernelFilesTest, a_file_that_is_not_there_is_said) {
    files.open(folder / "none.cu");
    EXPECT_FALSE(files.diagnostics().empty());
    EXPECT_TRUE(text().empty());
    EXPECT_EQ(files.kernel()->file, kernel_path("tiled_2d"));
    files.open(kernel_path("tiled_2d"));  // an open file keeps its number
    EXPECT_EQ(files.chosen(), 0u);
    EXPECT_TRUE(files.diagnostics().empty());
}

}  // namespace kernel_files_test
}  // namespace lanescope::preview
