#include "page/print.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/files.h"
#include "base/process.h"
#include "base/temporary_folder.h"

namespace lanescope::page {

namespace {

namespace fs = std::filesystem;

constexpr int limit_ms = 120'000;
constexpr std::uint64_t most_words = 16 << 20;  // that a browser prints on its streams
constexpr std::array names = {"chromium",       "google-chrome-stable", "google-chrome", "chrome",
                              "microsoft-edge", "brave-browser",        "vivaldi",       "chromium-browser"};
constexpr const char* other_way = "or write a .html and print it from any browser: each slide is a page";

// Ubuntu's browsers are snaps. A snap sees neither /tmp nor hidden folders of the home folder, but this one.
fs::path folder_for(const fs::path& browser) {
    std::error_code ignored;
    const fs::path program = fs::canonical(browser, ignored);
    const Result<std::string> script = read_file(browser, 1 << 16);  // a browser itself is larger
    const bool snap = program.filename() == "snap" || browser.string().starts_with("/snap/") ||
                      (script && script->find("/snap/bin/") != std::string::npos);
    const char* home = std::getenv("HOME");
    if (!snap || !home) return fs::temp_directory_path(ignored);
    const fs::path own = fs::path(home) / "snap" / "chromium" / "common";
    fs::create_directories(own, ignored);
    return own;
}

// The last line of the browser's error output, which has the reason.
std::string last_line(const std::string& text) {
    const std::size_t end = text.find_last_not_of(" \r\n");
    if (end == text.npos) return {};
    const std::size_t begin = text.rfind('\n', end);
    return text.substr(begin == text.npos ? 0 : begin + 1, end - (begin == text.npos ? 0 : begin + 1) + 1);
}

Diagnostic failed(const fs::path& browser, const std::string& why) {
    return error(browser.string() + " prints no PDF" + (why.empty() ? "" : ": " + why),
                 std::string("choose another browser with LANESCOPE_BROWSER=FILE, ") + other_way);
}

}  // namespace

Result<fs::path> find_browser() {
    if (const char* chosen = std::getenv("LANESCOPE_BROWSER"); chosen && *chosen) {
        const std::string name = chosen;
        const fs::path file = name.find('/') == name.npos ? find_program(name) : fs::path(name);
        if (is_program(file)) return file;
        return error("LANESCOPE_BROWSER=" + name + " is not a program");
    }
    for (const char* name : names)
        if (const fs::path file = find_program(name); !file.empty()) return file;
    return error("a PDF is printed by Chromium, Chrome or Edge, and none of them is installed",
                 std::string("install one (Debian: apt install chromium), ") + other_way);
}

std::vector<std::string> print_arguments(const fs::path& browser, const fs::path& folder,
                                         const fs::path& page, const fs::path& pdf, bool root) {
    std::vector<std::string> arguments = {browser.string(),
                                          "--headless=new",
                                          "--disable-gpu",
                                          "--disable-dev-shm-usage",
                                          "--disable-extensions",
                                          "--disable-sync",
                                          "--disable-breakpad",
                                          "--disable-background-networking",
                                          "--disable-component-update",
                                          "--host-resolver-rules=MAP * ~NOTFOUND",
                                          "--no-first-run",
                                          "--no-default-browser-check",
                                          "--no-pdf-header-footer",
                                          "--print-to-pdf-no-header",
                                          "--generate-pdf-document-outline",
                                          "--user-data-dir=" + (folder / "profile").string(),
                                          "--print-to-pdf=" + pdf.string()};
    if (root) arguments.emplace_back("--no-sandbox");
    arguments.push_back("file://" + page.string());
    return arguments;
}

Result<void> print_pdf(const fs::path& browser, const std::string& html, const fs::path& output) {
    const Result<TemporaryFolder> folder = TemporaryFolder::create(folder_for(browser));
    if (!folder) return folder.diagnostics();
    const fs::path page = folder->path() / "slides.html", pdf = folder->path() / "slides.pdf";
    if (const Result<void> written = write_file(page, html); !written) return written;
    const Result<ProcessOutcome> printed = run_process(
        print_arguments(browser, folder->path(), page, pdf, ::geteuid() == 0), "", limit_ms, most_words);
    if (!printed) return failed(browser, printed.diagnostics().front().message);
    if (printed->timed_out) return failed(browser, "it does not end within two minutes");
    const Result<std::string> bytes = read_file(pdf);
    if (!printed->succeeded() || !bytes || !bytes->starts_with("%PDF-"))
        return failed(browser, last_line(printed->err));
    return write_file(output, *bytes);
}

}  // namespace lanescope::page
