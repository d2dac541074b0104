// Gives each test its own folder, which also holds the cache.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/files.h"
#include "compile/compiler.h"

namespace lanescope::compile {

class CompileTest : public testing::Test {
  protected:
    void SetUp() override {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder = std::filesystem::temp_directory_path() / ("lanescope_" + std::to_string(getpid()) + "_" +
                                                           info->test_suite_name() + "_" + info->name());
        std::filesystem::create_directories(folder);
        setenv("LANESCOPE_CACHE", (folder / "cache").c_str(), 1);
        set_worker({});
    }
    void TearDown() override {
        std::filesystem::remove_all(folder);
        unsetenv("LANESCOPE_NVRTC");
        set_worker({});
    }

    std::string path(const std::string& name) const { return (folder / name).string(); }
    void write(const std::string& name, std::string_view text) const {
        ASSERT_TRUE(write_file(folder / name, text));
    }

    static Options uncached() {
        Options options;
        options.use_cache = false;
        return options;
    }

    std::filesystem::path folder;
};

}  // namespace lanescope::compile
