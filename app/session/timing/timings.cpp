#include "session/timing/timings.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/files.h"
#include "base/number_text.h"
#include "lesson/expression.h"
#include "lesson/instance.h"

namespace lanescope::session {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_bytes = 16ull << 20;
constexpr const char* recording_name = "nvidia-h200.json";

// Elements of the first buffer with contents; 0 when the file has none, or can no longer be read.
std::uint64_t input_elements(const lesson::FrontMatter& front, const lesson::ParameterValues& parameters) {
    lesson::Names names(parameters.begin(), parameters.end());
    for (const lesson::Parameter& parameter : front.parameters)
        names.emplace(parameter.name, parameter.default_value);
    for (const lesson::Buffer& buffer : front.buffers) {
        std::int64_t count = buffer.shape.empty() && buffer.count.text.empty() ? 0 : 1;
        const auto multiply = [&](const lesson::Expression& expression) {
            const auto value = evaluate(expression, names, "");
            count = value ? count * *value : 0;
        };
        if (buffer.shape.empty() && count) multiply(buffer.count);
        for (const lesson::Expression& extent : buffer.shape)
            multiply(extent);
        names.emplace(buffer.name + ".count", count);
        if (buffer.has_contents()) return static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
    }
    return 0;
}

bool is_of(const TimingRecord& record, const lesson::Topic& topic, const lesson::LessonEntry& entry) {
    const fs::path file(record.file);
    return file.filename() == entry.path.filename() && file.parent_path().filename() == topic.name;
}

// Blocks that overlap cannot make exactly 2^24 elements, so sizes that differ by at most one percent count as
// equal.
bool nearly_equal(std::uint64_t a, std::uint64_t b) {
    return (a > b ? a - b : b - a) * 100 <= std::max(a, b);
}

bool is_round(std::uint64_t elements) {
    return (elements & (elements - 1)) == 0;
}

bool has_record(const SizeGroup& group, const std::string& file) {
    return std::any_of(group.records.begin(), group.records.end(),
                       [&](const TimingRecord* each) { return each->file == file; });
}

}  // namespace

std::string Timings::origin() const {
    const std::string day = report.date.substr(0, report.date.find('T'));
    if (recorded) return "recorded on " + report.device.name + ", " + report.device.driver + ", " + day;
    // Every process ended before it could describe the GPU.
    if (report.device.name.empty()) return "nothing could be timed on this machine";
    return "measured on this machine's " + report.device.name + ", " + report.device.driver;
}

Result<std::shared_ptr<const Timings>> shipped_recording(const fs::path& assets_folder,
                                                         const std::string& kind) {
    const fs::path file = assets_folder / kind / recording_name;
    std::error_code failed;
    if (!fs::exists(file, failed)) return std::shared_ptr<const Timings>();
    const auto text = read_text_file(file, max_bytes);
    if (!text) return text.diagnostics();
    auto report = timing_report_of(*text, file.string());
    if (!report) return report.diagnostics();
    return std::shared_ptr<const Timings>(std::make_shared<Timings>(Timings{std::move(*report), true}));
}

std::vector<SizeGroup> sizes_of(const Timings& timings, const lesson::Topic& topic) {
    std::vector<SizeGroup> groups;
    const auto group_of = [&](std::uint64_t elements) -> SizeGroup& {
        for (SizeGroup& group : groups)
            if (nearly_equal(group.elements, elements)) return group;
        return groups.emplace_back(SizeGroup{elements, {}});
    };
    for (const lesson::LessonEntry& entry : topic.lessons) {
        lesson::FrontMatter front;
        if (const auto source = read_text_file(entry.path))
            if (auto parsed = lesson::parse_front_matter(*source, entry.path.string()))
                front = std::move(*parsed);
        for (const TimingRecord& record : timings.report.timings) {
            if (!is_of(record, topic, entry)) continue;
            const std::uint64_t elements = input_elements(front, record.parameters);
            SizeGroup& group = group_of(elements);
            if (is_round(elements)) group.elements = elements;
            if (!has_record(group, record.file)) group.records.push_back(&record);
        }
    }
    std::sort(groups.begin(), groups.end(),
              [](const SizeGroup& a, const SizeGroup& b) { return a.elements < b.elements; });
    return groups;
}

std::vector<const PeerRecord*> peers_of(const SizeGroup& group) {
    std::map<std::string, const PeerRecord*> fastest;
    for (const TimingRecord* record : group.records) {
        if (!record->peer || record->peer->name == "copy" || !record->peer->error.empty()) continue;
        const auto rate = [](const PeerRecord& peer) { return gb_per_s(peer.bytes, peer.timing.median_ms); };
        const PeerRecord*& kept = fastest[record->peer->name];
        if (!kept || rate(*record->peer) > rate(*kept)) kept = &*record->peer;
    }
    std::vector<const PeerRecord*> peers;
    for (const auto& [name, peer] : fastest)
        peers.push_back(peer);
    return peers;
}

double gb_per_s(std::uint64_t bytes, double milliseconds) {
    return milliseconds > 0 ? static_cast<double>(bytes) / milliseconds / 1e6 : 0;
}

std::string size_words(std::uint64_t elements) {
    if (elements >= 1024 && (elements & (elements - 1)) == 0) {
        int power = 0;
        while (elements >> (power + 1))
            ++power;
        return "2^" + std::to_string(power);
    }
    return grouped(elements);
}

std::string time_words(double milliseconds) {
    const bool small = milliseconds < 1, large = milliseconds >= 1000;
    const double value = small ? milliseconds * 1000 : large ? milliseconds / 1000 : milliseconds;
    char text[32];
    std::snprintf(text, sizeof text, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
    return text + std::string(small ? " µs" : large ? " s" : " ms");
}

}  // namespace lanescope::session
