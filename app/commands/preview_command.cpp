#include "commands/preview_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/folders.h"
#include "base/outputs.h"
#include "commands/options/command.h"
#include "commands/options/preview_picture.h"
#include "commands/options/status_line.h"
#include "commands/render_command.h"
#include "execution/run/input_files.h"
#include "gpu/served/device_command.h"
#include "image/decode.h"
#include "image/encode.h"
#include "preview/run/gpu_filter.h"
#include "preview/run/run.h"
#include "ui/window/picture.h"

namespace lanescope {

namespace {

constexpr int timed_runs = 21;

Result<void> change(preview::Filter& filter, const std::string& what) {
    for (preview::Mask& mask : filter.masks) {
        if (what == "transpose") mask = preview::transposed(mask);
        if (what == "rotate") mask = preview::rotated(mask);
        if (what != "normalise") continue;
        Result<preview::Mask> made = preview::normalised(mask);
        if (!made) return made.diagnostics();
        mask = std::move(*made);
    }
    return {};
}

Result<preview::Request> request_of(const PreviewOptions& options) {
    preview::Request request;
    Result<preview::Filter> filter = preview::parse_filter(options.mask);
    if (!filter) return filter.diagnostics();
    request.filter = std::move(*filter);
    for (const std::string& what : options.changes)
        if (const Result<void> changed = change(request.filter, what); !changed) return changed.diagnostics();
    const Result<preview::Border> border = preview::parse_border(options.border);
    if (!border) return border.diagnostics();
    request.border = *border;
    Result<lesson::ParameterValues> settings = parameters_of(options.settings);
    if (!settings) return settings.diagnostics();
    request.settings = std::move(*settings);
    request.filter_alpha = options.alpha;
    request.seconds = options.timeout_s;
    Result<image::Image> image = image::load(options.image);
    if (!image) return image.diagnostics();
    request.image = std::make_shared<const image::Image>(std::move(*image));
    Result<std::shared_ptr<const preview::KernelFile>> kernel = preview::choose_kernel(
        options.kernel.empty() ? preview::kernels_to_choose_from() : std::vector<std::string>{options.kernel},
        request);
    if (!kernel) return kernel.diagnostics();
    request.kernel = std::move(*kernel);
    return request;
}

// Names a shipped file the same in every report, wherever the program is installed.
std::string shown_name(const std::string& file) {
    std::error_code failed;
    const auto relative = std::filesystem::relative(file, resource_folder(), failed);
    return failed || relative.empty() || relative.string().starts_with("..") ? file
                                                                             : relative.generic_string();
}

// Medians of several runs on the GPU.
struct OnGpu {
    std::string name, driver;
    preview::GpuFilter::Times times;
};

struct Report {
    const PreviewOptions& options;
    const preview::Run& run;
    preview::Loads loads;
    preview::Difference difference;
    std::optional<OnGpu> gpu;  // empty: the CPU machine ran it
};

// A kernel's fault ends the process that has the GPU, and no other.
Result<std::unique_ptr<gpu::ServedDevice>> open_gpu(const std::string& place) {
    Result<std::unique_ptr<gpu::ServedDevice>> opened =
        gpu::start_served_device(place.empty() ? "local" : place, LANESCOPE_VERSION);
    if (!opened) return no_gpu(opened.diagnostics());
    return opened;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// The times leave out the first run, which loads the code.
Result<OnGpu> run_on_gpu(gpu::Device& device, preview::Run& run) {
    constexpr double most_seconds = 20;
    preview::GpuFilter filter(device, most_seconds);
    std::vector<double> kernels, whole;
    for (int i = 0; i <= timed_runs; ++i) {
        const Result<preview::GpuFilter::Times> times = filter.run(run, nullptr);
        if (!times) return times.diagnostics();
        if (i == 0) continue;
        kernels.push_back(times->kernels_ms);
        whole.push_back(times->on_device_ms);
    }
    if (const Result<void> fetched = filter.fetch(run); !fetched) return fetched.diagnostics();
    return OnGpu{device.name(), device.driver(), {median(kernels), median(whole)}};
}

double rounded(double value, double digits) {
    return std::isfinite(value) ? std::round(value * digits) / digits : value;
}

nlohmann::ordered_json json_of(const Report& report) {
    using nlohmann::ordered_json;
    const preview::Request& request = report.run.request();
    const image::Image& image = *request.image;
    const preview::Fit& fit = report.run.fit();
    ordered_json json;
    json["image"] = {{"file", report.options.image},
                     {"width", image.width},
                     {"height", image.height},
                     {"channels", image.channels},
                     {"bits", image.bits}};
    ordered_json masks = ordered_json::array();
    for (const preview::Mask& mask : request.filter.masks)
        masks.push_back({{"rows", mask.rows},
                         {"columns", mask.columns},
                         {"sum", rounded(mask.sum(), 1e9)},
                         {"values", mask.values}});
    json["mask"] = {{"name", request.filter.name}, {"parts", std::move(masks)}};
    json["border"] = preview::to_text(request.border);
    ordered_json parameters = ordered_json::object();
    for (const auto& [name, value] : fit.instance.parameters)
        parameters[name] = value;
    json["kernel"] = {{"file", shown_name(request.kernel->file)},
                      {"parameters", std::move(parameters)},
                      {"mask_taken", {fit.mask_rows, fit.mask_columns}},
                      {"numbers", fit.arithmetic()}};
    json["engine"] = report.gpu ? "gpu" : "cpu";
    if (report.gpu)
        json["gpu"] = {{"name", report.gpu->name},
                       {"driver", report.gpu->driver},
                       {"runs", timed_runs},
                       {"kernels_ms", rounded(report.gpu->times.kernels_ms, 1e4)},
                       {"on_device_ms", rounded(report.gpu->times.on_device_ms, 1e4)}};
    const trace::Dim3 grid = report.run.grid();
    json["passes"] = report.run.passes();
    json["grid"] = {grid.x, grid.y, grid.z};
    const preview::Loads& loads = report.loads;
    json["loads"] = {{"without_tiles", loads.without_tiles},
                     {"counted", rounded(loads.counted.image, 1e6)},
                     {"mask", rounded(loads.counted.mask, 1e6)},
                     {"reduction", rounded(loads.reduction, 1e6)},
                     {"formula", loads.formula ? ordered_json(rounded(*loads.formula, 1e6)) : ordered_json()},
                     {"interior", loads.interior}};
    ordered_json blocks = ordered_json::array();
    for (const preview::BlockSample& block : loads.counted.blocks)
        blocks.push_back(block.block);
    json["loads"]["blocks"] = std::move(blocks);
    const double psnr = report.difference.psnr(image.max_level());
    json["exact"] = {{"largest_difference", report.difference.largest},
                     {"largest_difference_in_levels", report.difference.largest_in_levels},
                     {"levels_that_differ", report.difference.levels_differ},
                     {"psnr_db", std::isfinite(psnr) ? ordered_json(psnr) : ordered_json()}};
    json["missing_pixels"] = report.run.missing();
    ordered_json problems = ordered_json::array();
    for (const trace::Problem& problem : report.run.problems())
        problems.push_back({{"kind", trace::to_text(problem.kind)},
                            {"line", problem.first.line},
                            {"message", problem.message}});
    json["problems"] = std::move(problems);
    if (!report.options.output.empty()) json["output"] = report.options.output;
    return json;
}

void print_text(const Report& report) {
    const preview::Request& request = report.run.request();
    const preview::Fit& fit = report.run.fit();
    const preview::Loads& loads = report.loads;
    const double psnr = report.difference.psnr(request.image->max_level());
    std::printf("%s: %s\n", report.options.image.c_str(), image::describe(*request.image).c_str());
    std::printf("%s, border %s, by %s (%s) on %s\n", request.filter.name.c_str(),
                preview::to_text(request.border), shown_name(request.kernel->file).c_str(),
                fit.arithmetic().c_str(), report.gpu ? report.gpu->name.c_str() : "the CPU SIMT machine");
    if (report.gpu)
        std::printf(
            "kernels %.3f ms, from the image to the result on the device %.3f ms (medians of %d runs)\n",
            report.gpu->times.kernels_ms, report.gpu->times.on_device_ms, timed_runs);
    std::printf("global loads per pixel: %.4g counted, %.4g without tiles: %.4g times fewer",
                loads.counted.image, loads.without_tiles, loads.reduction);
    if (loads.formula) std::printf(" (formula: %.4g)", *loads.formula);
    if (!loads.interior) std::printf("; the image is so small that every block touches an edge");
    if (loads.counted.mask > 0) std::printf("; %.4g mask loads", loads.counted.mask);
    std::printf("\ndifference from the exact result: at most %.2g levels, ", report.difference.largest);
    if (std::isfinite(psnr))
        std::printf("PSNR %.1f dB", psnr);
    else
        std::printf("equal");
    std::printf("; %llu rounded levels differ\n",
                static_cast<unsigned long long>(report.difference.levels_differ));
    if (report.run.missing() > 0)
        std::printf("%llu pixels were not written\n", static_cast<unsigned long long>(report.run.missing()));
    for (const trace::Problem& problem : report.run.problems())
        std::printf("%s, line %u: %s\n", trace::to_text(problem.kind), problem.first.line,
                    problem.message.c_str());
    std::fflush(stdout);
}

Result<void> save_mask(const PreviewOptions& options, const preview::Filter& filter) {
    if (options.save_mask.empty()) return {};
    if (filter.masks.size() > 1)
        return error("the filter '" + filter.name + "' has two masks, but --save-mask writes one",
                     "use sobel_x or sobel_y");
    return write_file(options.save_mask, preview::to_text(filter.masks.front()));
}

}  // namespace

void PreviewOptions::add_to(CLI::App& app) {
    std::string forms;
    for (const preview::MaskKind& kind : preview::mask_kinds())
        forms += kind.form + ", ";
    app.add_option("IMAGE", image, "a PNG, JPEG or BMP, up to 8192 x 8192")
        ->required()
        ->transform(or_shipped());
    app.add_option("--mask", mask, "one of " + forms + "or a file with rows of numbers")
        ->capture_default_str();
    app.add_option("--change", changes, "change the mask: normalise, transpose, rotate; may be repeated")
        ->check(CLI::IsMember({"normalise", "transpose", "rotate"}))
        ->allow_extra_args(false);
    app.add_option("--save-mask", save_mask, "write the mask to this file");
    app.add_option("--border", border,
                   "the pixels outside of the image: zero, clamp, mirror (without the edge pixel), wrap")
        ->check(CLI::IsMember({"zero", "clamp", "mirror", "wrap"}))
        ->capture_default_str();
    app.add_option("--kernel", kernel, "a .cu file that expects convolve(image, mask)")
        ->transform(or_shipped());
    app.add_option("--set", settings, "set a parameter of the kernel file: tile=32")->allow_extra_args(false);
    app.add_option("--engine", engine, "the engine that runs the kernel")
        ->check(CLI::IsMember({"cpu", "gpu"}))
        ->capture_default_str();
    app.add_option("--gpu", gpu,
                   "with --engine gpu: where the GPU is. ssh:HOST, or a command that starts\n"
                   "'lanescope __device' on a machine with a GPU; usually this machine's")
        ->type_name("PLACE");
    app.add_flag("--alpha", alpha, "filter the alpha channel too (default: keep it)");
    app.add_option("--timeout", timeout_s, "stop a launch after this many seconds")
        ->check(CLI::Range(0.001, 86400.0))
        ->capture_default_str();
    app.add_flag("--json", json, "print JSON");
    app.add_option("-o,--output", output, "the PNG to write");
}

int render_preview(const PreviewPicture& picture) {
    auto opens = preview_of(picture);
    if (!opens) return fail(opens.diagnostics());
    if (picture.gpu)
        if (const auto there = open_gpu(picture.place); !there) return fail(there.diagnostics(), no_engine);
    session::Session empty(lessons());
    ui::PictureRequest request;
    request.size = {picture.width, picture.height};
    request.mouse = picture.mouse;
    request.as_text = is_text(picture.output);
    request.inspect = picture.inspect;
    request.preview = std::move(*opens);
    request.gpu_place = picture.place;
    const Result<ui::PictureOutcome> drawn = ui::draw_picture(empty, request);
    if (!drawn) return fail(drawn.diagnostics());
    if (!drawn->note.empty()) std::cerr << drawn->note << '\n';
    return finish_picture(*drawn, picture.output);
}

int preview_command(const PreviewOptions& options) {
    std::vector<std::filesystem::path> inputs = execution::input_files(options.kernel);
    inputs.insert(inputs.end(), {options.image, options.mask});
    if (const Result<void> sound =
            check_outputs({{"-o", options.output, {FileKind::png}},
                           {"--save-mask", options.save_mask, {FileKind::mask, FileKind::text}}},
                          inputs);
        !sound)
        return fail(sound.diagnostics());
    if (const Result<void> sound = check_gpu_option(options.engine, options.gpu); !sound)
        return fail(sound.diagnostics());
    const Result<preview::Request> request = request_of(options);
    if (!request) return fail(request.diagnostics());
    if (const Result<void> saved = save_mask(options, request->filter); !saved)
        return fail(saved.diagnostics());
    const Result<std::unique_ptr<preview::Run>> made = preview::Run::make(*request);
    if (!made) return fail(made.diagnostics());
    preview::Run& run = **made;
    std::optional<OnGpu> on_gpu;
    if (options.engine == "gpu") {
        const Result<std::unique_ptr<gpu::ServedDevice>> device = open_gpu(options.gpu);
        if (!device) return fail(device.diagnostics(), no_engine);
        Result<OnGpu> ran = run_on_gpu(**device, run);
        if (!ran) return fail(ran.diagnostics());
        on_gpu = std::move(*ran);
    } else {
        StatusLine status;
        const auto tell = [&](float done, std::uint32_t, std::uint32_t) {
            constexpr float percent = 100;
            status.show("filtering " + options.image + ", " +
                        std::to_string(static_cast<int>(done * percent)) + " % …");
        };
        tell(0, 0, 0);
        if (const Result<void> ran = run.run(std::nullopt, nullptr, tell); !ran)
            return fail(ran.diagnostics());
    }
    Result<preview::Loads> loads = run.loads(nullptr);
    if (!loads) return fail(loads.diagnostics());
    const Report report{options, run, std::move(*loads), run.difference(), std::move(on_gpu)};
    if (!options.output.empty())
        if (const Result<void> saved = image::save_png(run.result(), image::Content::photo, options.output);
            !saved)
            return fail(saved.diagnostics());
    if (options.json)
        std::cout << json_of(report).dump(1) << '\n';
    else
        print_text(report);
    const bool wrong =
        !run.problems().empty() || run.missing() > 0 || report.difference.largest_in_levels > 1;
    return wrong ? check_failed : fine;
}

}  // namespace lanescope
