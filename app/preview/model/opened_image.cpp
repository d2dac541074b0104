#include "preview/model/opened_image.h"

#include <utility>

#include "image/decode.h"

namespace lanescope::preview {

void OpenedImage::open(const std::filesystem::path& path) {
    jobs_.start("image", [this, path](JobContext& context) -> Jobs::Completion {
        Result<image::Image> image = image::load(path);
        if (context.cancelled()) return {};
        if (!image) return [this, why = image.diagnostics().front()] { problem_ = why; };
        return [this, path, opened = std::make_shared<const image::Image>(std::move(*image))] {
            path_ = path;
            image_ = opened;
            came_ = true;
        };
    });
}

bool OpenedImage::update() {
    (void)jobs_.poll();
    return std::exchange(came_, false);
}

std::optional<Diagnostic> OpenedImage::take_problem() {
    return std::exchange(problem_, std::nullopt);
}

}  // namespace lanescope::preview
