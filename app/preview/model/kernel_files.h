// The kernel files that can be chosen, each a document that a person edits. The current text is parsed at
// every change; the last text without mistakes filters.
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
    bool ships() const;  // the chosen file comes with the program, and is never written

    // The last text of a chosen file that had no mistakes; null: there was none.
    const std::shared_ptr<const KernelFile>& kernel() const { return kernel_; }
    const Diagnostics& diagnostics() const { return diagnostics_; }  // of the chosen file's text as it is now

    void choose(std::size_t number);
    void open(const std::filesystem::path& path);  // adds it to the files, and chooses it
    // `change` returns whether it changed the chosen text; so does edit().
    bool edit(const std::function<bool(session::Document&)>& change);
    bool update(double now_s);  // true: the disk's text replaced the chosen text
    // Writes the text to this file, which becomes the chosen one; the file that was chosen before is as it
    // was on disk. If the file has changed on disk nothing is written, and the document asks. Errors: a file
    // that ships with the program; a name that does not end in .cu; a file that cannot be written.
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
