// The roofline as text and JSON, and what assets/roofline holds.
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "session/timing/roofline.h"

namespace lanescope::session {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

std::string three_digits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.3g", value);
    return text;
}

std::string limit_words(const RooflineKernel& kernel) {
    if (kernel.limit.empty()) return "-";
    return kernel.limit == "copy" ? "memory" : operation_words(kernel.limit);
}

// Operations for each byte of another count than that of the least bytes.
std::string per_byte(const RooflineKernel& kernel, const std::optional<double>& bytes) {
    return bytes ? three_digits(double(kernel.record->operations) / *bytes) : "-";
}

std::vector<std::string> row_of(const RooflineKernel& kernel) {
    const std::string parameters = parameters_text(*kernel.record);
    return {kernel.record->file,
            parameters.empty() ? "" : parameters.substr(1),
            three_digits(kernel.intensity),
            per_byte(kernel, kernel.requested_bytes),
            per_byte(kernel, kernel.dram_bytes),
            three_digits(kernel.gop_per_s),
            kernel.ceiling > 0 ? three_digits(kernel.ceiling) : "-",
            kernel.ceiling > 0 ? three_digits(100 * kernel.share()) + " %" : "-",
            limit_words(kernel)};
}

// What the column DRAM is, or why it is empty.
std::string dram_words(const Roofline& roofline) {
    const auto measured = [](const RooflineKernel& kernel) { return kernel.dram_bytes.has_value(); };
    if (roofline.kernels.empty()) return {};
    if (std::any_of(roofline.kernels.begin(), roofline.kernels.end(), measured))
        return "DRAM: operations for each byte that the GPU read from its memory or wrote to it, as its "
               "counters say\n";
    return roofline.dram_error.empty() ? "" : "no bytes of the DRAM: " + roofline.dram_error + '\n';
}

// The value of a key, or an error that names the place.
Result<const Json*> member(const Json& of, const char* key, Json::value_t type, const std::string& where) {
    const auto found = of.is_object() ? of.find(key) : of.end();
    if (!of.is_object() || found == of.end()) return error(where + " has no '" + key + "'");
    const bool number = type == Json::value_t::number_float;
    if (number ? !found->is_number() : found->type() != type)
        return error(where + ": '" + key + "' has the wrong type");
    return &*found;
}

Result<Peak> peak_of_json(const Json& of, const std::string& where) {
    const auto operation = member(of, "operation", Json::value_t::string, where);
    if (!operation) return operation.diagnostics();
    const auto rate = member(of, "gop_per_s", Json::value_t::number_float, where);
    if (!rate) return rate.diagnostics();
    return Peak{(*operation)->get<std::string>(), (*rate)->get<double>()};
}

Result<void> read_lesson(const Json& of, const std::string& where, RooflineFacts& facts) {
    std::string file;
    LessonFacts lesson;
    for (const auto& [key, into] : {std::pair{"file", &file}, std::pair{"text_hash", &lesson.text_hash},
                                    std::pair{"operation", &lesson.operation}}) {
        const auto text = member(of, key, Json::value_t::string, where);
        if (!text) return text.diagnostics();
        *into = (*text)->get<std::string>();
    }
    const auto bytes = member(of, "bytes_per_operation", Json::value_t::number_float, where);
    if (!bytes) return bytes.diagnostics();
    lesson.bytes_per_operation = (*bytes)->get<double>();
    facts.lessons[file] = std::move(lesson);
    return {};
}

// Calls `read` with each element of a list and its place.
template <class Read>
Result<void> each_of(const Json& of, const char* key, const std::string& file, const Read& read) {
    const auto list = member(of, key, Json::value_t::array, file);
    if (!list) return list.diagnostics();
    for (std::size_t i = 0; i < (*list)->size(); ++i) {
        const std::string where = file + ": " + key + "[" + std::to_string(i) + "]";
        if (Result<void> read_one = read((**list)[i], where); !read_one) return read_one;
    }
    return {};
}

}  // namespace

Result<RooflineFacts> roofline_facts_of(const std::string& text, const std::string& file) {
    const Json document = Json::parse(text, nullptr, false);
    if (!document.is_object()) return error(file + " is not a JSON object");
    RooflineFacts facts;
    facts.recorded = true;
    const auto device = member(document, "device", Json::value_t::object, file);
    if (!device) return device.diagnostics();
    Result<TimedDevice> read = timed_device_of(**device);
    if (!read) return read.diagnostics();
    facts.device = std::move(*read);
    const auto date = member(document, "date", Json::value_t::string, file);
    if (!date) return date.diagnostics();
    facts.date = (*date)->get<std::string>();
    const Result<void> peaks =
        each_of(document, "peaks", file, [&](const Json& of, const std::string& where) -> Result<void> {
            Result<Peak> peak = peak_of_json(of, where);
            if (!peak) return peak.diagnostics();
            facts.peaks.push_back(std::move(*peak));
            return {};
        });
    if (!peaks) return peaks.diagnostics();
    const Result<void> lessons =
        each_of(document, "lessons", file,
                [&](const Json& of, const std::string& where) { return read_lesson(of, where, facts); });
    if (!lessons) return lessons.diagnostics();
    return facts;
}

std::string table_of(const Roofline& roofline) {
    std::string out =
        "ceilings: memory " + three_digits(roofline.copy_gb_per_s) + " GB/s (a copy in the device)";
    for (const Peak& peak : roofline.peaks)
        out += "; " + operation_words(peak.operation) + " " + three_digits(peak.gop_per_s) + " GOP/s";
    out += "\narithmetic: " + roofline.peaks_origin + "\n";
    if (roofline.kernels.empty())
        out += "no file counts operations on data: there is nothing to compare with the ceilings\n";
    std::vector<std::vector<std::string>> rows{
        {"file", "parameters", "op/byte", "requested", "DRAM", "GOP/s", "ceiling", "reached", "limited by"}};
    for (const RooflineKernel& kernel : roofline.kernels)
        rows.push_back(row_of(kernel));
    std::vector<std::size_t> widths(rows[0].size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i + 1 < row.size(); ++i)
            widths[i] = std::max(widths[i], character_count(row[i]));
    if (roofline.kernels.empty()) rows.clear();
    for (const auto& row : rows) {
        for (std::size_t i = 0; i + 1 < row.size(); ++i)
            out += padded_right(row[i], widths[i] + 2);
        out += row.back() + '\n';
    }
    out += dram_words(roofline);
    for (const Roofline::LeftOut& each : roofline.left_out)
        out += each.record->file + parameters_text(*each.record) + ": " + each.why + '\n';
    return out;
}

OrderedJson to_json(const Roofline& roofline) {
    OrderedJson ceilings = OrderedJson::array();
    ceilings.push_back({{"name", "copy"}, {"gb_per_s", roofline.copy_gb_per_s}});
    for (const Peak& peak : roofline.peaks)
        ceilings.push_back({{"name", peak.operation}, {"gop_per_s", peak.gop_per_s}});
    OrderedJson kernels = OrderedJson::array(), left_out = OrderedJson::array();
    for (const RooflineKernel& kernel : roofline.kernels) {
        OrderedJson one{{"file", kernel.record->file}};
        one["parameters"] = kernel.record->parameters;
        one["median_ms"] = kernel.record->timing.median_ms;
        one["operations"] = kernel.record->operations;
        if (!kernel.operation.empty()) one["operation"] = kernel.operation;
        one["bytes"] = kernel.record->bytes;
        if (kernel.requested_bytes) one["requested_bytes"] = *kernel.requested_bytes;
        one["operations_per_byte"] = kernel.intensity;
        if (kernel.dram_bytes) {
            one["dram_bytes"] = *kernel.dram_bytes;
            one["operations_per_dram_byte"] = double(kernel.record->operations) / *kernel.dram_bytes;
        }
        one["gop_per_s"] = kernel.gop_per_s;
        if (kernel.ceiling > 0) {
            one["limit"] = kernel.limit;
            one["ceiling_gop_per_s"] = kernel.ceiling;
            one["percent_of_ceiling"] = 100 * kernel.share();
        }
        kernels.push_back(std::move(one));
    }
    for (const Roofline::LeftOut& each : roofline.left_out) {
        OrderedJson one{{"file", each.record->file}};
        one["parameters"] = each.record->parameters;
        one["why"] = each.why;
        left_out.push_back(std::move(one));
    }
    OrderedJson out{{"ceilings", std::move(ceilings)},
                    {"peaks_origin", roofline.peaks_origin},
                    {"kernels", std::move(kernels)}};
    if (!roofline.dram_error.empty()) out["dram_error"] = roofline.dram_error;
    out["left_out"] = std::move(left_out);
    return out;
}

}  // namespace lanescope::session
