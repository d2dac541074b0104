#include "base/npy.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace npy_test {

using namespace std::string_literals;

std::string file_of(const std::string& text, std::size_t item_bytes, char version = 1) {
    std::string bytes = "\x93NUMPY"s + version + '\0';
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    for (std::size_t i = 0; i < length_bytes; ++i)
        bytes += static_cast<char>(text.size() >> (8 * i) & 0xff);
    return bytes + text + std::string(item_bytes, '\1');
}

std::string why_not(const std::string& bytes) {
    const Result<NpyHeader> header = read_npy(bytes);
    return header ? "" : to_text(header.diagnostics());
}

std::string whole(const std::string& type, const std::string& shape, const std::string& fortran = "False") {
    return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

TEST(Npy, reads_what_numpy_writes) {
    // numpy.save of numpy.arange(6, dtype="f4").reshape(2, 3), as numpy 2.4 writes it
    std::string text = whole("<f4", "(2, 3)");
    text.insert(text.size() - 1, 118 - text.size(), ' ');
    const std::string bytes = file_of(text, 24);
    const Result<NpyHeader> header = read_npy(bytes);
    ASSERT_TRUE(header) << why_not(bytes);
    EXPECT_EQ(header->kind, 'f');
    EXPECT_EQ(header->item_bytes, 4u);
    EXPECT_EQ(header->shape, (std::vector<std::uint64_t>{2, 3}));
    EXPECT_EQ(header->data_offset, 128u);
    EXPECT_EQ(npy_header(*header), bytes.substr(0, 128));
}

TEST(Npy, reads_every_version_and_spelling) {
    for (const char version : {1, 2, 3})
        EXPECT_EQ(why_not(file_of(whole("<i8", "(2,)"), 16, version)), "");
    EXPECT_EQ(why_not(file_of("{\"shape\":(),\"descr\":\"|u1\",\"fortran_order\":True}", 1)), "");
    EXPECT_EQ(why_not(file_of(whole("<f8", "(0, 7)"), 0)), "");
    EXPECT_EQ(why_not(file_of(whole("<f8", "(1, 2)", "True"), 16)), "");  // both orders are the same
}

TEST(Npy, writes_what_it_reads) {
    for (const NpyHeader& header :
         {NpyHeader{'f', 2, {5}, 0}, NpyHeader{'b', 1, {}, 0}, NpyHeader{'V', 12, {2, 1, 3}, 0}}) {
        std::string bytes = npy_header(header);
        EXPECT_EQ(bytes.size() % 64, 0u);
        bytes.append(static_cast<std::size_t>(header.count()) * header.item_bytes, '\0');
        Result<NpyHeader> again = read_npy(bytes);
        ASSERT_TRUE(again) << why_not(bytes);
        again->data_offset = 0;
        EXPECT_EQ(*again, header);
    }
}

TEST(Npy, refuses_what_it_cannot_use) {
    EXPECT_NE(why_not("PK\3\4").find("not a .npy file"), std::string::npos);
    EXPECT_NE(why_not(file_of(whole("<f4", "(2,)"), 8, 9)).find("version 9"), std::string::npos);
    EXPECT_NE(why_not(file_of(whole(">f4", "(2,)"), 8)).find(".astype('<f4')"), std::string::npos);
    EXPECT_NE(why_not(file_of(whole("|O", "(2,)"), 16)).find("type '|O'"), std::string::npos);
    EXPECT_NE(why_not(file_of(whole("<U3", "(2,)"), 24)).find("type '<U3'"), std::string::npos);
    EXPECT_NE(why_not(file_of("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}", 4))
                  .find("structures"),
              std::string::npos);
    EXPECT_NE(why_not(file_of(whole("<f4", "(2, 2)", "True"), 16)).find("Fortran order"), std::string::npos);
    EXPECT_NE(why_not(file_of(whole("<f4", "(2,)"), 7)).find("7 bytes"), std::string::npos);
    EXPECT_NE(why_not(file_of(whole("<f4", "(2,)"), 9)).find("9 bytes"), std::string::npos);
    EXPECT_NE(why_not(file_of(whole("<f8", "(4294967296, 4294967296, 4294967296)"), 0)).find("0 bytes"),
              std::string::npos);
}

TEST(Npy, refuses_damaged_headers) {
    for (const std::string& text :
         {""s, "{"s, "{}"s, "{'descr': '<f4', 'shape': (1,)}"s, "{'descr': '<f4', 'descr': '<f4', }"s,
          whole("<f4", "(1,)") + "x", whole("<f4", "(-1,)"), whole("<f4", "(1 1)"), whole("<f4", "1"),
          whole("<f4", "(1,)", "false"), "{'x': 1}"s, "{'descr' '<f4'}"s,
          "{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}"s})
        EXPECT_NE(why_not(file_of(text, 4)).find("damaged"), std::string::npos) << text;
    const std::string bytes = file_of(whole("<f4", "(1,)"), 0);
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_NE(why_not(bytes.substr(0, size)), "");
}

}  // namespace npy_test
}  // namespace lanescope
