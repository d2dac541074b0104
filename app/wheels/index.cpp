#include "wheels/index.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace lanescope::wheels {

namespace {

using Json = nlohmann::json;

constexpr std::size_t sha256_digits = 64;

// Makes the index's and the file's spelling of a name equal (PEP 503, "Normalized Names").
std::string normalized(std::string_view name) {
    std::string out;
    for (const char c : name) {
        const bool separator = c == '-' || c == '_' || c == '.';
        if (separator && !out.empty() && out.back() == '-') continue;
        out += separator ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    }
    return out;
}

bool is_sha256(std::string_view text) {
    return text.size() == sha256_digits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

Result<std::vector<IndexFile>> parse_json_index(const std::string& page) {
    const Json json = Json::parse(page, nullptr, false);
    const bool good = json.is_object() && json.contains("files") && json["files"].is_array();
    if (!good) return error("the package index answered with JSON that is not a list of files");
    std::vector<IndexFile> files;
    for (const Json& each : json["files"]) {
        if (!each.is_object()) continue;
        IndexFile file;
        const auto text = [](const Json& object, const char* key) {
            const auto found = object.find(key);
            return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
        };
        file.name = text(each, "filename");
        file.url = text(each, "url");
        if (each.contains("hashes") && each["hashes"].is_object())
            file.sha256 = text(each["hashes"], "sha256");
        if (each.contains("size") && each["size"].is_number_unsigned())
            file.size_bytes = each["size"].get<std::uint64_t>();
        if (!file.name.empty() && !file.url.empty()) files.push_back(std::move(file));
    }
    return files;
}

// The entities that stand in addresses.
std::string without_entities(std::string text) {
    for (std::size_t at = text.find("&amp;"); at != text.npos; at = text.find("&amp;", at + 1))
        text.erase(at + 1, 4);
    return text;
}

// <a href="…#sha256=…">name</a>; all other markup is skipped.
std::vector<IndexFile> parse_html_index(const std::string& page) {
    std::vector<IndexFile> files;
    for (std::size_t at = page.find("<a "); at != page.npos; at = page.find("<a ", at + 1)) {
        const std::size_t close = page.find('>', at);
        const std::size_t end = close == page.npos ? close : page.find("</a>", close);
        if (end == page.npos) break;
        const std::string tag = page.substr(at, close - at);
        const std::size_t href = tag.find("href=");
        if (href == tag.npos || href + 6 >= tag.size()) continue;
        const char quote = tag[href + 5];
        const std::size_t last = tag.find(quote, href + 6);
        if ((quote != '"' && quote != '\'') || last == tag.npos) continue;
        std::string url = without_entities(tag.substr(href + 6, last - href - 6));
        IndexFile file;
        const std::size_t hash = url.find('#');
        if (hash != url.npos) {
            const std::string fragment = url.substr(hash + 1);
            if (fragment.starts_with("sha256=")) file.sha256 = fragment.substr(7);
            url.erase(hash);
        }
        file.url = std::move(url);
        std::istringstream words(page.substr(close + 1, end - close - 1));
        words >> file.name;
        if (!file.name.empty()) files.push_back(std::move(file));
    }
    return files;
}

struct WheelName {
    std::string project, version, platform;
};

// name-version(-build)-python-abi-platform.whl
bool read_wheel_name(const std::string& file, WheelName& name) {
    if (!file.ends_with(".whl")) return false;
    std::vector<std::string> parts;
    std::istringstream rest(file.substr(0, file.size() - 4));
    for (std::string part; std::getline(rest, part, '-');)
        parts.push_back(part);
    if (parts.size() != 5 && parts.size() != 6) return false;
    name = {normalized(parts[0]), parts[1], parts.back()};
    return true;
}

// "manylinux2014_x86_64.manylinux_2_17_x86_64": one of several suffices.
bool runs_here(const std::string& platforms) {
    std::istringstream each(platforms);
    for (std::string platform; std::getline(each, platform, '.');)
        if (platform == "any" || platform == "linux_x86_64" ||
            (platform.starts_with("manylinux") && platform.ends_with("_x86_64")))
            return true;
    return false;
}

}  // namespace

std::vector<Requirement> parse_requirements(std::string_view text) {
    std::vector<Requirement> all;
    std::istringstream words{std::string(text)};
    for (std::string word; words >> word;)
        if (const std::size_t at = word.find("=="); at != word.npos)
            all.push_back({word.substr(0, at), word.substr(at + 2)});
    return all;
}

std::vector<Requirement> compiler_wheels() {
    return parse_requirements(LANESCOPE_PINNED_WHEELS);
}

Result<std::vector<IndexFile>> parse_index(const std::string& page) {
    const std::size_t first = page.find_first_not_of(" \t\r\n");
    if (first == page.npos) return error("the package index answered with an empty page");
    if (page[first] == '{') return parse_json_index(page);
    if (page[first] == '<') return parse_html_index(page);
    return error("the package index answered with something that is neither JSON nor HTML");
}

Result<IndexFile> choose_wheel(const std::vector<IndexFile>& files, const Requirement& wanted) {
    std::set<std::string> versions;
    for (const IndexFile& file : files) {
        WheelName name;
        if (!read_wheel_name(file.name, name) || name.project != normalized(wanted.name)) continue;
        if (!runs_here(name.platform)) continue;
        versions.insert(name.version);
        if (name.version != wanted.version) continue;
        if (!is_sha256(file.sha256))
            return error("the package index gives no SHA-256 for " + file.name +
                         ", without which the file is not trusted");
        return file;
    }
    std::string there;
    for (const std::string& version : versions)
        there += (there.empty() ? "" : ", ") + version;
    return error(
        "the package index has no wheel " + wanted.name + " " + wanted.version + " for Linux on x86-64",
        there.empty() ? "it has none of this name" : "it has " + there);
}

}  // namespace lanescope::wheels
