#include "compile/user_headers.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "base/cpp_lexer.h"
#include "base/file_kind.h"
#include "base/files.h"

namespace lanescope::compile {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t max_headers = 500;
constexpr std::uint64_t max_header_bytes = 4ull << 20;

// Whether the file, after links, lies in one of the folders or has the ending of a source file.
bool may_read(const fs::path& file, const std::vector<fs::path>& folders) {
    std::error_code failed;
    const fs::path real = fs::canonical(file, failed);
    if (failed) return false;
    if (const FileKind kind = kind_of(real); kind == FileKind::cuda || kind == FileKind::cpp) return true;
    return std::any_of(folders.begin(), folders.end(), [&](const fs::path& folder) {
        const fs::path inside =
            real.lexically_relative(fs::canonical(folder.empty() ? fs::path(".") : folder, failed));
        return !failed && !inside.empty() && *inside.begin() != "..";
    });
}

fs::path found_in(const fs::path& folder, const std::string& name) {
    std::error_code code;
    const fs::path candidate = folder.empty() ? fs::path(name) : folder / name;
    return fs::is_regular_file(candidate, code) ? candidate.lexically_normal() : fs::path();
}

fs::path beside(const std::string& name, const fs::path& includer, const std::vector<fs::path>& folders) {
    fs::path found = found_in(includer, name);
    for (std::size_t i = 0; found.empty() && i < folders.size(); ++i)
        found = found_in(folders[i], name);
    return found;
}

}  // namespace

std::vector<std::string> included_names(const std::string& source, bool* has_computed) {
    std::vector<std::string> names;
    for (const CppToken& token : tokenize_cpp(source)) {
        if (token.kind != CppToken::Kind::directive || directive_name(token) != "include") continue;
        const std::vector<CppToken> words = directive_tokens(token);
        if (words.empty()) continue;
        const std::string_view rest = token.text.substr(words[0].begin - token.begin);
        const std::size_t close = rest.find(rest[0] == '<' ? '>' : '"', 1);
        if ((rest[0] != '<' && rest[0] != '"') || close == std::string_view::npos) {
            if (has_computed) *has_computed = true;
            continue;
        }
        names.emplace_back(rest.substr(1, close - 1));
    }
    return names;
}

UserHeaders find_user_headers(const std::string& source, const fs::path& folder,
                              const std::vector<fs::path>& more) {
    UserHeaders result;
    std::vector<fs::path> folders{folder};
    folders.insert(folders.end(), more.begin(), more.end());
    struct Pending {
        std::string text;
        fs::path folder;
    };
    std::deque<Pending> pending{{source, folder}};
    std::set<std::string> known;
    std::map<fs::path, std::string> names;  // the first name of each file
    bool computed = false;
    while (!pending.empty()) {
        const Pending now = std::move(pending.front());
        pending.pop_front();
        for (const std::string& name : included_names(now.text, &computed)) {
            if (!known.insert(name).second) continue;
            const fs::path path = beside(name, now.folder, folders);
            if (path.empty()) continue;
            if (!may_read(path, folders)) {
                result.refused.push_back(name);
                continue;
            }
            Result<std::string> text = read_text_file(path, max_header_bytes);
            if (!text || result.headers.size() >= max_headers) {
                result.complete = false;
                continue;
            }
            std::error_code failed;
            const auto [first, added] = names.emplace(fs::canonical(path, failed), name);
            if (!failed && !added) {  // #pragma once of the compiler knows names, not files
                result.headers.push_back({name, "#include \"" + first->second + "\"\n", path.string()});
                continue;
            }
            result.headers.push_back({name, *text, path.string()});
            pending.push_back({std::move(*text), path.parent_path()});
        }
    }
    result.complete = result.complete && !computed;
    return result;
}

bool is_host_library_header(std::string_view name) {
    constexpr std::array<std::string_view, 14> prefixes = {
        "thrust/",    "opencv2/", "sys/",  "boost/", "Eigen/",   "gtest/", "nvtx3/",
        "benchmark/", "GL/",      "GLFW/", "fmt/",   "Windows/", "arpa/",  "netinet/"};
    for (std::string_view prefix : prefixes)
        if (name.starts_with(prefix)) return true;
    return false;
}

}  // namespace lanescope::compile
