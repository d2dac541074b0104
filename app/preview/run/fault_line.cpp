#include "preview/run/fault_line.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>

#include "session/runner/device_source.h"

namespace lanescope::preview {

namespace {

constexpr std::uint32_t trial_side = 256;
constexpr double explain_s = 5, trial_s = 2;

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
        part->samples.insert(part->samples.end(), row,
                             row + static_cast<std::ptrdiff_t>(std::size_t{part->width} * part->channels));
    }
    return part;
}

// The first problem of such a kind that the CPU machine finds on the part within the time; none: it finds
// none.
std::optional<trace::Problem> problem_on_a_part(const Request& wanted, double seconds,
                                                const std::atomic<bool>* cancel,
                                                bool (*counts)(trace::ProblemKind)) {
    Request request = wanted;
    request.image = part_for_trial(*wanted.image);
    request.seconds = std::min(request.seconds, seconds);
    const Result<std::unique_ptr<Run>> run = Run::make(request);
    if (!run || !(*run)->run(std::nullopt, cancel, {})) return std::nullopt;
    for (const trace::Problem& problem : (*run)->problems())
        if (counts(problem.kind)) return problem;
    return std::nullopt;
}

bool is_bad_address(trace::ProblemKind kind) {
    return kind == trace::ProblemKind::out_of_bounds || kind == trace::ProblemKind::misaligned;
}

}  // namespace

Diagnostic fault_of(const Request& wanted, const std::string& message, const std::atomic<bool>* cancel) {
    const std::string fault = "the kernel faulted on the GPU: " + message, &file = wanted.kernel->file;
    if (const auto problem = problem_on_a_part(wanted, explain_s, cancel, session::ends_cuda))
        return error_at(file, static_cast<int>(problem->first.line), 0,
                        fault + "; the CPU engine finds: " + problem->message);
    return error_at(file, 0, 0, fault, "run it on the CPU engine to see where");
}

std::optional<Diagnostic> bad_address_ahead(const Request& wanted, const std::atomic<bool>* cancel) {
    const auto problem = problem_on_a_part(wanted, trial_s, cancel, is_bad_address);
    if (!problem) return std::nullopt;
    return error_at(wanted.kernel->file, static_cast<int>(problem->first.line), 0,
                    problem->message +
                        "; not run on the GPU, because a fault there can break the drawing of every window",
                    "the CPU engine shows the result");
}

}  // namespace lanescope::preview
