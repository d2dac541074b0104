#include "commands/options/preview_picture.h"

#include "image/decode.h"
#include "ui/preview/preview_page.h"

namespace lanescope {

Result<std::function<Result<void>(ui::PreviewPage&)>> preview_of(const PreviewPicture& picture) {
    const Result<preview::Filter> filter = preview::parse_filter(picture.mask);
    if (!filter) return filter.diagnostics();
    const Result<preview::Border> border = preview::parse_border(picture.border);
    if (!border) return border.diagnostics();
    if (const Result<image::Image> there = image::load(picture.image); !there) return there.diagnostics();
    return std::function<Result<void>(ui::PreviewPage&)>(
        [picture, filter = *filter, border = *border](ui::PreviewPage& page) -> Result<void> {
            preview::PreviewModel& model = page.model();
            model.edit_filter([&](preview::FilterChoice& choice) { choice.set(filter); });
            model.set_border(border);
            model.use_device(picture.gpu);
            page.show_difference(picture.difference);
            page.show_reuse(picture.reuse);
            page.show_editor(picture.edit);
            if (!picture.kernel.empty()) model.open_kernel(picture.kernel);
            if (!model.problem().empty()) return error(model.problem());
            model.open_image(picture.image);
            page.show(true);
            return {};
        });
}

}  // namespace lanescope
