// The kernel files that can be chosen, each a document that a person edits. The text that is there now is
// parsed at every change; the last one without mistakes is what filters.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "preview/run/kernel_file.h"
#include "session/document/document.h"

namespace lanescope::preview {

class KernelFiles {
  public:
    explicit KernelFiles(std::vector<std::filesystem::path> files);  // at least one; the first is chosen

    const std::vector<std::filesystem::path>& files() const { return files_; }
    std::size_t chosen() const { return chosen_; }
    const std::filesystem::path& chosen_file() const { return files_[chosen_]; }
    const session::Document& document() const { return *documents_.at(chosen_); }  // of the chosen file
    bool edited(std::size_t number) const;
    bool ships() const;  // the chosen one, with the program: it is never written

    // The last text of a chosen file that had no mistakes; null: none had.
    const std::shared_ptr<const KernelFile>& kernel() const { return kernel_; }
    const Diagnostics& diagnostics() const { return diagnostics_; }  // of the chosen file's text as it is now

    void choose(std::size_t number);
    void open(const std::filesystem::path& path);  // chooses it, among the files from now on
    // `change` returns whether the chosen text is another one; so does this.
    bool edit(const std::function<bool(session::Document&)>& change);
    bool update(double now_s);  // true: the chosen text is another one, the disk's
    // Under this name, which is the chosen file's then; the file that was chosen is as it was on disk. Where
    // the file has changed on disk nothing is written, and the document asks. Errors: a file that ships with
    // the program; a name that does not end in .cu; a file that cannot be written.
    Result<void> save(const std::filesystem::path& path);

  private:
    session::Document& chosen_document() { return *documents_.at(chosen_); }
    void parse();
    Result<void> save_as(const std::filesystem::path& path);

    std::vector<std::filesystem::path> files_;
    std::size_t chosen_ = 0;
    std::map<std::size_t, std::unique_ptr<session::Document>> documents_;  // of the files that were chosen
    std::shared_ptr<const KernelFile> kernel_;
    Diagnostics diagnostics_;
};

}  // namespace lanescope::preview
