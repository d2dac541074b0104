// Kernel files of the preview: which there are, and their texts as a person edits them.
#include <algorithm>

#include "base/files.h"
#include "ui/preview/preview_model.h"

namespace lanescope::ui {

namespace fs = std::filesystem;

namespace {

bool lies_in(const fs::path& file, const fs::path& folder) {
    std::error_code failed;
    const fs::path relative =
        fs::relative(fs::weakly_canonical(file, failed), fs::weakly_canonical(folder, failed), failed);
    return !failed && !relative.empty() && *relative.begin() != "..";
}

bool ships(const fs::path& file) {
    return lies_in(file, resource_folder() / "kernels") || lies_in(file, resource_folder() / "assets");
}

}  // namespace

void PreviewModel::fail(const Diagnostics& why) {
    diagnostics_ = why;
    problem_ = to_text(why.front());
}

// A file that changed is read again, unless the person has changed it, too.
void PreviewModel::load_kernel(std::size_t number) {
    kernel_ = number;
    std::error_code ignored;
    kernel_time_ = fs::last_write_time(kernels_[number], ignored);
    KernelText& text = texts_[number];
    const Result<std::string> disk = read_text_file(kernels_[number]);
    if (!disk) return fail(disk.diagnostics());
    const bool edited = text.read && text.edited();
    text.disk = *disk;
    if (!edited) text.text = *disk;
    text.read = true;
    take_text();
}

void PreviewModel::take_text() {
    Result<preview::KernelFile> kernel =
        preview::parse_kernel(texts_.at(kernel_).text, kernels_[kernel_].string());
    problem_.clear();
    diagnostics_.clear();
    if (!kernel) return fail(kernel.diagnostics());
    request_.kernel = std::make_shared<const preview::KernelFile>(std::move(*kernel));
}

void PreviewModel::choose_kernel(std::size_t number) {
    load_kernel(number);
    if (problem_.empty()) start();
}

void PreviewModel::open_kernel(const fs::path& path) {
    const auto known = std::find_if(kernels_.begin(), kernels_.end(), [&](const fs::path& kernel) {
        std::error_code failed;
        return kernel == path || fs::equivalent(kernel, path, failed);
    });
    const auto number = static_cast<std::size_t>(known - kernels_.begin());
    if (known == kernels_.end()) kernels_.push_back(path);
    choose_kernel(number);
}

void PreviewModel::check_disk(double now_s) {
    if (now_s < next_disk_check_s_) return;
    next_disk_check_s_ = now_s + 0.5;
    std::error_code failed;
    const fs::file_time_type time = fs::last_write_time(kernels_[kernel_], failed);
    if (!failed && time != kernel_time_) choose_kernel(kernel_);
}

bool PreviewModel::kernel_edited(std::size_t number) const {
    const auto found = texts_.find(number);
    return found != texts_.end() && found->second.edited();
}

bool PreviewModel::kernel_ships() const {
    return ships(kernels_[kernel_]);
}

void PreviewModel::change_text(const std::string& text) {
    texts_.at(kernel_).text = text;
    take_text();
    if (problem_.empty())
        start();
    else
        cancel();  // of a text that is no longer there
}

void PreviewModel::edit_kernel(const std::string& text, double now_s) {
    KernelText& now = texts_.at(kernel_);
    if (text == now.text) return;
    now.history.remember_typing({kernels_[kernel_], now.text, {}}, text, now_s);
    change_text(text);
}

void PreviewModel::undo_kernel() {
    KernelText& now = texts_.at(kernel_);
    if (now.history.can_undo())
        change_text(now.history.undo({kernels_[kernel_], now.text, {}}).source);
}

void PreviewModel::redo_kernel() {
    KernelText& now = texts_.at(kernel_);
    if (now.history.can_redo())
        change_text(now.history.redo({kernels_[kernel_], now.text, {}}).source);
}

void PreviewModel::reset_kernel() {
    KernelText& now = texts_.at(kernel_);
    if (!now.edited()) return;
    now.history.remember({kernels_[kernel_], now.text, {}}, "reset");
    change_text(std::string(now.disk));
}

Result<void> PreviewModel::save_kernel(const fs::path& path) {
    if (ships(path))
        return error("'" + path.filename().string() + "' ships with the program", "a name of your own");
    if (path.extension() != ".cu")
        return error("a kernel file's name ends in .cu", path.filename().string() + ".cu");
    const std::string text = kernel_text();
    if (const Result<void> written = write_file(path, text); !written) return written;
    std::error_code failed;
    if (kernels_[kernel_] != path && !fs::equivalent(kernels_[kernel_], path, failed)) {
        KernelText& original = texts_.at(kernel_);
        original.history.remember({kernels_[kernel_], original.text, {}}, "saved as another file");
        original.text = original.disk;
    }
    open_kernel(path);
    return {};
}

}  // namespace lanescope::ui
