// The image that is filtered. Large files take seconds to decode, so files are read in a job; the image stays
// until the new one is there.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "base/jobs.h"
#include "base/result.h"
#include "image/image.h"

namespace lanescope::preview {

class OpenedImage {
  public:
    void open(const std::filesystem::path& path);
    void cancel() { jobs_.cancel("image"); }
    bool opening() const { return jobs_.busy("image"); }

    // True once after a new image has come.
    bool update();
    void wait() { jobs_.wait("image"); }  // update() then takes the image
    std::optional<Diagnostic> take_problem();

    const std::shared_ptr<const image::Image>& image() const { return image_; }  // null: none yet
    const std::filesystem::path& path() const { return path_; }

  private:
    std::shared_ptr<const image::Image> image_;
    std::filesystem::path path_;
    std::optional<Diagnostic> problem_;
    bool came_ = false;

    Jobs jobs_;  // last, so that a running job ends before the members that its completion changes
};

}  // namespace lanescope::preview
