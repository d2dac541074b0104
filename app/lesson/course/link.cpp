#include "lesson/course/link.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "base/folders.h"

namespace lanescope::lesson {

namespace {

namespace fs = std::filesystem;

// RFC 3986, section 2.3; a slash may stand in a query.
std::string encoded(const std::string& text) {
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 128 && std::isalnum(byte)) ||
            std::string_view("-_.~/:*,").find(c) != std::string_view::npos)
            out += c;
        else
            out += {'%', digits[byte >> 4], digits[byte & 15]};
    }
    return out;
}

std::string decoded(std::string_view text) {
    const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; };
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && std::isxdigit(static_cast<unsigned char>(text[i + 1])) &&
            std::isxdigit(static_cast<unsigned char>(text[i + 2]))) {
            out += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
            i += 2;
        } else {
            out += text[i] == '+' ? ' ' : text[i];
        }
    }
    return out;
}

// The course's lessons, and the person's own.
std::vector<fs::path> lesson_folders() {
    std::vector<fs::path> folders = own_kernels_folders();
    folders.insert(folders.begin(), resource_folder() / "kernels");
    return folders;
}

// "scan/blelloch"; empty: the file is not a lesson.
std::string lesson_of(const fs::path& file) {
    std::error_code ignored;
    const fs::path whole = fs::weakly_canonical(file, ignored);
    for (const fs::path& folder : lesson_folders()) {
        const fs::path place = whole.lexically_relative(fs::weakly_canonical(folder, ignored));
        if (!place.empty() && *place.begin() != ".." && place.extension() == ".cu")
            return fs::path(place).replace_extension().generic_string();
    }
    return {};
}

}  // namespace

std::string web_address() {
    const char* address = std::getenv("LANESCOPE_WEB");
    return address == nullptr ? "" : address;
}

Result<void> check_web_address(const std::string& address) {
    const bool sound = (address.starts_with("https://") || address.starts_with("http://")) &&
                       address.find_first_of("?#\"<> \n") == std::string::npos;
    if (sound) return {};
    return error("'" + address + "' is not the address of a page",
                 "write where the version for browsers is: https://your.server/lanescope/");
}

std::string link_query(const fs::path& file, const LinkWords& more) {
    const std::string lesson = lesson_of(file);
    std::string query =
        lesson.empty() ? "file=" + encoded(file.filename().string()) : "lesson=" + encoded(lesson);
    for (const auto& [name, value] : more)
        query += "&" + encoded(name) + "=" + encoded(value);
    return query;
}

LinkWords words_of_link(std::string_view query) {
    LinkWords words;
    if (query.starts_with('?')) query.remove_prefix(1);
    while (!query.empty()) {
        const std::string_view part = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(part.size() + 1, query.size()));
        const std::size_t equals = std::min(part.find('='), part.size());
        if (!part.empty())
            words.emplace_back(decoded(part.substr(0, equals)),
                               equals < part.size() ? decoded(part.substr(equals + 1)) : std::string());
    }
    return words;
}

fs::path file_of_lesson(const std::string& name) {
    const std::string file = name + (name.ends_with(".cu") ? "" : ".cu");
    std::error_code ignored;
    for (const fs::path& folder : lesson_folders())
        if (fs::exists(folder / file, ignored)) return folder / file;
    return fs::path("kernels") / file;
}

}  // namespace lanescope::lesson
