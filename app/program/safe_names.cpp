#include "program/safe_names.h"

#include <algorithm>

#include "base/file_kind.h"
#include "base/files.h"

namespace lanescope::program {

namespace fs = std::filesystem;

namespace {

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./+-@%:").find(c) != std::string_view::npos;
}

bool is_plain(const std::string& name) {
    return !name.starts_with('-') &&
           std::all_of(name.begin(), name.end(), [](char c) { return is_plain(c); });
}

// What the debug information of PTX, which knows no escapes, can hold between quotes.
bool fits_in_quotes(const std::string& name) {
    return std::none_of(name.begin(), name.end(), [](char c) {
        return c == '"' || c == '\\' || (static_cast<unsigned char>(c) < ' ');
    });
}

bool is_source(const std::string& word) {
    const FileKind kind = kind_of(word);
    std::error_code failed;
    return (kind == FileKind::cuda || kind == FileKind::cpp) && fs::is_regular_file(word, failed);
}

}  // namespace

bool SafeNames::nvcc_reads(TextForm form) {
    using Encoding = TextForm::Encoding;
    return (form.encoding == Encoding::utf8 || form.encoding == Encoding::utf8_with_mark) &&
           form.line_end != TextForm::LineEnd::cr;
}

// A folder for temporary files may itself have a name that is not plain.
Result<void> SafeNames::make_folder() {
    if (folder_) return {};
    std::error_code failed;
    const fs::path usual = fs::temp_directory_path(failed);
    Result<TemporaryFolder> made =
        TemporaryFolder::create(!failed && is_plain(usual.string()) ? usual : fs::path("/tmp"));
    if (!made) return made.diagnostics();
    folder_.emplace(std::move(*made));
    return {};
}

Result<std::string> SafeNames::linked(const fs::path& folder) {
    std::error_code failed;
    const fs::path whole = fs::absolute(folder, failed).lexically_normal();
    if (is_plain(whole.string())) return whole.string();
    if (Result<void> made = make_folder(); !made) return made.diagnostics();
    const fs::path link = folder_->path() / ("folder" + std::to_string(number_++));
    fs::create_directory_symlink(whole, link, failed);
    if (failed) return error_at(link.string(), 0, 0, "cannot be made: " + failed.message());
    own_names_[link.string() + "/"] = whole.string() + "/";
    return link.string();
}

Result<std::string> SafeNames::source(const std::string& file) {
    const Result<TextFile> read = read_text(file);
    std::error_code failed;
    const std::string whole = fs::absolute(file, failed).lexically_normal().string();
    const bool readable = !read || nvcc_reads(read->form);  // nvcc says what is wrong with it
    if (is_plain(whole) && is_plain(file) && readable) return file;
    const Result<std::string> bytes = read ? Result<std::string>(read->text) : read_file(file);
    if (!bytes) return bytes.diagnostics();
    if (Result<void> made = make_folder(); !made) return made.diagnostics();
    std::string name = fs::path(file).filename().string();
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !is_plain(c); }, '_');
    const fs::path folder = folder_->path() / ("source" + std::to_string(number_++));
    fs::create_directory(folder, failed);
    const std::string copy = (folder / name).string();
    const bool fits = fits_in_quotes(whole);  // the compiler makes the name absolute
    if (!fits) own_names_[copy] = whole;
    const std::string line = "#line 1 \"" + (fits ? file : copy) + "\"\n";
    if (Result<void> written = write_file(copy, line + *bytes); !written) return written.diagnostics();
    const Result<std::string> beside = linked(fs::path(whole).parent_path());
    if (!beside) return beside;
    includes_.push_back("-I" + *beside);
    return copy;
}

Result<std::vector<std::string>> SafeNames::words(const std::vector<std::string>& command) {
    std::vector<std::string> made;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const std::string& word = command[i];
        const bool output = i > 0 && (command[i - 1] == "-o" || command[i - 1] == "--output-file");
        Result<std::string> safe = word;
        if (output && !is_plain(word)) {
            if (Result<void> there = make_folder(); !there) return there.diagnostics();
            output_ = word;
            safe = safe_output_ = (folder_->path() / "output").string() + fs::path(word).extension().string();
            if (!is_plain(*safe)) safe = safe_output_ = (folder_->path() / "output").string();
        } else if (word.size() > 2 && word.starts_with("-I") && !is_plain(word.substr(2))) {
            safe = linked(word.substr(2));
            if (safe) safe = "-I" + *safe;
        } else if (i > 0 && command[i - 1] == "-I" && !is_plain(word)) {
            safe = linked(word);
        } else if (i > 0 && !output && is_source(word)) {
            safe = source(word);
        }
        if (!safe) return safe.diagnostics();
        made.push_back(std::move(*safe));
    }
    made.insert(made.end(), includes_.begin(), includes_.end());
    return made;
}

Result<void> SafeNames::finish() const {
    std::error_code failed;
    if (output_.empty() || !fs::exists(safe_output_, failed)) return {};
    fs::copy_file(safe_output_, output_, fs::copy_options::overwrite_existing, failed);
    if (failed) return error_at(output_, 0, 0, "cannot be written: " + failed.message());
    return {};
}

std::string SafeNames::with_own_names(std::string text) const {
    for (const auto& [plain, own] : own_names_)
        for (std::size_t at = text.find(plain); at != text.npos; at = text.find(plain, at + own.size()))
            text.replace(at, plain.size(), own);
    return text;
}

namespace {

Diagnostic unreadable(const std::string& name, char sign, const std::string& hint) {
    const std::string what = sign == '\n' ? "a line break" : std::string("'") + sign + "'";
    return error_at(name, 0, 0, "nvcc cannot read a name with " + what, hint);
}

}  // namespace

Diagnostics names_that_nvcc_cannot_read(const fs::path& folder) {
    constexpr std::string_view signs = "$`\",\n";
    constexpr int most_entries = 100'000;
    std::error_code failed;
    Diagnostics found;
    const std::string whole = fs::absolute(folder, failed).lexically_normal().string();
    if (const std::size_t at = whole.find_first_of(signs); at != std::string::npos)
        found.push_back(unreadable(whole, whole[at], "move the project to another folder"));
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, failed);
    for (int seen = 0; !failed && entry != fs::recursive_directory_iterator() && seen < most_entries;
         ++seen) {
        const std::string name = entry->path().lexically_relative(folder).string();
        const std::size_t at = name.find_first_of(signs);
        if (at != std::string::npos && is_source(entry->path().string()))
            found.push_back(
                unreadable(name, name[at], "rename it, or compile it with 'lanescope build -- nvcc'"));
        entry.increment(failed);
    }
    std::sort(found.begin(), found.end(),
              [](const Diagnostic& a, const Diagnostic& b) { return a.file < b.file; });
    return found;
}

}  // namespace lanescope::program
