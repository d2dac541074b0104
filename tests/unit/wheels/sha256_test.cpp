// Examples of NIST, FIPS 180-4.
#include "wheels/sha256.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace lanescope::wheels {
namespace sha256_test {

namespace fs = std::filesystem;

std::string sum_of(const std::string& text) {
    const fs::path file = fs::temp_directory_path() / ("lanescope-sha-" + std::to_string(getpid()));
    std::ofstream(file, std::ios::binary) << text;
    const Result<std::string> sum = sha256_of(file);
    fs::remove(file);
    return sum ? *sum : to_text(sum.diagnostics());
}

TEST(Sha256, known_sums) {
    EXPECT_EQ(sum_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sum_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sum_of(std::string(1'000'000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    EXPECT_EQ(sum_of(std::string(3'000'000, 'a')).size(), 64u) << "larger than what is read at a time";
}

TEST(Sha256, bad_a_missing_file) {
    EXPECT_FALSE(sha256_of("/nowhere/at/all"));
}

}  // namespace sha256_test
}  // namespace lanescope::wheels
