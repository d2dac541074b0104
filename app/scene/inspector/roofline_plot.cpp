#include "scene/inspector/roofline_plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/number_text.h"
#include "scene/words/gpu_time.h"

namespace lanescope::scene {

namespace {

// A range of a logarithmic axis.
struct LogAxis {
    double low = 0, high = 1;  // powers of ten
    double at(double value) const { return (std::log10(value) - low) / (high - low); }
    double value(double place) const { return std::pow(10, low + place * (high - low)); }
};

std::string short_number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 10 || value == std::round(value) ? "%.3g" : "%.1f", value);
    return value >= 100 ? grouped(static_cast<std::uint64_t>(std::llround(value))) : text;
}

std::string megabytes(double bytes) {
    return short_number(bytes / 1e6) + " MB";
}

// Powers of ten: "0.1", "1", "10 000".
std::vector<RooflineTick> ticks_of(const LogAxis& axis) {
    std::vector<RooflineTick> ticks;
    for (int power = int(std::ceil(axis.low)); power <= axis.high; ++power) {
        const double value = std::pow(10, power);
        ticks.push_back({axis.at(value), short_number(value)});
    }
    return ticks;
}

// Operations for each byte of the sectors that the requests touch, where these are more than must be moved.
std::optional<double> requested_intensity(const session::RooflineKernel& kernel) {
    if (!kernel.requested_bytes || *kernel.requested_bytes <= 1.01 * kernel.bytes) return std::nullopt;
    return double(kernel.record->operations) / *kernel.requested_bytes;
}

// Operations for each byte that the GPU's memory moved.
std::optional<double> dram_intensity(const session::RooflineKernel& kernel) {
    if (!kernel.dram_bytes) return std::nullopt;
    return double(kernel.record->operations) / *kernel.dram_bytes;
}

// Room for all kernels, and for the place where memory and arithmetic are equally fast.
struct Axes {
    LogAxis x, y;
};
Axes axes_of(const session::Roofline& roofline) {
    constexpr double margin = 0.2, above = 0.35;  // in powers of ten; above: for the words of ceilings
    double low_x = 1e300, high_x = 0, low_y = 1e300, high_y = 0;
    for (const session::RooflineKernel& kernel : roofline.kernels) {
        low_x = std::min(low_x, kernel.intensity), high_x = std::max(high_x, kernel.intensity);
        low_y = std::min(low_y, kernel.gop_per_s), high_y = std::max(high_y, kernel.gop_per_s);
        high_y = std::max(high_y, kernel.ceiling);
        if (const auto requested = requested_intensity(kernel)) low_x = std::min(low_x, *requested);
    }
    for (const session::Peak& peak : roofline.peaks) {
        high_y = std::max(high_y, peak.gop_per_s);
        if (roofline.copy_gb_per_s > 0)
            high_x = std::max(high_x, 2 * peak.gop_per_s / roofline.copy_gb_per_s);
    }
    return {{std::log10(low_x) - margin, std::log10(high_x) + margin},
            {std::log10(low_y) - margin, std::log10(high_y) + above}};
}

void add_ceilings(RooflinePlot& plot, const session::Roofline& roofline, const Axes& axes) {
    const double copy = roofline.copy_gb_per_s;
    double top = axes.y.value(1);
    if (!roofline.peaks.empty()) top = roofline.peaks.front().gop_per_s;
    if (copy > 0) {
        const double from = std::max(axes.x.value(0), axes.y.value(0) / copy);
        const double to = std::min(axes.x.value(1), top / copy);
        plot.ceilings.push_back({"copy " + grouped(std::uint64_t(std::llround(copy))) + " GB/s", true,
                                 axes.x.at(from), axes.y.at(from * copy), axes.x.at(to),
                                 axes.y.at(to * copy)});
    }
    for (const session::Peak& peak : roofline.peaks) {
        const double y = axes.y.at(peak.gop_per_s);
        const double from = copy > 0 ? axes.x.at(peak.gop_per_s / copy) : 0;
        plot.ceilings.push_back({session::operation_words(peak.operation) + " " +
                                     grouped(std::uint64_t(std::llround(peak.gop_per_s))) + " GOP/s",
                                 false, std::clamp(from, 0.0, 1.0), y, 1, y});
    }
}

std::string details_of(const session::RooflineKernel& kernel) {
    std::string text = settings_words(kernel.record->parameters);
    if (!text.empty()) text += '\n';
    text += short_number(kernel.intensity) + " operations for each byte that it must read or write\n" +
            short_number(kernel.gop_per_s) + " GOP/s";
    if (kernel.ceiling > 0)
        text += ", " + short_number(100 * kernel.share()) + " % of what " +
                (kernel.limit == "copy" ? "the memory" : session::operation_words(kernel.limit)) +
                " would allow: " + short_number(kernel.ceiling);
    if (kernel.requested_bytes)
        text += "\nits requests touch " + megabytes(*kernel.requested_bytes) + " of sectors; it must move " +
                megabytes(kernel.bytes) + ", and the caches serve the rest";
    if (const auto per_byte = dram_intensity(kernel))
        text += "\nthe GPU read and wrote " + megabytes(*kernel.dram_bytes) +
                " of its memory (DRAM): " + short_number(*per_byte) + " operations for each of these bytes";
    else if (!kernel.record->counters_error.empty())
        text += "\nbytes of the GPU's memory were not counted: " + kernel.record->counters_error;
    return text;
}

RooflineDot dot_of(const session::RooflineKernel& kernel, const lesson::LessonEntry& entry,
                   const Axes& axes) {
    RooflineDot dot;
    dot.title = entry.title;
    dot.file = entry.path;
    dot.x = axes.x.at(kernel.intensity);
    dot.y = axes.y.at(kernel.gop_per_s);
    dot.details = details_of(kernel);
    if (const auto requested = requested_intensity(kernel)) dot.requested_x = axes.x.at(*requested);
    // Data that stay in the cache may leave next to no traffic: such a place would press the others together.
    if (const auto per_byte = dram_intensity(kernel))
        if (const double x = axes.x.at(*per_byte); x >= 0 && x <= 1) dot.dram_x = x;
    return dot;
}

const lesson::LessonEntry* entry_of(const session::TimingRecord& record, const lesson::Topic& topic) {
    const std::filesystem::path name = std::filesystem::path(record.file).filename();
    for (const lesson::LessonEntry& entry : topic.lessons)
        if (entry.path.filename() == name) return &entry;
    return nullptr;
}

std::string note_of(const session::Roofline& roofline, const lesson::Topic& topic) {
    std::string note = "The slope is a copy within the device. Level lines: " + roofline.peaks_origin + ".";
    std::string names;
    for (const session::Roofline::LeftOut& each : roofline.left_out)
        if (const lesson::LessonEntry* entry = entry_of(*each.record, topic))
            names += (names.empty() ? "" : ", ") + entry->name;
    const auto measured = [](const session::RooflineKernel& kernel) { return kernel.dram_bytes.has_value(); };
    if (std::any_of(roofline.kernels.begin(), roofline.kernels.end(), measured))
        note += " Squares: by the bytes that the GPU's memory (DRAM) moved.";
    if (!names.empty()) note += " Without operations on data or a time: " + names + ".";
    return note;
}

}  // namespace

RooflinePlot roofline_plot(const session::Roofline& roofline, const lesson::Topic& topic,
                           const lesson::LessonEntry* open) {
    RooflinePlot plot;
    if (roofline.kernels.empty()) {
        plot.note =
            "No timed file of this topic counts operations on data, so there is no roofline: the "
            "bars show what there is to compare.";
        return plot;
    }
    const Axes axes = axes_of(roofline);
    plot.x_ticks = ticks_of(axes.x);
    plot.y_ticks = ticks_of(axes.y);
    add_ceilings(plot, roofline, axes);
    for (const session::RooflineKernel& kernel : roofline.kernels)
        if (const lesson::LessonEntry* entry = entry_of(*kernel.record, topic)) {
            plot.dots.push_back(dot_of(kernel, *entry, axes));
            plot.dots.back().open = entry == open;
        }
    std::stable_sort(plot.dots.begin(), plot.dots.end(),
                     [](const RooflineDot& a, const RooflineDot& b) { return a.y > b.y; });
    plot.note = note_of(roofline, topic);
    return plot;
}

std::vector<std::optional<float>> label_places(const std::vector<float>& wanted, std::size_t kept,
                                               float height, float room) {
    std::vector<std::optional<float>> places(wanted.size());
    const auto fitting = static_cast<std::size_t>(std::max(0.0f, room / height));
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        shown.push_back(i);
    // The last ones go first; the kept one stays.
    while (shown.size() > fitting) {
        auto last = std::prev(shown.end());
        if (*last == kept && shown.size() > 1) --last;
        shown.erase(last);
    }
    float low = height / 2;
    for (const std::size_t i : shown) {
        places[i] = std::max(low, wanted[i]);
        low = *places[i] + height;
    }
    float high = room - height / 2;
    for (auto i = shown.rbegin(); i != shown.rend(); ++i) {
        places[*i] = std::min(*places[*i], high);
        high = *places[*i] - height;
    }
    return places;
}

}  // namespace lanescope::scene
