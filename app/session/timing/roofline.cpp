#include "session/timing/roofline.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/folders.h"
#include "session/timing/time_files.h"

namespace lanescope::session {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_roofline_bytes = 16ull << 20;
constexpr const char* roofline_name = "nvidia-h200.json";

// The parameter `kind` of peaks.cu, in this order.
constexpr const char* peak_operations[] = {"float_multiply_add", "float_add", "int_multiply_add", "int_add",
                                           "matrix"};
// Enough blocks for every multiprocessor, and some milliseconds of work.
constexpr int blocks_of_a_multiprocessor = 16, peak_block = 256, peak_rounds = 4096;

const Peak* peak_of(const RooflineFacts& facts, const std::string& operation) {
    for (const Peak& peak : facts.peaks)
        if (peak.operation == operation) return &peak;
    return nullptr;
}

// The counts belong to the text that ran; after a change of the file they say nothing.
const LessonFacts* facts_of_lesson(const TimingRecord& record, const RooflineFacts& facts) {
    const auto found = facts.lessons.find(record.file);
    if (found == facts.lessons.end()) return nullptr;
    const Result<std::string> text = read_text_file(resource_folder() / record.file);
    return !text || content_hash(*text) == found->second.text_hash ? &found->second : nullptr;
}

std::string why_left_out(const TimingRecord& record) {
    if (!record.timed()) return "no time: " + record.error;
    if (record.operations <= 0) return "it counts no operations on data";
    if (record.bytes <= 0) return "the bytes that it must move are not known";
    return {};
}

// The sum of all launches; nothing if one of them was not measured.
std::optional<double> dram_bytes_of(const TimingRecord& record) {
    if (!record.counters || record.counters->launches.empty()) return std::nullopt;
    double bytes = 0;
    for (const LaunchCounters& launch : record.counters->launches)
        for (const char* name : {"dram_read_bytes", "dram_write_bytes"}) {
            const auto found = std::find_if(launch.rows.begin(), launch.rows.end(),
                                            [&](const CounterRow& row) { return row.name == name; });
            if (found == launch.rows.end()) return std::nullopt;
            bytes += found->measured;
        }
    return bytes > 0 ? std::optional(bytes) : std::nullopt;
}

// The lower one of the two ceilings at the kernel's intensity.
void set_limit(RooflineKernel& kernel, double copy_gb_per_s, const Peak* peak) {
    if (copy_gb_per_s > 0) {
        kernel.limit = "copy";
        kernel.ceiling = copy_gb_per_s * kernel.intensity;
    }
    if (!peak || (kernel.ceiling > 0 && kernel.ceiling <= peak->gop_per_s)) return;
    kernel.limit = peak->operation;
    kernel.ceiling = peak->gop_per_s;
}

}  // namespace

Roofline roofline_of(const Timings& timings, const std::vector<const TimingRecord*>& records,
                     const RooflineFacts& facts) {
    Roofline made;
    made.copy_gb_per_s = timings.report.device.copy_gb_per_s;
    const bool same_gpu = facts.device.name == timings.report.device.name;
    const bool usable = same_gpu && facts.recorded == timings.recorded;
    if (facts.peaks.empty())
        made.peaks_origin = "no peaks of arithmetic were measured";
    else if (!same_gpu)
        made.peaks_origin = "the peaks of arithmetic were measured on another GPU, " + facts.device.name;
    else if (!usable)
        made.peaks_origin =
            "the peaks of arithmetic are recorded ones; 'lanescope time --roofline' measures "
            "them with the times";
    else
        made.peaks_origin = "assets/roofline/peaks.cu on " + facts.device.name + ", " +
                            facts.date.substr(0, facts.date.find('T'));
    for (const TimingRecord* record : records) {
        if (std::string why = why_left_out(*record); !why.empty()) {
            made.left_out.push_back({record, std::move(why)});
            continue;
        }
        RooflineKernel kernel;
        kernel.record = record;
        kernel.bytes = static_cast<double>(record->bytes);
        const auto operations = static_cast<double>(record->operations);
        kernel.intensity = operations / kernel.bytes;
        kernel.gop_per_s = operations / record->timing.median_ms / 1e6;
        if (const LessonFacts* counted = facts_of_lesson(*record, facts)) {
            kernel.operation = counted->operation;
            if (counted->bytes_per_operation > 0)
                kernel.requested_bytes = counted->bytes_per_operation * operations;
        }
        kernel.dram_bytes = dram_bytes_of(*record);
        if (made.dram_error.empty()) made.dram_error = record->counters_error;
        const Peak* peak = usable ? peak_of(facts, kernel.operation) : nullptr;
        set_limit(kernel, made.copy_gb_per_s, peak);
        const auto known = [&](const Peak& each) { return each.operation == kernel.operation; };
        if (peak && std::none_of(made.peaks.begin(), made.peaks.end(), known)) made.peaks.push_back(*peak);
        made.kernels.push_back(std::move(kernel));
    }
    std::sort(made.peaks.begin(), made.peaks.end(),
              [](const Peak& a, const Peak& b) { return a.gop_per_s > b.gop_per_s; });
    return made;
}

Result<std::shared_ptr<const RooflineFacts>> shipped_roofline(const fs::path& assets_folder) {
    const fs::path file = assets_folder / "roofline" / roofline_name;
    std::error_code failed;
    if (!fs::exists(file, failed)) return std::shared_ptr<const RooflineFacts>();
    const Result<std::string> text = read_text_file(file, max_roofline_bytes);
    if (!text) return text.diagnostics();
    Result<RooflineFacts> facts = roofline_facts_of(*text, file.string());
    if (!facts) return facts.diagnostics();
    return std::shared_ptr<const RooflineFacts>(std::make_shared<RooflineFacts>(std::move(*facts)));
}

Result<RooflineFacts> facts_of_this_gpu(const TimedDevice& gpu, int device, const RooflineFacts& shipped,
                                        const std::function<void(const std::string&)>& tell) {
    RooflineFacts facts;
    facts.lessons = shipped.lessons;
    TimeRequest request;
    request.files = {(resource_folder() / "assets/roofline/peaks.cu").string()};
    request.device = device;
    request.peers = false;
    request.parameters = {{"rounds", peak_rounds},
                          {"block", peak_block},
                          {"blocks", std::max(1, gpu.multiprocessors) * blocks_of_a_multiprocessor}};
    for (int kind = 0; const char* operation : peak_operations) {
        if (tell) tell("timing the peak of " + operation_words(operation));
        request.parameters["kind"] = kind++;
        Result<TimingReport> report = time_files(request);
        if (!report) return report.diagnostics();
        facts.device = std::move(report->device);
        facts.date = std::move(report->date);
        for (const TimingRecord& record : report->timings) {
            if (!record.timed()) return error("the peak of " + std::string(operation) + ": " + record.error);
            facts.peaks.push_back(
                {operation, static_cast<double>(record.operations) / record.timing.median_ms / 1e6});
        }
    }
    return facts;
}

bool has_place(const TimingRecord& record) {
    return why_left_out(record).empty();
}

std::string operation_words(const std::string& operation) {
    if (operation == "float_multiply_add") return "multiply-adds";
    if (operation == "float_add") return "float additions";
    if (operation == "int_multiply_add") return "int multiply-adds";
    if (operation == "int_add") return "int additions";
    if (operation == "matrix") return "tensor cores (mma)";
    return operation;
}

}  // namespace lanescope::session
