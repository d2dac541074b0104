#include "preview/run/fault_line.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>

#include "session/runner/device_source.h"

namespace lanescope::preview {

namespace {

constexpr std::uint32_t trial_side = 256;
constexpr double trial_s = 5;

// The image's top left part, whose sides leave the same rest in blocks, so that a mistake at an edge shows
// there.
std::shared_ptr<const image::Image> part_for_trial(const image::Image& image) {
    const auto side = [](std::uint32_t pixels) {
        return pixels < 2 * trial_side ? pixels : trial_side + pixels % trial_side;
    };
    auto part = std::make_shared<image::Image>();
    static_cast<image::Header&>(*part) = image;
    part->width = side(image.width);
    part->height = side(image.height);
    part->samples.reserve(part->pixels() * part->channels);
    for (std::uint32_t y = 0; y < part->height; ++y) {
        const auto row = image.samples.begin() +
                         static_cast<std::ptrdiff_t>(std::size_t{y} * image.width * image.channels);
        part->samples.insert(part->samples.end(), row, row + std::ptrdiff_t{part->width} * part->channels);
    }
    return part;
}

}  // namespace

Diagnostic fault_of(const Request& wanted, const std::string& message, const std::atomic<bool>* cancel) {
    Request request = wanted;
    request.image = part_for_trial(*wanted.image);
    request.seconds = std::min(request.seconds, trial_s);
    const std::string fault = "the kernel faulted on the GPU: " + message;
    const Result<std::unique_ptr<Run>> run = Run::make(request);
    if (run && (*run)->run(std::nullopt, cancel, {}))
        for (const trace::Problem& problem : (*run)->problems())
            if (session::ends_cuda(problem.kind))
                return error_at(request.kernel->file, static_cast<int>(problem.first.line), 0,
                                fault + "; the CPU engine finds: " + problem.message);
    return error_at(request.kernel->file, 0, 0, fault, "run it on the CPU engine to see where");
}

}  // namespace lanescope::preview
