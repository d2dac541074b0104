#include "preview/model/live_result.h"

#include <algorithm>
#include <utility>

namespace lanescope::preview {

void LiveResult::set(Samples samples) {
    const std::lock_guard lock(mutex_);
    ++newest_;
    samples_ = std::move(samples);
    changed_ = true;
}

std::uint64_t LiveResult::begin_run() {
    const std::lock_guard lock(mutex_);
    return ++newest_;
}

void LiveResult::take_rows(const Run& run, std::uint64_t number, std::uint32_t first, std::uint32_t end) {
    constexpr std::uint32_t rows_at_once = 64;
    const image::Image& result = run.result();
    const std::size_t width = result.width, channels = result.channels;
    for (std::uint32_t row = first; row < end; row += rows_at_once) {
        const std::lock_guard lock(mutex_);
        if (number != newest_) return;
        changed_ = true;
        for (std::size_t pixel = row * width; pixel < std::min(row + rows_at_once, end) * width; ++pixel)
            if (run.done()[pixel] == run.passes())
                std::copy_n(&result.samples[pixel * channels], channels, &samples_[pixel * channels]);
    }
}

bool LiveResult::take_changed() {
    const std::lock_guard lock(mutex_);
    return std::exchange(changed_, false);
}

void LiveResult::with_samples(const std::function<void(const Samples&)>& use) const {
    const std::lock_guard lock(mutex_);
    use(samples_);
}

}  // namespace lanescope::preview
