#include "compile/user_headers.h"

#include <deque>
#include <set>

#include "base/files.h"
#include "compile/tokens.h"

namespace lanescope::compile {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t max_headers = 500;
constexpr std::uint64_t max_header_bytes = 4ull << 20;

fs::path beside(const std::string& name, const fs::path& includer, const fs::path& folder) {
    std::error_code code;
    for (const fs::path& base : {includer, folder}) {
        const fs::path candidate = base.empty() ? fs::path(name) : base / name;
        if (fs::is_regular_file(candidate, code)) return candidate.lexically_normal();
    }
    return {};
}

}  // namespace

std::vector<std::string> included_names(const std::string& source, bool* has_computed) {
    std::vector<std::string> names;
    for (const Token& token : tokenize(source)) {
        std::string rest;
        if (token.kind != Token::Kind::directive || directive_name(token, &rest) != "include") continue;
        const std::size_t open = rest.find_first_not_of(" \t");
        if (open == std::string::npos) continue;
        const char closing = rest[open] == '<' ? '>' : '"';
        const std::size_t close = rest.find(closing, open + 1);
        if ((rest[open] != '<' && rest[open] != '"') || close == std::string::npos) {
            if (has_computed) *has_computed = true;
            continue;
        }
        names.push_back(rest.substr(open + 1, close - open - 1));
    }
    return names;
}

UserHeaders find_user_headers(const std::string& source, const fs::path& folder) {
    UserHeaders result;
    struct Pending {
        std::string text;
        fs::path folder;
    };
    std::deque<Pending> pending{{source, folder}};
    std::set<std::string> known;
    bool computed = false;
    while (!pending.empty()) {
        const Pending now = std::move(pending.front());
        pending.pop_front();
        for (const std::string& name : included_names(now.text, &computed)) {
            if (!known.insert(name).second) continue;
            const fs::path path = beside(name, now.folder, folder);
            if (path.empty()) continue;
            Result<std::string> text = read_text_file(path, max_header_bytes);
            if (!text || result.headers.size() >= max_headers) {
                result.complete = false;
                continue;
            }
            result.headers.push_back({name, *text, path.string()});
            pending.push_back({std::move(*text), path.parent_path()});
        }
    }
    result.complete = result.complete && !computed;
    return result;
}

}  // namespace lanescope::compile
