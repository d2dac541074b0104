#include "base/text_file.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace text_file_test {

using namespace std::string_literals;
using Encoding = TextForm::Encoding;
using LineEnd = TextForm::LineEnd;

struct Case {
    std::string bytes, text;
    TextForm form;
};

const Case cases[] = {
    {"int a;\n", "int a;\n", {}},
    {"\xef\xbb\xbfint a;\n", "int a;\n", {Encoding::utf8_with_mark, LineEnd::lf}},
    {"a\r\nb\r\n", "a\nb\n", {Encoding::utf8, LineEnd::crlf}},
    {"a\rb\r", "a\nb\n", {Encoding::utf8, LineEnd::cr}},
    {"\xff\xfe"
     "a\0\n\0"s,
     "a\n",
     {Encoding::utf16_little, LineEnd::lf}},
    {"\xfe\xff\0a\0\r\0\n"s, "a\n", {Encoding::utf16_big, LineEnd::crlf}},
    {"\xff\xfe\xe9\0\x3d\xd8\0\xde"s, "\xc3\xa9\xf0\x9f\x98\x80", {Encoding::utf16_little, LineEnd::lf}},
    {"a\r\nb\nc\r", "a\r\nb\nc\r", {}},  // mixed line ends stay
    {"", "", {}},
};

TEST(TextFile, every_form_is_read_as_utf8_and_written_back_as_it_was) {
    for (const Case& each : cases) {
        const Result<TextFile> read = decode_text(each.bytes, "a.cu");
        ASSERT_TRUE(read) << each.bytes;
        EXPECT_EQ(read->text, each.text);
        EXPECT_TRUE(read->form == each.form) << each.text;
        EXPECT_EQ(encode_text(read->text, read->form), each.bytes);
    }
}

TEST(TextFile, pasted_line_ends_become_those_of_the_file) {
    EXPECT_EQ(encode_text("a\r\nb\n", {Encoding::utf8, LineEnd::crlf}), "a\r\nb\r\n");
}

TEST(TextFile, bad_bytes_are_named_with_their_line) {
    const auto problem = [](const std::string& bytes) {
        const Result<TextFile> read = decode_text(bytes, "a.cu");
        return read ? "" : to_text(read.diagnostics());
    };
    EXPECT_NE(problem("a\nb\xe9\n").find("a.cu:2: error: holds a character that is not UTF-8"),
              std::string::npos);
    EXPECT_NE(problem("a\n\0b"s).find("a.cu:2: error: is not a text file"), std::string::npos);
    EXPECT_NE(problem("i\0n\0t\0 \0"s).find("UTF-16 text without a byte order mark"), std::string::npos);
    EXPECT_NE(problem("\xff\xfe\0\0a\0\0\0"s).find("UTF-32"), std::string::npos);
    EXPECT_NE(problem("\xff\xfe\x61"s).find("half a character"), std::string::npos);
    EXPECT_NE(problem("\xff\xfe\x3d\xd8"s).find("half a character"), std::string::npos);
    EXPECT_NE(problem("\xff\xfe"
                      "a\0\0\0"s)
                  .find("is not a text file"),
              std::string::npos);
}

}  // namespace text_file_test
}  // namespace lanescope
