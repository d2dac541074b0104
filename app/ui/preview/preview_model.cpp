#include "ui/preview/preview_model.h"

#include <algorithm>
#include <set>

#include "base/files.h"
#include "image/decode.h"
#include "preview/run/step_file.h"

namespace lanescope::ui {

namespace fs = std::filesystem;

PreviewModel::PreviewModel() {
    for (const char* name : {"tiled_2d", "basic_2d", "separable", "pitched_2d", "fastest"})
        kernels_.push_back(resource_folder() / "kernels" / "convolution" / (std::string(name) + ".cu"));
    kernels_.push_back(resource_folder() / "assets" / "preview" / "any_mask.cu");
    request_.filter = *preview::parse_filter("gaussian:5:1.4");
    load_kernel(0);
}

// Large files take seconds to decode.
void PreviewModel::open_image(const fs::path& path) {
    jobs_.start("image", [this, path](JobContext& context) -> Jobs::Completion {
        Result<image::Image> image = image::load(path);
        if (context.cancelled()) return {};
        if (!image) return [this, why = image.diagnostics()] { problem_ = to_text(why.front()); };
        return [this, path, taken = std::make_shared<const image::Image>(std::move(*image))] {
            take_image(path, taken);
        };
    });
}

void PreviewModel::take_image(const fs::path& path, std::shared_ptr<const image::Image> image) {
    image_path_ = path;
    request_.image = std::move(image);
    run_.reset();
    facts_.reset();
    samples_.clear();
    recorder_.reset();
    pixel_ = {};
    pinned_ = false;
    visible_.reset();
    live_ = std::make_shared<Live>();
    live_->samples = request_.image->samples;
    pixel_.x = request_.image->width * 3 / 5;
    pixel_.y = request_.image->height / 2;
    start();
}

void PreviewModel::set_mask(const std::string& text) {
    Result<preview::Filter> filter = preview::parse_filter(text);
    if (!filter) {
        problem_ = to_text(filter.diagnostics().front());
        return;
    }
    set_filter(std::move(*filter));
}

void PreviewModel::set_filter(preview::Filter filter) {
    request_.filter = std::move(filter);
    start();
}

void PreviewModel::set_border(preview::Border border) {
    request_.border = border;
    start();
}

std::uint64_t PreviewModel::Live::begin() {
    const std::lock_guard lock(mutex);
    return ++newest;
}

void PreviewModel::Live::take(const preview::Run& run, std::uint64_t number, std::uint32_t first,
                              std::uint32_t end) {
    constexpr std::uint32_t rows_at_once = 64;
    const image::Image& result = run.result();
    const std::size_t width = result.width, channels = result.channels;
    for (std::uint32_t row = first; row < end; row += rows_at_once) {
        const std::lock_guard lock(mutex);
        if (number != newest) return;
        for (std::size_t y = row; y < std::min(row + rows_at_once, end); ++y)
            for (std::size_t x = 0; x < width; ++x) {
                const std::size_t pixel = y * width + x;
                if (run.done()[pixel] == run.passes())
                    std::copy_n(&result.samples[pixel * channels], channels, &samples[pixel * channels]);
            }
    }
    const std::lock_guard lock(mutex);
    changed = true;
}

Result<PreviewFacts> facts_of(const preview::Run& run, const std::atomic<bool>* cancel) {
    Result<preview::Loads> loads = run.loads(cancel);
    if (!loads) return loads.diagnostics();
    PreviewFacts facts{std::move(*loads), run.difference(), run.missing(), run.problems(), {}, {}};
    const image::Image& image = *run.request().image;
    const std::uint32_t colours = image.has_alpha() ? image.channels - 1 : image.channels;
    const unsigned shift = image.bits - 6;
    for (std::size_t first = 0; first < image.samples.size(); first += image.channels)
        for (std::size_t i = first; i < first + colours; ++i) {
            ++facts.levels_before[image.samples[i] >> shift];
            ++facts.levels_after[run.result().samples[i] >> shift];
        }
    return facts;
}

void PreviewModel::start() {
    if (!request_.image || !request_.kernel) return;
    problem_.clear();
    diagnostics_.clear();
    if (on_gpu_) return start_on_gpu();
    gpu_times_.reset();
    jobs_.start("filter",
                [this, request = request_, live = live_, number = live_->begin(),
                 visible = visible_](JobContext& context) -> Jobs::Completion {
                    auto problem = std::make_shared<Diagnostics>();
                    const auto failed = [&](const Diagnostics& why) {
                        *problem = why;
                        return [this, problem] { fail(*problem); };
                    };
                    Result<std::unique_ptr<preview::Run>> made = preview::Run::make(request);
                    if (!made) return failed(made.diagnostics());
                    const std::shared_ptr<preview::Run> run = std::move(*made);
                    const auto show = [&](float share, std::uint32_t first, std::uint32_t end) {
                        context.report(share * 0.9f);
                        live->take(*run, number, first, end);
                    };
                    if (const Result<void> ran = run->run(visible, &context.cancel_flag(), show); !ran)
                        return failed(ran.diagnostics());
                    Result<PreviewFacts> found = facts_of(*run, &context.cancel_flag());
                    if (!found) return failed(found.diagnostics());
                    auto facts = std::make_shared<PreviewFacts>(std::move(*found));
                    return [this, run, facts] { adopt(run, std::move(*facts)); };
                });
}

// A run that is done: what is said about pixels is about it from now on.
void PreviewModel::adopt(const std::shared_ptr<preview::Run>& run, PreviewFacts facts) {
    run_ = run;
    facts_ = std::move(facts);
    recorder_ = std::make_shared<preview::BlockRecorder>(run);
    samples_.clear();
    sample_pixel();
}

void BlockSamples::clear() {
    kept_.clear();
}

void BlockSamples::add(preview::BlockSample sample) {
    constexpr std::size_t max_accesses = 4'000'000;
    std::size_t accesses = 0;
    kept_.push_back(std::move(sample));
    for (std::size_t i = kept_.size(); i-- > 0;) {
        accesses += kept_[i].loads.size() + kept_[i].stores.size();
        if (accesses <= max_accesses || i + 1 == kept_.size()) continue;
        kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        break;
    }
}

const preview::BlockSample* BlockSamples::find(std::uint32_t block) const {
    for (const preview::BlockSample& sample : kept_)
        if (sample.block == block) return &sample;
    return nullptr;
}

void PreviewModel::hover(std::uint32_t x, std::uint32_t y) {
    if (!pinned_) show_pixel(x, y);
}

void PreviewModel::pin(std::uint32_t x, std::uint32_t y) {
    show_pixel(x, y);
    pinned_ = has_image();
}

void PreviewModel::show_pixel(std::uint32_t x, std::uint32_t y) {
    if (!has_image()) return;
    x = std::min(x, image().width - 1);
    y = std::min(y, image().height - 1);
    if (pixel_.x == x && pixel_.y == y) return;
    pixel_.x = x;
    pixel_.y = y;
    sample_pixel();
}

const preview::BlockSample* PreviewModel::sample_of(std::uint32_t block) const {
    if (const preview::BlockSample* sample = samples_.find(block)) return sample;
    if (facts_)
        for (const preview::BlockSample& sample : facts_->loads.counted.blocks)
            if (sample.block == block) return &sample;
    return nullptr;
}

std::vector<std::uint32_t> PreviewModel::loaders_of(std::uint32_t x, std::uint32_t y) const {
    std::vector<std::uint32_t> threads;
    const preview::BlockSample* sample = pixel_.known && run_ ? sample_of(pixel_.block) : nullptr;
    if (sample == nullptr) return threads;
    for (const preview::PixelAccess& access : sample->loads)
        if (access.x == x + run_->margin() && access.y == y + run_->margin())
            threads.push_back(access.thread);
    return threads;
}

// Which block made the pixel follows from a tile that was seen; that block's own trace then says the rest.
void PreviewModel::sample_pixel() {
    pixel_.known = false;
    if (!run_ || !facts_ || facts_->loads.counted.blocks.empty()) return;
    const preview::BlockSample& seen = facts_->loads.counted.blocks.front();
    const trace::Dim3 grid = run_->grid();
    if (seen.tile.width() == 0 || seen.tile.height() == 0 || grid.z != 1) return;
    const auto along = [](std::uint32_t at, std::uint32_t first, std::uint32_t size, std::uint32_t block,
                          std::uint32_t blocks) {
        const std::int64_t distance = std::int64_t{at} - first;
        const std::int64_t moved = distance >= 0 ? distance / size : -((-distance + size - 1) / size);
        return static_cast<std::uint32_t>(
            std::clamp<std::int64_t>(block + moved, 0, std::int64_t{blocks} - 1));
    };
    pixel_.block_x =
        along(pixel_.x + run_->margin(), seen.tile.left, seen.tile.width(), seen.block % grid.x, grid.x);
    pixel_.block_y =
        along(pixel_.y + run_->margin(), seen.tile.top, seen.tile.height(), seen.block / grid.x, grid.y);
    pixel_.block = pixel_.block_y * grid.x + pixel_.block_x;
    if (const preview::BlockSample* sample = sample_of(pixel_.block)) return describe_pixel(*sample);
    jobs_.start("pixel",
                [this, recorder = recorder_, block = pixel_.block](JobContext& context) -> Jobs::Completion {
                    Result<preview::BlockSample> sampled = recorder->sample(block, &context.cancel_flag());
                    if (!sampled) return {};
                    auto sample = std::make_shared<preview::BlockSample>(std::move(*sampled));
                    return [this, sample, recorder] {
                        if (recorder != recorder_) return;
                        samples_.add(std::move(*sample));
                        if (const preview::BlockSample* there = sample_of(pixel_.block))
                            describe_pixel(*there);
                    };
                });
}

void PreviewModel::describe_pixel(const preview::BlockSample& sample) {
    const std::uint32_t x = pixel_.x + run_->margin(), y = pixel_.y + run_->margin();
    pixel_.tile = sample.tile;
    pixel_.read = sample.read;
    pixel_.reuse = sample.reuse;
    const auto maker =
        std::find_if(sample.stores.begin(), sample.stores.end(),
                     [&](const preview::PixelAccess& access) { return access.x == x && access.y == y; });
    pixel_.known = maker != sample.stores.end();
    if (!pixel_.known) return;
    pixel_.thread = maker->thread;
    const preview::Mask& mask = run_->request().filter.masks.front();
    const std::int64_t down = mask.rows / 2, across = mask.columns / 2;
    std::set<std::uint32_t> threads;
    std::set<std::pair<std::uint32_t, std::uint32_t>> cells;
    pixel_.loads = pixel_.own_loads = 0;
    for (const preview::PixelAccess& access : sample.loads) {
        if (std::abs(std::int64_t{access.x} - x) > across || std::abs(std::int64_t{access.y} - y) > down)
            continue;
        ++pixel_.loads;
        if (access.thread == pixel_.thread) ++pixel_.own_loads;
        threads.insert(access.thread);
        cells.insert({access.x, access.y});
    }
    pixel_.loaders = static_cast<std::uint32_t>(threads.size());
    pixel_.neighbours = static_cast<std::uint32_t>(cells.size());
}

bool PreviewModel::update(double now_s) {
    check_disk(now_s);
    bool changed = jobs_.poll();
    const std::lock_guard lock(live_->mutex);
    if (live_->changed) {
        live_->changed = false;
        ++generation_;
        changed = true;
    }
    return changed;
}

void PreviewModel::wait() {
    jobs_.wait("image");
    (void)update(0);
    while (gpu_busy_) {
        jobs_.wait("device");
        (void)update(0);
    }
    jobs_.wait("filter");
    (void)update(0);
    jobs_.wait("pixel");
    (void)update(0);
}

void PreviewModel::with_result(const std::function<void(const std::vector<std::uint16_t>&)>& use) const {
    const std::lock_guard lock(live_->mutex);
    use(live_->samples);
}

void PreviewModel::step_into() {
    if (!run_ || !pixel_.known) return;
    stepped_block_ = pixel_.block;
    jobs_.start("step", [this, run = run_, block = pixel_.block](JobContext& context) -> Jobs::Completion {
        Result<session::RunRequest> request = preview::step_request(*run, block);
        auto result = std::make_shared<Result<session::RunResult>>(
            request ? session::execute(*request, &context.cancel_flag(),
                                       [&](float share) { context.report(share); })
                    : Result<session::RunResult>(request.diagnostics()));
        return [this, result] {
            if (*result)
                stepped_ = std::move(**result);
            else
                problem_ = to_text(result->diagnostics().front());
        };
    });
}

std::optional<session::RunResult> PreviewModel::take_stepped() {
    return std::exchange(stepped_, std::nullopt);
}

}  // namespace lanescope::ui
