#include "preview/model/preview_model.h"

#include <utility>

#include "base/folders.h"
#include "execution/run/input_files.h"

namespace lanescope::preview {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> shipped_kernels() {
    std::vector<fs::path> files;
    for (const char* name : {"tiled_2d", "basic_2d", "separable", "pitched_2d", "fastest"})
        files.push_back(resource_folder() / "kernels" / "convolution" / (std::string(name) + ".cu"));
    files.push_back(resource_folder() / "assets" / "preview" / "any_mask.cu");
    return files;
}

}  // namespace

PreviewModel::PreviewModel(FilterDevice& device)
    : filter_(*parse_filter("gaussian:5:1.4")),
      kernels_(shipped_kernels()),
      runner_(device, [this] { inspector_.set_run(runner_.run(), runner_.facts()->loads.counted.blocks); }) {}

void PreviewModel::open_image(const fs::path& path) {
    image_.open(path);
}

void PreviewModel::take_image() {
    visible_.reset();
    inspector_.set_image(image_.image()->width, image_.image()->height);
    runner_.set_image(*image_.image());
    start();
}

void PreviewModel::start() {
    if (!image_.image() || !kernels_.kernel()) return;
    problem_.clear();
    notice_.clear();
    Request request;
    request.image = image_.image();
    request.filter = filter_.filter();
    request.border = border_;
    request.kernel = kernels_.kernel();
    runner_.start(request, visible_);
    if (const std::optional<std::string> problem = runner_.take_problem()) problem_ = *problem;
}

void PreviewModel::edit_filter(const std::function<void(FilterChoice&)>& edit) {
    edit(filter_);
    start();
}

Result<void> PreviewModel::load_mask(const fs::path& path) {
    if (const Result<void> loaded = filter_.load(path); !loaded) return loaded;
    start();
    return {};
}

void PreviewModel::set_border(Border border) {
    border_ = border;
    start();
}

void PreviewModel::take_kernel() {
    if (kernels_.diagnostics().empty()) return start();
    problem_ = to_text(kernels_.diagnostics().front());
    runner_.cancel();  // the run is of an older text
}

void PreviewModel::choose_kernel(std::size_t number) {
    kernels_.choose(number);
    take_kernel();
}

void PreviewModel::open_kernel(const fs::path& path) {
    kernels_.open(path);
    take_kernel();
}

void PreviewModel::edit_kernel(const std::function<bool(session::Document&)>& edit) {
    if (kernels_.edit(edit)) take_kernel();
}

Result<void> PreviewModel::save_kernel(const fs::path& path) {
    if (const Result<void> saved = kernels_.save(path); !saved) return saved;
    take_kernel();
    return {};
}

void PreviewModel::use_device(bool wanted) {
    if (wanted == runner_.on_device()) return;
    runner_.use_device(wanted);
    start();
}

void PreviewModel::cancel() {
    image_.cancel();
    runner_.cancel();
}

void PreviewModel::step_into_block() {
    if (runner_.run() && inspector_.pixel().known) stepping_.start(runner_.run(), inspector_.pixel().block);
}

Result<void> PreviewModel::save_result(const std::filesystem::path& path) {
    if (image() == nullptr || runner_.facts() == nullptr)
        return error("there is no finished result", "wait until the kernel has run");
    image::Image result = *image();
    runner_.result().with_samples(
        [&](const std::vector<std::uint16_t>& samples) { result.samples = samples; });
    return saver_.save(std::move(result), path);
}

std::vector<fs::path> PreviewModel::inputs() const {
    std::vector<fs::path> read = execution::input_files(kernels_.chosen_file());
    read.push_back(image_.path());
    return read;
}

bool PreviewModel::update(double now_s) {
    if (kernels_.update(now_s)) take_kernel();
    bool changed = false;
    if (image_.update()) {
        take_image();
        changed = true;
    }
    if (const std::optional<Diagnostic> problem = image_.take_problem()) {
        problem_ = to_text(*problem);
        changed = true;
    }
    changed |= runner_.update();
    if (const std::optional<std::string> problem = runner_.take_problem()) problem_ = *problem;
    changed |= inspector_.update();
    changed |= stepping_.update();
    changed |= saver_.update();
    if (const auto saved = saver_.take()) {
        notice_ = *saved ? "written: " + (*saved)->string() : std::string();
        problem_ = *saved ? std::string() : to_text(saved->diagnostics().front());
    }
    return changed;
}

void PreviewModel::wait() {
    image_.wait();
    (void)update(0);
    runner_.wait();
    (void)update(0);
    inspector_.wait();
}

const Diagnostics& PreviewModel::diagnostics() const {
    return kernels_.diagnostics().empty() ? runner_.diagnostics() : kernels_.diagnostics();
}

}  // namespace lanescope::preview
