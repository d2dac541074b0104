#include "base/file_kind.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace file_kind_test {

TEST(FileKind, is_decided_by_the_ending_in_any_case) {
    EXPECT_EQ(kind_of("a.cu"), FileKind::cuda);
    EXPECT_EQ(kind_of("folder.trace/A.CU"), FileKind::cuda);
    EXPECT_EQ(kind_of("a.cu.trace"), FileKind::trace);
    EXPECT_EQ(kind_of("x.PTX"), FileKind::ptx);
    EXPECT_EQ(kind_of("x.cuh"), FileKind::cpp);
    EXPECT_EQ(kind_of("notes.txt"), FileKind::text);
    EXPECT_EQ(kind_of("CMakeLists.txt"), FileKind::build);
    EXPECT_EQ(kind_of("rules.mk"), FileKind::build);
    EXPECT_EQ(kind_of("a.webm"), FileKind::film);
    for (const char* name : {"", "png", ".png", "a.xyz", "v1.2", "folder.cu/a"})
        EXPECT_EQ(kind_of(name), FileKind::other) << name;
}

TEST(FileKind, names_of_images) {
    for (const char* name : {"a.png", "a.PNG", "folder/b.jpeg", "c.Jpg", "d.bmp", "e.gif", "f.webp"})
        EXPECT_TRUE(is_image(kind_of(name))) << name;
    for (const char* name : {"", "png", ".png", "a.cu", "a.trace", "a.png.txt"})
        EXPECT_FALSE(is_image(kind_of(name))) << name;
}

TEST(FileKind, endings_are_listed_for_messages) {
    const FileKind one[] = {FileKind::trace}, three[] = {FileKind::png, FileKind::html};
    EXPECT_EQ(endings_of(one), ".trace");
    EXPECT_EQ(endings_of(three), ".png, .html or .htm");
}

}  // namespace file_kind_test
}  // namespace lanescope
