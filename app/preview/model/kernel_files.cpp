#include "preview/model/kernel_files.h"

#include <algorithm>
#include <utility>

#include "base/folders.h"
#include "base/outputs.h"
#include "execution/run/input_files.h"

namespace lanescope::preview {

namespace fs = std::filesystem;

namespace {

bool lies_in(const fs::path& file, const fs::path& folder) {
    std::error_code failed;
    const fs::path relative =
        fs::relative(fs::weakly_canonical(file, failed), fs::weakly_canonical(folder, failed), failed);
    return !failed && !relative.empty() && *relative.begin() != "..";
}

bool ships_with_program(const fs::path& file) {
    return lies_in(file, resource_folder() / "kernels") || lies_in(file, resource_folder() / "assets");
}

bool same_file(const fs::path& a, const fs::path& b) {
    std::error_code failed;
    return a == b || fs::equivalent(a, b, failed);
}

}  // namespace

KernelFiles::KernelFiles(std::vector<fs::path> files) : files_(std::move(files)) {
    choose(0);
}

bool KernelFiles::edited(std::size_t number) const {
    const auto found = documents_.find(number);
    return found != documents_.end() && found->second->edited();
}

bool KernelFiles::ships() const {
    return ships_with_program(chosen_file());
}

void KernelFiles::parse() {
    diagnostics_.clear();
    Result<KernelFile> parsed = parse_kernel(document().text(), chosen_file().string());
    if (parsed)
        kernel_ = std::make_shared<const KernelFile>(std::move(*parsed));
    else
        diagnostics_ = parsed.diagnostics();
}

void KernelFiles::choose(std::size_t number) {
    chosen_ = number;
    std::unique_ptr<session::Document>& document = documents_[number];
    if (!document) document = std::make_unique<session::Document>();
    if (document->path().empty()) {
        const Result<TextFile> read = read_text(files_[number]);
        if (!read) {
            diagnostics_ = read.diagnostics();
            return;
        }
        document->open(files_[number], read->text, session::Document::Access::editable, read->form);
    }
    parse();
}

void KernelFiles::open(const fs::path& path) {
    const auto known = std::find_if(files_.begin(), files_.end(),
                                    [&](const fs::path& file) { return same_file(file, path); });
    const auto number = static_cast<std::size_t>(known - files_.begin());
    if (known == files_.end()) files_.push_back(path);
    choose(number);
}

bool KernelFiles::edit(const std::function<bool(session::Document&)>& change) {
    if (!change(chosen_document())) return false;
    parse();
    return true;
}

bool KernelFiles::update(double now_s) {
    return edit([&](session::Document& document) { return document.update(now_s); });
}

Result<void> KernelFiles::save(const fs::path& path) {
    if (ships_with_program(path))
        return error("'" + path.filename().string() + "' ships with the program", "save under another name");
    if (!same_file(chosen_file(), path)) {
        if (Result<void> fine = check_outputs({{"saving a kernel", path, {FileKind::cuda}, true}},
                                              execution::input_files(chosen_file()));
            !fine)
            return fine;
        return save_as(path);
    }
    const Result<session::Document::Saved> saved = chosen_document().save(chosen_file());
    if (!saved) return saved.diagnostics();
    parse();
    return {};
}

Result<void> KernelFiles::save_as(const fs::path& path) {
    auto copy = std::make_unique<session::Document>();
    copy->open(chosen_file(), document().text());
    if (const Result<session::Document::Saved> saved = copy->save(path); !saved) return saved.diagnostics();
    (void)chosen_document().revert("saved as another file");
    open(path);
    documents_[chosen_] = std::move(copy);
    parse();
    return {};
}

}  // namespace lanescope::preview
