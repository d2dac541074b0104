#include "preview/run/step_file.h"

#include <algorithm>

#include "base/files.h"
#include "base/folders.h"
#include "execution/run/run.h"
#include "image/encode.h"

namespace lanescope::preview {

namespace {

image::Image plane_image(const Run& run) {
    const Request& request = run.request();
    const Fit& fit = run.fit();
    const PaddedPlane plane(*request.image, 0, run.margin(), request.border);
    image::Image image;
    image.width = static_cast<std::uint32_t>(fit.columns);
    image.height = static_cast<std::uint32_t>(fit.rows);
    image.channels = 1;
    image.bits = request.image->bits;
    image.samples.assign(image.pixels(), 0);
    std::vector<float> row;
    for (std::uint64_t y = 0; y < plane.rows(); ++y) {
        plane.row(y, row);
        for (std::size_t x = 0; x < row.size(); ++x)
            image.samples[y * fit.columns + x] = static_cast<std::uint16_t>(row[x]);
    }
    return image;
}

}  // namespace

Result<execution::RunRequest> step_request(const Run& run, std::uint32_t block) {
    const Request& request = run.request();
    const Fit& fit = run.fit();
    const Result<std::filesystem::path> cache = cache_folder();
    if (!cache) return cache.diagnostics();
    const std::filesystem::path folder = *cache / "preview";
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    const std::string picture = "plane.png";
    if (const Result<void> saved = image::save_png(plane_image(run), image::Content::photo, folder / picture);
        !saved)
        return saved.diagnostics();

    lesson::FrontMatter front = request.kernel->front;
    front.title += ": " + request.filter.name + " of an image";
    for (lesson::Parameter& parameter : front.parameters)
        parameter.default_value = fit.instance.parameters.at(parameter.name);
    front.expectations.clear();
    std::erase_if(front.launches, [&](const lesson::LaunchSpec& launch) {
        return std::none_of(fit.instance.launches.begin(), fit.instance.launches.end(),
                            [&](const lesson::LaunchInstance& kept) { return kept.line == launch.line; });
    });
    for (lesson::Buffer& buffer : front.buffers) {
        const bool image = buffer.name == fit.instance.buffers[fit.image].name;
        if (!image && buffer.name != fit.instance.buffers[fit.mask].name) continue;
        buffer.init = {};
        buffer.values.clear();
        buffer.text.clear();
        if (image)
            buffer.image = picture;
        else
            buffer.values = fit.mask_values(request.filter.masks.front());
    }
    std::string code = request.kernel->source;
    const std::size_t end = code.find("---*/");
    if (end != std::string::npos) code.erase(0, end + 5);
    execution::RunRequest wanted;
    wanted.source = lesson::write_front_matter(front) + code;
    wanted.file = (folder / std::filesystem::path(request.kernel->file).filename()).string();
    if (const Result<void> saved = write_file(wanted.file, wanted.source); !saved) return saved.diagnostics();
    wanted.recorded_blocks = {block};
    wanted.limits.seconds = 120;
    return wanted;
}

}  // namespace lanescope::preview
