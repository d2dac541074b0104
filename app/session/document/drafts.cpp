#include "session/document/drafts.h"

#include "base/files.h"

namespace lanescope::session {

namespace fs = std::filesystem;

// The draft's name contains the file's, so that a person finds the text in the folder.
fs::path Drafts::place_of(const fs::path& file) const {
    std::error_code ignored;
    const fs::path whole = fs::weakly_canonical(file, ignored);
    return folder_ / (content_hash(whole.string()).substr(0, 16) + "-" + file.filename().string());
}

Result<void> Drafts::keep(const fs::path& file, const std::string& text) const {
    if (folder_.empty()) return {};
    std::error_code failed;
    fs::create_directories(folder_, failed);
    return write_file(place_of(file), text);
}

void Drafts::drop(const fs::path& file) const {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove(place_of(file), ignored);
}

std::optional<std::string> Drafts::find(const fs::path& file) const {
    if (!has(file)) return std::nullopt;
    const Result<std::string> text = read_text_file(place_of(file));
    return text ? std::optional(*text) : std::nullopt;
}

bool Drafts::has(const fs::path& file) const {
    std::error_code ignored;
    return !folder_.empty() && fs::is_regular_file(place_of(file), ignored);
}

}  // namespace lanescope::session
