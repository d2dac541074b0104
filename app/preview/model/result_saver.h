// Writes the filtered image to a PNG file, in a job.
#pragma once

#include <filesystem>
#include <optional>
#include <utility>

#include "base/jobs.h"
#include "base/result.h"
#include "image/image.h"

namespace lanescope::preview {

class ResultSaver {
  public:
    // Error: the name does not end in .png.
    Result<void> save(image::Image image, const std::filesystem::path& path);
    bool busy() const { return jobs_.busy("save"); }
    bool update() { return jobs_.poll(); }
    void wait() { jobs_.wait("save"); }
    // Once, when it has ended: the path. Errors: the file cannot be written.
    std::optional<Result<std::filesystem::path>> take() { return std::exchange(ended_, std::nullopt); }

  private:
    std::optional<Result<std::filesystem::path>> ended_;

    Jobs jobs_;  // last, so that a running job ends before the member that its completion changes
};

}  // namespace lanescope::preview
