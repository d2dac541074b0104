// Unsaved texts, kept in a folder so that they outlive the program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"

namespace lanescope::session {

class Drafts {
  public:
    Drafts() = default;  // keeps nothing
    explicit Drafts(std::filesystem::path folder) : folder_(std::move(folder)) {}

    Result<void> keep(const std::filesystem::path& file, const std::string& text) const;
    void drop(const std::filesystem::path& file) const;
    // Empty when there is no draft, or it is damaged.
    std::optional<std::string> find(const std::filesystem::path& file) const;
    bool has(const std::filesystem::path& file) const;

  private:
    std::filesystem::path place_of(const std::filesystem::path& file) const;
    std::filesystem::path folder_;
};

}  // namespace lanescope::session
