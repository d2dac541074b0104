// Names of files for nvcc, which writes them into commands of a shell without care: $(…) in a name runs, and
// quotes, commas and line breaks end it. Such files are compiled under plain names; #line gives them back
// their own, so that messages, assert() and debug information have it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/temporary_folder.h"
#include "base/text_file.h"

namespace lanescope::program {

class SafeNames {
  public:
    // Returns the words of a command of nvcc with plain names for sources, folders of headers (-I) and the
    // output (-o). A source in UTF-16, or with the line ends of the old Mac OS, which nvcc cannot read, is
    // passed as UTF-8. Errors: a file or a folder that cannot be made.
    Result<std::vector<std::string>> words(const std::vector<std::string>& command);

    // Whether nvcc reads text in this form.
    static bool nvcc_reads(TextForm form);

    // Puts the output in its place after nvcc has ended well. Error: it cannot be put there.
    Result<void> finish() const;

    // What nvcc printed, with the files' own names.
    std::string with_own_names(std::string text) const;
    // Plain name → own name, of what #line cannot name: headers (their folders, with a slash), and names with
    // quotes or line breaks.
    const std::map<std::string, std::string>& own_names() const { return own_names_; }
    // The folder of the plain names, also for nvcc's own files; empty: every name was plain.
    std::filesystem::path folder() const { return folder_ ? folder_->path() : std::filesystem::path(); }

  private:
    Result<void> make_folder();
    Result<std::string> source(const std::string& file);
    Result<std::string> linked(const std::filesystem::path& folder);

    std::optional<TemporaryFolder> folder_;
    std::vector<std::string> includes_;  // the folders of sources that were copied
    std::map<std::string, std::string> own_names_;
    std::string output_, safe_output_;
    int number_ = 0;  // of files and folders that got plain names
};

// A build passes its own names to nvcc. Returns an error for each source in the folder whose name nvcc cannot
// read, with the character.
Diagnostics names_that_nvcc_cannot_read(const std::filesystem::path& folder);

}  // namespace lanescope::program
