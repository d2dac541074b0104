#include "base/language.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "base/files.h"
#include "base/folders.h"
#include "base/sorted_entries.h"
#include "base/text.h"

namespace lanescope {

namespace {

namespace fs = std::filesystem;

struct Language {
    std::string code = "en";
    std::map<std::string, std::string, std::less<>> words;
};

// The one place of the state.
Language& current() {
    static Language language;
    return language;
}

fs::path catalogues() {
    return resource_folder() / "assets" / "language";
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

// The text between the quotes of a line.
std::string unquoted(std::string_view line) {
    const std::size_t begin = line.find('"'), end = line.rfind('"');
    std::string text;
    for (std::size_t i = begin + 1; begin != line.npos && i < end; ++i) {
        if (line[i] != '\\' || i + 1 >= end)
            text += line[i];
        else
            text += line[++i] == 'n' ? '\n' : line[i] == 't' ? '\t' : line[i];
    }
    return text;
}

const std::string* found(std::string_view english) {
    const auto& words = current().words;
    const auto entry = words.find(english);
    return entry == words.end() ? nullptr : &entry->second;
}

}  // namespace

std::vector<std::string> languages() {
    std::vector<std::string> codes{"en"};
    if (const Result<std::vector<fs::path>> files = sorted_entries(catalogues()))
        for (const fs::path& file : *files)
            if (file.extension() == ".po") codes.push_back(file.stem().string());
    return codes;
}

Result<std::string> chosen_language(const std::string& asked) {
    const std::vector<std::string> known = languages();
    const auto is_known = [&](const std::string& code) {
        return std::find(known.begin(), known.end(), code) != known.end();
    };
    for (const auto& [name, code] : {std::pair<std::string, std::string>("--language", asked),
                                     {"LANESCOPE_LANGUAGE", variable("LANESCOPE_LANGUAGE")}}) {
        if (code.empty()) continue;
        if (is_known(code)) return code;
        std::string list;
        for (const std::string& each : known)
            list += (list.empty() ? "" : ", ") + each;
        return error(name + ": there is no language '" + code + "'", "use one of " + list);
    }
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        const std::string locale = variable(name);
        if (locale.empty()) continue;
        const std::string code = locale.substr(0, locale.find_first_of("_.@"));
        return is_known(code) ? code : "en";
    }
    return std::string("en");
}

void set_language(const std::string& code) {
    Language language{code, {}};
    if (const Result<std::string> text = read_text_file(catalogues() / (code + ".po")); code != "en" && text)
        for (auto& [english, words] : read_catalogue(*text))
            language.words.emplace(std::move(english), std::move(words));
    current() = std::move(language);
}

const std::string& language() {
    return current().code;
}

const char* tr(const char* english) {
    const std::string* words = found(english);
    return words != nullptr ? words->c_str() : english;
}

std::string tr(const std::string& english) {
    const std::string* words = found(english);
    return words != nullptr ? *words : english;
}

std::string_view tr(std::string_view english) {
    const std::string* words = found(english);
    return words != nullptr ? std::string_view(*words) : english;
}

std::vector<std::string> tr(std::vector<std::string> english) {
    for (std::string& each : english)
        each = tr(each);
    return english;
}

std::string tr(const char* english, std::initializer_list<std::string> values) {
    std::string_view words = tr(english);
    std::string text;
    while (!words.empty()) {
        const bool mark = words.size() >= 3 && words[0] == '{' && words[1] >= '1' && words[2] == '}';
        const std::size_t number = mark ? std::size_t(words[1] - '1') : values.size();
        if (number < values.size())
            text += values.begin()[number];
        else
            text += words[0];
        words.remove_prefix(number < values.size() ? 3 : 1);
    }
    return text;
}

std::vector<std::pair<std::string, std::string>> read_catalogue(std::string_view po) {
    std::vector<std::pair<std::string, std::string>> entries;
    std::string* to = nullptr;
    while (!po.empty()) {
        const std::size_t end = std::min(po.find('\n'), po.size() - 1);
        const std::string_view line = trimmed(po.substr(0, end + 1));
        po.remove_prefix(end + 1);
        if (line.starts_with("msgid ")) to = &entries.emplace_back().first;
        if (line.starts_with("msgstr ")) to = entries.empty() ? nullptr : &entries.back().second;
        if (line.empty() || line.starts_with('#')) to = nullptr;
        if (to != nullptr) *to += unquoted(line);
    }
    std::erase_if(entries, [](const auto& each) { return each.first.empty() || each.second.empty(); });
    return entries;
}

}  // namespace lanescope
