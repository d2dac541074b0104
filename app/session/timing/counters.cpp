#include "session/timing/counters.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "base/text.h"

namespace lanescope::session {

namespace {

using analysis::Metrics;
using analysis::Operation;
using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

// A difference that is always there, or none.
constexpr const char* machine_code = "one PTX instruction is none, one or several machine instructions";
constexpr const char* functions =
    "a division, a root or a function is one instruction in PTX but several in hardware";
constexpr const char* predicated = "the assembler turns short branches into instructions with a condition";
constexpr const char* reordered =
    "the assembler combines atomics of a warp, or lanes poll and retry in another order on the GPU";
// Seen in the machine code (nvdisasm): LDS.128 for ld.shared of neighbours, rounds of 4, 2 and 1 LDG.
constexpr const char* joined = "the assembler joins loads of neighbouring addresses into one wide load";
constexpr const char* unrolled =
    "the assembler unrolls the loop: lanes with different numbers of rounds load apart";
constexpr const char* driver_printf = "the GPU also counts the driver's printf";

struct Comparison {
    const char* name;
    std::vector<std::string> counters;  // their sum
    double (*counted)(const Metrics&);
    const char* reason = nullptr;
};

const std::vector<Comparison>& comparisons() {
    static const std::vector<Comparison> all = {
        {"warp_instructions",
         {"smsp__inst_executed.sum"},
         [](const Metrics& m) { return double(m.warp_instructions); },
         machine_code},
        {"global_load_requests",
         {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
         [](const Metrics& m) { return double(m.global_load_requests + m.constant_generic_requests); }},
        {"global_load_sectors",
         {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
         [](const Metrics& m) { return double(m.global_load_sectors + m.constant_generic_sectors); }},
        {"global_store_requests",
         {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
         [](const Metrics& m) { return double(m.global_store_requests); }},
        {"global_store_sectors",
         {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
         [](const Metrics& m) { return double(m.global_store_sectors); }},
        {"global_atomic_requests",
         {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
          "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"},
         [](const Metrics& m) { return double(m.global_atomic_requests); }},
        {"global_atomic_sectors",
         {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
          "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"},
         [](const Metrics& m) { return double(m.global_atomic_sectors); }},
        {"shared_load_requests",
         {"smsp__sass_inst_executed_op_shared_ld.sum"},
         [](const Metrics& m) { return double(m.shared_load_requests); }},
        {"shared_load_wavefronts",
         {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
         [](const Metrics& m) { return double(m.shared_load_wavefronts); }},
        {"shared_store_requests",
         {"smsp__sass_inst_executed_op_shared_st.sum"},
         [](const Metrics& m) { return double(m.shared_store_requests); }},
        {"shared_store_wavefronts",
         {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
         [](const Metrics& m) { return double(m.shared_store_wavefronts); }},
        {"divergent_branches",
         {"smsp__sass_branch_targets_threads_divergent.sum"},
         [](const Metrics& m) { return double(m.divergent_branches); },
         predicated},
        {"float_add",
         {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
          "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum"},
         [](const Metrics& m) { return double(m.operations[Operation::float_add]); },
         functions},
        {"float_multiply",
         {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
          "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum"},
         [](const Metrics& m) { return double(m.operations[Operation::float_multiply]); },
         functions},
        {"float_multiply_add",
         {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
          "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"},
         [](const Metrics& m) { return double(m.operations[Operation::float_multiply_add]); },
         functions}};
    return all;
}

// Figures that only a GPU has.
struct Figure {
    const char* name;
    const char* counter;
};
constexpr Figure figures[] = {
    {"l1_hit_percent", "l1tex__t_sector_hit_rate.pct"},
    {"l2_hit_percent", "lts__t_sector_hit_rate.pct"},
    {"dram_read_bytes", "dram__bytes_read.sum"},
    {"dram_write_bytes", "dram__bytes_write.sum"},
    {"achieved_occupancy_percent", "sm__warps_active.avg.pct_of_peak_sustained_active"},
    {"gpu_ns", "gpu__time_duration.sum"}};

// The profiler adds some passes through shared memory that no address explains, and another number in each
// run: within 2 % is equal.
bool agree(const std::string& name, double counted, double measured) {
    constexpr double tolerance = 0.02;
    if (!name.ends_with("_wavefronts")) return counted == measured;
    return std::abs(counted - measured) <= tolerance * measured;
}

// The profiler reads the parts of a share in different runs of a launch: of a tiny launch their quotient may
// exceed 100 %.
bool contradicts_itself(const CounterRow& row) {
    constexpr double whole_percent = 100;
    return row.name.ends_with("_percent") && row.measured > whole_percent;
}

// The assembler may change the number of loads, but no other accesses. Where the number of loads is that of
// the PTX, their sectors and wavefronts must be equal as well.
const char* assembled_loads(const CounterRow& row, const LaunchCounters& launch) {
    for (const char* loads : {"global_load_", "shared_load_"}) {
        if (!row.name.starts_with(loads)) continue;
        for (const CounterRow& requests : launch.rows) {
            if (requests.name != std::string(loads) + "requests" || !requests.counted) continue;
            if (requests.measured < *requests.counted && row.measured < *row.counted) return joined;
            if (requests.measured > *requests.counted && row.measured > *row.counted) return unrolled;
        }
    }
    return nullptr;
}

void compare(CounterRow& row, const LaunchCounters& launch, const Comparison& comparison,
             const Metrics& counts, bool prints) {
    row.counted = comparison.counted(counts);
    if (agree(row.name, *row.counted, row.measured)) return;
    if (comparison.reason)
        row.remark = comparison.reason;
    else if (prints)
        row.remark = driver_printf;
    else if (counts.atomics > 0)
        row.remark = reordered;
    else if (const char* why = assembled_loads(row, launch))
        row.remark = why;
    else
        row.flagged = true;
    if (row.flagged) row.remark = "not explained";
}

std::string figure_text(double value) {
    if (value == std::floor(value)) return grouped(static_cast<std::uint64_t>(value));
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

Result<CounterRow> row_of(const Json& json, const std::string& where) {
    CounterRow row;
    if (!json.is_object() || !json.contains("name") || !json["name"].is_string())
        return error(where + ": a counter has no 'name'");
    row.name = json["name"].get<std::string>();
    if (!json.contains("measured") || !json["measured"].is_number())
        return error(where + ": '" + row.name + "' has no number 'measured'");
    row.measured = json["measured"].get<double>();
    if (json.contains("counted")) {
        if (!json["counted"].is_number()) return error(where + ": 'counted' must be a number");
        row.counted = json["counted"].get<double>();
    }
    if (json.contains("remark") && json["remark"].is_string()) row.remark = json["remark"];
    row.flagged = json.contains("flagged") && json["flagged"] == true;
    return row;
}

}  // namespace

std::vector<std::string> counter_names() {
    std::vector<std::string> names;
    for (const Comparison& comparison : comparisons())
        names.insert(names.end(), comparison.counters.begin(), comparison.counters.end());
    for (const Figure& figure : figures)
        names.emplace_back(figure.counter);
    return names;
}

CounterComparison measured_counters(const std::vector<gpu::CounterValues>& measured,
                                    const std::vector<std::string>& kernels, std::size_t passes) {
    CounterComparison made;
    made.passes = passes;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        LaunchCounters launch{i < kernels.size() ? kernels[i] : "", {}};
        const auto add = [&](const char* name, const std::vector<std::string>& counters) {
            CounterRow row{name, {}, 0, "", false};
            for (const std::string& counter : counters) {
                const auto found = measured[i].find(counter);
                if (found == measured[i].end() || !std::isfinite(found->second)) return;
                row.measured += found->second;
            }
            if (!contradicts_itself(row)) launch.rows.push_back(std::move(row));
        };
        for (const Comparison& comparison : comparisons())
            add(comparison.name, comparison.counters);
        for (const Figure& figure : figures)
            add(figure.name, {figure.counter});
        made.launches.push_back(std::move(launch));
    }
    return made;
}

void add_counts(CounterComparison& comparison, const std::vector<Metrics>& counts, bool prints) {
    if (counts.size() != comparison.launches.size()) {
        comparison.counted_error = "the CPU machine had " + std::to_string(counts.size()) +
                                   " launches, the GPU " + std::to_string(comparison.launches.size());
        return;
    }
    for (std::size_t i = 0; i < counts.size(); ++i)
        for (CounterRow& row : comparison.launches[i].rows)
            for (const Comparison& each : comparisons())
                if (row.name == each.name) compare(row, comparison.launches[i], each, counts[i], prints);
}

OrderedJson to_json(const CounterComparison& comparison) {
    OrderedJson out{{"passes", comparison.passes}};
    if (!comparison.counted_error.empty()) out["counted_error"] = comparison.counted_error;
    out["launches"] = OrderedJson::array();
    for (const LaunchCounters& launch : comparison.launches) {
        OrderedJson rows = OrderedJson::array();
        for (const CounterRow& row : launch.rows) {
            OrderedJson each{{"name", row.name}};
            if (row.counted) each["counted"] = *row.counted;
            each["measured"] = row.measured;
            if (!row.remark.empty()) each["remark"] = row.remark;
            if (row.flagged) each["flagged"] = true;
            rows.push_back(std::move(each));
        }
        out["launches"].push_back({{"kernel", launch.kernel}, {"metrics", std::move(rows)}});
    }
    return out;
}

Result<CounterComparison> counter_comparison_of(const Json& json, const std::string& where) {
    CounterComparison comparison;
    if (!json.is_object() || !json.contains("passes") || !json["passes"].is_number_unsigned())
        return error(where + ": 'counters' has no number 'passes'");
    comparison.passes = json["passes"].get<std::size_t>();
    if (json.contains("counted_error") && json["counted_error"].is_string())
        comparison.counted_error = json["counted_error"].get<std::string>();
    if (!json.contains("launches") || !json["launches"].is_array())
        return error(where + ": 'counters' has no list 'launches'");
    for (const Json& each : json["launches"]) {
        if (!each.is_object() || !each.contains("kernel") || !each["kernel"].is_string() ||
            !each.contains("metrics") || !each["metrics"].is_array())
            return error(where + ": a launch of 'counters' needs 'kernel' and 'metrics'");
        LaunchCounters launch{each["kernel"].get<std::string>(), {}};
        for (const Json& metric : each["metrics"]) {
            Result<CounterRow> row = row_of(metric, where);
            if (!row) return row.diagnostics();
            launch.rows.push_back(std::move(*row));
        }
        comparison.launches.push_back(std::move(launch));
    }
    return comparison;
}

std::string table_of(const CounterComparison& comparison) {
    constexpr std::size_t most_shown = 4;
    constexpr int name_width = 28, number_width = 15;
    std::string text;
    if (!comparison.counted_error.empty()) text += "  not counted: " + comparison.counted_error + '\n';
    for (std::size_t i = 0; i < std::min(most_shown, comparison.launches.size()); ++i) {
        const LaunchCounters& launch = comparison.launches[i];
        text += "  launch " + std::to_string(i + 1) + ", " + launch.kernel + '\n';
        text +=
            padded_left("counted", name_width + number_width) + padded_left("measured", number_width) + '\n';
        for (const CounterRow& row : launch.rows) {
            if (row.measured == 0 && row.counted.value_or(0) == 0) continue;
            std::string line = padded_right("    " + row.name, name_width) +
                               padded_left(row.counted ? figure_text(*row.counted) : "", number_width) +
                               padded_left(figure_text(row.measured), number_width);
            if (!row.remark.empty()) line += (row.flagged ? "  ! " : "  ") + row.remark;
            text += line + '\n';
        }
    }
    if (comparison.launches.size() > most_shown)
        text += "  and " + std::to_string(comparison.launches.size() - most_shown) +
                " more launches; --json has all\n";
    return text;
}

}  // namespace lanescope::session
