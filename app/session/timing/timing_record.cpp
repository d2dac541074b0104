#include "session/timing/timing_record.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

namespace lanescope::session {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr const char* checked_words[] = {"none", "ok", "wrong"};

void add_timing(OrderedJson& out, const gpu::Timing& timing) {
    out["median_ms"] = timing.median_ms;
    out["minimum_ms"] = timing.minimum_ms;
    out["lower_quartile_ms"] = timing.lower_quartile_ms;
    out["upper_quartile_ms"] = timing.upper_quartile_ms;
    out["maximum_ms"] = timing.maximum_ms;
    out["runs"] = timing.runs;
    out["batch"] = timing.batch;
    out["copies"] = timing.copies;
}

double rate(double bytes, double ms) {
    return ms > 0 ? bytes / ms / 1e6 : 0;
}

// Reads the fields of an object; errors name the place.
class Fields {
  public:
    Fields(const Json& json, std::string where) : json_(json), where_(std::move(where)) {}

    template <class T>
    void read(const char* key, T& into, bool needed = true) {
        if (!fine_.ok()) return;
        const auto found = json_.is_object() ? json_.find(key) : json_.end();
        if (!json_.is_object() || found == json_.end()) {
            if (needed) fine_ = error(where_ + " has no '" + key + "'");
            return;
        }
        if constexpr (std::is_same_v<T, std::string>) {
            if (!found->is_string()) return wrong(key, "a text");
        } else if constexpr (std::is_same_v<T, bool>) {
            if (!found->is_boolean()) return wrong(key, "true or false");
        } else if constexpr (std::is_arithmetic_v<T>) {
            if (!found->is_number()) return wrong(key, "a number");
        }
        into = found->get<T>();
    }

    void read_texts(const char* key, std::vector<std::string>& into) {
        const auto found = json_.is_object() ? json_.find(key) : json_.end();
        if (!fine_.ok() || !json_.is_object() || found == json_.end()) return;
        if (!found->is_array()) return wrong(key, "a list of texts");
        for (const Json& each : *found) {
            if (!each.is_string()) return wrong(key, "a list of texts");
            into.push_back(each.get<std::string>());
        }
    }

    void read_timing(gpu::Timing& timing) {
        read("median_ms", timing.median_ms);
        read("minimum_ms", timing.minimum_ms);
        read("lower_quartile_ms", timing.lower_quartile_ms);
        read("upper_quartile_ms", timing.upper_quartile_ms);
        read("maximum_ms", timing.maximum_ms);
        read("runs", timing.runs);
        read("batch", timing.batch);
        read("copies", timing.copies);
    }

    void wrong(const char* key, const char* expected) {
        fine_ = error(where_ + ": '" + key + "' must be " + expected);
    }
    const Result<void>& fine() const { return fine_; }

  private:
    const Json& json_;
    std::string where_;
    Result<void> fine_;
};

OrderedJson to_json(const gpu::LaunchOccupancy& launch) {
    return {{"kernel", launch.kernel},
            {"launches", launch.launches},
            {"threads", launch.block.threads},
            {"registers", launch.block.registers_per_thread},
            {"shared_bytes", launch.block.shared_bytes},
            {"blocks_per_sm", launch.occupancy.blocks_per_sm},
            {"warps", launch.occupancy.warps},
            {"most_warps", launch.occupancy.most_warps},
            {"share", launch.occupancy.share()},
            {"limiter", launch.occupancy.limiter}};
}

Result<gpu::LaunchOccupancy> occupancy_of(const Json& json, const std::string& where) {
    gpu::LaunchOccupancy launch;
    Fields fields(json, where);
    fields.read("kernel", launch.kernel);
    fields.read("launches", launch.launches);
    fields.read("threads", launch.block.threads);
    fields.read("registers", launch.block.registers_per_thread);
    fields.read("shared_bytes", launch.block.shared_bytes);
    fields.read("blocks_per_sm", launch.occupancy.blocks_per_sm);
    fields.read("warps", launch.occupancy.warps);
    fields.read("most_warps", launch.occupancy.most_warps);
    fields.read("limiter", launch.occupancy.limiter);
    if (!fields.fine()) return fields.fine().diagnostics();
    return launch;
}

Result<PeerRecord> peer_of(const Json& json, const std::string& where) {
    PeerRecord peer;
    Fields fields(json, where);
    fields.read("name", peer.name);
    fields.read("error", peer.error, false);
    if (peer.error.empty()) {
        fields.read("library", peer.library);
        fields.read("bytes", peer.bytes);
        fields.read_timing(peer.timing);
    }
    if (!fields.fine()) return fields.fine().diagnostics();
    return peer;
}

OrderedJson to_json(const PeerRecord& peer) {
    OrderedJson out{{"name", peer.name}};
    if (!peer.error.empty()) {
        out["error"] = peer.error;
        return out;
    }
    out["library"] = peer.library;
    add_timing(out, peer.timing);
    out["bytes"] = peer.bytes;
    out["gb_per_s"] = rate(static_cast<double>(peer.bytes), peer.timing.median_ms);
    return out;
}

}  // namespace

double TimingRecord::gb_per_s() const {
    return rate(static_cast<double>(bytes), timing.median_ms);
}

double TimingRecord::percent_of_copy() const {
    return copy_gb_per_s > 0 ? 100 * gb_per_s() / copy_gb_per_s : 0;
}

OrderedJson to_json(const TimedDevice& device) {
    return {{"name", device.name},
            {"compute_capability", device.compute_capability},
            {"multiprocessors", device.multiprocessors},
            {"l2_bytes", device.l2_bytes},
            {"driver", device.driver},
            {"toolkit", device.toolkit},
            {"clocks",
             {{"sm_mhz", device.sm_mhz},
              {"memory_mhz", device.memory_mhz},
              {"most_sm_mhz", device.max_sm_mhz},
              {"most_memory_mhz", device.max_memory_mhz},
              {"source", device.clock_source}}},
            {"copy_gb_per_s", device.copy_gb_per_s},
            {"copy_bytes", device.copy_bytes},
            {"empty_launch_ms", device.empty_launch_ms}};
}

OrderedJson to_json(const TimingRecord& record) {
    OrderedJson out{{"file", record.file}};
    out["parameters"] = OrderedJson::object();
    for (const auto& [name, value] : record.parameters)
        out["parameters"][name] = value;
    if (!record.text_hash.empty()) out["text_hash"] = record.text_hash;
    if (!record.expected_problems.empty()) out["expected_problems"] = record.expected_problems;
    if (!record.notes.empty()) out["notes"] = record.notes;
    if (!record.timed()) {
        out["error"] = record.error;
        return out;
    }
    out["launches"] = record.launches;
    add_timing(out, record.timing);
    out["restored"] = record.restored;
    if (record.bytes > 0) {
        out["bytes"] = record.bytes;
        out["gb_per_s"] = record.gb_per_s();
    }
    out["copy_gb_per_s"] = record.copy_gb_per_s;
    if (record.bytes > 0) out["percent_of_copy"] = record.percent_of_copy();
    if (record.operations > 0) {
        out["operations"] = record.operations;
        out["gop_per_s"] = rate(static_cast<double>(record.operations), record.timing.median_ms);
    }
    out["checked"] = checked_words[static_cast<int>(record.checked)];
    if (!record.mismatch.empty()) out["mismatch"] = record.mismatch;
    for (const gpu::LaunchOccupancy& launch : record.occupancy)
        out["occupancy"].push_back(to_json(launch));
    if (record.peer) out["peer"] = to_json(*record.peer);
    if (record.lines) out.update(to_json(*record.lines));
    if (!record.lines_error.empty()) out["lines_error"] = record.lines_error;
    if (record.counters) out["counters"] = to_json(*record.counters);
    if (!record.counters_error.empty()) out["counters_error"] = record.counters_error;
    return out;
}

OrderedJson to_json(const TimingReport& report) {
    OrderedJson out{{"device", to_json(report.device)}, {"date", report.date}};
    out["timings"] = OrderedJson::array();
    for (const TimingRecord& record : report.timings)
        out["timings"].push_back(to_json(record));
    return out;
}

Result<TimedDevice> timed_device_of(const Json& json) {
    TimedDevice device;
    Fields fields(json, "the device");
    fields.read("name", device.name);
    fields.read("compute_capability", device.compute_capability);
    fields.read("multiprocessors", device.multiprocessors);
    fields.read("l2_bytes", device.l2_bytes);
    fields.read("driver", device.driver);
    fields.read("toolkit", device.toolkit);
    fields.read("copy_gb_per_s", device.copy_gb_per_s);
    fields.read("copy_bytes", device.copy_bytes);
    fields.read("empty_launch_ms", device.empty_launch_ms, false);
    if (!fields.fine()) return fields.fine().diagnostics();
    if (!json.contains("clocks")) return error("the device has no 'clocks'");
    Fields clocks(json["clocks"], "the device's clocks");
    clocks.read("sm_mhz", device.sm_mhz);
    clocks.read("memory_mhz", device.memory_mhz);
    clocks.read("most_sm_mhz", device.max_sm_mhz);
    clocks.read("most_memory_mhz", device.max_memory_mhz);
    clocks.read("source", device.clock_source);
    if (!clocks.fine()) return clocks.fine().diagnostics();
    return device;
}

Result<TimingRecord> timing_record_of(const Json& json) {
    TimingRecord record;
    Fields file(json, "a timing");
    file.read("file", record.file);
    if (!file.fine()) return file.fine().diagnostics();
    Fields fields(json, "the timing of " + record.file);
    if (!json.contains("parameters") || !json["parameters"].is_object())
        fields.wrong("parameters", "a table");
    else
        for (const auto& [name, value] : json["parameters"].items())
            if (value.is_number_integer())
                record.parameters[name] = value.get<std::int64_t>();
            else
                fields.wrong("parameters", "a table of whole numbers");
    fields.read_texts("expected_problems", record.expected_problems);
    fields.read_texts("notes", record.notes);
    fields.read("text_hash", record.text_hash, false);
    fields.read("error", record.error, false);
    if (!fields.fine()) return fields.fine().diagnostics();
    if (!record.timed()) return record;
    fields.read("launches", record.launches);
    fields.read_timing(record.timing);
    fields.read("restored", record.restored);
    fields.read("bytes", record.bytes, false);
    fields.read("operations", record.operations, false);
    fields.read("copy_gb_per_s", record.copy_gb_per_s);
    fields.read("mismatch", record.mismatch, false);
    std::string checked;
    fields.read("checked", checked);
    for (int i = 0; i < 3; ++i)
        if (checked == checked_words[i]) record.checked = static_cast<TimingRecord::Checked>(i);
    if (fields.fine() && checked != checked_words[static_cast<int>(record.checked)])
        fields.wrong("checked", "none, ok or wrong");
    if (!fields.fine()) return fields.fine().diagnostics();
    if (json.contains("occupancy")) {
        if (!json["occupancy"].is_array())
            return error("the timing of " + record.file + ": 'occupancy' must be a list");
        for (const Json& each : json["occupancy"]) {
            Result<gpu::LaunchOccupancy> launch = occupancy_of(each, "the occupancy of " + record.file);
            if (!launch) return launch.diagnostics();
            record.occupancy.push_back(std::move(*launch));
        }
    }
    if (json.contains("peer")) {
        Result<PeerRecord> peer = peer_of(json["peer"], "the peer of " + record.file);
        if (!peer) return peer.diagnostics();
        record.peer = std::move(*peer);
    }
    fields.read("lines_error", record.lines_error, false);
    fields.read("counters_error", record.counters_error, false);
    if (!fields.fine()) return fields.fine().diagnostics();
    if (json.contains("lines")) {
        Result<LineTimes> lines = line_times_of(json, "the timing of " + record.file);
        if (!lines) return lines.diagnostics();
        record.lines = std::move(*lines);
    }
    if (json.contains("counters")) {
        Result<CounterComparison> counters =
            counter_comparison_of(json["counters"], "the timing of " + record.file);
        if (!counters) return counters.diagnostics();
        record.counters = std::move(*counters);
    }
    return record;
}

Result<void> add_older(TimingReport& newer, const TimingReport& older) {
    const auto gpu = [](const TimingReport& report) {
        return report.device.name + ", " + report.device.driver;
    };
    if (!older.timings.empty() && gpu(older) != gpu(newer))
        return error("the times were taken on " + gpu(older) + ", not on " + gpu(newer),
                     "a recording has the times of one GPU and driver; name another file");
    const auto replaced = [&](const TimingRecord& old) {
        return std::any_of(newer.timings.begin(), newer.timings.end(), [&](const TimingRecord& each) {
            return each.file == old.file && each.parameters == old.parameters;
        });
    };
    std::vector<TimingRecord> kept;
    std::copy_if(older.timings.begin(), older.timings.end(), std::back_inserter(kept), std::not_fn(replaced));
    newer.timings.insert(newer.timings.end(), kept.begin(), kept.end());
    return {};
}

Result<TimingReport> timing_report_of(const std::string& text, const std::string& file) {
    const auto located = [&](const Diagnostics& problems) {
        return error_at(file, 0, 0, problems.front().message);
    };
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) return error_at(file, 0, 0, "the file is not JSON");
    TimingReport report;
    Fields fields(json, "the document");
    fields.read("date", report.date);
    if (!fields.fine()) return located(fields.fine().diagnostics());
    if (!json.contains("device")) return error_at(file, 0, 0, "the document has no 'device'");
    Result<TimedDevice> device = timed_device_of(json["device"]);
    if (!device) return located(device.diagnostics());
    report.device = std::move(*device);
    if (!json.contains("timings") || !json["timings"].is_array())
        return error_at(file, 0, 0, "the document has no list 'timings'");
    for (const Json& each : json["timings"]) {
        Result<TimingRecord> record = timing_record_of(each);
        if (!record) return located(record.diagnostics());
        report.timings.push_back(std::move(*record));
    }
    return report;
}

}  // namespace lanescope::session
