// Estimates the times of recordings: one line of JSON for each, with what was measured.
//   clock_estimates RECORDING.json SOURCES [--part I/N] [--only TEXT] [--lessons FILE] [--quick] [--serve]
// SOURCES: the folder to which the recorded names of files belong. --lessons takes those that the file names.
// --quick leaves out inputs beyond 2^24 elements. --serve keeps what it has read and estimates again for each
// line of standard input, "figure=value …" of the device; a line "." ends each answer.
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/files.h"
#include "compile/compiler.h"
#include "session/clock/clock.h"
#include "session/clock/device_file.h"

namespace {

using namespace lanescope;

struct Wound {
    const session::TimingRecord* record = nullptr;
    std::optional<session::Clock> clock;
    std::string error;
};

Wound wind(const session::TimingRecord& record, const std::string& sources, const session::Timings& recorded,
           const analysis::DeviceModel& device) {
    Wound made{&record, {}, {}};
    execution::RunRequest request;
    request.file = sources + "/" + record.file;
    Result<std::string> text = read_text_file(request.file);
    if (!text) {
        made.error = to_text(text.diagnostics().front());
        return made;
    }
    request.source = std::move(*text);
    request.parameters = record.parameters;
    request.trace_bytes = session::Clock::large_trace_bytes;
    Result<session::Clock> clock = session::Clock::wind(std::move(request), device, &recorded);
    if (clock)
        made.clock = std::move(*clock);
    else
        made.error = to_text(clock.diagnostics().front());
    return made;
}

void print(const Wound& wound, const analysis::DeviceModel& device) {
    nlohmann::ordered_json out{{"file", wound.record->file},
                               {"parameters", wound.record->parameters},
                               {"measured_us", wound.record->timing.median_ms * 1000}};
    if (!wound.clock) {
        out["error"] = wound.error;
    } else {
        const session::ClockReading reading = wound.clock->read(device);
        out.update(session::to_json(reading));
        out["run_ms"] = reading.run_ms;
        out["estimate_ms"] = reading.estimate_ms;
    }
    if (wound.record->lines)
        for (const session::LineTime& line : wound.record->lines->lines)
            out["measured_lines"].push_back(
                {{"line", line.line}, {"share", line.share}, {"stalls", line.stalls}});
    std::cout << out.dump() << std::endl;
}

bool change(analysis::DeviceModel& device, const std::string& setting) {
    const std::size_t equals = setting.find('=');
    for (const analysis::DeviceField& field : analysis::device_fields())
        if (equals != std::string::npos && setting.substr(0, equals) == field.name) {
            device.*field.value = std::stod(setting.substr(equals + 1));
            return true;
        }
    return false;
}

void serve(const std::vector<Wound>& all, const analysis::DeviceModel& device) {
    for (std::string line; std::getline(std::cin, line);) {
        analysis::DeviceModel changed = device;
        std::istringstream words(line);
        for (std::string word; words >> word;)
            if (!change(changed, word)) std::cerr << "unknown figure " << word << '\n';
        for (const Wound& each : all)
            print(each, changed);
        std::cout << "." << std::endl;
    }
}

}  // namespace

int main(int count, char** words) {
    if (count > 1 && std::string(words[1]) == "__compile") return compile::compile_worker_main();
    if (count < 3) {
        std::cerr << "usage: clock_estimates RECORDING.json SOURCES [--part I/N] [--only TEXT] [--serve]\n";
        return 2;
    }
    std::size_t part = 0, parts = 1;
    std::string only;
    std::set<std::string> lessons;  // empty: all
    bool serves = false, quick = false;
    for (int i = 3; i < count; ++i) {
        const std::string word = words[i];
        if (word == "--serve") serves = true;
        if (word == "--quick") quick = true;
        if (word == "--only" && i + 1 < count) only = words[++i];
        if (word == "--lessons" && i + 1 < count) {
            std::ifstream names(words[++i]);
            for (std::string name; names >> name;)
                lessons.insert("kernels/" + name + ".cu");
        }
        if (word == "--part" && i + 1 < count) {
            const std::string text = words[++i];
            part = std::stoul(text);
            parts = std::stoul(text.substr(text.find('/') + 1));
        }
    }
    const Result<std::string> text = read_text_file(words[1]);
    const Result<session::TimingReport> report =
        text ? session::timing_report_of(*text, words[1]) : Result<session::TimingReport>(text.diagnostics());
    const Result<analysis::DeviceModel> device = session::shipped_device();
    if (!report || !device) {
        std::cerr << to_text((report ? device.diagnostics() : report.diagnostics()).front()) << '\n';
        return 2;
    }
    const session::Timings recorded{*report, true};
    std::vector<Wound> all;
    for (std::size_t i = 0; i < recorded.report.timings.size(); ++i) {
        const session::TimingRecord& record = recorded.report.timings[i];
        const std::string name = record.file + session::parameters_text(record);
        if (i % parts != part || !record.timed() || name.find(only) == std::string::npos) continue;
        if (!lessons.empty() && !lessons.contains(record.file)) continue;
        constexpr std::int64_t most_elements = 1 << 24;
        const auto is_large = [&](const auto& parameter) { return parameter.second > most_elements; };
        if (quick && std::any_of(record.parameters.begin(), record.parameters.end(), is_large)) continue;
        Wound wound = wind(record, words[2], recorded, *device);
        if (serves)
            all.push_back(std::move(wound));
        else
            print(wound, *device);
    }
    if (serves) serve(all, *device);
    return 0;
}
