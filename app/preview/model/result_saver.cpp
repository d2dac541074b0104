#include "preview/model/result_saver.h"

#include <memory>
#include <utility>

#include "image/encode.h"

namespace lanescope::preview {

Result<void> ResultSaver::save(image::Image image, const std::filesystem::path& path) {
    auto shared = std::make_shared<image::Image>(std::move(image));
    jobs_.start("save", [this, shared, path](JobContext&) -> Jobs::Completion {
        auto saved = std::make_shared<Result<void>>(image::save_png(*shared, image::Content::photo, path));
        return [this, saved, path] {
            ended_ = *saved ? Result<std::filesystem::path>(path)
                            : Result<std::filesystem::path>(saved->diagnostics());
        };
    });
    return {};
}

}  // namespace lanescope::preview
