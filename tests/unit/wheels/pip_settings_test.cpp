#include "wheels/pip_settings.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace lanescope::wheels {
namespace pip_settings_test {

namespace fs = std::filesystem;

class Pip : public testing::Test {
  protected:
    Pip() {
        fs::remove_all(root_);
        fs::create_directories(root_);
        variables_["HOME"] = root_.string();
    }
    ~Pip() override { fs::remove_all(root_); }
    void put(const std::string& name, const std::string& text) {
        fs::create_directories((root_ / name).parent_path());
        std::ofstream(root_ / name) << text;
    }
    PipSettings settings() const {
        return pip_settings(
            [&](const std::string& name) -> std::optional<std::string> {
                const auto found = variables_.find(name);
                return found == variables_.end() ? std::nullopt : std::optional(found->second);
            },
            root_ / "etc/pip.conf");
    }

    const fs::path root_ = fs::temp_directory_path() / ("lanescope-pip-" + std::to_string(getpid()));
    std::map<std::string, std::string> variables_;
};

TEST_F(Pip, the_default_is_the_public_index) {
    EXPECT_EQ(settings().index_url, "https://pypi.org/simple");
    EXPECT_EQ(settings().certificates, "");
}

TEST_F(Pip, later_files_and_the_environment_win) {
    put("etc/pip.conf", "[global]\nindex-url = https://system.example/simple/\ncert = /system.pem\n");
    EXPECT_EQ(settings().index_url, "https://system.example/simple");
    put(".config/pip/pip.conf",
        "# mine\n[list]\nindex-url = https://wrong/\n[install]\nindex_url: https://user.example/simple\n");
    EXPECT_EQ(settings().index_url, "https://user.example/simple");
    EXPECT_EQ(settings().certificates, "/system.pem");
    put("own.conf",
        "[global]\nindex-url=https://chosen.example/\ntrusted-host =\n    one.example\n    "
        "two.example:8080\n");
    variables_["PIP_CONFIG_FILE"] = (root_ / "own.conf").string();
    EXPECT_EQ(settings().index_url, "https://chosen.example");
    EXPECT_EQ(settings().trusted_hosts, (std::vector<std::string>{"one.example", "two.example:8080"}));
    variables_["PIP_INDEX_URL"] = "https://environment.example/simple/";
    variables_["SSL_CERT_FILE"] = "/other.pem";
    EXPECT_EQ(settings().index_url, "https://environment.example/simple");
    EXPECT_EQ(settings().certificates, "/system.pem");
    variables_.erase("PIP_INDEX_URL");
    variables_["PIP_CONFIG_FILE"] = "/dev/null";
    EXPECT_EQ(settings().index_url, "https://pypi.org/simple");
    EXPECT_EQ(settings().certificates, "/other.pem");
}

TEST_F(Pip, hosts_are_named_without_passwords) {
    EXPECT_EQ(host_of("https://me:secret@index.example:8443/simple"), "index.example");
    EXPECT_EQ(host_of("http://127.0.0.1:80/x"), "127.0.0.1");
    EXPECT_EQ(host_of("https://index.example?x"), "index.example");
    EXPECT_EQ(host_of("nothing"), "");
}

TEST_F(Pip, bad_plain_http_is_for_this_machine_and_trusted_hosts) {
    PipSettings settings;
    settings.trusted_hosts = {"inside.example:8080"};
    EXPECT_TRUE(is_trusted("https://anywhere.example/", settings));
    EXPECT_TRUE(is_trusted("http://localhost:8000/", settings));
    EXPECT_TRUE(is_trusted("http://inside.example:8080/", settings));
    EXPECT_FALSE(is_trusted("http://anywhere.example/", settings));
    EXPECT_FALSE(is_trusted("http://localhost.example/", settings));
    EXPECT_FALSE(is_trusted("ftp://localhost/", settings));
    EXPECT_FALSE(is_trusted("file:///etc/passwd", settings));
}

}  // namespace pip_settings_test
}  // namespace lanescope::wheels
