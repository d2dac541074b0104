// The keys that README.md lists are those of the program.
#include "ui/actions/keys.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "base/files.h"

namespace lanescope::ui {
namespace {

std::vector<std::string> table_of(const std::string& page) {
    std::istringstream lines(page.substr(std::min(page.find("| key | |\n|---|---|\n"), page.size())));
    std::vector<std::string> rows;
    std::string line;
    for (int i = 0; std::getline(lines, line) && line.starts_with('|'); ++i)
        if (i >= 2) rows.push_back(line);
    return rows;
}

TEST(KeyTable, ReadmeListsThoseOfTheProgram) {
    const Result<std::string> page = read_text_file(LANESCOPE_SOURCE_DIR "/README.md");
    ASSERT_TRUE(page);
    std::vector<std::string> wanted;
    for (const KeyHelp& row : key_help())
        wanted.push_back(std::string("| ") + row.keys + " | " + row.what + " |");
    EXPECT_EQ(table_of(*page), wanted);
}

}  // namespace
}  // namespace lanescope::ui
